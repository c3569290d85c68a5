package habemus.check;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Orders a run for reading: who acts goes on acting for as long as that makes no difference to anybody.
 *
 * <p>What keeps its order: the moves of one node; a letter's sending and what becomes of it; whatever is seen or paid
 * for, so that judges see the same; news of a peer and its crashes and returns; everything before and after a move that
 * waits for quiet in a synchronous world, for time to pass, cuts and mends links, or makes a node stand still
 * and go on. The last move stays the last.
 */
final class Bursts {

    /** So many orders are followed at once, those that came furthest: small runs get the fewest bursts there are. */
    private static final int ORDERS = 100;

    private final List<Course.Made> run;
    private final boolean synchronous;
    private final List<BitSet> before = new ArrayList<>(); // each move

    /** Some moves, with nothing left out before any of them. */
    private record Order(List<Integer> moves, BitSet done) {}

    private Bursts(List<Course.Made> run, boolean synchronous) {
        this.run = run;
        this.synchronous = synchronous;
        for (int after = 0; after < run.size(); after++) {
            var all = new BitSet();
            for (int one = 0; one < after; one++) {
                all.set(one, staysBefore(one, after));
            }
            before.add(all);
        }
    }

    static List<Course.Made> order(List<Course.Made> run, boolean synchronous) {
        return new Bursts(run, synchronous).order().stream().map(run::get).toList();
    }

    private List<Integer> order() {
        var orders = List.of(new Order(List.of(), new BitSet()));
        while (orders.getFirst().moves.size() < run.size()) {
            var longer = new LinkedHashMap<BitSet, Order>();
            orders.forEach(order -> longerThan(order).forEach(next -> longer.putIfAbsent(next.done, next)));
            orders = longer.values().stream()
                    .sorted(Comparator.comparingInt(order -> -order.moves.size()))
                    .limit(ORDERS)
                    .toList();
        }
        return orders.getFirst().moves;
    }

    /** The same and a burst of somebody, whose first move was the earliest first. */
    private List<Order> longerThan(Order order) {
        var longer = new ArrayList<Order>();
        var tried = new BitSet();
        for (int move = order.done.nextClearBit(0); move < run.size(); move = order.done.nextClearBit(move + 1)) {
            int node = run.get(move).move().node();
            if (!tried.get(node) && isReady(move, order.done)) {
                longer.add(burst(order, move));
            }
            tried.set(node);
        }
        return longer;
    }

    private Order burst(Order order, int first) {
        var moves = new ArrayList<>(order.moves);
        var done = (BitSet) order.done.clone();
        int node = run.get(first).move().node();
        for (int move = first; move < run.size(); move++) {
            if (run.get(move).move().node() == node) {
                if (!isReady(move, done)) {
                    break;
                }
                moves.add(move);
                done.set(move);
            }
        }
        return new Order(moves, done);
    }

    private boolean isReady(int move, BitSet done) {
        var missing = (BitSet) before.get(move).clone();
        missing.andNot(done);
        return missing.isEmpty();
    }

    private boolean staysBefore(int before, int after) {
        var one = run.get(before).move();
        var other = run.get(after).move();
        return one.node() == other.node()
                || run.get(after).sender() == before
                || one.turn().account() != 0 && other.turn().account() != 0
                || isNewsOf(one, other)
                || isNewsOf(other, one)
                || isOfNobody(one)
                || isOfNobody(other)
                || synchronous
                        && (one.turn().kind().waitsForQuiet()
                                || other.turn().kind().waitsForQuiet())
                || after == run.size() - 1;
    }

    private static boolean isOfNobody(Move move) {
        return switch (move.turn().kind()) {
            case PART, MEND, PAUSE, RESUME -> true;
            default -> false;
        };
    }

    private static boolean isNewsOf(Move news, Move fate) {
        boolean upOrDown = switch (fate.turn().kind()) {
            case CRASH, RESTART, AMNESIA -> true;
            default -> fate.turn().way().cut() > 0;
        };
        return upOrDown && news.turn().peer() == fate.node();
    }
}
