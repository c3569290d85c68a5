package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.world.Fault;
import habemus.world.MembershipHistory;
import habemus.world.ObservableEvent;
import habemus.world.TraceEvent;

/** Injects the planned faults of a run. */
final class FaultInjector {

    private final SimulationLoop<?, ?> loop;
    private final LinkModel links;
    private final DetectorDriver detectorDriver;
    private final NodeStatus nodeStatus;
    private final RunRecorder recorder;

    FaultInjector(
            SimulationLoop<?, ?> loop,
            LinkModel links,
            DetectorDriver detectorDriver,
            NodeStatus nodeStatus,
            RunRecorder recorder) {
        this.loop = loop;
        this.links = links;
        this.detectorDriver = detectorDriver;
        this.nodeStatus = nodeStatus;
        this.recorder = recorder;
    }

    void inject(Fault fault) {
        recorder.recordEvent(new TraceEvent.FaultInjected(loop.now(), fault));
        switch (fault) {
            case Fault.Crash(var node) -> loop.crash(node);
            case Fault.Restart(var node, var amnesia) -> loop.restart(node, amnesia);
            case Fault.LoseTail(var node, var entries) -> loop.loseTail(node, entries);
            case Fault.Pause(var node) -> pause(node);
            case Fault.Resume(var node) -> resume(node);
            case Fault.Cut cut -> {
                links.cut(cut);
                loop.observe(new ObservableEvent.Partitioned(cut));
            }
            case Fault.HealCut(var cut) -> {
                if (links.heal(cut)) {
                    loop.observe(new ObservableEvent.Healed(cut));
                }
            }
            case Fault.Slow slow -> links.setSlowdown(slow);
            case Fault.ClockRate(var node, var factor) -> loop.setClockRate(node, factor);
            case Fault.Join(var node) -> loop.membership().onDue(new MembershipHistory.ViewChange(node, true));
            case Fault.Leave(var node) -> loop.membership().onDue(new MembershipHistory.ViewChange(node, false));
            case Fault.WrongSuspicion wrongSuspicion -> detectorDriver.beginWrongSuspicion(wrongSuspicion);
            case Fault.Correct(var node, var peer) -> detectorDriver.endWrongSuspicion(node, peer);
            case Fault.Heal() -> heal();
        }
    }

    private void pause(NodeId node) {
        if (nodeStatus.isUp(node.number())) {
            nodeStatus.pause(node.number());
            loop.observe(new ObservableEvent.Paused(node));
        }
    }

    private void resume(NodeId node) {
        if (nodeStatus.isPaused(node.number())) {
            loop.observe(new ObservableEvent.Resumed(node));
            loop.replay(nodeStatus.resume(node.number()));
            detectorDriver.onResume(node);
        }
    }

    private void heal() {
        links.healAll().forEach(cut -> loop.observe(new ObservableEvent.Healed(cut)));
        loop.nodes().forEach(this::resume);
        loop.nodes().forEach(node -> loop.setClockRate(node, 1));
        detectorDriver.endAllWrongSuspicions();
    }
}
