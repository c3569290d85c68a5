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
import habemus.world.ValueFormatter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A run as a space-time diagram for terminals: time runs down, a column for each node, an arrow where a message is
 * received.
 *
 * <pre>
 *   n1         n2         n3
 *   ○          │          │       0.000  n1 acquire → Waiting, sends Request 1@n1 to {n2 n3}
 *   ├──────────┼─Request─▶●       1.173  n3 Request 1@n1 → Idle, sends Reply to n1
 * </pre>
 *
 * <p>{@code ●} a message is received, {@code ○} another step, {@code ┃} inside or leading, {@code ┊} paused, {@code ✕}
 * crashed or lost, {@code ◆} restarted, {@code ◇} restarted with amnesia.
 */
public final class TextDiagram {

    private static final int MAX_ROWS = 200;
    private static final int MAX_COLUMNS = 16;
    private static final int PREFERRED_WIDTH = 66;
    private static final int MAX_PITCH = 16;

    private final DiagramModel diagramModel;
    private final Map<Integer, MessageArrow> messageArrows = new TreeMap<>();
    private final long loop;
    private final int left;
    private final int pitch;
    private final int width;

    private TextDiagram(DiagramModel diagramModel, long loop) {
        this.diagramModel = diagramModel;
        this.loop = loop;
        for (MessageArrow messageArrow : diagramModel.messageArrows()) {
            switch (messageArrow.end()) {
                case MessageArrow.End.Received(var line) -> messageArrows.put(line, messageArrow);
                case MessageArrow.End.Dropped(var line, var fate) -> messageArrows.put(line, messageArrow);
                case MessageArrow.End.InFlight() -> {}
            }
        }
        int name = diagramModel.nodes().stream()
                .mapToInt(n -> n.toString().length())
                .max()
                .orElse(0);
        int columns = diagramModel.nodes().size();
        left = 1 + name / 2;
        pitch = Math.max(name + 2, Math.min(MAX_PITCH, PREFERRED_WIDTH / Math.max(1, columns)));
        width = left + pitch * (columns - 1) + name / 2 + 3;
    }

    /** @param colour whether the terminal has colours */
    public static String draw(Recording recording, boolean colour) {
        return draw(recording, colour, Long.MAX_VALUE);
    }

    /** @param loop the time after which everything happens again and again */
    public static String draw(Recording recording, boolean colour, long loop) {
        var lines = recording.events();
        int end = 0;
        int rows = 0;
        while (end < lines.size() && rows < MAX_ROWS) {
            rows += isShown(lines.get(end++)) ? 1 : 0;
        }
        long more = lines.stream().skip(end).filter(TextDiagram::isShown).count();
        var shown = new Recording(recording.title(), recording.nodes(), lines.subList(0, end));
        var drawing = recording.nodes().size() > MAX_COLUMNS
                ? list(shown)
                : new TextDiagram(DiagramModel.of(shown), loop).draw(colour);
        return more == 0 ? drawing : drawing + "… and " + more + " more; --trace shows them all\n";
    }

    private static boolean isShown(TraceEvent line) {
        return !(line instanceof TraceEvent.Observed) && !TraceText.of(line).isEmpty();
    }

    private static String list(Recording recording) {
        var out = new StringBuilder();
        recording
                .events()
                .forEach(line ->
                        TraceText.of(line).forEach(row -> out.append(row).append('\n')));
        return out.toString();
    }

    private String draw(boolean colour) {
        var out = new StringBuilder(header().draw(colour)).append('\n');
        boolean looping = false;
        for (int i = 0; i < diagramModel.events().size(); i++) {
            var line = diagramModel.events().get(i);
            if (isShown(line)) {
                if (!looping && line.at() > loop) {
                    out.append("again and again from here:\n");
                    looping = true;
                }
                out.append(row(i).draw(colour)).append('\n');
            }
        }
        return out.toString();
    }

    private TextRow header() {
        var row = new TextRow(width);
        for (NodeId node : diagramModel.nodes()) {
            var name = node.toString();
            row.put(column(node) - name.length() / 2, name, Colour.PLAIN);
        }
        row.setText("       ms", Colour.PLAIN);
        return row;
    }

    private int column(NodeId node) {
        return left + pitch * diagramModel.nodes().indexOf(node);
    }

    private TextRow row(int i) {
        var line = diagramModel.events().get(i);
        var row = new TextRow(width);
        diagramModel.nodes().forEach(node -> putLane(row, node, i));
        var messageArrow = messageArrows.get(i);
        if (messageArrow != null) {
            putArrow(row, messageArrow);
        }
        putSymbol(row, line);
        row.setText(TextLabels.of(line), colourOf(line));
        return row;
    }

    private static Colour colourOf(TraceEvent line) {
        return switch (line) {
            case TraceEvent.Violated violated -> Colour.RED;
            case TraceEvent.FaultInjected faultInjected -> Colour.YELLOW;
            case TraceEvent.MessageOutcome messageOutcome -> Colour.YELLOW;
            case TraceEvent.Wrote wrote -> wrote.accepted() ? Colour.PLAIN : Colour.YELLOW;
            case TraceEvent.NodeStep nodeStep ->
                TraceWording.describeApplicationEffects(nodeStep).isEmpty() ? Colour.PLAIN : Colour.GREEN;
            default -> Colour.PLAIN;
        };
    }

    private void putLane(TextRow row, NodeId node, int line) {
        var now = diagramModel.intervalsOf(node).stream()
                .filter(conditionInterval -> conditionInterval.covers(line))
                .map(ConditionInterval::nodeCondition)
                .toList();
        if (now.stream().anyMatch(NodeCondition.Paused.class::isInstance)) {
            row.put(column(node), '┊', Colour.YELLOW);
        } else if (now.stream().anyMatch(NodeCondition::isExclusive)) {
            row.put(column(node), '┃', Colour.GREEN);
        } else if (now.stream().noneMatch(NodeCondition.Down.class::isInstance)) {
            row.put(column(node), '│', Colour.PLAIN);
        }
    }

    private void putSymbol(TextRow row, TraceEvent line) {
        switch (line) {
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

    private void putArrow(TextRow row, MessageArrow messageArrow) {
        int from = column(messageArrow.inFlightMessage().from());
        int to = column(messageArrow.inFlightMessage().to());
        int step = from < to ? 1 : -1;
        boolean failed = messageArrow.end() instanceof MessageArrow.End.Dropped;
        boolean midway = messageArrow.end() instanceof MessageArrow.End.Dropped(var line, var fate)
                && fate != TraceEvent.Fate.RECEIVER_DOWN;
        int tip = midway ? from + step * Math.max(2, Math.abs(to - from) / 2) : failed ? to : to - step;
        var colour = failed ? Colour.YELLOW : Colour.PLAIN;
        char stroke = messageArrow.duplicate() || messageArrow.fromApplication() ? '╌' : '─';
        for (int x = from; x != tip; x += step) {
            row.put(x, x == from ? exitCharacter(row.at(x), step) : crossingCharacter(row.at(x), stroke), colour);
        }
        row.put(tip, failed ? '✕' : step > 0 ? '▶' : '◀', failed ? Colour.RED : colour);
        putLabel(row, messageArrow, Math.min(from, tip), Math.max(from, tip));
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

    /** In the first stretch between two columns that has room for it: all of it, or at least its name. */
    private void putLabel(TextRow row, MessageArrow messageArrow, int from, int to) {
        var message = messageArrow.inFlightMessage().message();
        for (String words : List.of(TraceWording.label(message), ValueFormatter.typeName(message))) {
            for (int start = from; start < to; start += pitch) {
                int room = Math.min(start + pitch, to) - start - 1;
                if (words.length() < room) {
                    row.put(start + 1 + (room - words.length()) / 2, words, Colour.PLAIN);
                    return;
                }
            }
        }
    }
}
