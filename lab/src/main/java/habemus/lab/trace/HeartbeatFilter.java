package habemus.lab.trace;

import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.FailureDetector;
import habemus.protocol.PeriodicMessage;
import habemus.world.InFlightMessage;
import habemus.world.TraceEvent;
import java.util.List;

/** Leaves out of a trace what is nothing but heartbeats, so that there is something else to be seen. */
public final class HeartbeatFilter {

    private HeartbeatFilter() {}

    /** Whether nothing but heartbeats is sent or received by it. */
    public static boolean isOnlyHeartbeats(TraceEvent line) {
        return switch (line) {
            case TraceEvent.Step step ->
                isHeartbeat(step.event()) && step.effects().stream().allMatch(HeartbeatFilter::isHeartbeat);
            case TraceEvent.MessageOutcome messageOutcome ->
                PeriodicMessage.isPeriodic(messageOutcome.message().message());
            default -> false;
        };
    }

    /** Whether a detector only counts: nothing is sent or received at all. */
    public static boolean isDetectorTick(TraceEvent line) {
        return isOnlyHeartbeats(line)
                && line instanceof TraceEvent.Step step
                && step.messageNumber() == 0
                && step.sent().isEmpty();
    }

    /** The rest of a line that is more than that. */
    public static TraceEvent withoutHeartbeats(TraceEvent line) {
        return switch (line) {
            case TraceEvent.Started(var at, var node, var how, var state, var effects, var sent) ->
                new TraceEvent.Started(at, node, how, state, otherEffects(effects), otherMessages(sent));
            case TraceEvent.Step(var at, var node, var event, var mail, var state, var effects, var sent) ->
                new TraceEvent.Step(at, node, event, mail, state, otherEffects(effects), otherMessages(sent));
            default -> line;
        };
    }

    private static boolean isHeartbeat(Event<?> event) {
        return switch (event) {
            case Event.Received<?>(var from, var message) -> PeriodicMessage.isPeriodic(message);
            case Event.Timeout<?>(var alarm) -> alarm instanceof FailureDetector.Tick;
            default -> false;
        };
    }

    private static boolean isHeartbeat(Effect<?> effect) {
        return switch (effect) {
            case Effect.Send<?>(var to, var message) -> PeriodicMessage.isPeriodic(message);
            case Effect.SendAll<?>(var to, var message) -> PeriodicMessage.isPeriodic(message);
            case Effect.SetTimer<?>(var alarm, var atLeast, var atMost) -> alarm instanceof FailureDetector.Tick;
            default -> false;
        };
    }

    private static List<? extends Effect<?>> otherEffects(List<? extends Effect<?>> effects) {
        return effects.stream().filter(effect -> !isHeartbeat(effect)).toList();
    }

    private static List<InFlightMessage> otherMessages(List<InFlightMessage> sent) {
        return sent.stream()
                .filter(inFlightMessage -> !PeriodicMessage.isPeriodic(inFlightMessage.message()))
                .toList();
    }
}
