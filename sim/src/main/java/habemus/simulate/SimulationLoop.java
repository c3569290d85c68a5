package habemus.simulate;

import static java.util.Objects.requireNonNull;

import habemus.protocol.ClientServer;
import habemus.protocol.Durable;
import habemus.protocol.Effect;
import habemus.protocol.Election;
import habemus.protocol.Event;
import habemus.protocol.FailureAware;
import habemus.protocol.Mutex;
import habemus.protocol.NodeId;
import habemus.protocol.Protocol;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.protocol.ValueTypeCheck;
import habemus.world.Fault;
import habemus.world.Micros;
import habemus.world.ObservableEvent;
import habemus.world.Problem;
import habemus.world.TraceEvent;
import habemus.world.Workload;
import habemus.world.World;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a run and the dumb loop around them: take what comes next, step, carry out the effects in order. Arrays
 * are indexed by a node's number.
 */
final class SimulationLoop<S, M> {

    private static final int SELF_STEPS_MAX = 1_000;

    private final Protocol<S, M> protocol;
    private final World world;
    private final RunRecorder runRecorder;
    private final SplittableRandom chance;
    private final TimingWheel timingWheel = new TimingWheel();
    private final ScheduledInputs scheduledInputs = new ScheduledInputs(timingWheel);
    private final SimulatedNetwork simulatedNetwork;
    private final WorkloadDriver workloadDriver;
    private final DetectorDriver detectorDriver;
    private final TimerTable timerTable;
    private final NodeStatus nodeStatus;
    private final FaultInjector faultInjector;
    private final NodeId[] ids;
    private final Object[] states;
    private final AnnouncedLeaders announcedLeaders;
    private final ArrayDeque<M> toSelf = new ArrayDeque<>();
    private final ArrayDeque<Integer> dice = new ArrayDeque<>();
    private int selfSteps; // within one event

    SimulationLoop(Protocol<S, M> protocol, World world, long seed, RunRecorder runRecorder) {
        this.protocol = protocol;
        this.runRecorder = runRecorder;
        var problem = Problem.of(protocol);
        this.world = problem == Problem.DETECTOR
                ? world.withWorkload(world.workload().withRequests(List.of()))
                : world;
        int size = world.topology().highestNumber() + 1;
        chance = new SplittableRandom(seed);
        simulatedNetwork = new SimulatedNetwork(world, problem, chance, runRecorder, timingWheel);
        workloadDriver = new WorkloadDriver(problem, world, chance);
        timerTable = new TimerTable(size);
        nodeStatus = new NodeStatus(size);
        ids = new NodeId[size];
        states = new Object[size];
        announcedLeaders = new AnnouncedLeaders(ids, this::observe);
        world.topology().nodes().forEach(id -> ids[id.number()] = id);
        simulatedNetwork.setNodes(ids);
        detectorDriver = new DetectorDriver(this, world, nodeStatus, timingWheel);
        faultInjector = new FaultInjector(this, simulatedNetwork.links(), detectorDriver, nodeStatus, runRecorder);
    }

    List<NodeId> nodes() {
        return world.topology().nodes();
    }

    long now() {
        return timingWheel.now();
    }

    List<RunResult.Waiter> waiters() {
        return workloadDriver.waiting(ids).stream()
                .map(node -> new RunResult.Waiter(node, state(node.number())))
                .toList();
    }

    /** Every node starts, in order; then comes what is planned. */
    void startNodes() {
        for (NodeId id : nodes()) {
            start(id.number(), protocol.start(world.topology().neighbourhood(id)), TraceEvent.Start.FIRST);
        }
        ValueTypeCheck.checkValue(state(nodes().getFirst().number()));
        scheduledInputs.scheduleAll(world);
    }

    RunResult.End runUntilEnd(RunLimits runLimits) {
        long latest = Micros.of(runLimits.maxTime());
        while (timingWheel.advance()) {
            if (timingWheel.now() > latest && !isCancelledTimer(timingWheel.event(), timingWheel.payload())) {
                return runLimits.expectsConvergence() ? RunResult.End.SETTLED : RunResult.End.LIMIT;
            }
            if (runRecorder.steps >= runLimits.maxSteps()) {
                return RunResult.End.LIMIT;
            }
            scheduledInputs.onEventTaken(timingWheel.event());
            handle(timingWheel.event(), timingWheel.payload());
            if (runLimits.stopsAtViolation() && runRecorder.hasViolation()) {
                return RunResult.End.VIOLATION;
            }
            var end = runRecorder.quiescentEnd(ids.length);
            if (end != null && scheduledInputs.isEmpty() && workloadDriver.isFinished()) {
                return end;
            }
        }
        return RunResult.End.REST;
    }

    /** An alarm that was calmed or moved is nothing to come. */
    private boolean isCancelledTimer(long what, @Nullable Object load) {
        return PackedEvent.kind(what) == PackedEvent.TIMER
                && !timerTable.isSet(
                        PackedEvent.node(what), (Enum<?>) requireNonNull(load), PackedEvent.argument(what));
    }

    private void handle(long what, @Nullable Object load) {
        int kind = PackedEvent.kind(what);
        int node = PackedEvent.node(what);
        int number = PackedEvent.argument(what);
        if (kind == PackedEvent.FAULT) {
            faultInjector.inject((Fault) requireNonNull(load));
        } else if (!nodeStatus.isUp(node)) {
            onMissedEvent(kind, node, new NodeStatus.HeldEvent(what, load));
        } else {
            switch (kind) {
                case PackedEvent.MESSAGE -> receive(node, number, requireNonNull(load));
                case PackedEvent.TIMER -> fireTimer(node, (Enum<?>) requireNonNull(load), number);
                case PackedEvent.REQUEST -> onRequestDue(node, number);
                case PackedEvent.DETECTOR ->
                    detectorDriver.onNotice(ids[node], ids[number], (Integer) requireNonNull(load));
                default -> receiveAppMessage(node, number, requireNonNull(load));
            }
        }
    }

    private void onMissedEvent(int kind, int node, NodeStatus.HeldEvent missed) {
        if (nodeStatus.isPaused(node)) {
            nodeStatus.hold(node, missed);
        } else if (kind == PackedEvent.MESSAGE || kind == PackedEvent.APP_MESSAGE) {
            simulatedNetwork.dropAtDownNode(missed.payload());
        }
    }

    @SuppressWarnings("unchecked") // only this run's own states are put there
    private S state(int node) {
        return (S) states[node];
    }

    @SuppressWarnings("unchecked") // only this protocol's messages are put into the post
    private void receive(int node, int from, Object load) {
        if (simulatedNetwork.admitArrival(load, from, node)) {
            var message = (M) simulatedNetwork.message(load);
            var step = protocol.receive(state(node), ids[from], message);
            carryOut(
                    node,
                    step,
                    runRecorder.isTracing() ? new Event.Received<>(ids[from], message) : null,
                    simulatedNetwork.number(load));
        }
    }

    private void fireTimer(int node, Enum<?> alarm, int version) {
        if (timerTable.fire(node, alarm, version) && protocol instanceof Timed<S, M, ?> timed) {
            carryOut(node, timed.fireTimer(state(node), alarm), new Event.Timeout<>(alarm), 0);
        }
    }

    private void onRequestDue(int node, int version) {
        boolean serves = protocol instanceof ClientServer<S, M> clientServer && !clientServer.isClient(ids[node]);
        if (!serves && version == PackedEvent.FROM_WORKLOAD) {
            workloadDriver.addEntries(node);
            if (workloadDriver.wantsToRequest(node)) {
                request(node);
            }
        } else if (!serves) {
            switch (workloadDriver.dueAction(node, version)) {
                case REQUEST -> request(node);
                case RELEASE -> release(node);
                case NONE -> {}
            }
        }
    }

    private void request(int node) {
        if (workloadDriver.request(node)) {
            observe(new ObservableEvent.Requested(ids[node], simulatedNetwork.precedingRequests(ids[node])));
        }
        switch (protocol) {
            case Mutex<S, M> mutex -> {
                carryOut(node, mutex.acquire(state(node)), new Event.Acquire<>(), 0);
                sendAppMessage(node);
            }
            case Election<S, M> election -> {
                carryOut(node, election.campaign(state(node)), new Event.Campaign<>(), 0);
                scheduleNextRequest(node);
            }
            default -> throw new IllegalStateException("neither a Mutex nor an Election: " + protocol);
        }
    }

    private void release(int node) {
        runRecorder.recordResourceWrite(timingWheel.now(), ids[node], workloadDriver.fence(node));
        workloadDriver.exit(node);
        observe(new ObservableEvent.Exited(ids[node]));
        carryOut(node, ((Mutex<S, M>) protocol).release(state(node)), new Event.Release<>(), 0);
        scheduleNextRequest(node);
    }

    private void scheduleNextRequest(int node) {
        if (workloadDriver.wantsToRequest(node)) {
            scheduleRequest(workloadDriver.drawThinkTime(), node);
        }
    }

    private void scheduleRequest(long delay, int node) {
        scheduledInputs.scheduleRequest(delay, node, workloadDriver.version(node));
    }

    private void sendAppMessage(int node) {
        if (world.workload().chatter() == Workload.Chatter.NONE) {
            return;
        }
        var neighbours = world.topology().neighbourhood(ids[node]).neighbours();
        if (!neighbours.isEmpty()) {
            int to = neighbours.get(chance.nextInt(neighbours.size())).number();
            simulatedNetwork.sendAppMessage(node, to, PackedEvent.of(PackedEvent.APP_MESSAGE, to, node));
        }
    }

    private void receiveAppMessage(int node, int from, Object load) {
        if (simulatedNetwork.admitAppMessage(load, from, node) && workloadDriver.wantsToRequest(node)) {
            request(node);
        }
    }

    /** @param event as it is written down; only needed where the run is traced */
    private void carryOut(int node, Step<S, M> step, @Nullable Event<M> event, long mail) {
        if (runRecorder.isTracing() && event != null) {
            try {
                apply(node, step);
            } finally { // the step that is a bug is the one to look at
                runRecorder.endStep(new TraceEvent.Step(
                        timingWheel.now(),
                        ids[node],
                        event,
                        mail,
                        step.state(),
                        step.effects(),
                        simulatedNetwork.drainSent()));
            }
        } else {
            apply(node, step);
        }
        drainLocalEvents(node);
    }

    private void start(int node, Step<S, M> step, TraceEvent.Start how) {
        apply(node, step);
        if (runRecorder.isTracing()) {
            runRecorder.endStep(new TraceEvent.Started(
                    timingWheel.now(), ids[node], how, step.state(), step.effects(), simulatedNetwork.drainSent()));
        }
        drainLocalEvents(node);
    }

    /** What the node said to itself, and the dice it rolled, come before anything else. */
    private void drainLocalEvents(int node) {
        ProtocolBug.unless(selfSteps < SELF_STEPS_MAX, "talking to oneself for ever", state(node));
        if (!toSelf.isEmpty() || !dice.isEmpty()) {
            selfSteps++;
            Event<M> event = dice.isEmpty()
                    ? new Event.Received<>(ids[node], toSelf.remove())
                    : new Event.Drawn<>(dice.remove());
            carryOut(node, protocol.step(state(node), event), event, 0);
        }
        selfSteps = 0;
    }

    private void apply(int node, Step<S, M> step) {
        runRecorder.beginStep(
                timingWheel.now(), !scheduledInputs.isEmpty() || !step.state().equals(states[node]));
        simulatedNetwork.beginStep();
        states[node] = step.state();
        var effects = step.effects();
        for (int i = 0; i < effects.size(); i++) {
            switch (effects.get(i)) {
                case Effect.Send<M>(var to, var message) -> send(node, to.number(), message);
                case Effect.SendAll<M>(var to, var message) -> to.forEachNumber(each -> send(node, each, message));
                case Effect.SetTimer<M> setTimer -> setTimer(node, setTimer);
                case Effect.CancelTimer<M>(var alarm) -> timerTable.cancel(node, alarm);
                case Effect.Draw<M>(var sides) -> dice.add(chance.nextInt(sides));
                case Effect.Grant<M>(var fence) -> enter(node, fence);
                case Effect.Elected<M>(var leader, var term) -> announcedLeaders.announce(node, leader, term);
                case Effect.Lost<M>() -> onLost(node);
                case Effect.Suspect<M>(var peer) -> observe(new ObservableEvent.Suspected(ids[node], peer));
                case Effect.Restore<M>(var peer) -> observe(new ObservableEvent.Restored(ids[node], peer));
            }
        }
    }

    private void send(int from, int to, M message) {
        if (from == to) {
            toSelf.add(message);
        } else {
            simulatedNetwork.send(from, to, message, PackedEvent.of(PackedEvent.MESSAGE, to, from));
        }
    }

    private void setTimer(int node, Effect.SetTimer<M> setTimer) {
        long atLeast = Micros.of(setTimer.atLeast());
        long atMost = Micros.of(setTimer.atMost());
        long time = timingWheel.now() + atLeast + (atMost == atLeast ? 0 : chance.nextLong(atMost - atLeast + 1));
        runRecorder.onTimerSet(atMost);
        timingWheel.schedule(
                time,
                PackedEvent.of(PackedEvent.TIMER, node, timerTable.set(node, setTimer.timer())),
                setTimer.timer());
    }

    private void enter(int node, long fence) {
        ProtocolBug.unless(workloadDriver.isWaiting(node), "a grant that nobody waits for", state(node));
        simulatedNetwork.stopWaiting(ids[node]);
        observe(new ObservableEvent.Entered(ids[node], fence));
        scheduleRequest(workloadDriver.enter(node, fence), node);
    }

    private void onLost(int node) {
        if (workloadDriver.isHolding(node)) {
            workloadDriver.exit(node);
            observe(new ObservableEvent.Exited(ids[node]));
            scheduleNextRequest(node);
        }
        announcedLeaders.drop(node);
    }

    void observe(ObservableEvent seen) {
        runRecorder.observe(timingWheel.now(), seen);
    }

    void crash(NodeId id) {
        int node = id.number();
        if (nodeStatus.isDown(node)
                || protocol instanceof ClientServer<S, M> clientServer && clientServer.neverCrashes(id)) {
            return;
        }
        var missed = nodeStatus.crash(
                node, protocol instanceof Durable<S, M, ?> durable ? durable.durableState(state(node)) : null);
        missed.forEach(heldEvent -> onMissedEvent(PackedEvent.kind(heldEvent.event()), node, heldEvent));
        timerTable.cancelAll(node);
        simulatedNetwork.stopWaiting(id);
        announcedLeaders.drop(node);
        observe(new ObservableEvent.Crashed(id, workloadDriver.crash(node)));
        detectorDriver.onCrash(id);
    }

    void restart(NodeId id, boolean amnesia) {
        int node = id.number();
        if (!nodeStatus.isDown(node)) {
            return;
        }
        nodeStatus.restart(node);
        observe(new ObservableEvent.Restarted(id));
        if (!amnesia && protocol instanceof Durable<S, M, ?> durable) {
            start(node, restoreState(durable, node), TraceEvent.Start.WITH_MEMORY);
        } else {
            start(node, protocol.start(world.topology().neighbourhood(id)), TraceEvent.Start.WITH_AMNESIA);
        }
        scheduleNextRequest(node);
        detectorDriver.onRestart(id);
    }

    @SuppressWarnings("unchecked") // what crash() put there
    private <D> Step<S, M> restoreState(Durable<S, M, D> durable, int node) {
        return durable.restart(world.topology().neighbourhood(ids[node]), (D) requireNonNull(nodeStatus.memory(node)));
    }

    /** What a paused node has missed comes now, in order, but for alarms that are urgent: they come first. */
    void replay(List<NodeStatus.HeldEvent> missed) {
        missed.stream().filter(this::isUrgent).forEach(late -> handle(late.event(), late.payload()));
        missed.stream().filter(late -> !isUrgent(late)).forEach(late -> handle(late.event(), late.payload()));
    }

    private boolean isUrgent(NodeStatus.HeldEvent late) {
        return PackedEvent.kind(late.event()) == PackedEvent.TIMER
                && protocol instanceof Timed<S, M, ?> timed
                && timed.isUrgent((Enum<?>) requireNonNull(late.payload()));
    }

    boolean usesDetector() {
        return protocol instanceof FailureAware;
    }

    /** The node's detector has changed its mind about the peer. */
    void onSuspicionChanged(NodeId id, NodeId peer, boolean suspected) {
        if (protocol instanceof FailureAware<S, M> failureAware) {
            var state = state(id.number());
            var step = suspected ? failureAware.suspect(state, peer) : failureAware.restore(state, peer);
            carryOut(id.number(), step, suspected ? new Event.Suspect<>(peer) : new Event.Restore<>(peer), 0);
        }
    }
}
