package habemus.service.trace;

import static java.util.Objects.requireNonNull;

import habemus.protocol.Effect;
import habemus.protocol.EffectExecutor;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.InFlightMessage;
import habemus.world.ObservableEvent;
import habemus.world.TraceEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Merges the traces of all nodes into one run. A message is received after it was sent, whatever the wall clocks say;
 * otherwise the clocks decide the order.
 */
final class TraceMerger<S, M> {

    /** Identifies a message in all traces. */
    private record MessageKey(NodeId from, long incarnation, long number) {}

    /** The traces of a node that are not merged yet, and the position in the first of them. */
    private final class NodeCursor {
        private final ArrayDeque<NodeTrace<S, M>> incarnations;
        private int position;

        NodeCursor(List<NodeTrace<S, M>> traces) {
            incarnations = new ArrayDeque<>(traces);
        }

        @Nullable
        RecordedStep<S, M> next() {
            return incarnations.isEmpty()
                            || position == incarnations.getFirst().steps().size()
                    ? null
                    : incarnations.getFirst().steps().get(position);
        }
    }

    private final EventObserver eventObserver;
    private final Map<NodeId, NodeCursor> nodeCursors = new TreeMap<>();
    private final NodeSet absentNodes;
    private final Set<NodeId> started = new HashSet<>(); // at least once
    private final Set<NodeId> left = new HashSet<>();
    private final Set<MessageKey> received = new HashSet<>();
    private final Set<MessageKey> sent = new HashSet<>();
    private final Map<MessageKey, InFlightMessage> inFlightMessages = new HashMap<>();
    private final List<TraceEvent> events = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final long startMicros;
    private long at;

    /** @param nodes of the first view, and all that have joined */
    TraceMerger(List<NodeTrace<S, M>> nodeTraces, NodeSet nodes) {
        eventObserver = new EventObserver(nodes.toList().getLast().number(), this::observe);
        absentNodes = absentNodes(nodeTraces, nodes);
        var byNode = new TreeMap<NodeId, List<NodeTrace<S, M>>>();
        nodeTraces.stream()
                .filter(nodeTrace -> !nodeTrace.steps().isEmpty())
                .sorted(Comparator.comparingLong(nodeTrace -> nodeTrace.header().incarnation()))
                .forEach(nodeTrace -> byNode.computeIfAbsent(nodeTrace.header().node(), node -> new ArrayList<>())
                        .add(nodeTrace));
        byNode.forEach((node, incarnations) -> nodeCursors.put(node, new NodeCursor(incarnations)));
        nodeTraces.forEach(this::index);
        startMicros = nodeTraces.stream()
                .flatMap(nodeTrace -> nodeTrace.steps().stream())
                .mapToLong(RecordedStep::at)
                .min()
                .orElse(0);
    }

    /** The nodes that had left before the group started. */
    private static <S, M> NodeSet absentNodes(List<NodeTrace<S, M>> nodeTraces, NodeSet nodes) {
        var present = NodeSet.NONE;
        boolean isLaterGroup = !nodeTraces.isEmpty();
        for (var trace : nodeTraces) {
            present = present.with(trace.header().node());
            if (!trace.steps().isEmpty()) {
                isLaterGroup &= trace.steps().getFirst() instanceof RecordedStep.StartedInView;
                present = trace.steps().getFirst() instanceof RecordedStep.StartedInView<S, M> started
                        ? present.with(started.peers())
                        : present;
            }
        }
        return isLaterGroup ? nodes.without(present) : NodeSet.NONE;
    }

    /** Collects the messages that a trace sends and receives. */
    private void index(NodeTrace<S, M> nodeTrace) {
        var header = nodeTrace.header();
        for (RecordedStep<S, M> step : nodeTrace.steps()) {
            switch (step) {
                case RecordedStep.Started<S, M> started ->
                    index(header, started.effects(), started.firstMessageNumber());
                case RecordedStep.StartedInView<S, M> started ->
                    index(header, started.effects(), started.firstMessageNumber());
                case RecordedStep.Stepped<S, M> stepped -> {
                    if (stepped.arrival().number() > 0) {
                        received.add(key(stepped));
                    }
                    index(header, stepped.effects(), stepped.firstMessageNumber());
                }
                case RecordedStep.StepFailed<S, M> failed -> {} // its message is shown as lost: it had no effect
                case RecordedStep.Alive<S, M> alive -> {}
                case RecordedStep.Stopped<S, M> stopped -> {}
            }
        }
    }

    private void index(TraceHeader header, List<Effect<M>> effects, long firstNumber) {
        sentMessages(header, effects, firstNumber).forEach(sentMessage -> sent.add(sentMessage.messageKey));
    }

    /** Keeps the messages to other nodes, and ignores all other effects. */
    private record SendCollector<M>(ObjIntConsumer<M> sends) implements EffectExecutor.Environment<M> {
        @Override
        public void send(int to, M message) {
            sends.accept(message, to);
        }

        @Override
        public void setTimer(Effect.SetTimer<M> setTimer) {}

        @Override
        public void cancelTimer(Enum<?> timer) {}

        @Override
        public int draw(int bound) {
            return 0;
        }

        @Override
        public void notifyApplication(Effect<M> effect) {}
    }

    private record SentMessage(MessageKey messageKey, NodeId to, Object message) {}

    /** The messages to other nodes among the effects, with their numbers. */
    private static <M> List<SentMessage> sentMessages(TraceHeader header, List<Effect<M>> effects, long firstNumber) {
        var sentMessages = new ArrayList<SentMessage>();
        new EffectExecutor<>(new SendCollector<M>((message, to) -> {
                    var messageKey =
                            new MessageKey(header.node(), header.incarnation(), firstNumber + sentMessages.size());
                    sentMessages.add(new SentMessage(messageKey, new NodeId(to), message));
                }))
                .execute(header.node(), effects);
        return sentMessages;
    }

    private MessageKey key(RecordedStep.Stepped<S, M> stepped) {
        var from = stepped.event() instanceof Event.Forward<M>(var sender, var message)
                ? sender
                : ((Event.Received<M>) stepped.event()).from();
        return new MessageKey(
                from, stepped.arrival().incarnation(), stepped.arrival().number());
    }

    /** What the traces do not show. */
    List<String> notes() {
        return notes;
    }

    List<TraceEvent> merge() {
        absentNodes.forEach(this::leave);
        for (var next = nextReady(); next != null; next = nextReady()) {
            emit(next);
        }
        return events;
    }

    /** The node with the earliest step of which all causes are merged. Null if all traces are merged. */
    private @Nullable NodeCursor nextReady() {
        NodeCursor earliest = null;
        NodeCursor blocked = null;
        for (NodeCursor nodeCursor : nodeCursors.values()) {
            var step = nodeCursor.next();
            if (step == null) {
                continue;
            }
            if (!isReady(step)) {
                blocked = nodeCursor;
            } else if (earliest == null
                    || step.at() < requireNonNull(earliest.next()).at()) {
                earliest = nodeCursor;
            }
        }
        if (earliest == null && blocked != null) {
            notes.add("the traces contradict each other: a message was received before it was sent");
            return blocked;
        }
        return earliest;
    }

    private boolean isReady(RecordedStep<S, M> step) {
        if (!(step instanceof RecordedStep.Stepped<S, M> stepped)
                || stepped.arrival().number() == 0) {
            return true;
        }
        var messageKey = key(stepped);
        return inFlightMessages.containsKey(messageKey) || !sent.contains(messageKey);
    }

    private void emit(NodeCursor nodeCursor) {
        var step = requireNonNull(nodeCursor.next());
        var trace = nodeCursor.incarnations.getFirst();
        at = Math.max(at, step.at() - startMicros);
        switch (step) {
            case RecordedStep.Started<S, M> start -> start(trace, start);
            case RecordedStep.StartedInView<S, M> start -> start(trace, start);
            case RecordedStep.Stepped<S, M> stepped -> step(trace, stepped);
            case RecordedStep.StepFailed<S, M> failed ->
                notes.add(trace.header().node() + "#" + trace.header().incarnation() + " stopped at " + failed.event()
                        + ": " + failed.reason());
            case RecordedStep.Alive<S, M> alive -> {}
            case RecordedStep.Stopped<S, M> stopped -> {}
        }
        nodeCursor.position++;
        if (nodeCursor.next() == null) {
            endIncarnation(nodeCursor);
        }
    }

    /** What two kinds of records have in common. */
    private record FirstStep<S, M>(boolean hasDurableState, S state, List<Effect<M>> effects, long firstNumber) {}

    private void start(NodeTrace<S, M> trace, RecordedStep.Started<S, M> step) {
        start(
                trace,
                new FirstStep<>(
                        step.durableState().size() > 0, step.state(), step.effects(), step.firstMessageNumber()),
                false);
    }

    private void start(NodeTrace<S, M> trace, RecordedStep.StartedInView<S, M> step) {
        start(
                trace,
                new FirstStep<>(
                        step.durableState().size() > 0, step.state(), step.effects(), step.firstMessageNumber()),
                step.joins());
    }

    private void start(NodeTrace<S, M> trace, FirstStep<S, M> step, boolean joins) {
        var node = trace.header().node();
        boolean isNewMember = joins && !started.contains(node);
        var kind = step.hasDurableState
                ? TraceEvent.Start.WITH_MEMORY
                : isNewMember
                        ? TraceEvent.Start.AS_NEW_MEMBER
                        : started.contains(node) ? TraceEvent.Start.WITH_AMNESIA : TraceEvent.Start.FIRST;
        if (isNewMember) {
            events.add(new TraceEvent.FaultInjected(at, new Fault.Join(node)));
            observe(new ObservableEvent.Joined(node));
        }
        if (!started.add(node)) {
            events.add(
                    new TraceEvent.FaultInjected(at, new Fault.Restart(node, kind == TraceEvent.Start.WITH_AMNESIA)));
            observe(new ObservableEvent.Restarted(node));
        }
        var sentMessages = sentMessages(trace.header(), step.effects, step.firstNumber);
        events.add(new TraceEvent.Started(at, node, kind, step.state, step.effects, register(sentMessages)));
        emitLost(sentMessages);
        eventObserver.afterStep(node, step.effects);
    }

    private void leave(NodeId node) {
        left.add(node);
        events.add(new TraceEvent.FaultInjected(at, new Fault.Leave(node)));
        eventObserver.onLeave(node);
    }

    private void step(NodeTrace<S, M> trace, RecordedStep.Stepped<S, M> stepped) {
        var node = trace.header().node();
        long messageNumber = 0;
        if (stepped.arrival().number() > 0) {
            var messageKey = key(stepped);
            var message = inFlightMessages.get(messageKey);
            if (message == null) {
                notes.add(node + " received a message of " + messageKey.from + "#" + messageKey.incarnation
                        + " that is in no trace of its sender");
            } else {
                messageNumber = message.number();
                eventObserver.onReceive(node, message.number());
            }
        }
        if (stepped.event() instanceof Event.Leave<M>) {
            leave(node);
        }
        eventObserver.beforeStep(node, stepped.event());
        var sentMessages = sentMessages(trace.header(), stepped.effects(), stepped.firstMessageNumber());
        events.add(new TraceEvent.Step(
                at, node, stepped.event(), messageNumber, stepped.state(), stepped.effects(), register(sentMessages)));
        emitLost(sentMessages);
        eventObserver.afterStep(node, stepped.effects());
    }

    private List<InFlightMessage> register(List<SentMessage> sentMessages) {
        var messages = new ArrayList<InFlightMessage>();
        for (SentMessage sentMessage : sentMessages) {
            var inFlightMessage = new InFlightMessage(
                    inFlightMessages.size() + 1L, sentMessage.messageKey.from, sentMessage.to, sentMessage.message);
            inFlightMessages.put(sentMessage.messageKey, inFlightMessage);
            eventObserver.onSend(sentMessage.messageKey.from, inFlightMessage.number());
            messages.add(inFlightMessage);
        }
        return messages;
    }

    /** Shows the messages that no trace receives as lost. */
    private void emitLost(List<SentMessage> sentMessages) {
        for (SentMessage sentMessage : sentMessages) {
            if (!received.contains(sentMessage.messageKey)) {
                events.add(new TraceEvent.MessageOutcome(
                        at, requireNonNull(inFlightMessages.get(sentMessage.messageKey)), TraceEvent.Fate.LOST));
            }
        }
    }

    /** An incarnation ends with a crash, unless it was the last one and was stopped. */
    private void endIncarnation(NodeCursor nodeCursor) {
        var trace = nodeCursor.incarnations.removeFirst();
        nodeCursor.position = 0;
        var node = trace.header().node();
        if (!left.contains(node) && (!nodeCursor.incarnations.isEmpty() || !trace.isComplete())) {
            events.add(new TraceEvent.FaultInjected(at, new Fault.Crash(node)));
            eventObserver.onCrash(node);
        }
    }

    private void observe(ObservableEvent event) {
        events.add(new TraceEvent.Observed(at, event));
    }
}
