package habemus.service.session;

import habemus.drive.Turns;
import habemus.fenced.Claim;
import habemus.fenced.Command;
import habemus.fenced.Desk;
import habemus.fenced.Entry;
import habemus.fenced.Table;
import habemus.fenced.Talk;
import habemus.fenced.Wish;
import habemus.protocol.Effect;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Place;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.service.log.Log;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives the {@link Desk} of a node: one thing at a time, by whoever brings it, and never waiting for the log.
 *
 * <p>Whatever has come together is taken together: what it puts into the log becomes one entry, and what it says to one
 * connection is said at once. An alarm that is due comes before anything else that waits.
 */
public final class Reception implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Reception.class);

    /** How often it looks for sessions of which nothing is heard. */
    private static final Duration TICK = Duration.ofMillis(250);

    /** How long renewals are gathered. */
    private static final Duration BEAT = Duration.ofMillis(100);

    /** Events that are taken together. */
    private static final int TOGETHER = 4_096;

    /** Whom a connection serves. */
    public interface Caller {

        /** In this order. By whichever thread is at it, which must not be kept. */
        void told(List<Talk.Reply> replies);
    }

    private final NodeId me;
    private final Log log;
    private final Desk desk = new Desk(TICK, BEAT);
    private final Access access;
    private final Screen screen;
    private final Tally tally = new Tally();
    private final Proposer proposer;
    private final Numbers numbers;
    private final Alarms alarms;
    private final Turns<Event> turns = new Turns<>(this::work, this::proposeTogether);
    private final Map<NodeId, Connection> connections = new HashMap<>();
    private final List<Connection> told = new ArrayList<>(); // to whom something is to be said
    private final List<Connection> leaving = new ArrayList<>();
    private final CompletableFuture<Failure> failure = new CompletableFuture<>();
    private final Replica replica = new Replica(this);
    private Desk.State state;
    private boolean over;
    private volatile Table table = Table.EMPTY;
    private volatile int served;
    private volatile Optional<NodeId> leader = Optional.empty();
    private volatile Runnable onLeader = () -> {};

    public Reception(NodeId me, Log log, Access access, Limits limits) {
        this(me, log, access, limits, System::nanoTime);
    }

    /** @param nanos a clock that never goes back */
    Reception(NodeId me, Log log, Access access, Limits limits, LongSupplier nanos) {
        this.me = me;
        this.log = log;
        this.access = access;
        screen = new Screen(limits);
        numbers = new Numbers(limits.connections());
        proposer = new Proposer(log, nanos, tally, asks -> add(new Event.Lost(asks)));
        alarms = new Alarms(nanos);
        state = desk.start(new Place(me, List.of())).state();
    }

    /** Begins, with what the log knows. */
    public void start() {
        turns.start(Thread.ofPlatform().name("reception").daemon().factory());
        log.start(replica);
    }

    /** Nothing if there are too many already. */
    public Optional<Connection> connect(Visitor visitor, Caller caller) {
        return numbers.take().map(number -> new Connection(this, number, visitor, caller));
    }

    /** How everything is, as far as this node knows. Nobody waits for it, and it never changes. */
    public Table table() {
        return table;
    }

    /** Who leads, as far as one can know. */
    public Optional<NodeId> leader() {
        return leader;
    }

    /** Calls this, as it calls a {@link Caller}, whenever somebody else leads. */
    public void onLeader(Runnable told) {
        onLeader = told;
    }

    /** An operator interferes; gives the table after that. Fails as {@link Log#propose} does. */
    public CompletableFuture<Table> force(Command.Force force) {
        var done = new CompletableFuture<Table>();
        add(new Event.Forced(force, done));
        return done;
    }

    public Counts counts() {
        return tally.counts(table, served, numbers.taken());
    }

    /** Completed, with why, if it has stopped by itself. */
    public CompletableFuture<Failure> failure() {
        return failure;
    }

    @Override
    public void close() {
        add(new Event.Stop());
        try {
            turns.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    void add(Event event) {
        turns.add(event);
    }

    /** Whoever has brought all for now {@linkplain #attend attends} to it. */
    void put(Event event) {
        turns.put(event);
    }

    void attend() {
        turns.attend();
    }

    /** Whether who attends to it will be at it for a while, with what others have brought. */
    boolean isBusy() {
        return log.isBusy();
    }

    Screen screen() {
        return screen;
    }

    Access access() {
        return access;
    }

    Tally tally() {
        return tally;
    }

    /** How many sessions have their clients here, or soon will. */
    int served() {
        return served;
    }

    void fail(RuntimeException why) {
        var reason = new Failure(why, state);
        if (failure.complete(reason)) {
            LOG.error("{} stops: {}", me, reason, why);
        }
    }

    private long work() {
        try {
            takeTogether();
        } catch (RuntimeException why) {
            over = true;
            fail(why);
        }
        if (over) {
            replica.end();
            turns.stop();
        }
        return Math.max(0, Math.min(alarms.nanos(), proposer.rest()));
    }

    /** Nobody waits at the reception while it is written. */
    private void proposeTogether() {
        log.attend();
    }

    private void takeTogether() {
        for (int taken = 0; taken < TOGETHER; taken++) {
            var event = next();
            if (event == null) {
                break;
            }
            take(event);
        }
        forget();
        proposer.propose();
        table = state.table(); // before anybody is told of it
        served = state.clients().size() + state.opening().size();
        told.forEach(this::tell);
        told.clear();
    }

    /** What waits, after the alarms that are due. */
    private @Nullable Event next() {
        for (var alarm = alarms.due(); alarm.isPresent(); alarm = alarms.due()) {
            carryOut(desk.elapsed(state, alarm.get()));
        }
        return turns.poll();
    }

    private void take(Event event) {
        if (over) {
            return; // nobody is served any more
        }
        switch (event) {
            case Event.Said(var from, var request) -> said(from, request);
            case Event.TooMuch(var from, var ask) -> callOff(from, ask);
            case Event.Refused(var from, var reply) -> {
                from.taken();
                tally.refused.increment();
                gather(from, reply);
            }
            case Event.Left(var who) -> left(who);
            case Event.Committed(var entry) -> apply(entry);
            case Event.Lost(var asks) -> proposer.again(asks);
            case Event.Restored(var restored) -> carryOut(fromLog(new Talk.Installed(restored)));
            case Event.Led(var who) -> {
                LOG.info("{}: {} leads", me, who.map(NodeId::toString).orElse("nobody"));
                leader = who;
                carryOut(fromLog(new Talk.Leading(who.equals(Optional.of(me)))));
                onLeader.run();
            }
            case Event.Forced(var force, var done) -> force(force, done);
            case Event.Asked(var answer) -> answer.complete(state.table());
            case Event.Stop() -> over = true;
        }
    }

    private Step<Desk.State, Talk> fromLog(Talk.OfLog word) {
        return desk.receive(state, Desk.LOG, word);
    }

    private void said(Connection from, Talk.Request request) {
        from.taken();
        tally.requests.increment();
        if (!from.isGone()) {
            connections.putIfAbsent(from.number(), from);
            carryOut(desk.receive(state, from.number(), request));
        }
    }

    private void callOff(Connection from, Talk.Ask ask) {
        tally.refused.increment();
        if (from.callOff(new Claim(ask.session(), ask.number()), screen.limits().window())) {
            var instead = new Wish.Release(ask.number());
            said(from, new Talk.Ask(ask.session(), ask.number(), ask.settled(), instead));
        } else {
            from.taken();
        }
    }

    private void left(Connection who) {
        leaving.add(who);
        who.leave();
    }

    /** All at once: it takes a look at everybody who is here. */
    private void forget() {
        if (!leaving.isEmpty()) {
            var known = leaving.stream()
                    .map(Connection::number)
                    .filter(connections::containsKey)
                    .toList();
            connections.keySet().removeAll(known);
            carryOut(desk.left(state, NodeSet.of(known)));
            leaving.forEach(who -> numbers.giveBack(who.number()));
            leaving.clear();
        }
    }

    private void apply(Entry entry) {
        var before = state.table();
        carryOut(fromLog(new Talk.Committed(entry)));
        tally.applied.increment();
        replica.taken();
        for (var command : entry.commands()) {
            if (command instanceof Command.Expire expire) {
                tally.expired(expire, before, state.table());
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it only puts something into the inbox
    private void force(Command.Force force, CompletableFuture<Table> done) {
        proposer.add(force).whenComplete((nothing, why) -> {
            if (why == null) {
                add(new Event.Asked(done)); // what was committed is before it
            } else {
                done.completeExceptionally(why);
            }
        });
    }

    private void carryOut(Step<Desk.State, Talk> step) {
        state = step.state();
        for (var effect : step.effects()) {
            switch (effect) {
                case Effect.Send<Talk>(var to, Talk.Propose(var commands)) -> commands.forEach(this::propose);
                case Effect.Send<Talk>(var to, Talk.Reply reply) -> gather(to, reply);
                case Effect.Wake<Talk> wake -> alarms.set((Desk.Alarm) wake.alarm(), wake.atLeast());
                case Effect.Calm<Talk> calm -> alarms.unset((Desk.Alarm) calm.alarm());
                case Effect<Talk> foreign -> throw new ProtocolBug(foreign.toString(), state);
            }
        }
    }

    /**
     * And forgets it: if it is lost, it will be asked for again. Only where all come by, at the leader's, is it known
     * what somebody waits for: elsewhere it may be free already.
     */
    @SuppressWarnings("FutureReturnValueIgnored")
    private void propose(Command command) {
        if (state.leads() && command instanceof Command.Ask ask && state.table().isTaken(ask.wish())) {
            proposer.addPatiently(command);
        } else {
            proposer.add(command);
        }
    }

    private void gather(NodeId to, Talk.Reply reply) {
        var connection = connections.get(to);
        if (connection != null) {
            gather(connection, reply);
        }
    }

    private void gather(Connection to, Talk.Reply reply) {
        if (reply instanceof Talk.Renewed) {
            tally.renewals.increment();
        }
        if (!to.isGone() && to.gather(reply)) {
            told.add(to);
        }
    }

    /** One that cannot be told is its own trouble, and nobody else's. */
    private void tell(Connection connection) {
        try {
            connection.tell();
        } catch (RuntimeException broken) {
            LOG.warn("{}: cannot tell {}", me, connection, broken);
            connection.close();
        }
    }
}
