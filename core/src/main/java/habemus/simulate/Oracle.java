package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Detector;
import habemus.world.Fault;
import habemus.world.Micros;
import habemus.world.World;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The failure detector of every node: it learns after a delay who is down, and errs only where it was told to. */
final class Oracle {

    private final NodeSet[] seenDown; // by each node, of its peers
    private final NodeSet[] suspected;
    private final List<Fault.Mistake> mistakes = new ArrayList<>();
    private final long delay; // negative: crashes are never noticed

    Oracle(World world) {
        int size = world.topology().highest() + 1;
        seenDown = new NodeSet[size];
        suspected = new NodeSet[size];
        Arrays.fill(seenDown, NodeSet.NONE);
        Arrays.fill(suspected, NodeSet.NONE);
        delay = switch (world.detector()) {
            case Detector.None() -> -1;
            case Detector.Oracle(var time) -> Micros.of(time);
        };
    }

    boolean notices() {
        return delay >= 0;
    }

    long delay() {
        return delay;
    }

    void begin(Fault.Mistake mistake) {
        mistakes.add(mistake);
    }

    void end(NodeId node, NodeId peer) {
        mistakes.remove(new Fault.Mistake(node, peer));
    }

    List<Fault.Mistake> mistakes() {
        return List.copyOf(mistakes);
    }

    /** The news of a crash or a return reaches the node. */
    void observe(NodeId node, NodeId peer, boolean down) {
        var seen = seenDown[node.number()];
        seenDown[node.number()] = down ? seen.with(peer) : seen.without(peer);
    }

    /** Whether the node changes its mind about the peer. */
    boolean revise(NodeId node, NodeId peer) {
        boolean suspects = seenDown[node.number()].contains(peer) || mistakes.contains(new Fault.Mistake(node, peer));
        var before = suspected[node.number()];
        suspected[node.number()] = suspects ? before.with(peer) : before.without(peer);
        return before.contains(peer) != suspects;
    }

    boolean suspects(NodeId node, NodeId peer) {
        return suspected[node.number()].contains(peer);
    }

    void forget(NodeId node) {
        seenDown[node.number()] = NodeSet.NONE;
        suspected[node.number()] = NodeSet.NONE;
    }
}
