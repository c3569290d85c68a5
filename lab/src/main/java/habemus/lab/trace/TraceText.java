package habemus.lab.trace;

import habemus.world.ObservableEvent;
import habemus.world.TraceEvent;
import habemus.world.ValueFormatter;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Formats trace events as lines of text, for terminals and recorded scenarios.
 *
 * <pre>
 *      1.250 ms  n2     Request(1@n1) from n1 → Idle   sends Reply(0) to n1
 *      4.000 ms  *      n3 crashes
 *      4.100 ms  x      Reply(0) from n2 to n3 is dropped: n3 is down
 *      7.310 ms  !!     mutual-exclusion violated: at most one node holds the lock
 * </pre>
 */
public final class TraceText {

    private static final int TIME_WIDTH = 13;
    private static final int NODE_WIDTH = 5;

    private TraceText() {}

    /** The lines for one event of a simulated or real run, with node ids. */
    public static List<String> of(TraceEvent traceEvent) {
        return of(traceEvent, NodeNames.NONE, TimeScale.MILLIS);
    }

    /**
     * The lines for one event. Empty for what other lines show already: most observable events, and a first start that
     * sends nothing.
     */
    public static List<String> of(TraceEvent traceEvent, NodeNames names, TimeScale timeScale) {
        int width = names.all().stream().mapToInt(String::length).reduce(NODE_WIDTH, Math::max);
        var time = time(traceEvent, timeScale);
        return rows(traceEvent).stream()
                .map(row -> time + "  " + row.format(names, width))
                .toList();
    }

    private static String time(TraceEvent traceEvent, TimeScale timeScale) {
        var time = timeScale == TimeScale.MILLIS
                ? timeScale.exact(traceEvent.at()) + " ms"
                : timeScale.when(traceEvent.at());
        return " ".repeat(Math.max(0, TIME_WIDTH - time.length())) + time;
    }

    /** @param origin the node, or a symbol for an event that concerns several */
    private record Row(String origin, String description) {
        private String format(NodeNames names, int width) {
            var name = names.in(origin);
            return name + " ".repeat(Math.max(0, width - name.length())) + "  " + names.in(description);
        }
    }

    private static List<Row> rows(TraceEvent traceEvent) {
        return switch (traceEvent) {
            case TraceEvent.Started(var at, var node, var how, var state, var effects, var sent)
            when how == TraceEvent.Start.FIRST && sent.isEmpty() -> List.of();
            case TraceEvent.Started started -> row(started.node(), step(started, TraceWording.describe(started.how())));
            case TraceEvent.Step step -> row(step.node(), step(step, TraceWording.describe(step.event())));
            case TraceEvent.FaultInjected(var at, var fault) -> row("*", TraceWording.describe(fault));
            case TraceEvent.MessageOutcome(var at, var message, var fate) ->
                row("x", TraceWording.describe(message, fate));
            case TraceEvent.AppMessageSent(var at, var message) ->
                row(
                        message.from(),
                        "sends application message to " + message.to() + ": "
                                + ValueFormatter.format(message.message()));
            case TraceEvent.AppMessageReceived(var at, var message) ->
                row(
                        message.to(),
                        "receives application message from " + message.from() + ": "
                                + ValueFormatter.format(message.message()));
            case TraceEvent.Wrote(var at, var node, var fence, var accepted) ->
                row(node, TraceWording.describeWrite(fence, accepted));
            case TraceEvent.Observed(var at, ObservableEvent.Requested(var node, var behind))
            when !behind.isEmpty() -> row(node, "requested after " + behind);
            case TraceEvent.Observed observed -> List.of();
            case TraceEvent.Violated(var at, var property) -> row("!!", TraceWording.describeViolation(property));
            case TraceEvent.NotGuaranteed(var at, var property) ->
                row("!", TraceWording.describeNotGuaranteed(property));
        };
    }

    private static String step(TraceEvent.NodeStep nodeStep, String event) {
        var effects = nodeStep.effects().stream()
                .map(effect -> TraceWording.describe(nodeStep.node(), effect))
                .collect(Collectors.joining(", "));
        var note = TraceWording.note(nodeStep);
        var change = event + " → " + TraceWording.describePhase(nodeStep.state())
                + (note.isEmpty() ? "" : " (" + note + ")");
        return effects.isEmpty() ? change : change + "   " + effects;
    }

    private static List<Row> row(Object origin, String description) {
        return List.of(new Row(origin.toString(), description));
    }
}
