package habemus.world;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;

/**
 * Tracks Lamport's happened-before relation between requests with vector clocks. The world keeps the clocks; algorithms
 * do not see them, and their messages are not counted as larger.
 */
public final class CausalityTracker {

    /** Above this number of nodes the clocks would be the largest part of a run. */
    public static final int MAX_NODES = 64;

    private final int[][] clocks;
    private final int[] requestedAt; // own clock component at the time of the request
    private NodeSet waiting = NodeSet.NONE;

    public CausalityTracker(int highestNumber) {
        clocks = new int[highestNumber + 1][highestNumber + 1];
        requestedAt = new int[highestNumber + 1];
    }

    /** Returns the vector clock to attach to a message that this node sends now. */
    public int[] onSend(int node) {
        clocks[node][node]++;
        return clocks[node].clone();
    }

    public void onReceive(int node, int[] messageClock) {
        var clock = clocks[node];
        for (int i = 0; i < clock.length; i++) {
            clock[i] = Math.max(clock[i], messageClock[i]);
        }
    }

    /** Returns the waiting nodes whose requests happened before this one. */
    public NodeSet onRequest(NodeId node) {
        var clock = clocks[node.number()];
        var preceding = NodeSet.NONE;
        for (NodeId other : waiting) {
            if (clock[other.number()] >= requestedAt[other.number()]) {
                preceding = preceding.with(other);
            }
        }
        waiting = waiting.with(node);
        requestedAt[node.number()] = ++clock[node.number()];
        return preceding;
    }

    public void stopWaiting(NodeId node) {
        waiting = waiting.without(node);
    }
}
