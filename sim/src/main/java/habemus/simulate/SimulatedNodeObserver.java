package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.world.AppState;
import habemus.world.NodeObserver;
import habemus.world.ObservableEvent;

/** Observes the nodes of a simulation, and records what is seen. */
final class SimulatedNodeObserver extends NodeObserver {

    private final WorkloadDriver workloadDriver;
    private final SimulatedNetwork network;
    private final RunRecorder recorder;
    private final TimingWheel wheel;
    private final int[] leaders; // the number that each node announces; zero if none

    /** @param size the highest node number plus one */
    SimulatedNodeObserver(
            int size,
            WorkloadDriver workloadDriver,
            SimulatedNetwork network,
            RunRecorder recorder,
            TimingWheel wheel) {
        this.workloadDriver = workloadDriver;
        this.network = network;
        this.recorder = recorder;
        this.wheel = wheel;
        leaders = new int[size];
    }

    @Override
    protected AppState appState(NodeId node) {
        return workloadDriver.state(node.number());
    }

    @Override
    protected void setAppState(NodeId node, AppState next) {
        workloadDriver.setState(node.number(), next);
        if (next == AppState.IDLE || next == AppState.HOLDING) {
            network.stopWaiting(node);
        }
    }

    @Override
    protected int leader(NodeId node) {
        return leaders[node.number()];
    }

    @Override
    protected void setLeader(NodeId node, int leader) {
        leaders[node.number()] = leader;
    }

    @Override
    protected void observe(ObservableEvent event) {
        recorder.observe(wheel.now(), event);
    }
}
