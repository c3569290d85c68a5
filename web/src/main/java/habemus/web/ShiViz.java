package habemus.web;

import com.google.gson.JsonObject;
import habemus.lab.trace.Recording;
import habemus.lab.trace.TraceText;
import habemus.protocol.NodeId;
import habemus.world.InFlightMessage;
import habemus.world.TraceEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Formats a run for ShiViz: two lines an event, its node with a vector clock and its text. ShiViz parses them with
 * {@value #PARSER}.
 */
final class ShiViz {

    static final String PARSER = "(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)";

    private final Recording recording;
    private final Map<NodeId, TreeMap<NodeId, Long>> clocks = new HashMap<>();
    private final Map<Long, TreeMap<NodeId, Long>> sent = new HashMap<>();
    private final StringBuilder log = new StringBuilder();

    private ShiViz(Recording recording) {
        this.recording = recording;
    }

    static String format(Recording recording) {
        var shiViz = new ShiViz(recording);
        shiViz.log.append(PARSER).append("\n\n");
        recording.events().forEach(shiViz::add);
        return shiViz.log.toString();
    }

    private void add(TraceEvent event) {
        if (!(event instanceof TraceEvent.NodeStep step)) {
            return;
        }
        var clock = clocks.computeIfAbsent(step.node(), first -> new TreeMap<>());
        if (step instanceof TraceEvent.Step received && sent.containsKey(received.messageNumber())) {
            sent.get(received.messageNumber()).forEach((node, time) -> clock.merge(node, time, Math::max));
        }
        clock.merge(step.node(), 1L, Long::sum);
        for (InFlightMessage message : step.sent()) {
            sent.put(message.number(), new TreeMap<>(clock));
        }
        var json = new JsonObject();
        clock.forEach((node, time) -> json.addProperty(name(node), time));
        log.append(name(step.node())).append(' ').append(json).append('\n');
        log.append(String.join(" ", text(event))).append('\n');
    }

    private List<String> text(TraceEvent event) {
        var lines = TraceText.of(event, recording.names(), recording.timeScale());
        return lines.isEmpty()
                ? List.of("started")
                : lines.stream().map(String::strip).toList();
    }

    private String name(NodeId node) {
        return recording.names().of(node);
    }
}
