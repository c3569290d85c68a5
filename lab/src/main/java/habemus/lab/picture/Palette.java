package habemus.lab.picture;

import habemus.protocol.Background;
import habemus.protocol.NodeId;
import habemus.world.Wording;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Which colour stands for what: a kind of message, or a leader and those who follow it. Red is kept for what goes
 * wrong, green for who is inside.
 */
final class Palette {

    static final String APPLICATION = "#8a8f98";
    private static final String BACKGROUND = "#c3c7ce"; // faint: there are many of them
    private static final List<String> MESSAGES =
            List.of("#2566b0", "#d9730d", "#7b4bb3", "#0f8f95", "#b5417f", "#7a5c3e", "#4b5bd0", "#94870f");
    private static final List<String> LEADERS =
            List.of("#3f7fc4", "#e09a2b", "#8a63c9", "#22a0a6", "#c65f95", "#93724f", "#6572dd", "#a89a1f");

    private final Map<String, String> byMessage = new LinkedHashMap<>();
    private final List<NodeId> nodes;

    Palette(Scene scene) {
        nodes = scene.nodes();
        scene.arrows().stream().filter(arrow -> !arrow.told()).forEach(this::meet);
    }

    private void meet(Arrow arrow) {
        var message = arrow.mail().message();
        byMessage.computeIfAbsent(
                Wording.name(message),
                unknown -> Background.is(message) ? BACKGROUND : MESSAGES.get(byMessage.size() % MESSAGES.size()));
    }

    /** The colours of the messages by their names, as they were first sent. */
    Map<String, String> messages() {
        return byMessage;
    }

    /** All that arrows have. */
    List<String> colours() {
        return Stream.concat(byMessage.values().stream(), Stream.of(APPLICATION))
                .distinct()
                .toList();
    }

    String of(Arrow arrow) {
        return arrow.told()
                ? APPLICATION
                : byMessage.getOrDefault(Wording.name(arrow.mail().message()), APPLICATION);
    }

    String ofLeader(NodeId node) {
        return LEADERS.get(Math.max(0, nodes.indexOf(node)) % LEADERS.size());
    }
}
