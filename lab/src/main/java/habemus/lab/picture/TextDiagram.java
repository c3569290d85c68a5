package habemus.lab.picture;

import habemus.lab.picture.TextRow.Ink;
import habemus.lab.trace.Recording;
import habemus.lab.trace.TraceText;
import habemus.lab.trace.Words;
import habemus.protocol.NodeId;
import habemus.world.Fault;
import habemus.world.TraceLine;
import habemus.world.Wording;
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

    private static final int MOST_ROWS = 200;
    private static final int MOST_COLUMNS = 16;
    private static final int GOOD_WIDTH = 66;
    private static final int WIDEST_PITCH = 16;

    private final Scene scene;
    private final Map<Integer, Arrow> arrows = new TreeMap<>();
    private final long loop;
    private final int left;
    private final int pitch;
    private final int width;

    private TextDiagram(Scene scene, long loop) {
        this.scene = scene;
        this.loop = loop;
        for (Arrow arrow : scene.arrows()) {
            switch (arrow.end()) {
                case Arrow.End.Received(var line) -> arrows.put(line, arrow);
                case Arrow.End.Failed(var line, var fate) -> arrows.put(line, arrow);
                case Arrow.End.UnderWay() -> {}
            }
        }
        int name = scene.nodes().stream()
                .mapToInt(n -> n.toString().length())
                .max()
                .orElse(0);
        int columns = scene.nodes().size();
        left = 1 + name / 2;
        pitch = Math.max(name + 2, Math.min(WIDEST_PITCH, GOOD_WIDTH / Math.max(1, columns)));
        width = left + pitch * (columns - 1) + name / 2 + 3;
    }

    /** @param colour whether the terminal has colours */
    public static String draw(Recording recording, boolean colour) {
        return draw(recording, colour, Long.MAX_VALUE);
    }

    /** @param loop the time after which everything happens again and again */
    public static String draw(Recording recording, boolean colour, long loop) {
        var lines = recording.lines();
        int end = 0;
        int rows = 0;
        while (end < lines.size() && rows < MOST_ROWS) {
            rows += isShown(lines.get(end++)) ? 1 : 0;
        }
        long more = lines.stream().skip(end).filter(TextDiagram::isShown).count();
        var shown = new Recording(recording.title(), recording.nodes(), lines.subList(0, end));
        var drawing = recording.nodes().size() > MOST_COLUMNS
                ? list(shown)
                : new TextDiagram(Scene.of(shown), loop).draw(colour);
        return more == 0 ? drawing : drawing + "… and " + more + " more; --trace shows them all\n";
    }

    private static boolean isShown(TraceLine line) {
        return !(line instanceof TraceLine.Seen) && !TraceText.of(line).isEmpty();
    }

    private static String list(Recording recording) {
        var out = new StringBuilder();
        recording
                .lines()
                .forEach(line ->
                        TraceText.of(line).forEach(row -> out.append(row).append('\n')));
        return out.toString();
    }

    private String draw(boolean colour) {
        var out = new StringBuilder(header().draw(colour)).append('\n');
        boolean looping = false;
        for (int i = 0; i < scene.lines().size(); i++) {
            var line = scene.lines().get(i);
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
        for (NodeId node : scene.nodes()) {
            var name = node.toString();
            row.put(column(node) - name.length() / 2, name, Ink.PLAIN);
        }
        row.say("       ms", Ink.PLAIN);
        return row;
    }

    private int column(NodeId node) {
        return left + pitch * scene.nodes().indexOf(node);
    }

    private TextRow row(int i) {
        var line = scene.lines().get(i);
        var row = new TextRow(width);
        scene.nodes().forEach(node -> putLane(row, node, i));
        var arrow = arrows.get(i);
        if (arrow != null) {
            putArrow(row, arrow);
        }
        putSign(row, line);
        row.say(TextWords.of(line), ink(line));
        return row;
    }

    private static Ink ink(TraceLine line) {
        return switch (line) {
            case TraceLine.Violated violated -> Ink.RED;
            case TraceLine.Struck struck -> Ink.YELLOW;
            case TraceLine.Fared fared -> Ink.YELLOW;
            case TraceLine.Wrote wrote -> wrote.accepted() ? Ink.PLAIN : Ink.YELLOW;
            case TraceLine.Acted acted -> Words.news(acted).isEmpty() ? Ink.PLAIN : Ink.GREEN;
            default -> Ink.PLAIN;
        };
    }

    private void putLane(TextRow row, NodeId node, int line) {
        var now = scene.spansOf(node).stream()
                .filter(span -> span.covers(line))
                .map(Span::condition)
                .toList();
        if (now.stream().anyMatch(Condition.Paused.class::isInstance)) {
            row.put(column(node), '┊', Ink.YELLOW);
        } else if (now.stream().anyMatch(Condition::isExclusive)) {
            row.put(column(node), '┃', Ink.GREEN);
        } else if (now.stream().noneMatch(Condition.Down.class::isInstance)) {
            row.put(column(node), '│', Ink.PLAIN);
        }
    }

    private void putSign(TextRow row, TraceLine line) {
        switch (line) {
            case TraceLine.Started started -> {
                boolean amnesia = started.how() == TraceLine.Start.WITH_AMNESIA;
                row.put(column(started.node()), amnesia ? '◇' : '◆', Ink.YELLOW);
            }
            case TraceLine.Stepped stepped ->
                row.put(column(stepped.node()), stepped.mail() == 0 ? '○' : '●', ink(stepped));
            case TraceLine.Wrote wrote -> row.put(column(wrote.node()), '✎', ink(wrote));
            case TraceLine.Told told -> row.put(column(told.mail().from()), '○', Ink.PLAIN);
            case TraceLine.Struck(var at, Fault.Crash(var node)) -> row.put(column(node), '✕', Ink.RED);
            default -> {}
        }
    }

    private void putArrow(TextRow row, Arrow arrow) {
        int from = column(arrow.mail().from());
        int to = column(arrow.mail().to());
        int step = from < to ? 1 : -1;
        boolean failed = arrow.end() instanceof Arrow.End.Failed;
        boolean midway =
                arrow.end() instanceof Arrow.End.Failed(var line, var fate) && fate != TraceLine.Fate.RECEIVER_DOWN;
        int tip = midway ? from + step * Math.max(2, Math.abs(to - from) / 2) : failed ? to : to - step;
        var ink = failed ? Ink.YELLOW : Ink.PLAIN;
        char stroke = arrow.copy() || arrow.told() ? '╌' : '─';
        for (int x = from; x != tip; x += step) {
            row.put(x, x == from ? leaving(row.at(x), step) : crossing(row.at(x), stroke), ink);
        }
        row.put(tip, failed ? '✕' : step > 0 ? '▶' : '◀', failed ? Ink.RED : ink);
        putLabel(row, arrow, Math.min(from, tip), Math.max(from, tip));
    }

    private static char leaving(char lane, int step) {
        return switch (lane) {
            case '│' -> step > 0 ? '├' : '┤';
            case '┃' -> step > 0 ? '┠' : '┨';
            default -> '─';
        };
    }

    private static char crossing(char lane, char stroke) {
        return switch (lane) {
            case '│' -> '┼';
            case '┃' -> '╂';
            default -> stroke;
        };
    }

    /** In the first stretch between two columns that has room for it: all of it, or at least its name. */
    private void putLabel(TextRow row, Arrow arrow, int from, int to) {
        var message = arrow.mail().message();
        for (String words : List.of(Words.label(message), Wording.name(message))) {
            for (int start = from; start < to; start += pitch) {
                int room = Math.min(start + pitch, to) - start - 1;
                if (words.length() < room) {
                    row.put(start + 1 + (room - words.length()) / 2, words, Ink.PLAIN);
                    return;
                }
            }
        }
    }
}
