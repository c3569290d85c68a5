package habemus.service.trace;

import static java.util.Objects.requireNonNull;

import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
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
import org.jspecify.annotations.Nullable;

/**
 * Makes one run of the traces of all nodes: whatever arrived comes after its sending, whatever the clocks say; for the
 * rest the clocks decide.
 */
final class TraceMerger<S, M> {

    /** Which message it is, wherever it is told of. */
    private record MessageKey(NodeId from, long incarnation, long number) {}

    /** A node's lives, and how far the present one is told. */
    private final class NodeCursor {
        private final ArrayDeque<NodeTrace<S, M>> incarnations;
        private int position; // lines of the first of them

        NodeCursor(List<NodeTrace<S, M>> lives) {
            this.incarnations = new ArrayDeque<>(lives);
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
    private final Set<NodeId> started = new HashSet<>(); // at least once
    private final Set<MessageKey> received = new HashSet<>();
    private final Set<MessageKey> sent = new HashSet<>();
    private final Map<MessageKey, InFlightMessage> inFlightMessages = new HashMap<>();
    private final List<TraceEvent> events = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final long startMicros;
    private long at;

    TraceMerger(List<NodeTrace<S, M>> nodeTraces, int nodes) {
        eventObserver = new EventObserver(nodes);
        var byNode = new TreeMap<NodeId, List<NodeTrace<S, M>>>();
        nodeTraces.stream()
                .filter(nodeTrace -> !nodeTrace.steps().isEmpty())
                .sorted(Comparator.comparingLong(nodeTrace -> nodeTrace.header().incarnation()))
                .forEach(nodeTrace -> byNode.computeIfAbsent(nodeTrace.header().node(), node -> new ArrayList<>())
                        .add(nodeTrace));
        byNode.forEach((node, lives) -> nodeCursors.put(node, new NodeCursor(lives)));
        nodeTraces.forEach(this::index);
        startMicros = nodeTraces.stream()
                .flatMap(nodeTrace -> nodeTrace.steps().stream())
                .mapToLong(RecordedStep::at)
                .min()
                .orElse(0);
    }

    /** What is sent and what arrives in all of them. */
    private void index(NodeTrace<S, M> nodeTrace) {
        var head = nodeTrace.header();
        for (RecordedStep<S, M> recordedStep : nodeTrace.steps()) {
            switch (recordedStep) {
                case RecordedStep.Started<S, M> started -> index(head, started.effects(), started.firstMessageNumber());
                case RecordedStep.Stepped<S, M> stepped -> {
                    if (stepped.arrival().number() > 0) {
                        received.add(key(stepped));
                    }
                    index(head, stepped.effects(), stepped.firstMessageNumber());
                }
                case RecordedStep.StepFailed<S, M>
                        stepFailed -> {} // what came last is shown as lost: nothing came of it
                case RecordedStep.Alive<S, M> alive -> {}
                case RecordedStep.Stopped<S, M> stopped -> {}
            }
        }
    }

    private void index(TraceHeader head, List<Effect<M>> effects, long next) {
        sentMessages(head, effects, next).forEach(sentMessage -> sent.add(sentMessage.messageKey));
    }

    private record SentMessage(MessageKey messageKey, NodeId to, Object message) {}

    /** The messages to others among the effects, with their numbers. */
    private static <M> List<SentMessage> sentMessages(TraceHeader head, List<Effect<M>> effects, long next) {
        var sentMessages = new ArrayList<SentMessage>();
        long number = next;
        for (Effect<M> effect : effects) {
            switch (effect) {
                case Effect.Send<M>(var to, var message)
                when !to.equals(head.node()) ->
                    sentMessages.add(
                            new SentMessage(new MessageKey(head.node(), head.incarnation(), number++), to, message));
                case Effect.SendAll<M>(var all, var message) -> {
                    for (NodeId to : all) {
                        if (!to.equals(head.node())) {
                            sentMessages.add(new SentMessage(
                                    new MessageKey(head.node(), head.incarnation(), number++), to, message));
                        }
                    }
                }
                default -> {}
            }
        }
        return sentMessages;
    }

    private MessageKey key(RecordedStep.Stepped<S, M> stepped) {
        var from = ((Event.Received<M>) stepped.event()).from();
        return new MessageKey(
                from, stepped.arrival().incarnation(), stepped.arrival().number());
    }

    /** What could not be made out. */
    List<String> notes() {
        return notes;
    }

    List<TraceEvent> merge() {
        for (var next = nextReady(); next != null; next = nextReady()) {
            emit(next);
        }
        return events;
    }

    /** Whose next line is the earliest of those that can be told now. */
    private @Nullable NodeCursor nextReady() {
        NodeCursor earliest = null;
        NodeCursor stuck = null;
        for (NodeCursor nodeCursor : nodeCursors.values()) {
            var recordedStep = nodeCursor.next();
            if (recordedStep == null) {
                continue;
            }
            if (!isReady(recordedStep)) {
                stuck = nodeCursor;
            } else if (earliest == null
                    || recordedStep.at() < requireNonNull(earliest.next()).at()) {
                earliest = nodeCursor;
            }
        }
        if (earliest == null && stuck != null) {
            notes.add("traces contradict each other: something arrived before it was sent");
            return stuck;
        }
        return earliest;
    }

    private boolean isReady(RecordedStep<S, M> recordedStep) {
        if (!(recordedStep instanceof RecordedStep.Stepped<S, M> stepped)
                || stepped.arrival().number() == 0) {
            return true;
        }
        var messageKey = key(stepped);
        return inFlightMessages.containsKey(messageKey) || !sent.contains(messageKey);
    }

    private void emit(NodeCursor nodeCursor) {
        var recordedStep = requireNonNull(nodeCursor.next());
        var trace = nodeCursor.incarnations.getFirst();
        at = Math.max(at, recordedStep.at() - startMicros);
        switch (recordedStep) {
            case RecordedStep.Started<S, M> start -> start(trace, start);
            case RecordedStep.Stepped<S, M> stepped -> step(trace, stepped);
            case RecordedStep.StepFailed<S, M> stepFailed ->
                notes.add(trace.header().node() + "#" + trace.header().incarnation() + " stopped at "
                        + stepFailed.event() + ": " + stepFailed.reason());
            case RecordedStep.Alive<S, M> alive -> {}
            case RecordedStep.Stopped<S, M> stopped -> {}
        }
        nodeCursor.position++;
        if (nodeCursor.next() == null) {
            endIncarnation(nodeCursor);
        }
    }

    private void start(NodeTrace<S, M> trace, RecordedStep.Started<S, M> start) {
        var node = trace.header().node();
        var how = start.memory().size() > 0
                ? TraceEvent.Start.WITH_MEMORY
                : started.contains(node) ? TraceEvent.Start.WITH_AMNESIA : TraceEvent.Start.FIRST;
        if (!started.add(node)) {
            events.add(new TraceEvent.FaultInjected(at, new Fault.Restart(node, how == TraceEvent.Start.WITH_AMNESIA)));
            observe(List.of(new ObservableEvent.Restarted(node)));
        }
        var sentMessages = sentMessages(trace.header(), start.effects(), start.firstMessageNumber());
        events.add(new TraceEvent.Started(at, node, how, start.state(), start.effects(), register(sentMessages)));
        emitLost(sentMessages);
        observe(eventObserver.afterStep(node, start.effects()));
    }

    private void step(NodeTrace<S, M> trace, RecordedStep.Stepped<S, M> stepped) {
        var node = trace.header().node();
        long mail = 0;
        if (stepped.arrival().number() > 0) {
            var messageKey = key(stepped);
            var letter = inFlightMessages.get(messageKey);
            if (letter == null) {
                notes.add(node + " received a message of " + messageKey.from + "#" + messageKey.incarnation
                        + " whose sending no trace tells of");
            } else {
                mail = letter.number();
                eventObserver.received(node, letter.number());
            }
        }
        observe(eventObserver.beforeStep(node, stepped.event()));
        var sentMessages = sentMessages(trace.header(), stepped.effects(), stepped.firstMessageNumber());
        events.add(new TraceEvent.Step(
                at, node, stepped.event(), mail, stepped.state(), stepped.effects(), register(sentMessages)));
        emitLost(sentMessages);
        observe(eventObserver.afterStep(node, stepped.effects()));
    }

    private List<InFlightMessage> register(List<SentMessage> sentMessages) {
        var posted = new ArrayList<InFlightMessage>();
        for (SentMessage sentMessage : sentMessages) {
            var inFlightMessage = new InFlightMessage(
                    inFlightMessages.size() + 1L, sentMessage.messageKey.from, sentMessage.to, sentMessage.message);
            inFlightMessages.put(sentMessage.messageKey, inFlightMessage);
            eventObserver.sent(sentMessage.messageKey.from, inFlightMessage.number());
            posted.add(inFlightMessage);
        }
        return posted;
    }

    /** Those of which no trace tells that they arrived. */
    private void emitLost(List<SentMessage> sentMessages) {
        for (SentMessage sentMessage : sentMessages) {
            if (!received.contains(sentMessage.messageKey)) {
                events.add(new TraceEvent.MessageOutcome(
                        at, requireNonNull(inFlightMessages.get(sentMessage.messageKey)), TraceEvent.Fate.LOST));
            }
        }
    }

    /** A life is over: by a crash, unless all is over. */
    private void endIncarnation(NodeCursor nodeCursor) {
        var trace = nodeCursor.incarnations.removeFirst();
        nodeCursor.position = 0;
        if (!nodeCursor.incarnations.isEmpty() || !trace.isComplete()) {
            var node = trace.header().node();
            events.add(new TraceEvent.FaultInjected(at, new Fault.Crash(node)));
            observe(eventObserver.onCrash(node));
        }
    }

    private void observe(List<ObservableEvent> observableEvents) {
        observableEvents.forEach(observableEvent -> events.add(new TraceEvent.Observed(at, observableEvent)));
    }
}
