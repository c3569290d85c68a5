package habemus.simulate;

import static java.util.Objects.requireNonNull;

import habemus.protocol.ClientServer;
import habemus.protocol.Consensus;
import habemus.protocol.Durable;
import habemus.protocol.Effect;
import habemus.protocol.EffectExecutor;
import habemus.protocol.Election;
import habemus.protocol.EntryId;
import habemus.protocol.Event;
import habemus.protocol.FailureAware;
import habemus.protocol.LogCall;
import habemus.protocol.LogView;
import habemus.protocol.MembershipAware;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Protocol;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.protocol.ValueTypeCheck;
import habemus.world.AppState;
import habemus.world.Fault;
import habemus.world.MessageFault;
import habemus.world.Micros;
import habemus.world.NodeObserver;
import habemus.world.ObservableEvent;
import habemus.world.Problem;
import habemus.world.SeededRandom;
import habemus.world.TraceEvent;
import habemus.world.Workload;
import habemus.world.World;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The event loop of a simulation: takes the next event, lets the node take its step, carries out the effects in order.
 * Arrays are indexed by node number.
 */
final class SimulationLoop<S, M> {

    private final Protocol<S, M> protocol;
    private final World world;
    private final RunRecorder recorder;
    private final SeededRandom random;
    private final TimingWheel wheel = new TimingWheel();
    private final ScheduledInputs scheduledInputs = new ScheduledInputs(wheel);
    private final SimulatedNetwork network;
    private final WorkloadDriver workloadDriver;
    private final DetectorDriver detectorDriver;
    private final TimerTable timerTable;
    private final NodeStatus nodeStatus;
    private final FaultInjector faultInjector;
    private final @Nullable MembershipDriver<S, M> membership; // null if the members do not change
    private final NodeId[] ids;
    private final Object[] states;
    private final NodeObserver nodeObserver;
    private final EffectExecutor<M> effectExecutor = new EffectExecutor<>(new Environment());
    private final SyncSchedule syncs;
    private final @Nullable LogCallDriver logCalls; // the applications of a replicated log
    private final double[] clockRates; // how many times as long the timers of each node take
    private int actor; // the node whose step is being carried out

    SimulationLoop(Protocol<S, M> protocol, World world, long seed, RunRecorder recorder) {
        this.protocol = protocol;
        this.recorder = recorder;
        var problem = Problem.of(protocol);
        this.world = problem.hasCallers()
                ? world
                : world.withWorkload(world.workload().withRequests(List.of()));
        int size = world.topology().highestNumber() + 1;
        random = new SeededRandom(seed);
        network = new SimulatedNetwork(world, problem, random, recorder, wheel);
        workloadDriver = new WorkloadDriver(world, random);
        timerTable = new TimerTable(size);
        nodeStatus = new NodeStatus(size);
        ids = new NodeId[size];
        states = new Object[size];
        nodeObserver = new SimulatedNodeObserver(size, workloadDriver, network, recorder, wheel);
        syncs = new SyncSchedule(size, random, wheel);
        clockRates = new double[size];
        Arrays.fill(clockRates, 1);
        logCalls =
                problem == Problem.LOG ? new LogCallDriver(this, world, random, scheduledInputs, workloadDriver) : null;
        world.topology().nodes().forEach(id -> ids[id.number()] = id);
        network.setNodes(ids);
        membership = MembershipDriver.isNeeded(world, protocol)
                ? new MembershipDriver<>(this, (MembershipAware<S, M>) protocol, world, wheel)
                : null;
        detectorDriver = new DetectorDriver(this, world, nodeStatus, wheel);
        faultInjector = new FaultInjector(this, network.links(), detectorDriver, nodeStatus, recorder);
    }

    List<NodeId> nodes() {
        return world.topology().nodes();
    }

    NodeId id(int node) {
        return ids[node];
    }

    long now() {
        return wheel.now();
    }

    LinkModel links() {
        return network.links();
    }

    NodeStatus nodeStatus() {
        return nodeStatus;
    }

    MembershipDriver<S, M> membership() {
        return requireNonNull(membership);
    }

    /** The nodes that this node may send to, as far as it knows. */
    Neighbourhood neighbourhood(NodeId id) {
        return membership == null ? world.topology().neighbourhood(id) : membership.neighbourhood(id);
    }

    List<RunResult.Waiter> waiters() {
        return workloadDriver.waiting(ids).stream()
                .map(node -> new RunResult.Waiter(node, state(node.number())))
                .toList();
    }

    List<MessageFault> faultsWithoutEffect() {
        return network.faultsWithoutEffect();
    }

    /** Starts all nodes in order, then schedules the faults and requests of the world. */
    void startNodes() {
        for (NodeId id : nodes()) {
            if (!nodeStatus.isDown(id.number())) { // else it joins later
                start(id.number(), protocol.start(neighbourhood(id)), TraceEvent.Start.FIRST);
            }
        }
        ValueTypeCheck.checkValue(state(nodes().getFirst().number()));
        scheduledInputs.scheduleAll(world);
    }

    RunResult.End runUntilEnd(RunLimits limits) {
        long latest = Micros.of(limits.maxTime());
        while (wheel.advance()) {
            if (wheel.now() > latest && !isCancelledTimer(wheel.event(), wheel.payload())) {
                return limits.expectsConvergence() ? RunResult.End.SETTLED : RunResult.End.LIMIT;
            }
            if (recorder.steps >= limits.maxSteps()) {
                return RunResult.End.LIMIT;
            }
            scheduledInputs.onEventTaken(wheel.event());
            handle(wheel.event(), wheel.payload());
            if (limits.stopsAtViolation() && recorder.hasViolation()) {
                return RunResult.End.VIOLATION;
            }
            var end = recorder.quiescentEnd(ids.length);
            boolean isSettled = membership == null || membership.isIdle();
            if (end != null && isSettled && scheduledInputs.isEmpty() && workloadDriver.isFinished()) {
                return end;
            }
        }
        return RunResult.End.REST;
    }

    /** Whether the event is a timeout that was cancelled or reset. */
    private boolean isCancelledTimer(long event, @Nullable Object payload) {
        return PackedEvent.kind(event) == PackedEvent.TIMER
                && !timerTable.isSet(
                        PackedEvent.node(event), (Enum<?>) requireNonNull(payload), PackedEvent.argument(event));
    }

    private void handle(long event, @Nullable Object payload) {
        int kind = PackedEvent.kind(event);
        int node = PackedEvent.node(event);
        int argument = PackedEvent.argument(event);
        if (kind == PackedEvent.FAULT) {
            faultInjector.inject((Fault) requireNonNull(payload));
        } else if (kind == PackedEvent.REQUEST && logCalls != null) {
            logCalls.onDue(node, argument); // a client of a log is no part of a node
        } else if (!nodeStatus.isUp(node)) {
            onMissedEvent(kind, node, new NodeStatus.HeldEvent(event, payload));
        } else {
            switch (kind) {
                case PackedEvent.MESSAGE -> receive(node, argument, requireNonNull(payload));
                case PackedEvent.TIMER -> fireTimer(node, (Enum<?>) requireNonNull(payload), argument);
                case PackedEvent.REQUEST -> onRequestDue(node, argument);
                case PackedEvent.SYNC -> onSynced(node, argument, (EntryId) requireNonNull(payload));
                case PackedEvent.VIEW -> membership().onNotice(node, argument);
                case PackedEvent.DETECTOR ->
                    detectorDriver.onNotice(ids[node], ids[argument], (Integer) requireNonNull(payload));
                default -> receiveAppMessage(node, argument, requireNonNull(payload));
            }
        }
    }

    private void onMissedEvent(int kind, int node, NodeStatus.HeldEvent missed) {
        if (nodeStatus.isPaused(node)) {
            nodeStatus.hold(node, missed);
        } else if (kind == PackedEvent.MESSAGE || kind == PackedEvent.APP_MESSAGE) {
            network.dropAtDownNode(missed.payload());
        }
    }

    @SuppressWarnings("unchecked") // only states of this protocol are stored
    private S state(int node) {
        return (S) states[node];
    }

    @SuppressWarnings("unchecked") // only messages of this protocol are sent
    private void receive(int node, int from, Object payload) {
        if (network.admitArrival(payload, from, node)) {
            var message = (M) network.message(payload);
            if (membership != null) {
                membership.beforeReceive(node, ids[from]);
                if (membership.hasLeft(node)) {
                    var late = new Event.Forward<>(ids[from], message);
                    carryOut(node, protocol.step(state(node), late), late, network.messageNumber(payload));
                    return;
                }
            }
            var step = protocol.receive(state(node), ids[from], message);
            carryOut(
                    node,
                    step,
                    recorder.isTracing() ? new Event.Received<>(ids[from], message) : null,
                    network.messageNumber(payload));
        }
    }

    private void fireTimer(int node, Enum<?> timer, int version) {
        if (timerTable.fire(node, timer, version) && protocol instanceof Timed<S, M, ?> timed) {
            carryOut(node, timed.fireTimer(state(node), timer), new Event.Timeout<>(timer), 0);
        }
    }

    private void onRequestDue(int node, int version) {
        boolean isServer = protocol instanceof ClientServer<S, M> clientServer && !clientServer.isClient(ids[node]);
        if (membership != null && membership.hasLeft(node)) {
            return;
        }
        if (!isServer && version < 0) {
            workloadDriver.addRequests(node, version);
            if (workloadDriver.wantsToRequest(node)) {
                request(node);
            }
        } else if (!isServer) {
            switch (workloadDriver.dueAction(node, version)) {
                case REQUEST -> request(node);
                case RELEASE -> release(node);
                case NONE -> {}
            }
        }
    }

    private void request(int node) {
        workloadDriver.countRequest(node);
        switch (protocol) {
            case Mutex<S, M> mutex -> {
                observeEvent(node, new Event.Acquire<>());
                carryOut(node, mutex.acquire(state(node)), new Event.Acquire<>(), 0);
                sendAppMessage(node);
            }
            case Election<S, M> election -> {
                observeEvent(node, new Event.Campaign<>());
                carryOut(node, election.campaign(state(node)), new Event.Campaign<>(), 0);
                scheduleNextRequest(node);
            }
            default -> throw new IllegalStateException("protocol must be a Mutex or an Election, was " + protocol);
        }
    }

    private void observeEvent(int node, Event<M> event) {
        nodeObserver.beforeStep(ids[node], event, () -> network.precedingRequests(ids[node]));
    }

    private void release(int node) {
        recorder.recordResourceWrite(wheel.now(), ids[node], workloadDriver.fence(node));
        observeEvent(node, new Event.Release<>());
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
            int to = neighbours.get(random.nextInt(neighbours.size())).number();
            network.sendAppMessage(node, to, PackedEvent.of(PackedEvent.APP_MESSAGE, to, node));
        }
    }

    private void receiveAppMessage(int node, int from, Object payload) {
        if (network.admitAppMessage(payload, from, node) && workloadDriver.wantsToRequest(node)) {
            request(node);
        }
    }

    /** @param event for the trace; may be null in a run that is not traced */
    private void carryOut(int node, Step<S, M> step, @Nullable Event<M> event, long messageNumber) {
        apply(node, step, event, messageNumber);
        drainLocalEvents(node);
    }

    private void start(int node, Step<S, M> step, TraceEvent.Start how) {
        if (protocol instanceof Consensus<S, M, ?> consensus) {
            states[node] = step.state();
            nodeObserver.onLogStart(ids[node], consensus.view(step.state()));
        }
        apply(node, step);
        if (recorder.isTracing()) {
            recorder.endStep(new TraceEvent.Started(
                    wheel.now(), ids[node], how, step.state(), step.effects(), network.drainSent()));
        }
        drainLocalEvents(node);
    }

    private void drainLocalEvents(int node) {
        for (var event = nextLocalEvent(node); event != null; event = nextLocalEvent(node)) {
            apply(node, protocol.step(state(node), event), event, 0);
        }
    }

    private @Nullable Event<M> nextLocalEvent(int node) {
        return effectExecutor.nextLocalEvent(ids[node], states[node]);
    }

    private void apply(int node, Step<S, M> step, @Nullable Event<M> event, long messageNumber) {
        if (!recorder.isTracing() || event == null) {
            apply(node, step);
            return;
        }
        try {
            apply(node, step);
        } finally { // also records the step that shows a bug
            recorder.endStep(new TraceEvent.Step(
                    wheel.now(), ids[node], event, messageNumber, step.state(), step.effects(), network.drainSent()));
        }
    }

    @SuppressWarnings("ReferenceEquality") // a step without a change returns the same state
    private void apply(int node, Step<S, M> step) {
        recorder.beginStep(
                wheel.now(), !scheduledInputs.isEmpty() || !step.state().equals(states[node]));
        network.beginStep();
        var before = state(node);
        states[node] = step.state();
        actor = node;
        if (protocol instanceof Consensus<S, M, ?> consensus && before != step.state()) {
            var viewBefore = consensus.view(before);
            var view = consensus.view(step.state());
            nodeObserver.onLogStep(ids[node], viewBefore, view);
            if (syncs.isRunning(node)
                    && viewBefore.log().commonPrefix(view.log())
                            < viewBefore.log().lastIndex()) {
                syncs.cancel(node); // it says nothing about the entries that replace the removed ones
            }
            syncs.schedule(node, view);
        }
        effectExecutor.execute(ids[node], step.effects());
    }

    private void onSynced(int node, int generation, EntryId last) {
        if (syncs.complete(node, generation) && protocol instanceof Consensus<S, M, ?> consensus) {
            carryOut(node, consensus.synced(state(node), last), new Event.Synced<>(last), 0);
            syncs.schedule(node, consensus.view(state(node)));
        }
    }

    /** Makes a call of the application. */
    void call(int node, LogCall call) {
        if (protocol instanceof Consensus<S, M, ?> consensus) {
            var event = new Event.Call<M>(call);
            observeEvent(node, event);
            carryOut(node, consensus.call(state(node), call), event, 0);
        }
    }

    @Nullable
    LogView logView(int node) {
        return protocol instanceof Consensus<S, M, ?> consensus && nodeStatus.isUp(node)
                ? consensus.view(state(node))
                : null;
    }

    void setClockRate(NodeId id, double factor) {
        clockRates[id.number()] = factor;
    }

    void loseTail(NodeId id, int entries) {
        if (nodeStatus.isDown(id.number()) && protocol instanceof Consensus<S, M, ?> consensus) {
            loseTail(consensus, id, entries);
        }
    }

    @SuppressWarnings("unchecked") // crash() stored it
    private <D> void loseTail(Consensus<S, M, D> consensus, NodeId id, int entries) {
        var disk = (D) requireNonNull(nodeStatus.durableState(id.number()));
        var before = consensus.durableView(disk);
        long last = Math.max(before.syncedIndex(), before.log().lastIndex() - entries);
        var shorter = consensus.withoutTail(disk, last);
        nodeStatus.setDurableState(id.number(), shorter);
        nodeObserver.onLogStep(id, before, consensus.durableView(shorter));
    }

    /** Carries out the effects of the actor. */
    private final class Environment implements EffectExecutor.Environment<M> {
        @Override
        public void send(int to, M message) {
            if (membership != null) {
                membership.requirePeer(ids[actor], new NodeId(to));
            }
            network.send(actor, to, message, PackedEvent.of(PackedEvent.MESSAGE, to, actor));
        }

        @Override
        public void setTimer(Effect.SetTimer<M> setTimer) {
            if (membership != null && membership.hasLeft(actor)) {
                return;
            }
            long atLeast = atClockRate(Micros.of(setTimer.atLeast()));
            long atMost = atClockRate(Micros.of(setTimer.atMost()));
            long time = wheel.now() + atLeast + (atMost == atLeast ? 0 : random.nextLong(atMost - atLeast + 1));
            recorder.onTimerSet(atMost);
            wheel.schedule(
                    time,
                    PackedEvent.of(PackedEvent.TIMER, actor, timerTable.set(actor, setTimer.timer())),
                    setTimer.timer());
        }

        private long atClockRate(long micros) {
            return clockRates[actor] == 1 ? micros : (long) (micros * clockRates[actor]);
        }

        @Override
        public void cancelTimer(Enum<?> timer) {
            timerTable.cancel(actor, timer);
        }

        @Override
        public int draw(int bound) {
            return random.nextInt(bound);
        }

        @Override
        public void notifyApplication(Effect<M> effect) {
            var before = workloadDriver.state(actor);
            switch (effect) {
                case Effect.Grant<M>(var fence) -> {
                    ProtocolBug.unless(before == AppState.WAITING, "a grant without a request", state(actor));
                    nodeObserver.onEffect(ids[actor], effect);
                    scheduleRequest(workloadDriver.enter(actor, fence), actor);
                }
                case Effect.Lost<M>() -> {
                    nodeObserver.onEffect(ids[actor], effect);
                    if (before == AppState.HOLDING) {
                        scheduleNextRequest(actor);
                    }
                }
                default -> nodeObserver.onEffect(ids[actor], effect);
            }
        }
    }

    void observe(ObservableEvent event) {
        recorder.observe(wheel.now(), event);
    }

    void crash(NodeId id) {
        int node = id.number();
        if (nodeStatus.isDown(node)
                || membership != null && membership.hasLeft(node)
                || protocol instanceof ClientServer<S, M> clientServer && clientServer.neverCrashes(id)) {
            return;
        }
        var missed = nodeStatus.crash(
                node, protocol instanceof Durable<S, M, ?> durable ? durable.durableState(state(node)) : null);
        missed.forEach(heldEvent -> onMissedEvent(PackedEvent.kind(heldEvent.event()), node, heldEvent));
        timerTable.cancelAll(node);
        syncs.cancel(node);
        nodeObserver.onCrash(id);
        detectorDriver.onCrash(id);
        if (membership != null) {
            membership.completeIfKnown();
        }
    }

    void join(NodeId id, Step<S, M> step) {
        observe(new ObservableEvent.Joined(id));
        start(id.number(), step, TraceEvent.Start.AS_NEW_MEMBER);
        detectorDriver.onRestart(id);
    }

    void leave(NodeId id) {
        nodeObserver.onLeave(id);
        step(id, new Event.Leave<>());
        timerTable.cancelAll(id.number());
        workloadDriver.stop(id.number());
    }

    /** The node learns that the peer has joined or left. */
    void onViewChanged(NodeId id, NodeId peer, Event<M> event) {
        step(id, event);
        detectorDriver.onViewChanged(id, peer);
    }

    private void step(NodeId id, Event<M> event) {
        carryOut(id.number(), protocol.step(state(id.number()), event), event, 0);
    }

    void restart(NodeId id, boolean amnesia) {
        int node = id.number();
        if (!nodeStatus.isDown(node)
                || membership != null && !membership.members().contains(id)) {
            return;
        }
        nodeStatus.restart(node);
        observe(new ObservableEvent.Restarted(id));
        if (!amnesia && protocol instanceof Durable<S, M, ?> durable) {
            start(node, restoreState(durable, node), TraceEvent.Start.WITH_MEMORY);
        } else {
            start(node, protocol.start(neighbourhood(id)), TraceEvent.Start.WITH_AMNESIA);
        }
        if (membership != null) {
            membership.onRestart(node);
        }
        if (logCalls == null) {
            scheduleNextRequest(node);
        }
        detectorDriver.onRestart(id);
    }

    @SuppressWarnings("unchecked") // crash() stored it
    private <D> Step<S, M> restoreState(Durable<S, M, D> durable, int node) {
        return durable.restart(neighbourhood(ids[node]), (D) requireNonNull(nodeStatus.durableState(node)));
    }

    /** Handles the events that were held while a node was paused: urgent timeouts first, then all others in order. */
    void replay(List<NodeStatus.HeldEvent> held) {
        held.stream().filter(this::isUrgent).forEach(event -> handle(event.event(), event.payload()));
        held.stream().filter(event -> !isUrgent(event)).forEach(event -> handle(event.event(), event.payload()));
    }

    private boolean isUrgent(NodeStatus.HeldEvent held) {
        return PackedEvent.kind(held.event()) == PackedEvent.TIMER
                && protocol instanceof Timed<S, M, ?> timed
                && timed.isUrgent((Enum<?>) requireNonNull(held.payload()));
    }

    /** The nodes that may send to this node, also if it does not know them yet. */
    List<NodeId> peers(NodeId id) {
        return membership == null
                ? world.topology().neighbourhood(id).neighbours()
                : membership.members().without(id).toList();
    }

    /** Whether the peer is in the view of the node, which has not left. */
    boolean knows(NodeId id, NodeId peer) {
        return membership == null || membership.knows(id, peer);
    }

    boolean usesDetector() {
        return protocol instanceof FailureAware;
    }

    /** Lets the node take the step for a changed suspicion of the peer. */
    void onSuspicionChanged(NodeId id, NodeId peer, boolean suspected) {
        if (protocol instanceof FailureAware<S, M> failureAware) {
            var state = state(id.number());
            var step = suspected ? failureAware.suspect(state, peer) : failureAware.restore(state, peer);
            carryOut(id.number(), step, suspected ? new Event.Suspect<>(peer) : new Event.Restore<>(peer), 0);
        }
    }
}
