package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.world.Fault;
import habemus.world.World;

/** Drives the oracle detector: schedules notices of crashes and restarts, reports changed suspicions to nodes. */
final class DetectorDriver {

    private static final int RESTART = 0; // a notice of a crash has the number of that crash, from 1

    private final SimulationLoop<?, ?> loop;
    private final NodeStatus nodeStatus;
    private final TimingWheel wheel;
    private final OracleDetector oracle;

    DetectorDriver(SimulationLoop<?, ?> loop, World world, NodeStatus nodeStatus, TimingWheel wheel) {
        this.loop = loop;
        this.nodeStatus = nodeStatus;
        this.wheel = wheel;
        oracle = new OracleDetector(world);
    }

    /** Schedules a notice for each neighbour. */
    void onCrash(NodeId id) {
        oracle.forget(id);
        if (isActive()) {
            loop.peers(id).forEach(peer -> scheduleNotice(peer, id, crashNumber(id)));
        }
    }

    /** Schedules a notice for each neighbour, and notices of neighbours that are down for the restarted node. */
    void onRestart(NodeId id) {
        if (isActive()) {
            for (NodeId peer : loop.peers(id)) {
                scheduleNotice(peer, id, RESTART);
                if (nodeStatus.isDown(peer.number())) {
                    scheduleNotice(id, peer, crashNumber(peer));
                }
            }
        }
    }

    private boolean isActive() {
        return oracle.isEnabled() && loop.usesDetector();
    }

    private int crashNumber(NodeId id) {
        return nodeStatus.crashes(id.number());
    }

    private void scheduleNotice(NodeId node, NodeId peer, int notice) {
        wheel.schedule(
                wheel.now() + oracle.delay(),
                PackedEvent.of(PackedEvent.DETECTOR, node.number(), peer.number()),
                notice);
    }

    /** Handles a notice. A notice of a crash that is already over counts as a restart, so no live node is suspected. */
    void onNotice(NodeId node, NodeId peer, int notice) {
        oracle.onNotice(node, peer, nodeStatus.isDown(peer.number()) && crashNumber(peer) == notice);
        revise(node, peer);
    }

    void beginWrongSuspicion(Fault.WrongSuspicion suspicion) {
        oracle.addWrongSuspicion(suspicion);
        revise(suspicion.node(), suspicion.peer());
    }

    void endWrongSuspicion(NodeId node, NodeId peer) {
        oracle.removeWrongSuspicion(node, peer);
        revise(node, peer);
    }

    void endAllWrongSuspicions() {
        oracle.wrongSuspicions().forEach(suspicion -> endWrongSuspicion(suspicion.node(), suspicion.peer()));
    }

    /** Updates the suspicions of a node that was paused. */
    void onResume(NodeId id) {
        if (loop.usesDetector()) {
            loop.neighbourhood(id).neighbours().forEach(peer -> revise(id, peer));
        }
    }

    /** The node learns that the peer has joined or left: a new peer may be down already. */
    void onViewChanged(NodeId node, NodeId peer) {
        if (isActive() && nodeStatus.isDown(peer.number())) {
            scheduleNotice(node, peer, crashNumber(peer));
        }
    }

    private void revise(NodeId node, NodeId peer) {
        if (loop.usesDetector()
                && loop.knows(node, peer)
                && nodeStatus.isUp(node.number())
                && oracle.revise(node, peer)) {
            loop.onSuspicionChanged(node, peer, oracle.suspects(node, peer));
        }
    }
}
