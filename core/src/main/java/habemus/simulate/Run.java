package habemus.simulate;

import static java.util.Objects.requireNonNull;

import habemus.protocol.Admission;
import habemus.protocol.Durable;
import habemus.protocol.Effect;
import habemus.protocol.Election;
import habemus.protocol.Event;
import habemus.protocol.Mutex;
import habemus.protocol.NodeId;
import habemus.protocol.Protocol;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Serving;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.protocol.Watchful;
import habemus.world.Fault;
import habemus.world.Happening;
import habemus.world.Micros;
import habemus.world.Problem;
import habemus.world.TraceLine;
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
final class Run<S, M> {

    private static final int SELF_STEPS_MAX = 1_000;

    private final Protocol<S, M> protocol;
    private final World world;
    private final Journal journal;
    private final SplittableRandom chance;
    private final Agenda agenda = new Agenda();
    private final Plan plan = new Plan(agenda);
    private final Post post;
    private final Applications applications;
    private final Watch watch;
    private final Alarms alarms;
    private final Health health;
    private final Faults faults;
    private final NodeId[] ids;
    private final Object[] states;
    private final Leaders leaders;
    private final ArrayDeque<M> toSelf = new ArrayDeque<>();
    private final ArrayDeque<Integer> dice = new ArrayDeque<>();
    private int selfSteps; // within one event

    Run(Protocol<S, M> protocol, World world, long seed, Journal journal) {
        this.protocol = protocol;
        this.journal = journal;
        var problem = Problem.of(protocol);
        this.world =
                problem == Problem.DETECTOR ? world.wanting(world.workload().calling(List.of())) : world;
        int size = world.topology().highest() + 1;
        chance = new SplittableRandom(seed);
        post = new Post(world, problem, chance, journal, agenda);
        applications = new Applications(problem, world, chance);
        alarms = new Alarms(size);
        health = new Health(size);
        ids = new NodeId[size];
        states = new Object[size];
        leaders = new Leaders(ids, this::see);
        world.topology().nodes().forEach(id -> ids[id.number()] = id);
        post.between(ids);
        watch = new Watch(this, world, health, agenda);
        faults = new Faults(this, post.links(), watch, health, journal);
    }

    List<NodeId> nodes() {
        return world.topology().nodes();
    }

    long now() {
        return agenda.now();
    }

    List<Outcome.Waiting> waiting() {
        return applications.waiting(ids).stream()
                .map(node -> new Outcome.Waiting(node, state(node.number())))
                .toList();
    }

    /** Every node starts, in order; then comes what is planned. */
    void begin() {
        for (NodeId id : nodes()) {
            comeUp(id.number(), protocol.start(world.topology().place(id)), TraceLine.Start.FIRST);
        }
        Admission.checkValue(state(nodes().getFirst().number()));
        plan.begin(world);
    }

    Outcome.End walk(Limits limits) {
        long latest = Micros.of(limits.time());
        while (agenda.next()) {
            if (agenda.now() > latest && !isCalmed(agenda.what(), agenda.load())) {
                return limits.settled() ? Outcome.End.SETTLED : Outcome.End.LIMIT;
            }
            if (journal.steps >= limits.steps()) {
                return Outcome.End.LIMIT;
            }
            plan.takeOff(agenda.what());
            handle(agenda.what(), agenda.load());
            if (limits.atViolation() && journal.violated()) {
                return Outcome.End.VIOLATION;
            }
            var end = journal.ending(ids.length);
            if (end != null && plan.isEmpty() && applications.areDone()) {
                return end;
            }
        }
        return Outcome.End.REST;
    }

    /** An alarm that was calmed or moved is nothing to come. */
    private boolean isCalmed(long what, @Nullable Object load) {
        return Cue.kind(what) == Cue.ALARM
                && !alarms.isSet(Cue.node(what), (Enum<?>) requireNonNull(load), Cue.number(what));
    }

    private void handle(long what, @Nullable Object load) {
        int kind = Cue.kind(what);
        int node = Cue.node(what);
        int number = Cue.number(what);
        if (kind == Cue.FAULT) {
            faults.strike((Fault) requireNonNull(load));
        } else if (!health.isUp(node)) {
            miss(kind, node, new Health.Held(what, load));
        } else {
            switch (kind) {
                case Cue.MESSAGE -> receive(node, number, requireNonNull(load));
                case Cue.ALARM -> ring(node, (Enum<?>) requireNonNull(load), number);
                case Cue.CALL -> call(node, number);
                case Cue.NOTICE -> watch.hear(ids[node], ids[number], (Integer) requireNonNull(load));
                default -> hear(node, number, requireNonNull(load));
            }
        }
    }

    private void miss(int kind, int node, Health.Held missed) {
        if (health.isPaused(node)) {
            health.hold(node, missed);
        } else if (kind == Cue.MESSAGE || kind == Cue.CHAT) {
            post.toNobody(missed.load());
        }
    }

    @SuppressWarnings("unchecked") // only this run's own states are put there
    private S state(int node) {
        return (S) states[node];
    }

    @SuppressWarnings("unchecked") // only this protocol's messages are put into the post
    private void receive(int node, int from, Object load) {
        if (post.opens(load, from, node)) {
            var message = (M) post.message(load);
            var step = protocol.receive(state(node), ids[from], message);
            carryOut(
                    node, step, journal.tracing() ? new Event.Received<>(ids[from], message) : null, post.number(load));
        }
    }

    private void ring(int node, Enum<?> alarm, int version) {
        if (alarms.ring(node, alarm, version) && protocol instanceof Timed<S, M, ?> timed) {
            carryOut(node, timed.ring(state(node), alarm), new Event.Elapsed<>(alarm), 0);
        }
    }

    private void call(int node, int version) {
        boolean serves = protocol instanceof Serving<S, M> serving && !serving.asks(ids[node]);
        if (!serves && version == Cue.FRESH) {
            applications.credit(node);
            if (applications.willAsk(node)) {
                ask(node);
            }
        } else if (!serves) {
            switch (applications.due(node, version)) {
                case ASK -> ask(node);
                case LEAVE -> leave(node);
                case NOTHING -> {}
            }
        }
    }

    private void ask(int node) {
        if (applications.ask(node)) {
            see(new Happening.Asked(ids[node], post.causesOfAsking(ids[node])));
        }
        switch (protocol) {
            case Mutex<S, M> mutex -> {
                carryOut(node, mutex.acquire(state(node)), new Event.Acquire<>(), 0);
                chat(node);
            }
            case Election<S, M> election -> {
                carryOut(node, election.campaign(state(node)), new Event.Campaign<>(), 0);
                planCall(node);
            }
            default -> throw new IllegalStateException("neither a Mutex nor an Election: " + protocol);
        }
    }

    private void leave(int node) {
        journal.writeTo(agenda.now(), ids[node], applications.fence(node));
        applications.leave(node);
        see(new Happening.Left(ids[node]));
        carryOut(node, ((Mutex<S, M>) protocol).release(state(node)), new Event.Release<>(), 0);
        planCall(node);
    }

    private void planCall(int node) {
        if (applications.willAsk(node)) {
            plan(applications.pause(), node);
        }
    }

    private void plan(long delay, int node) {
        plan.call(delay, node, applications.version(node));
    }

    private void chat(int node) {
        if (world.workload().chatter() == Workload.Chatter.NONE) {
            return;
        }
        var neighbours = world.topology().place(ids[node]).neighbours();
        if (!neighbours.isEmpty()) {
            int to = neighbours.get(chance.nextInt(neighbours.size())).number();
            post.tell(node, to, Cue.of(Cue.CHAT, to, node));
        }
    }

    private void hear(int node, int from, Object load) {
        if (post.opensChat(load, from, node) && applications.willAsk(node)) {
            ask(node);
        }
    }

    /** @param event as it is written down; only needed where the run is traced */
    private void carryOut(int node, Step<S, M> step, @Nullable Event<M> event, long mail) {
        if (journal.tracing() && event != null) {
            try {
                apply(node, step);
            } finally { // the step that is a bug is the one to look at
                journal.endStep(new TraceLine.Stepped(
                        agenda.now(), ids[node], event, mail, step.state(), step.effects(), post.takeSent()));
            }
        } else {
            apply(node, step);
        }
        settle(node);
    }

    private void comeUp(int node, Step<S, M> step, TraceLine.Start how) {
        apply(node, step);
        if (journal.tracing()) {
            journal.endStep(
                    new TraceLine.Started(agenda.now(), ids[node], how, step.state(), step.effects(), post.takeSent()));
        }
        settle(node);
    }

    /** What the node said to itself, and the dice it rolled, come before anything else. */
    private void settle(int node) {
        ProtocolBug.unless(selfSteps < SELF_STEPS_MAX, "talking to oneself for ever", state(node));
        if (!toSelf.isEmpty() || !dice.isEmpty()) {
            selfSteps++;
            Event<M> event = dice.isEmpty()
                    ? new Event.Received<>(ids[node], toSelf.remove())
                    : new Event.Rolled<>(dice.remove());
            carryOut(node, protocol.step(state(node), event), event, 0);
        }
        selfSteps = 0;
    }

    private void apply(int node, Step<S, M> step) {
        journal.beginStep(agenda.now(), !plan.isEmpty() || !step.state().equals(states[node]));
        post.beginStep();
        states[node] = step.state();
        var effects = step.effects();
        for (int i = 0; i < effects.size(); i++) {
            switch (effects.get(i)) {
                case Effect.Send<M>(var to, var message) -> send(node, to.number(), message);
                case Effect.SendAll<M>(var to, var message) -> to.forEachNumber(each -> send(node, each, message));
                case Effect.Wake<M> wake -> wake(node, wake);
                case Effect.Calm<M>(var alarm) -> alarms.calm(node, alarm);
                case Effect.Roll<M>(var sides) -> dice.add(chance.nextInt(sides));
                case Effect.Grant<M>(var fence) -> enter(node, fence);
                case Effect.Elected<M>(var leader, var term) -> leaders.name(node, leader, term);
                case Effect.Lost<M>() -> lose(node);
                case Effect.Suspect<M>(var peer) -> see(new Happening.Suspected(ids[node], peer));
                case Effect.Restore<M>(var peer) -> see(new Happening.Trusted(ids[node], peer));
            }
        }
    }

    private void send(int from, int to, M message) {
        if (from == to) {
            toSelf.add(message);
        } else {
            post.send(from, to, message, Cue.of(Cue.MESSAGE, to, from));
        }
    }

    private void wake(int node, Effect.Wake<M> wake) {
        long atLeast = Micros.of(wake.atLeast());
        long atMost = Micros.of(wake.atMost());
        long time = agenda.now() + atLeast + (atMost == atLeast ? 0 : chance.nextLong(atMost - atLeast + 1));
        journal.wake(atMost);
        agenda.add(time, Cue.of(Cue.ALARM, node, alarms.set(node, wake.alarm())), wake.alarm());
    }

    private void enter(int node, long fence) {
        ProtocolBug.unless(applications.isWaiting(node), "a grant that nobody waits for", state(node));
        post.stopWaiting(ids[node]);
        see(new Happening.Entered(ids[node], fence));
        plan(applications.enter(node, fence), node);
    }

    private void lose(int node) {
        if (applications.isInside(node)) {
            applications.leave(node);
            see(new Happening.Left(ids[node]));
            planCall(node);
        }
        leaders.disown(node);
    }

    void see(Happening seen) {
        journal.see(agenda.now(), seen);
    }

    void crash(NodeId id) {
        int node = id.number();
        if (health.isDown(node) || protocol instanceof Serving<S, M> serving && serving.lasts(id)) {
            return;
        }
        var missed =
                health.crash(node, protocol instanceof Durable<S, M, ?> durable ? durable.memory(state(node)) : null);
        missed.forEach(held -> miss(Cue.kind(held.what()), node, held));
        alarms.forget(node);
        post.stopWaiting(id);
        leaders.disown(node);
        see(new Happening.Crashed(id, applications.crash(node)));
        watch.wentDown(id);
    }

    void restart(NodeId id, boolean amnesia) {
        int node = id.number();
        if (!health.isDown(node)) {
            return;
        }
        health.restart(node);
        see(new Happening.Restarted(id));
        if (!amnesia && protocol instanceof Durable<S, M, ?> durable) {
            comeUp(node, remembered(durable, node), TraceLine.Start.WITH_MEMORY);
        } else {
            comeUp(node, protocol.start(world.topology().place(id)), TraceLine.Start.WITH_AMNESIA);
        }
        planCall(node);
        watch.cameBack(id);
    }

    @SuppressWarnings("unchecked") // what crash() put there
    private <D> Step<S, M> remembered(Durable<S, M, D> durable, int node) {
        return durable.restart(world.topology().place(ids[node]), (D) requireNonNull(health.memory(node)));
    }

    /** What a paused node has missed comes now, in order, but for alarms that are urgent: they come first. */
    void replay(List<Health.Held> missed) {
        missed.stream().filter(this::isUrgent).forEach(late -> handle(late.what(), late.load()));
        missed.stream().filter(late -> !isUrgent(late)).forEach(late -> handle(late.what(), late.load()));
    }

    private boolean isUrgent(Health.Held late) {
        return Cue.kind(late.what()) == Cue.ALARM
                && protocol instanceof Timed<S, M, ?> timed
                && timed.isUrgent((Enum<?>) requireNonNull(late.load()));
    }

    boolean isWatched() {
        return protocol instanceof Watchful;
    }

    /** The node's detector has changed its mind about the peer. */
    void tell(NodeId id, NodeId peer, boolean suspected) {
        if (protocol instanceof Watchful<S, M> watchful) {
            var state = state(id.number());
            var step = suspected ? watchful.suspect(state, peer) : watchful.restore(state, peer);
            carryOut(id.number(), step, suspected ? new Event.Suspect<>(peer) : new Event.Restore<>(peer), 0);
        }
    }
}
