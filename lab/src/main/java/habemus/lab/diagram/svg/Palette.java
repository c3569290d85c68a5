package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.DiagramModel;
import habemus.lab.diagram.model.MessageArrow;
import habemus.lab.trace.TraceWording;
import habemus.protocol.NodeId;
import habemus.protocol.PeriodicMessage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Colours for message types and for leaders with their followers. Red is reserved for faults and violations, green for
 * lock holders.
 */
final class Palette {

    static final String APPLICATION = "#8a8f98";
    private static final String PERIODIC = "#c3c7ce"; // faint: heartbeats are frequent
    private static final List<String> MESSAGES =
            List.of("#2566b0", "#d9730d", "#7b4bb3", "#0f8f95", "#b5417f", "#7a5c3e", "#4b5bd0", "#94870f");
    private static final List<String> LEADERS =
            List.of("#3f7fc4", "#e09a2b", "#8a63c9", "#22a0a6", "#c65f95", "#93724f", "#6572dd", "#a89a1f");

    private final Map<String, String> colourByMessage = new LinkedHashMap<>();
    private final List<NodeId> nodes;

    Palette(DiagramModel model) {
        nodes = model.nodes();
        model.arrows().stream().filter(arrow -> !arrow.fromApplication()).forEach(this::register);
    }

    private void register(MessageArrow arrow) {
        var message = arrow.inFlightMessage().message();
        colourByMessage.computeIfAbsent(
                TraceWording.name(message),
                unknown -> PeriodicMessage.isPeriodic(message)
                        ? PERIODIC
                        : MESSAGES.get(colourByMessage.size() % MESSAGES.size()));
    }

    /** Colours by message type, in the order of first sending. */
    Map<String, String> messages() {
        return colourByMessage;
    }

    /** All colours of arrows. */
    List<String> colours() {
        return Stream.concat(colourByMessage.values().stream(), Stream.of(APPLICATION))
                .distinct()
                .toList();
    }

    String colourOf(MessageArrow arrow) {
        return arrow.fromApplication()
                ? APPLICATION
                : colourByMessage.getOrDefault(
                        TraceWording.name(arrow.inFlightMessage().message()), APPLICATION);
    }

    String leaderColour(NodeId node) {
        return LEADERS.get(Math.max(0, nodes.indexOf(node)) % LEADERS.size());
    }
}
