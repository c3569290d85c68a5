package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.world.Fault;
import habemus.world.ObservableEvent;
import habemus.world.TraceEvent;

/** What goes wrong in a run, when its time has come. */
final class FaultInjector {

    private final SimulationLoop<?, ?> simulationLoop;
    private final LinkModel linkModel;
    private final DetectorDriver detectorDriver;
    private final NodeStatus nodeStatus;
    private final RunRecorder runRecorder;

    FaultInjector(
            SimulationLoop<?, ?> simulationLoop,
            LinkModel linkModel,
            DetectorDriver detectorDriver,
            NodeStatus nodeStatus,
            RunRecorder runRecorder) {
        this.simulationLoop = simulationLoop;
        this.linkModel = linkModel;
        this.detectorDriver = detectorDriver;
        this.nodeStatus = nodeStatus;
        this.runRecorder = runRecorder;
    }

    void inject(Fault fault) {
        runRecorder.recordEvent(new TraceEvent.FaultInjected(simulationLoop.now(), fault));
        switch (fault) {
            case Fault.Crash(var node) -> simulationLoop.crash(node);
            case Fault.Restart(var node, var amnesia) -> simulationLoop.restart(node, amnesia);
            case Fault.Pause(var node) -> pause(node);
            case Fault.Resume(var node) -> resume(node);
            case Fault.Cut cut -> {
                linkModel.cut(cut);
                simulationLoop.observe(new ObservableEvent.Partitioned(cut));
            }
            case Fault.HealCut(var cut) -> {
                if (linkModel.heal(cut)) {
                    simulationLoop.observe(new ObservableEvent.Healed(cut));
                }
            }
            case Fault.Slow slow -> linkModel.setSlowdown(slow);
            case Fault.WrongSuspicion wrongSuspicion -> detectorDriver.beginWrongSuspicion(wrongSuspicion);
            case Fault.Correct(var node, var peer) -> detectorDriver.endWrongSuspicion(node, peer);
            case Fault.Heal() -> heal();
        }
    }

    private void pause(NodeId node) {
        if (nodeStatus.isUp(node.number())) {
            nodeStatus.pause(node.number());
            simulationLoop.observe(new ObservableEvent.Paused(node));
        }
    }

    private void resume(NodeId node) {
        if (nodeStatus.isPaused(node.number())) {
            simulationLoop.observe(new ObservableEvent.Resumed(node));
            simulationLoop.replay(nodeStatus.resume(node.number()));
            detectorDriver.onResume(node);
        }
    }

    private void heal() {
        linkModel.healAll().forEach(cut -> simulationLoop.observe(new ObservableEvent.Healed(cut)));
        simulationLoop.nodes().forEach(this::resume);
        detectorDriver.endAllWrongSuspicions();
    }
}
