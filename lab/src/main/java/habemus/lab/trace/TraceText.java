package habemus.lab.trace;

import habemus.world.ObservableEvent;
import habemus.world.TraceEvent;
import habemus.world.ValueFormatter;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The trace as text, for terminals and recorded conversations.
 *
 * <pre>
 *      1.250 ms  n2     Request(1@n1) from n1 → Idle   sends Reply(0) to n1
 *      4.000 ms  *      n3 crashes
 *      4.100 ms  x      Reply(0) from n2 to n3 finds n3 down
 *      7.310 ms  !!     mutual-exclusion violated: never two nodes are inside
 * </pre>
 */
public final class TraceText {

    private static final int TIME_WIDTH = 10;
    private static final int NODE_WIDTH = 5;

    private TraceText() {}

    /** Nothing for what other lines say already: most of what was seen from outside, and an uneventful first start. */
    public static List<String> of(TraceEvent line) {
        return switch (line) {
            case TraceEvent.Started(var at, var node, var how, var state, var effects, var sent)
            when how == TraceEvent.Start.FIRST && sent.isEmpty() -> List.of();
            case TraceEvent.Started started ->
                row(line, started.node(), step(started, TraceWording.describe(started.how())));
            case TraceEvent.Step step -> row(line, step.node(), step(step, TraceWording.describe(step.event())));
            case TraceEvent.FaultInjected(var at, var fault) -> row(line, "*", TraceWording.describe(fault));
            case TraceEvent.MessageOutcome(var at, var inFlightMessage, var fate) ->
                row(line, "x", TraceWording.describe(inFlightMessage, fate));
            case TraceEvent.AppMessageSent(var at, var inFlightMessage) ->
                row(
                        line,
                        inFlightMessage.from(),
                        "tells " + inFlightMessage.to() + " " + ValueFormatter.format(inFlightMessage.message()));
            case TraceEvent.AppMessageReceived(var at, var inFlightMessage) ->
                row(
                        line,
                        inFlightMessage.to(),
                        "hears " + ValueFormatter.format(inFlightMessage.message()) + " from "
                                + inFlightMessage.from());
            case TraceEvent.Wrote(var at, var node, var fence, var accepted) ->
                row(line, node, TraceWording.describeWrite(fence, accepted));
            case TraceEvent.Observed(var at, ObservableEvent.Requested(var node, var behind))
            when !behind.isEmpty() -> row(line, node, "asked after " + behind);
            case TraceEvent.Observed observed -> List.of();
            case TraceEvent.Violated(var at, var property) ->
                row(line, "!!", property + " violated: " + property.sentence());
        };
    }

    private static String step(TraceEvent.NodeStep nodeStep, String event) {
        var effects = nodeStep.effects().stream()
                .map(effect -> TraceWording.describe(nodeStep.node(), effect))
                .collect(Collectors.joining(", "));
        var change = event + " → " + ValueFormatter.format(TraceWording.phase(nodeStep.state()));
        return effects.isEmpty() ? change : change + "   " + effects;
    }

    private static List<String> row(TraceEvent line, Object origin, String description) {
        var time = TraceWording.millis(line.at());
        var name = origin.toString();
        return List.of(" ".repeat(Math.max(0, TIME_WIDTH - time.length())) + time + " ms  " + name
                + " ".repeat(Math.max(0, NODE_WIDTH - name.length())) + "  " + description);
    }
}
