package habemus.lab.diagram.text;

import habemus.lab.diagram.model.ConditionInterval;
import habemus.lab.diagram.model.DiagramModel;
import habemus.lab.diagram.model.MessageArrow;
import habemus.lab.diagram.model.NodeCondition;
import habemus.lab.diagram.text.TextRow.Colour;
import habemus.lab.trace.Recording;
import habemus.lab.trace.TraceText;
import habemus.lab.trace.TraceWording;
import habemus.protocol.NodeId;
import habemus.world.Fault;
import habemus.world.TraceEvent;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Draws a run as a space-time diagram for terminals. Time runs down, each node has a column, and an arrow ends where a
 * message is received.
 *
 * <pre>
 *   n1         n2         n3
 *   ○          │          │       0.000  n1 acquire → Waiting, sends Request 1@n1 to {n2 n3}
 *   ├──────────┼─Request─▶●       1.173  n3 Request 1@n1 → Idle, sends Reply to n1
 * </pre>
 *
 * <p>{@code ●} a message is received, {@code ○} another step, {@code ┃} holds the lock or leads. {@code ┊} paused,
 * {@code ✕} crashed or dropped, {@code ◆} restarted or joined, {@code ◇} restarted with amnesia. A node that is down,
 * or no member, has no line.
 */
public final class TextDiagram {

    private static final int MAX_ROWS = 200;
    private static final int MAX_COLUMNS = 16;
    private static final int PREFERRED_WIDTH = 66;
    private static final int MAX_PITCH = 16;

    private final DiagramModel model;
    private final Map<Integer, MessageArrow> arrows = new TreeMap<>();
    private final long loop;
    private final int left;
    private final int pitch;
    private final int width;

    private TextDiagram(DiagramModel model, long loop) {
        this.model = model;
        this.loop = loop;
        for (MessageArrow arrow : model.arrows()) {
            switch (arrow.end()) {
                case MessageArrow.End.Received(var index) -> arrows.put(index, arrow);
                case MessageArrow.End.Dropped(var index, var fate) -> arrows.put(index, arrow);
                case MessageArrow.End.InFlight() -> {}
            }
        }
        int name = model.nodes().stream()
                .mapToInt(n -> model.recording().name(n).length())
                .max()
                .orElse(0);
        int columns = model.nodes().size();
        left = 1 + name / 2;
        pitch = Math.max(name + 2, Math.min(MAX_PITCH, PREFERRED_WIDTH / Math.max(1, columns)));
        width = left + pitch * (columns - 1) + name / 2 + 3;
    }

    /** @param colour whether the terminal has colours */
    public static String draw(Recording recording, boolean colour) {
        return draw(recording, colour, Long.MAX_VALUE);
    }

    /** @param loop the time in microseconds after which the events repeat forever */
    public static String draw(Recording recording, boolean colour, long loop) {
        var events = recording.events();
        int end = 0;
        int rows = 0;
        while (end < events.size() && rows < MAX_ROWS) {
            rows += isShown(events.get(end++)) ? 1 : 0;
        }
        long omitted = events.stream().skip(end).filter(TextDiagram::isShown).count();
        var shown = recording.until(end);
        var drawing = recording.nodes().size() > MAX_COLUMNS
                ? list(shown)
                : new TextDiagram(DiagramModel.of(shown), loop).draw(colour);
        return omitted == 0 ? drawing : drawing + "… and " + omitted + " more; use --trace to see all\n";
    }

    private static boolean isShown(TraceEvent event) {
        return !(event instanceof TraceEvent.Observed) && !TraceText.of(event).isEmpty();
    }

    private static String list(Recording recording) {
        var out = new StringBuilder();
        recording
                .events()
                .forEach(event -> TraceText.of(event, recording.names(), recording.timeScale())
                        .forEach(row -> out.append(row).append('\n')));
        return out.toString();
    }

    private String draw(boolean colour) {
        var out = new StringBuilder(header().draw(colour)).append('\n');
        boolean looping = false;
        for (int i = 0; i < model.events().size(); i++) {
            var event = model.events().get(i);
            if (isShown(event)) {
                if (!looping && event.at() > loop) {
                    out.append("repeats forever from here:\n");
                    looping = true;
                }
                out.append(row(i).draw(colour)).append('\n');
            }
        }
        return out.toString();
    }

    private TextRow header() {
        var row = new TextRow(width);
        for (NodeId node : model.nodes()) {
            var name = model.recording().name(node);
            row.put(column(node) - name.length() / 2, name, Colour.PLAIN);
        }
        var unit = model.recording().timeScale().unit();
        row.setText(" ".repeat(TextLabels.TIME_WIDTH - unit.length()) + unit, Colour.PLAIN);
        return row;
    }

    private int column(NodeId node) {
        return left + pitch * model.nodes().indexOf(node);
    }

    private TextRow row(int i) {
        var event = model.events().get(i);
        var row = new TextRow(width);
        model.nodes().forEach(node -> putLane(row, node, i));
        var arrow = arrows.get(i);
        if (arrow != null) {
            putArrow(row, arrow);
        }
        putSymbol(row, event);
        row.setText(
                model.recording()
                        .names()
                        .in(TextLabels.of(event, model.recording().timeScale())),
                colourOf(event));
        return row;
    }

    private static Colour colourOf(TraceEvent event) {
        return switch (event) {
            case TraceEvent.Violated violated -> Colour.RED;
            case TraceEvent.FaultInjected faultInjected -> Colour.YELLOW;
            case TraceEvent.MessageOutcome messageOutcome -> Colour.YELLOW;
            case TraceEvent.Wrote wrote -> wrote.accepted() ? Colour.PLAIN : Colour.YELLOW;
            case TraceEvent.NodeStep nodeStep ->
                TraceWording.describeApplicationEffects(nodeStep).isEmpty() ? Colour.PLAIN : Colour.GREEN;
            default -> Colour.PLAIN;
        };
    }

    private void putLane(TextRow row, NodeId node, int index) {
        var now = model.intervalsOf(node).stream()
                .filter(interval -> interval.covers(index))
                .map(ConditionInterval::condition)
                .toList();
        if (now.stream().anyMatch(NodeCondition.Paused.class::isInstance)) {
            row.put(column(node), '┊', Colour.YELLOW);
        } else if (now.stream().anyMatch(NodeCondition::isExclusive)) {
            row.put(column(node), '┃', Colour.GREEN);
        } else if (now.stream().noneMatch(NodeCondition.Health.class::isInstance)) {
            row.put(column(node), '│', Colour.PLAIN);
        }
    }

    private void putSymbol(TextRow row, TraceEvent event) {
        switch (event) {
            case TraceEvent.Started started -> {
                boolean amnesia = started.how() == TraceEvent.Start.WITH_AMNESIA;
                row.put(column(started.node()), amnesia ? '◇' : '◆', Colour.YELLOW);
            }
            case TraceEvent.Step step ->
                row.put(column(step.node()), step.messageNumber() == 0 ? '○' : '●', colourOf(step));
            case TraceEvent.Wrote wrote -> row.put(column(wrote.node()), '✎', colourOf(wrote));
            case TraceEvent.AppMessageSent appMessageSent ->
                row.put(column(appMessageSent.message().from()), '○', Colour.PLAIN);
            case TraceEvent.FaultInjected(var at, Fault.Crash(var node)) -> row.put(column(node), '✕', Colour.RED);
            default -> {}
        }
    }

    private void putArrow(TextRow row, MessageArrow arrow) {
        int from = column(arrow.inFlightMessage().from());
        int to = column(arrow.inFlightMessage().to());
        int step = from < to ? 1 : -1;
        boolean failed = arrow.end() instanceof MessageArrow.End.Dropped;
        boolean midway = arrow.end() instanceof MessageArrow.End.Dropped(var index, var fate)
                && fate != TraceEvent.Fate.RECEIVER_DOWN;
        int tip = midway ? from + step * Math.max(2, Math.abs(to - from) / 2) : failed ? to : to - step;
        var colour = failed ? Colour.YELLOW : Colour.PLAIN;
        char stroke = arrow.duplicate() || arrow.fromApplication() ? '╌' : '─';
        for (int x = from; x != tip; x += step) {
            row.put(x, x == from ? exitCharacter(row.at(x), step) : crossingCharacter(row.at(x), stroke), colour);
        }
        row.put(tip, failed ? '✕' : step > 0 ? '▶' : '◀', failed ? Colour.RED : colour);
        putLabel(row, arrow, Math.min(from, tip), Math.max(from, tip));
    }

    private static char exitCharacter(char lane, int step) {
        return switch (lane) {
            case '│' -> step > 0 ? '├' : '┤';
            case '┃' -> step > 0 ? '┠' : '┨';
            default -> '─';
        };
    }

    private static char crossingCharacter(char lane, char stroke) {
        return switch (lane) {
            case '│' -> '┼';
            case '┃' -> '╂';
            default -> stroke;
        };
    }

    /** Writes the label, or else the type name, into the first gap between two columns that is wide enough. */
    private void putLabel(TextRow row, MessageArrow arrow, int from, int to) {
        var message = arrow.inFlightMessage().message();
        for (String label : List.of(TraceWording.label(message), TraceWording.name(message))) {
            var text = model.recording().names().in(label);
            for (int start = from; start < to; start += pitch) {
                int room = Math.min(start + pitch, to) - start - 1;
                if (text.length() < room) {
                    row.put(start + 1 + (room - text.length()) / 2, text, Colour.PLAIN);
                    return;
                }
            }
        }
    }
}
