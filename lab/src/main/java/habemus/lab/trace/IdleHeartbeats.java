package habemus.lab.trace;

import habemus.protocol.Effect;
import habemus.protocol.Envelope;
import habemus.protocol.Event;
import habemus.raft.RaftMessage;
import habemus.raft.RaftState;
import habemus.world.InFlightMessage;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Removes the heartbeats of a replicated log that change nothing. They change neither the log, the commit index or the
 * role of a node, nor what a later message does. Its heartbeats have the type of other messages, so only their effects
 * tell.
 */
public final class IdleHeartbeats {

    private final List<TraceEvent> events;
    private final BitSet removed = new BitSet();
    private final Set<Long> removedMessages = new HashSet<>();

    private IdleHeartbeats(List<TraceEvent> events) {
        this.events = events;
    }

    /** The events without idle heartbeats. */
    public static List<TraceEvent> remove(List<TraceEvent> events) {
        return new IdleHeartbeats(events).remove();
    }

    private List<TraceEvent> remove() {
        findIdleSteps();
        restoreReplies();
        var rest = new ArrayList<TraceEvent>();
        for (int i = 0; i < events.size(); i++) {
            if (!removed.get(i)) {
                rest.add(withoutRemovedMessages(events.get(i)));
            }
        }
        return rest;
    }

    /** From the end to the start: a step is idle if nothing is observed and no later step needs its messages. */
    private void findIdleSteps() {
        var needed = new HashSet<Long>();
        boolean observed = false;
        for (int i = events.size() - 1; i >= 0; i--) {
            switch (events.get(i)) {
                case TraceEvent.Observed event -> observed = true;
                case TraceEvent.Violated event -> observed = true;
                case TraceEvent.NotGuaranteed event -> observed = true;
                case TraceEvent.Step step -> {
                    boolean matters =
                            observed || step.sent().stream().anyMatch(message -> needed.contains(message.number()));
                    if (matters || !isHeartbeat(step)) {
                        needed.add(step.messageNumber());
                    } else {
                        removed.set(i);
                    }
                    observed = false;
                }
                case TraceEvent.MessageOutcome(var at, var message, var fate) ->
                    removed.set(i, isHeartbeat(message.message()));
                default -> observed = false;
            }
        }
    }

    /** A step stays if the step that sent its message does: only the replies to removed heartbeats go. */
    private void restoreReplies() {
        var kept = new HashSet<Long>();
        for (int i = 0; i < events.size(); i++) {
            switch (events.get(i)) {
                case TraceEvent.Step step -> {
                    boolean reply = step.event() instanceof Event.Received<?>(var from, var message)
                            && Envelope.unwrap(message) instanceof RaftMessage.AppendAck
                            && kept.contains(step.messageNumber());
                    if (reply) {
                        removed.clear(i);
                    }
                    if (removed.get(i)) {
                        removedMessages.add(step.messageNumber());
                    } else if (!isHeartbeat(step)) {
                        step.sent().forEach(message -> kept.add(message.number()));
                    }
                }
                case TraceEvent.MessageOutcome(var at, var message, var fate) -> {
                    if (removed.get(i)) {
                        removedMessages.add(message.number());
                    }
                }
                default -> {}
            }
        }
    }

    private static boolean isHeartbeat(TraceEvent.Step step) {
        return switch (step.event()) {
            case Event.Received<?>(var from, var message) -> isHeartbeat(message);
            case Event.Timeout<?>(RaftState.Timer timer) ->
                timer == RaftState.Timer.HEARTBEAT
                        || Envelope.unwrap(step.state()) instanceof RaftState state
                                && state.role() instanceof RaftState.Role.Leading;
            default -> false;
        };
    }

    private static boolean isHeartbeat(Object message) {
        return switch (Envelope.unwrap(message)) {
            case RaftMessage.AppendEntries append -> append.entries().isEmpty();
            case RaftMessage.AppendAck ack -> true;
            default -> false;
        };
    }

    private TraceEvent withoutRemovedMessages(TraceEvent traceEvent) {
        if (!(traceEvent
                        instanceof
                        TraceEvent.Step(var at, var node, var event, var number, var state, var effects, var sent))
                || sent.stream().noneMatch(message -> removedMessages.contains(message.number()))) {
            return traceEvent;
        }
        var rest = sent.stream()
                .filter(message -> !removedMessages.contains(message.number()))
                .toList();
        var shown = effects.stream()
                .filter(effect -> !(effect instanceof Effect.Send<?>(var to, var message))
                        || rest.stream().map(InFlightMessage::to).anyMatch(to::equals))
                .toList();
        return new TraceEvent.Step(at, node, event, number, state, shown, rest);
    }
}
