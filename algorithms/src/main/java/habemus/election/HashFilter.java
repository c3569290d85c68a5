package habemus.election;

import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Picks a few of many nodes without messages: every node computes the same hash of a node and an election. */
public final class HashFilter {

    private static final double HASH_RANGE = 0x1p63;

    private HashFilter() {}

    /**
     * About {@code expectedCount} of all nodes, at least one, best first. Takes time in proportion to the number of all
     * nodes, and space in proportion to the picked ones.
     */
    public static List<NodeId> pick(Neighbourhood neighbourhood, int expectedCount, long election) {
        double share = HASH_RANGE * expectedCount / (neighbourhood.neighbours().size() + 1);
        var lowest = neighbourhood.self();
        var passed = new ArrayList<NodeId>();
        for (int i = -1; i < neighbourhood.neighbours().size(); i++) {
            var node = i < 0 ? neighbourhood.self() : neighbourhood.neighbours().get(i);
            if (hash(node, election) < share) {
                passed.add(node);
            }
            lowest = hash(node, election) < hash(lowest, election) ? node : lowest;
        }
        passed.sort(Comparator.comparingLong((NodeId node) -> hash(node, election)));
        return passed.isEmpty() ? List.of(lowest) : List.copyOf(passed);
    }

    /** Whether {@code node} has the lower hash in this election. */
    public static boolean isBetter(NodeId node, NodeId other, long election) {
        return hash(node, election) < hash(other, election);
    }

    /** From 0 to 2^63-1; mixes like SplitMix64. */
    private static long hash(NodeId node, long election) {
        long z = node.number() * 0x9E3779B97F4A7C15L + election * 0xD1B54A32D192ED03L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return (z ^ z >>> 31) >>> 1;
    }
}
