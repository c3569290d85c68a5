package habemus.lab.picture;

import habemus.lab.trace.Recording;
import habemus.lab.trace.Words;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.world.TraceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A run as a sequence diagram of <a href="https://mermaid.js.org">Mermaid</a>. A message is shown when it is received
 * or lost, for Mermaid knows an order and no times.
 */
public final class Mermaid {

    private static final int MOST_MOMENTS = 300; // Mermaid itself refuses texts that are much longer

    private final Scene scene;
    private final Map<Integer, Arrow> arrowsByEnd = new TreeMap<>();
    private final StringBuilder out = new StringBuilder("sequenceDiagram\n");

    private Mermaid(Scene scene) {
        this.scene = scene;
        for (Arrow arrow : scene.arrows()) {
            switch (arrow.end()) {
                case Arrow.End.Received(var line) -> arrowsByEnd.put(line, arrow);
                case Arrow.End.Failed(var line, var fate) -> arrowsByEnd.put(line, arrow);
                case Arrow.End.UnderWay() -> {}
            }
        }
    }

    public static String draw(Recording recording) {
        return new Mermaid(Scene.of(recording, MOST_MOMENTS)).draw();
    }

    private String draw() {
        say("title " + safe(scene.recording().title()));
        scene.nodes().forEach(node -> say("participant " + node));
        for (int i = 0; i < scene.lines().size(); i++) {
            drawArrow(i);
            drawNotes(scene.lines().get(i));
            drawEnds(i);
            drawBeginnings(i);
        }
        scene.arrows().stream()
                .filter(arrow -> arrow.end() instanceof Arrow.End.UnderWay)
                .forEach(arrow -> message(arrow, "--)", " (under way)"));
        if (scene.leftOut() > 0) {
            noteAll("… and " + scene.leftOut() + " more moments");
        }
        return out.toString();
    }

    private void drawArrow(int line) {
        var arrow = arrowsByEnd.get(line);
        if (arrow == null) {
            return;
        }
        switch (arrow.end()) {
            case Arrow.End.Failed(var at, var fate) -> message(arrow, "-x", " " + why(fate));
            case Arrow.End.Received(var at) when arrow.copy() -> message(arrow, "-->>", " (again)");
            case Arrow.End.Received(var at) when arrow.told() -> message(arrow, "-->>", "");
            case Arrow.End.Received(var at) -> message(arrow, "->>", "");
            case Arrow.End.UnderWay() -> {}
        }
    }

    private static String why(TraceLine.Fate fate) {
        return switch (fate) {
            case LOST -> "(lost)";
            case CUT_OFF -> "(cut off)";
            case RECEIVER_DOWN -> "(receiver down)";
            case DUPLICATED -> "(duplicated)";
        };
    }

    private void message(Arrow arrow, String line, String more) {
        var mail = arrow.mail();
        say(mail.from() + line + mail.to() + ": " + safe(Words.label(mail.message()) + more));
    }

    private void drawEnds(int line) {
        scene.spans().stream()
                .filter(span -> span.to() == line && span.condition().isExclusive())
                .forEach(span -> say("deactivate " + span.node()));
    }

    private void drawBeginnings(int line) {
        scene.spans().stream()
                .filter(span -> span.from() == line && span.condition().isExclusive())
                .forEach(span -> say("activate " + span.node()));
    }

    private void drawNotes(TraceLine line) {
        switch (line) {
            case TraceLine.Acted acted -> {
                var words = new ArrayList<String>();
                if (acted instanceof TraceLine.Stepped stepped && !(stepped.event() instanceof Event.Received)) {
                    words.add(Words.of(stepped.event()));
                }
                words.addAll(Words.news(acted));
                if (!words.isEmpty()) {
                    note(acted.node(), String.join(", ", words));
                }
            }
            case TraceLine.Struck(var at, var fault) -> noteAll(Words.of(fault));
            case TraceLine.Violated(var at, var property) ->
                noteAll("!! " + property + " violated: " + property.sentence());
            default -> {}
        }
    }

    private void note(NodeId node, String words) {
        say("Note over " + node + ": " + safe(words));
    }

    private void noteAll(String words) {
        List<NodeId> nodes = scene.nodes();
        var over = nodes.size() == 1 ? nodes.get(0).toString() : nodes.get(0) + "," + nodes.get(nodes.size() - 1);
        say("Note over " + over + ": " + safe(words));
    }

    /** Semicolons end a statement and number signs begin an entity, also within words; angle brackets are HTML. */
    private static String safe(String words) {
        return words.replace("#", "#35;")
                .replaceAll("(?<!#35);", "#59;")
                .replace("<", "#lt;")
                .replace(">", "#gt;")
                .replaceAll("\\R", " ");
    }

    private void say(String statement) {
        out.append("    ").append(statement).append('\n');
    }
}
