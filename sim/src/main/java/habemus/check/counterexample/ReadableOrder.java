package habemus.check.counterexample;

import habemus.check.store.NodeTransition;
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
final class ReadableOrder {

    /** So many orders are followed at once, those that came furthest: small runs get the fewest bursts there are. */
    private static final int MAX_PREFIXES = 100;

    private final List<ScheduledRun.ExecutedMove> run;
    private final boolean synchronous;
    private final List<BitSet> predecessors = new ArrayList<>(); // each move

    /** Some moves, with nothing left out before any of them. */
    private record Prefix(List<Integer> moves, BitSet done) {}

    private ReadableOrder(List<ScheduledRun.ExecutedMove> run, boolean synchronous) {
        this.run = run;
        this.synchronous = synchronous;
        for (int after = 0; after < run.size(); after++) {
            var all = new BitSet();
            for (int one = 0; one < after; one++) {
                all.set(one, mustStayBefore(one, after));
            }
            predecessors.add(all);
        }
    }

    static List<ScheduledRun.ExecutedMove> order(List<ScheduledRun.ExecutedMove> run, boolean synchronous) {
        return new ReadableOrder(run, synchronous)
                .order().stream().map(run::get).toList();
    }

    private List<Integer> order() {
        var prefixes = List.of(new Prefix(List.of(), new BitSet()));
        while (prefixes.getFirst().moves.size() < run.size()) {
            var longer = new LinkedHashMap<BitSet, Prefix>();
            prefixes.forEach(prefix -> extensions(prefix).forEach(next -> longer.putIfAbsent(next.done, next)));
            prefixes = longer.values().stream()
                    .sorted(Comparator.comparingInt(prefix -> -prefix.moves.size()))
                    .limit(MAX_PREFIXES)
                    .toList();
        }
        return prefixes.getFirst().moves;
    }

    /** The same and a burst of somebody, whose first move was the earliest first. */
    private List<Prefix> extensions(Prefix prefix) {
        var longer = new ArrayList<Prefix>();
        var tried = new BitSet();
        for (int move = prefix.done.nextClearBit(0); move < run.size(); move = prefix.done.nextClearBit(move + 1)) {
            int node = run.get(move).nodeTransition().node();
            if (!tried.get(node) && isEnabled(move, prefix.done)) {
                longer.add(withBurst(prefix, move));
            }
            tried.set(node);
        }
        return longer;
    }

    private Prefix withBurst(Prefix prefix, int first) {
        var moves = new ArrayList<>(prefix.moves);
        var done = (BitSet) prefix.done.clone();
        int node = run.get(first).nodeTransition().node();
        for (int move = first; move < run.size(); move++) {
            if (run.get(move).nodeTransition().node() == node) {
                if (!isEnabled(move, done)) {
                    break;
                }
                moves.add(move);
                done.set(move);
            }
        }
        return new Prefix(moves, done);
    }

    private boolean isEnabled(int move, BitSet done) {
        var missing = (BitSet) predecessors.get(move).clone();
        missing.andNot(done);
        return missing.isEmpty();
    }

    private boolean mustStayBefore(int before, int after) {
        var one = run.get(before).nodeTransition();
        var other = run.get(after).nodeTransition();
        return one.node() == other.node()
                || run.get(after).sentBy() == before
                || one.transition().globalEffect() != 0 && other.transition().globalEffect() != 0
                || isSuspicionOf(one, other)
                || isSuspicionOf(other, one)
                || isBarrier(one)
                || isBarrier(other)
                || synchronous
                        && (one.transition().kind().waitsForDelivery()
                                || other.transition().kind().waitsForDelivery())
                || after == run.size() - 1;
    }

    private static boolean isBarrier(NodeTransition nodeTransition) {
        return switch (nodeTransition.transition().kind()) {
            case PARTITION, HEAL, PAUSE, RESUME -> true;
            default -> false;
        };
    }

    private static boolean isSuspicionOf(NodeTransition news, NodeTransition fate) {
        boolean upOrDown = switch (fate.transition().kind()) {
            case CRASH, RESTART, AMNESIA -> true;
            default -> fate.transition().branch().crashAfter() > 0;
        };
        return upOrDown && news.transition().peer() == fate.node();
    }
}
