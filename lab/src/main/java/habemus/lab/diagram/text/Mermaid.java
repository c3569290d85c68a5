package habemus.lab.diagram.text;

import habemus.lab.diagram.model.DiagramModel;
import habemus.lab.diagram.model.MessageArrow;
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
 * A run as a sequence diagram of <a href="https://mermaid.js.org">Mermaid</a>. A message is shown when it is received
 * or lost, for Mermaid knows an order and no times.
 */
public final class Mermaid {

    private static final int MAX_SLOTS = 300; // Mermaid itself refuses texts that are much longer

    private final DiagramModel diagramModel;
    private final Map<Integer, MessageArrow> arrowsByEnd = new TreeMap<>();
    private final StringBuilder out = new StringBuilder("sequenceDiagram\n");

    private Mermaid(DiagramModel diagramModel) {
        this.diagramModel = diagramModel;
        for (MessageArrow messageArrow : diagramModel.messageArrows()) {
            switch (messageArrow.end()) {
                case MessageArrow.End.Received(var line) -> arrowsByEnd.put(line, messageArrow);
                case MessageArrow.End.Dropped(var line, var fate) -> arrowsByEnd.put(line, messageArrow);
                case MessageArrow.End.InFlight() -> {}
            }
        }
    }

    public static String draw(Recording recording) {
        return new Mermaid(DiagramModel.of(recording, MAX_SLOTS)).draw();
    }

    private String draw() {
        addStatement("title " + escape(diagramModel.recording().title()));
        diagramModel.nodes().forEach(node -> addStatement("participant " + node));
        for (int i = 0; i < diagramModel.events().size(); i++) {
            drawArrow(i);
            drawNotes(diagramModel.events().get(i));
            addDeactivations(i);
            addActivations(i);
        }
        diagramModel.messageArrows().stream()
                .filter(messageArrow -> messageArrow.end() instanceof MessageArrow.End.InFlight)
                .forEach(messageArrow -> message(messageArrow, "--)", " (under way)"));
        if (diagramModel.omittedSlots() > 0) {
            noteAll("… and " + diagramModel.omittedSlots() + " more moments");
        }
        return out.toString();
    }

    private void drawArrow(int line) {
        var messageArrow = arrowsByEnd.get(line);
        if (messageArrow == null) {
            return;
        }
        switch (messageArrow.end()) {
            case MessageArrow.End.Dropped(var at, var fate) -> message(messageArrow, "-x", " " + describeFate(fate));
            case MessageArrow.End.Received(var at)
            when messageArrow.duplicate() -> message(messageArrow, "-->>", " (again)");
            case MessageArrow.End.Received(var at)
            when messageArrow.fromApplication() -> message(messageArrow, "-->>", "");
            case MessageArrow.End.Received(var at) -> message(messageArrow, "->>", "");
            case MessageArrow.End.InFlight() -> {}
        }
    }

    private static String describeFate(TraceEvent.Fate fate) {
        return switch (fate) {
            case LOST -> "(lost)";
            case PARTITIONED -> "(cut off)";
            case RECEIVER_DOWN -> "(receiver down)";
            case DUPLICATED -> "(duplicated)";
        };
    }

    private void message(MessageArrow messageArrow, String line, String more) {
        var inFlightMessage = messageArrow.inFlightMessage();
        addStatement(inFlightMessage.from() + line + inFlightMessage.to() + ": "
                + escape(TraceWording.label(inFlightMessage.message()) + more));
    }

    private void addDeactivations(int line) {
        diagramModel.conditionIntervals().stream()
                .filter(conditionInterval -> conditionInterval.to() == line
                        && conditionInterval.nodeCondition().isExclusive())
                .forEach(conditionInterval -> addStatement("deactivate " + conditionInterval.node()));
    }

    private void addActivations(int line) {
        diagramModel.conditionIntervals().stream()
                .filter(conditionInterval -> conditionInterval.from() == line
                        && conditionInterval.nodeCondition().isExclusive())
                .forEach(conditionInterval -> addStatement("activate " + conditionInterval.node()));
    }

    private void drawNotes(TraceEvent line) {
        switch (line) {
            case TraceEvent.NodeStep nodeStep -> {
                var words = new ArrayList<String>();
                if (nodeStep instanceof TraceEvent.Step step && !(step.event() instanceof Event.Received)) {
                    words.add(TraceWording.describe(step.event()));
                }
                words.addAll(TraceWording.describeApplicationEffects(nodeStep));
                if (!words.isEmpty()) {
                    note(nodeStep.node(), String.join(", ", words));
                }
            }
            case TraceEvent.FaultInjected(var at, var fault) -> noteAll(TraceWording.describe(fault));
            case TraceEvent.Violated(var at, var property) ->
                noteAll("!! " + property + " violated: " + property.sentence());
            default -> {}
        }
    }

    private void note(NodeId node, String words) {
        addStatement("Note over " + node + ": " + escape(words));
    }

    private void noteAll(String words) {
        List<NodeId> nodes = diagramModel.nodes();
        var over = nodes.size() == 1 ? nodes.get(0).toString() : nodes.get(0) + "," + nodes.get(nodes.size() - 1);
        addStatement("Note over " + over + ": " + escape(words));
    }

    /** Semicolons end a statement and number signs begin an entity, also within words; angle brackets are HTML. */
    private static String escape(String words) {
        return words.replace("#", "#35;")
                .replaceAll("(?<!#35);", "#59;")
                .replace("<", "#lt;")
                .replace(">", "#gt;")
                .replaceAll("\\R", " ");
    }

    private void addStatement(String statement) {
        out.append("    ").append(statement).append('\n');
    }
}
