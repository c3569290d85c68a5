package habemus.lab.diagram.text;

import habemus.lab.diagram.model.DiagramModel;
import habemus.lab.diagram.model.MessageArrow;
import habemus.lab.diagram.model.TimeSlots;
import habemus.lab.trace.Recording;
import habemus.lab.trace.TraceWording;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Draws a run as a sequence diagram of <a href="https://mermaid.js.org">Mermaid</a>. A message appears where it is
 * received or dropped, because Mermaid has an order but no times.
 */
public final class Mermaid {

    private static final int MAX_SLOTS = 300; // Mermaid rejects much longer texts

    private final DiagramModel model;
    private final Map<Integer, MessageArrow> arrowsByEnd = new TreeMap<>();
    private final StringBuilder out = new StringBuilder("sequenceDiagram\n");

    private Mermaid(DiagramModel model) {
        this.model = model;
        for (MessageArrow arrow : model.arrows()) {
            switch (arrow.end()) {
                case MessageArrow.End.Received(var index) -> arrowsByEnd.put(index, arrow);
                case MessageArrow.End.Dropped(var index, var fate) -> arrowsByEnd.put(index, arrow);
                case MessageArrow.End.InFlight() -> {}
            }
        }
    }

    public static String draw(Recording recording) {
        return new Mermaid(DiagramModel.of(recording, MAX_SLOTS)).draw();
    }

    private String draw() {
        addStatement("title " + escape(model.recording().title()));
        model.nodes().forEach(node -> addStatement("participant " + node + alias(node)));
        for (int i = 0; i < model.events().size(); i++) {
            drawArrow(i);
            drawNotes(model.events().get(i));
            addDeactivations(i);
            addActivations(i);
        }
        model.arrows().stream()
                .filter(arrow -> arrow.end() instanceof MessageArrow.End.InFlight)
                .forEach(arrow -> message(arrow, "--)", " (in flight)"));
        if (model.omittedSlots() > 0) {
            noteAll("… and " + model.omittedSlots() + " more time slots");
        }
        return out.toString();
    }

    private String alias(NodeId node) {
        var name = model.recording().names().of(node);
        return name.equals(node.toString()) ? "" : " as " + name;
    }

    private void drawArrow(int index) {
        var arrow = arrowsByEnd.get(index);
        if (arrow == null) {
            return;
        }
        switch (arrow.end()) {
            case MessageArrow.End.Dropped(var at, var fate) -> message(arrow, "-x", " " + describeFate(fate));
            case MessageArrow.End.Received(var at) when arrow.duplicate() -> message(arrow, "-->>", " (duplicate)");
            case MessageArrow.End.Received(var at) when arrow.fromApplication() -> message(arrow, "-->>", "");
            case MessageArrow.End.Received(var at) -> message(arrow, "->>", "");
            case MessageArrow.End.InFlight() -> {}
        }
    }

    private static String describeFate(TraceEvent.Fate fate) {
        return switch (fate) {
            case LOST -> "(lost)";
            case PARTITIONED -> "(partitioned)";
            case RECEIVER_DOWN -> "(receiver down)";
            case DUPLICATED -> "(duplicated)";
        };
    }

    private void message(MessageArrow arrow, String style, String suffix) {
        var message = arrow.inFlightMessage();
        addStatement(
                message.from() + style + message.to() + ": " + escape(TraceWording.label(message.message()) + suffix));
    }

    private void addDeactivations(int index) {
        model.intervals().stream()
                .filter(interval ->
                        interval.to() == index && interval.condition().isExclusive())
                .forEach(interval -> addStatement("deactivate " + interval.node()));
    }

    private void addActivations(int index) {
        model.intervals().stream()
                .filter(interval ->
                        interval.from() == index && interval.condition().isExclusive())
                .forEach(interval -> addStatement("activate " + interval.node()));
    }

    private void drawNotes(TraceEvent event) {
        switch (event) {
            case TraceEvent.NodeStep nodeStep -> {
                var notes = new ArrayList<String>();
                if (nodeStep instanceof TraceEvent.Step step && !(step.event() instanceof Event.Received)) {
                    notes.add(TraceWording.describe(step.event()));
                }
                notes.addAll(TraceWording.describeApplicationEffects(nodeStep));
                if (!TimeSlots.isUneventful(nodeStep)
                        && !TraceWording.note(nodeStep).isEmpty()) {
                    notes.add(TraceWording.note(nodeStep));
                }
                if (!notes.isEmpty()) {
                    note(nodeStep.node(), String.join(", ", notes));
                }
            }
            case TraceEvent.FaultInjected(var at, var fault) -> noteAll(TraceWording.describe(fault));
            case TraceEvent.Violated(var at, var property) -> noteAll("!! " + TraceWording.describeViolation(property));
            case TraceEvent.NotGuaranteed(var at, var property) ->
                noteAll("! " + TraceWording.describeNotGuaranteed(property));
            default -> {}
        }
    }

    private void note(NodeId node, String text) {
        addStatement("Note over " + node + ": " + escape(text));
    }

    private void noteAll(String text) {
        List<NodeId> nodes = model.nodes();
        var over = nodes.size() == 1 ? nodes.get(0).toString() : nodes.get(0) + "," + nodes.get(nodes.size() - 1);
        addStatement("Note over " + over + ": " + escape(text));
    }

    /**
     * Puts names in place of ids, and escapes characters with a meaning in Mermaid: semicolons end a statement, number
     * signs start an entity.
     */
    private String escape(String text) {
        return model.recording()
                .names()
                .in(text)
                .replace("#", "#35;")
                .replaceAll("(?<!#35);", "#59;")
                .replace("<", "#lt;")
                .replace(">", "#gt;")
                .replaceAll("\\r\\n?|\\n", " ");
    }

    private void addStatement(String statement) {
        out.append("    ").append(statement).append('\n');
    }
}
