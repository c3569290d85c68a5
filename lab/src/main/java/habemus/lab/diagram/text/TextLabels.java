package habemus.lab.diagram.text;

import habemus.lab.trace.TimeScale;
import habemus.lab.trace.TraceWording;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.world.TraceEvent;
import habemus.world.ValueFormatter;
import java.util.ArrayList;

/** The text beside a row of a {@link TextDiagram}. It leaves out senders, because the arrows show them. */
final class TextLabels {

    static final int TIME_WIDTH = 9;

    private TextLabels() {}

    static String of(TraceEvent traceEvent, TimeScale timeScale) {
        var time = timeScale.exact(traceEvent.at());
        return " ".repeat(Math.max(0, TIME_WIDTH - time.length())) + time + "  " + describe(traceEvent);
    }

    private static String describe(TraceEvent traceEvent) {
        return switch (traceEvent) {
            case TraceEvent.Started started -> step(started, TraceWording.describe(started.how()));
            case TraceEvent.Step step -> step(step, event(step.event()));
            case TraceEvent.FaultInjected(var at, var fault) -> TraceWording.describe(fault);
            case TraceEvent.MessageOutcome(var at, var message, var fate) -> TraceWording.describe(message, fate);
            case TraceEvent.AppMessageSent(var at, var message) ->
                message.from() + " sends application message to " + message.to() + ": "
                        + TraceWording.label(message.message());
            case TraceEvent.AppMessageReceived(var at, var message) ->
                message.to() + " receives application message " + TraceWording.label(message.message());
            case TraceEvent.Wrote(var at, var node, var fence, var accepted) ->
                node + " " + TraceWording.describeWrite(fence, accepted);
            case TraceEvent.Observed(var at, var observableEvent) -> ValueFormatter.format(observableEvent);
            case TraceEvent.Violated(var at, var property) -> "!! " + TraceWording.describeViolation(property);
            case TraceEvent.NotGuaranteed(var at, var property) -> "! " + TraceWording.describeNotGuaranteed(property);
        };
    }

    private static String event(Event<?> event) {
        return switch (event) {
            case Event.Received<?>(var from, var message) -> TraceWording.label(message);
            case Event.Forward<?>(var from, var message) -> "late " + TraceWording.label(message);
            default -> TraceWording.describe(event);
        };
    }

    private static String step(TraceEvent.NodeStep nodeStep, String event) {
        var parts = new ArrayList<String>();
        var phase = TraceWording.phase(nodeStep.state());
        var note = TraceWording.note(nodeStep);
        parts.add(nodeStep.node() + " " + event
                + (phase.equals(nodeStep.state()) ? "" : " → " + ValueFormatter.typeName(phase))
                + (note.isEmpty() ? "" : " (" + note + ")"));
        parts.addAll(TraceWording.describeApplicationEffects(nodeStep));
        for (Effect<?> effect : nodeStep.effects()) {
            switch (effect) {
                case Effect.Send<?>(var to, var message) ->
                    parts.add("sends " + TraceWording.label(message) + " to " + to);
                case Effect.SendAll<?>(var to, var message) ->
                    parts.add("sends " + TraceWording.label(message) + " to " + to);
                default -> {}
            }
        }
        return String.join(", ", parts);
    }
}
