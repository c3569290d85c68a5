package habemus.check.counterexample;

import habemus.check.store.NodeTransition;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Reorders the commuting moves of a run so that it is easier to read: a node makes as many moves in a row as possible.
 *
 * <p>These keep their order: the moves of one node; the sending of a message and its delivery or loss. Also moves with
 * observable events or charged faults, so that the monitors see the same. Also suspicions of a peer and its crashes and
 * restarts. Nothing moves across a partition, a heal, a pause, a resume or a change of the members. In a synchronous
 * world nothing moves across a move that waits for the delivery of messages. The last move stays the last.
 */
final class ReadableOrder {

    /** The width of the beam search, which keeps the longest prefixes: enough for the fewest bursts of small runs. */
    private static final int MAX_PREFIXES = 100;

    private final List<ScheduledRun.ExecutedMove> run;
    private final boolean synchronous;
    private final List<BitSet> predecessors = new ArrayList<>(); // by move

    /** Some moves, with all predecessors of each. */
    private record Prefix(List<Integer> moves, BitSet done) {}

    private ReadableOrder(List<ScheduledRun.ExecutedMove> run, boolean synchronous) {
        this.run = run;
        this.synchronous = synchronous;
        for (int after = 0; after < run.size(); after++) {
            var earlier = new BitSet();
            for (int before = 0; before < after; before++) {
                earlier.set(before, mustStayBefore(before, after));
            }
            predecessors.add(earlier);
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

    /** The prefix with one more burst, for each node that can make one. */
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
        var first = run.get(before).nodeTransition();
        var second = run.get(after).nodeTransition();
        return first.node() == second.node()
                || run.get(after).sentBy() == before
                || first.transition().globalEffect() != 0 && second.transition().globalEffect() != 0
                || isSuspicionOf(first, second)
                || isSuspicionOf(second, first)
                || isBarrier(first)
                || isBarrier(second)
                || synchronous
                        && (first.transition().kind().waitsForDelivery()
                                || second.transition().kind().waitsForDelivery())
                || after == run.size() - 1;
    }

    private static boolean isBarrier(NodeTransition nodeTransition) {
        return switch (nodeTransition.transition().kind()) {
            case PARTITION, HEAL, PAUSE, RESUME, JOIN, LEAVE, VIEW_CHANGE -> true;
            default -> false;
        };
    }

    private static boolean isSuspicionOf(NodeTransition suspicion, NodeTransition change) {
        boolean upOrDown = switch (change.transition().kind()) {
            case CRASH, RESTART, AMNESIA -> true;
            default -> change.transition().branch().crashAfter() > 0;
        };
        return upOrDown && suspicion.transition().peer() == change.node();
    }
}
