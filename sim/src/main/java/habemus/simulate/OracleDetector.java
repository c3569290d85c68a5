package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.DetectorModel;
import habemus.world.Fault;
import habemus.world.Micros;
import habemus.world.World;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The failure detector of every node: it learns after a delay who is down, and errs only where it was told to. */
final class OracleDetector {

    private final NodeSet[] detectedDown; // by each node, of its peers
    private final NodeSet[] suspected;
    private final List<Fault.WrongSuspicion> wrongSuspicions = new ArrayList<>();
    private final long delay; // negative: crashes are never noticed

    OracleDetector(World world) {
        int size = world.topology().highestNumber() + 1;
        detectedDown = new NodeSet[size];
        suspected = new NodeSet[size];
        Arrays.fill(detectedDown, NodeSet.NONE);
        Arrays.fill(suspected, NodeSet.NONE);
        delay = switch (world.detectorModel()) {
            case DetectorModel.None() -> -1;
            case DetectorModel.Oracle(var time) -> Micros.of(time);
        };
    }

    boolean isEnabled() {
        return delay >= 0;
    }

    long delay() {
        return delay;
    }

    void addWrongSuspicion(Fault.WrongSuspicion wrongSuspicion) {
        wrongSuspicions.add(wrongSuspicion);
    }

    void removeWrongSuspicion(NodeId node, NodeId peer) {
        wrongSuspicions.remove(new Fault.WrongSuspicion(node, peer));
    }

    List<Fault.WrongSuspicion> wrongSuspicions() {
        return List.copyOf(wrongSuspicions);
    }

    /** The news of a crash or a return reaches the node. */
    void observe(NodeId node, NodeId peer, boolean down) {
        var seen = detectedDown[node.number()];
        detectedDown[node.number()] = down ? seen.with(peer) : seen.without(peer);
    }

    /** Whether the node changes its mind about the peer. */
    boolean revise(NodeId node, NodeId peer) {
        boolean suspects = detectedDown[node.number()].contains(peer)
                || wrongSuspicions.contains(new Fault.WrongSuspicion(node, peer));
        var before = suspected[node.number()];
        suspected[node.number()] = suspects ? before.with(peer) : before.without(peer);
        return before.contains(peer) != suspects;
    }

    boolean suspects(NodeId node, NodeId peer) {
        return suspected[node.number()].contains(peer);
    }

    void forget(NodeId node) {
        detectedDown[node.number()] = NodeSet.NONE;
        suspected[node.number()] = NodeSet.NONE;
    }
}
