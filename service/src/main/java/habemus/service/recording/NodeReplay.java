package habemus.service.recording;

import habemus.codec.Codec;
import habemus.lockservice.protocol.LockServer;
import habemus.lockservice.protocol.Message;
import habemus.lockservice.storage.StorageFormat;
import habemus.protocol.ByteString;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.LogEntry;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.raft.Raft;
import habemus.raft.RaftMessage;
import habemus.raft.RaftState;
import habemus.service.raft.ApplicationContent;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Re-executes the steps of one start of a node with the pure machines, and compares the outcomes. */
final class NodeReplay {

    /** A step that the machine does not take. */
    static final class WrongStepException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient String event;
        private final transient String expected;
        private final transient String recorded;

        WrongStepException(String event, String expected, String recorded) {
            super(event);
            this.event = event;
            this.expected = expected;
            this.recorded = recorded;
        }

        StepDifference at(NodeId node, int start, long step) {
            return new StepDifference(node, start, step, event, expected, recorded);
        }
    }

    private final Neighbourhood neighbourhood;
    private final ArrayDeque<Message.LogMessage> fromLog = new ArrayDeque<>(); // not handled by the lock server yet
    private @Nullable Raft raft;
    private @Nullable RaftState logState;
    private @Nullable LockServer lockServer;
    private LockServer.@Nullable State serverState;

    NodeReplay(NodeId node) {
        neighbourhood = new Neighbourhood(node, List.of());
    }

    /** The state of the log. Empty before its start. */
    Optional<RaftState> logState() {
        return Optional.ofNullable(logState);
    }

    Raft raft() {
        return required(raft);
    }

    void startServer(LockServer server) {
        lockServer = server;
        serverState = server.start(neighbourhood).state();
    }

    /** @throws WrongStepException if the machine starts differently */
    List<Effect<RaftMessage>> startLog(ServiceStep.LogStarted<RaftMessage> started) {
        raft = started.raft();
        return takeLogStep("start", () -> started.raft().restart(neighbourhood, started.durable()), started.outcome());
    }

    /** @throws WrongStepException if the machine answers differently */
    List<Effect<RaftMessage>> stepLog(Event<RaftMessage> event, ByteString recorded) {
        return takeLogStep(event.toString(), () -> raft().step(required(logState), event), recorded);
    }

    private List<Effect<RaftMessage>> takeLogStep(
            String event, Supplier<Step<RaftState, RaftMessage>> machine, ByteString recorded) {
        var step = take(event, machine);
        compare(event, StepOutcome.LOG_CODEC, StepOutcome.of(step), recorded);
        logState = step.state();
        step.effects().forEach(this::deliver);
        return step.effects();
    }

    /** Keeps what the log passes to the lock server. */
    private void deliver(Effect<RaftMessage> effect) {
        switch (effect) {
            case Effect.Apply<RaftMessage>(var first, var entries) -> {
                for (LogEntry entry : entries) {
                    ApplicationContent.of(entry)
                            .ifPresent(bytes -> fromLog.add(new Message.Committed(StorageFormat.decodeBatch(bytes))));
                }
            }
            case Effect.Load<RaftMessage>(var index, var snapshot) ->
                fromLog.add(new Message.SnapshotInstalled(StorageFormat.decodeTable(ApplicationContent.of(snapshot))));
            case Effect.Elected<RaftMessage>(var leader, var term) ->
                fromLog.add(new Message.LeadershipChanged(leader.equals(neighbourhood.self())));
            case Effect.Lost<RaftMessage>() -> fromLog.add(new Message.LeadershipChanged(false));
            default -> {}
        }
    }

    /** @throws WrongStepException if the machine answers differently */
    List<Effect<Message>> stepServer(ServerInput input, ByteString recorded) {
        var event = input instanceof ServerInput.FromLog ? "from the log: " + fromLog.peek() : input.toString();
        var step = take(event, () -> stepServer(input));
        compare(event, StepOutcome.SERVER_CODEC, StepOutcome.ofServer(step), recorded);
        serverState = step.state();
        return step.effects();
    }

    private Step<LockServer.State, Message> stepServer(ServerInput input) {
        var server = required(lockServer);
        var state = required(serverState);
        return switch (input) {
            case ServerInput.Requested(var client, var request) -> server.receive(state, client, request);
            case ServerInput.FromLog() -> {
                var message = fromLog.poll();
                if (message == null) {
                    throw new WrongStepException(
                            "a message of the log", "the log delivered none", "the lock server handled one");
                }
                yield server.receive(state, LockServer.LOG, message);
            }
            case ServerInput.TimedOut(var timer) -> server.timeout(state, timer);
            case ServerInput.Disconnected(var clients) -> server.onDisconnected(state, clients);
        };
    }

    private static <S, M> Step<S, M> take(String event, Supplier<Step<S, M>> machine) {
        try {
            return machine.get();
        } catch (ProtocolBug | IllegalStateException | IllegalArgumentException impossible) {
            throw new WrongStepException(event, "impossible: " + impossible.getMessage(), "a step");
        }
    }

    private static <T> void compare(String event, Codec<T> codec, T expected, ByteString recorded) {
        var bytes = codec.writeByteString(expected);
        if (!bytes.equals(recorded)) {
            throw new WrongStepException(
                    event,
                    codec.read(bytes.asByteBuffer()).toString(),
                    codec.read(recorded.asByteBuffer()).toString());
        }
    }

    private static <T> T required(@Nullable T value) {
        if (value == null) {
            throw new WrongStepException("a step", "the machine has started before", "no start");
        }
        return value;
    }
}
