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

/** The suspicions of every node: crashes reported after a delay, and injected wrong suspicions. */
final class OracleDetector {

    private final NodeSet[] detectedDown; // by node: its peers reported as down
    private final NodeSet[] suspected; // by node
    private final List<Fault.WrongSuspicion> wrongSuspicions = new ArrayList<>();
    private final long delay; // in microseconds; negative: crashes are never detected

    OracleDetector(World world) {
        int size = world.topology().highestNumber() + 1;
        detectedDown = new NodeSet[size];
        suspected = new NodeSet[size];
        Arrays.fill(detectedDown, NodeSet.NONE);
        Arrays.fill(suspected, NodeSet.NONE);
        delay = switch (world.detector()) {
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

    /** The node learns that the peer is down or up. */
    void onNotice(NodeId node, NodeId peer, boolean down) {
        var before = detectedDown[node.number()];
        detectedDown[node.number()] = down ? before.with(peer) : before.without(peer);
    }

    /** Updates the suspicion of the peer. Returns whether it changed. */
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
