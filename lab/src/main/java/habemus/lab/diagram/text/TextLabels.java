package habemus.lab.diagram.text;

import habemus.lab.trace.TraceWording;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.world.TraceEvent;
import habemus.world.ValueFormatter;
import java.util.ArrayList;

/** What is written beside a row of a text diagram. The arrows say already who speaks to whom. */
final class TextLabels {

    private static final int TIME_WIDTH = 9;

    private TextLabels() {}

    static String of(TraceEvent line) {
        var time = TraceWording.millis(line.at());
        return " ".repeat(Math.max(0, TIME_WIDTH - time.length())) + time + "  " + describe(line);
    }

    private static String describe(TraceEvent line) {
        return switch (line) {
            case TraceEvent.Started started -> step(started, TraceWording.describe(started.how()));
            case TraceEvent.Step step -> step(step, event(step.event()));
            case TraceEvent.FaultInjected(var at, var fault) -> TraceWording.describe(fault);
            case TraceEvent.MessageOutcome(var at, var inFlightMessage, var fate) ->
                TraceWording.describe(inFlightMessage, fate);
            case TraceEvent.AppMessageSent(var at, var inFlightMessage) ->
                inFlightMessage.from() + " tells " + inFlightMessage.to() + ": "
                        + TraceWording.label(inFlightMessage.message());
            case TraceEvent.AppMessageReceived(var at, var inFlightMessage) ->
                inFlightMessage.to() + " hears " + TraceWording.label(inFlightMessage.message());
            case TraceEvent.Wrote(var at, var node, var fence, var accepted) ->
                node + " " + TraceWording.describeWrite(fence, accepted);
            case TraceEvent.Observed(var at, var observableEvent) -> ValueFormatter.format(observableEvent);
            case TraceEvent.Violated(var at, var property) -> "!! " + property + " violated: " + property.sentence();
        };
    }

    private static String event(Event<?> event) {
        return event instanceof Event.Received<?>(var from, var message)
                ? TraceWording.label(message)
                : TraceWording.describe(event);
    }

    private static String step(TraceEvent.NodeStep nodeStep, String event) {
        var parts = new ArrayList<String>();
        var phase = TraceWording.phase(nodeStep.state());
        parts.add(nodeStep.node() + " " + event
                + (phase.equals(nodeStep.state()) ? "" : " → " + ValueFormatter.typeName(phase)));
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
