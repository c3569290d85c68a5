package habemus.lab.trace;

import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.FailureDetector;
import habemus.protocol.PeriodicMessage;
import habemus.world.InFlightMessage;
import habemus.world.TraceEvent;
import java.util.List;

/** Removes heartbeats and detector ticks from a trace, so that the other events can be read. */
public final class HeartbeatFilter {

    private HeartbeatFilter() {}

    /** Whether the event sends and receives nothing but heartbeats. */
    public static boolean isOnlyHeartbeats(TraceEvent traceEvent) {
        return switch (traceEvent) {
            case TraceEvent.Step step ->
                isHeartbeat(step.event()) && step.effects().stream().allMatch(HeartbeatFilter::isHeartbeat);
            case TraceEvent.MessageOutcome messageOutcome ->
                PeriodicMessage.isPeriodic(messageOutcome.message().message());
            default -> false;
        };
    }

    /** Whether the event is only a tick of a detector, which sends and receives nothing. */
    public static boolean isDetectorTick(TraceEvent traceEvent) {
        return isOnlyHeartbeats(traceEvent)
                && traceEvent instanceof TraceEvent.Step step
                && step.messageNumber() == 0
                && step.sent().isEmpty();
    }

    /** The event without the heartbeats that it sends. */
    public static TraceEvent withoutHeartbeats(TraceEvent traceEvent) {
        return switch (traceEvent) {
            case TraceEvent.Started(var at, var node, var how, var state, var effects, var sent) ->
                new TraceEvent.Started(at, node, how, state, otherEffects(effects), otherMessages(sent));
            case TraceEvent.Step(var at, var node, var event, var messageNumber, var state, var effects, var sent) ->
                new TraceEvent.Step(at, node, event, messageNumber, state, otherEffects(effects), otherMessages(sent));
            default -> traceEvent;
        };
    }

    private static boolean isHeartbeat(Event<?> event) {
        return switch (event) {
            case Event.Received<?>(var from, var message) -> PeriodicMessage.isPeriodic(message);
            case Event.Timeout<?>(var timer) -> timer instanceof FailureDetector.Tick;
            default -> false;
        };
    }

    private static boolean isHeartbeat(Effect<?> effect) {
        return switch (effect) {
            case Effect.Send<?>(var to, var message) -> PeriodicMessage.isPeriodic(message);
            case Effect.SendAll<?>(var to, var message) -> PeriodicMessage.isPeriodic(message);
            case Effect.SetTimer<?>(var timer, var atLeast, var atMost) -> timer instanceof FailureDetector.Tick;
            default -> false;
        };
    }

    private static List<? extends Effect<?>> otherEffects(List<? extends Effect<?>> effects) {
        return effects.stream().filter(effect -> !isHeartbeat(effect)).toList();
    }

    private static List<InFlightMessage> otherMessages(List<InFlightMessage> sent) {
        return sent.stream()
                .filter(message -> !PeriodicMessage.isPeriodic(message.message()))
                .toList();
    }
}
