package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.world.Fault;
import habemus.world.World;

/** Who notices what of whom, and when: the failure detectors of all nodes at work. */
final class DetectorDriver {

    private static final int RESTART = 0; // news of a crash has the number of the crash, from one on

    private final SimulationLoop<?, ?> simulationLoop;
    private final World world;
    private final NodeStatus nodeStatus;
    private final TimingWheel timingWheel;
    private final OracleDetector oracleDetector;

    DetectorDriver(SimulationLoop<?, ?> simulationLoop, World world, NodeStatus nodeStatus, TimingWheel timingWheel) {
        this.simulationLoop = simulationLoop;
        this.world = world;
        this.nodeStatus = nodeStatus;
        this.timingWheel = timingWheel;
        oracleDetector = new OracleDetector(world);
    }

    /** The neighbours will notice. */
    void onCrash(NodeId id) {
        oracleDetector.forget(id);
        if (isActive()) {
            world.topology().neighbourhood(id).neighbours().forEach(peer -> scheduleNotice(peer, id, crashNumber(id)));
        }
    }

    /** The neighbours will notice, and it will notice who of them is down. */
    void onRestart(NodeId id) {
        if (isActive()) {
            for (NodeId peer : world.topology().neighbourhood(id).neighbours()) {
                scheduleNotice(peer, id, RESTART);
                if (nodeStatus.isDown(peer.number())) {
                    scheduleNotice(id, peer, crashNumber(peer));
                }
            }
        }
    }

    private boolean isActive() {
        return oracleDetector.isEnabled() && simulationLoop.usesDetector();
    }

    private int crashNumber(NodeId id) {
        return nodeStatus.crashes(id.number());
    }

    private void scheduleNotice(NodeId node, NodeId peer, int news) {
        timingWheel.schedule(
                timingWheel.now() + oracleDetector.delay(),
                PackedEvent.of(PackedEvent.DETECTOR, node.number(), peer.number()),
                news);
    }

    /** News of a crash that is over is no news: nobody who is up is suspected, but for mistakes. */
    void onNotice(NodeId node, NodeId peer, int news) {
        oracleDetector.observe(node, peer, nodeStatus.isDown(peer.number()) && crashNumber(peer) == news);
        revise(node, peer);
    }

    void beginWrongSuspicion(Fault.WrongSuspicion wrongSuspicion) {
        oracleDetector.addWrongSuspicion(wrongSuspicion);
        revise(wrongSuspicion.node(), wrongSuspicion.peer());
    }

    void endWrongSuspicion(NodeId node, NodeId peer) {
        oracleDetector.removeWrongSuspicion(node, peer);
        revise(node, peer);
    }

    void endAllWrongSuspicions() {
        oracleDetector
                .wrongSuspicions()
                .forEach(wrongSuspicion -> endWrongSuspicion(wrongSuspicion.node(), wrongSuspicion.peer()));
    }

    /** A node that was paused makes up its mind now. */
    void onResume(NodeId id) {
        if (simulationLoop.usesDetector()) {
            world.topology().neighbourhood(id).neighbours().forEach(peer -> revise(id, peer));
        }
    }

    private void revise(NodeId node, NodeId peer) {
        if (simulationLoop.usesDetector() && nodeStatus.isUp(node.number()) && oracleDetector.revise(node, peer)) {
            simulationLoop.onSuspicionChanged(node, peer, oracleDetector.suspects(node, peer));
        }
    }
}
