package habemus.world;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;

/**
 * Lamport's happened-before between requests, by vector clocks that the world keeps: algorithms neither see them nor
 * pay for them.
 */
public final class CausalityTracker {

    /** More nodes than that make the clocks the largest part of a run. */
    public static final int MAX_NODES = 64;

    private final int[][] clocks;
    private final int[] requestedAt; // the own component when it asked; zero if it does not wait
    private NodeSet waiting = NodeSet.NONE;

    public CausalityTracker(int highest) {
        clocks = new int[highest + 1][highest + 1];
        requestedAt = new int[highest + 1];
    }

    /** What a message carries that leaves this node now. */
    public int[] onSend(int node) {
        clocks[node][node]++;
        return clocks[node].clone();
    }

    public void onReceive(int node, int[] clock) {
        var mine = clocks[node];
        for (int i = 0; i < mine.length; i++) {
            mine[i] = Math.max(mine[i], clock[i]);
        }
    }

    /** Tells those that wait and whose asking happened before this one. */
    public NodeSet onRequest(NodeId node) {
        var mine = clocks[node.number()];
        var behind = NodeSet.NONE;
        for (NodeId other : waiting) {
            if (mine[other.number()] >= requestedAt[other.number()]) {
                behind = behind.with(other);
            }
        }
        waiting = waiting.with(node);
        requestedAt[node.number()] = ++mine[node.number()];
        return behind;
    }

    public void stopWaiting(NodeId node) {
        waiting = waiting.without(node);
    }
}
