package habemus.service.raft;

import habemus.concurrent.EventLoop;
import habemus.election.VoteWeights;
import habemus.protocol.Effect;
import habemus.protocol.EffectExecutor;
import habemus.protocol.Event;
import habemus.protocol.LogCall;
import habemus.protocol.LogReply;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.PersistentLog;
import habemus.protocol.Step;
import habemus.raft.Raft;
import habemus.raft.RaftMessage;
import habemus.raft.RaftState;
import habemus.service.metrics.NodeMetrics;
import habemus.service.runtime.LoopTimers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Runs the {@link Raft} machine of a node on an event loop, with its durable state in a {@link RaftStorage}.
 *
 * <p>For each event it takes the step, saves the durable state, and then executes the effects in order. Entries are
 * synced at the end of the turn of the loop: all that arrived together share one sync, and the leader's messages are on
 * their way before its own sync begins.
 */
final class RaftDriver {

    private static final Duration ELECTION_TIMEOUT = Duration.ofMillis(500);
    private static final Duration HEARTBEAT_INTERVAL = Duration.ofMillis(100);
    private static final Raft.Flow FLOW = new Raft.Flow(128, 64, 4 << 20);
    private static final int MAX_UNCOMMITTED = 100_000;

    /** What the machine asks of its node. Called on the loop. */
    interface Application {

        void send(NodeId to, RaftMessage message);

        /** @param effect an Apply, Load, Elected or Lost */
        void execute(Effect<RaftMessage> effect);

        /** The effects of a step are executed. */
        void onStep();

        /** Entries were synced. */
        void onSynced();

        /** Runs a task of the loop, and stops the node if it fails. */
        void guard(Runnable task);
    }

    private final NodeId self;
    private final EventLoop loop;
    private final RaftStorage storage;
    private final RandomGenerator random;
    private final Application application;
    private final LogRecorder recorder;
    private final NodeMetrics metrics;
    private final Raft raft =
            new Raft(NodeSet.NONE, VoteWeights.EQUAL, true, true, FLOW, ELECTION_TIMEOUT, HEARTBEAT_INTERVAL);
    private final LoopTimers timers;
    private final EffectExecutor<RaftMessage> effects = new EffectExecutor<>(new Environment());
    private final Map<Long, Consumer<LogReply>> calls = new HashMap<>(); // changes of members, by id
    private @Nullable RaftState state; // null until the cluster is formed
    private long nextCall = 1;
    private boolean isSyncScheduled;
    private volatile long term;

    RaftDriver(NodeId self, LogEnvironment environment, RaftStorage storage, Application application) {
        this.self = self;
        loop = environment.loop();
        this.storage = storage;
        random = environment.random();
        this.application = application;
        recorder = environment.recorder();
        metrics = environment.metrics();
        timers = new LoopTimers(loop, timer -> application.guard(() -> step(new Event.Timeout<>(timer))));
    }

    void begin(RaftState.DurableState durable) {
        var step = raft.restart(new Neighbourhood(self, List.of()), durable);
        recorder.onStart(raft, durable, step);
        execute(durable, step);
    }

    boolean hasBegun() {
        return state != null;
    }

    /** Takes a step, if the cluster is formed. */
    void step(Event<RaftMessage> event) {
        if (state != null) {
            take(event);
            for (var next = nextLocalEvent(); next != null; next = nextLocalEvent()) {
                take(next);
            }
        }
    }

    private void take(Event<RaftMessage> event) {
        var step = raft.step(state(), event);
        recorder.onStep(event, step);
        execute(state().durable(), step);
    }

    private @Nullable Event<RaftMessage> nextLocalEvent() {
        return effects.nextLocalEvent(self, state());
    }

    void changeMembers(LogCall.MemberChange change, Consumer<LogReply> onReply) {
        call(id -> new LogCall.ChangeMembers(id, change), onReply);
    }

    /** Finds out whether this node still leads. */
    void confirmLeadership(Consumer<LogReply> onReply) {
        call(LogCall.Read::new, onReply);
    }

    private void call(LongFunction<LogCall> call, Consumer<LogReply> onReply) {
        long id = nextCall++;
        calls.put(id, onReply);
        step(new Event.Call<>(call.apply(id)));
    }

    private void execute(RaftState.DurableState before, Step<RaftState, RaftMessage> step) {
        storage.save(before, step.state().durable());
        state = step.state();
        term = state().durable().term();
        effects.execute(self, step.effects());
        application.onStep();
        if (storage.hasUnsynced() && !isSyncScheduled) {
            isSyncScheduled = true;
            loop.execute(() -> application.guard(this::sync));
        }
    }

    void sync() {
        isSyncScheduled = false;
        if (storage.hasUnsynced()) {
            long start = loop.nanoTime();
            var synced = storage.sync();
            metrics.recordSync(loop.nanoTime() - start);
            step(new Event.Synced<>(synced));
            application.onSynced();
        }
    }

    private RaftState state() {
        return Objects.requireNonNull(state);
    }

    /** May be called by any thread. */
    long term() {
        return term;
    }

    PersistentLog log() {
        return state().durable().log();
    }

    /** Whether this node leads and takes proposals. */
    boolean canAppend() {
        return state != null
                && state().role() instanceof RaftState.Role.Leading leading
                && leading.transferTo().isEmpty()
                && log().lastIndex() - state().commitIndex() < MAX_UNCOMMITTED;
    }

    /** Whether the newest configuration is committed. Another leader may still remove it otherwise. */
    boolean isConfigurationCommitted() {
        return log().configuration().index() <= state().commitIndex();
    }

    /** What this node knows of the other members as their leader. */
    List<RaftState.Progress> progress() {
        return state != null && state().role() instanceof RaftState.Role.Leading leading ? leading.peers() : List.of();
    }

    private final class Environment implements EffectExecutor.Environment<RaftMessage> {

        @Override
        public void send(int to, RaftMessage message) {
            application.send(new NodeId(to), message);
        }

        @Override
        public void setTimer(Effect.SetTimer<RaftMessage> timer) {
            long atLeast = timer.atLeast().toNanos();
            long spread = timer.atMost().toNanos() - atLeast;
            long extra = spread == 0 ? 0 : random.nextLong(spread + 1);
            timers.set(timer.timer(), Duration.ofNanos(atLeast + extra));
        }

        @Override
        public void cancelTimer(Enum<?> timer) {
            timers.cancel(timer);
        }

        @Override
        public int draw(int bound) {
            return random.nextInt(bound);
        }

        @Override
        public void notifyApplication(Effect<RaftMessage> effect) {
            if (effect instanceof Effect.Reply<RaftMessage>(var id, var reply)) {
                var call = calls.remove(id);
                if (call != null) {
                    call.accept(reply);
                }
            } else {
                application.execute(effect);
            }
        }
    }
}
