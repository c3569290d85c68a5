package habemus.lab.picture;

import habemus.lab.picture.Condition.Down;
import habemus.lab.picture.Condition.Following;
import habemus.lab.picture.Condition.Inside;
import habemus.lab.picture.Condition.Leading;
import habemus.lab.picture.Condition.Paused;
import habemus.lab.picture.Condition.Suspecting;
import habemus.lab.picture.Condition.Waiting;
import habemus.lab.trace.Recording;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.TraceLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Derives from a trace what every node was, and for how long. Each has one health and one role at a time. */
final class Spans {

    /** A condition that has begun, and at which line. */
    private record Begun(Condition condition, int line) {}

    private static final class Life {
        @Nullable
        Begun health;

        @Nullable
        Begun role;
    }

    private final TreeMap<NodeId, Life> lives = new TreeMap<>();
    private final List<Span> spans = new ArrayList<>();

    private Spans() {}

    /** In the order in which they begin. */
    static List<Span> of(Recording recording) {
        var derived = new Spans();
        var lines = recording.lines();
        for (int i = 0; i < lines.size(); i++) {
            derived.read(lines.get(i), i);
        }
        derived.lives.keySet().forEach(node -> {
            derived.health(node, lines.size(), null);
            derived.role(node, lines.size(), null);
        });
        derived.spans.sort(Comparator.comparingInt(Span::from).thenComparing(Span::node));
        return List.copyOf(derived.spans);
    }

    private void read(TraceLine line, int at) {
        switch (line) {
            case TraceLine.Started started -> {
                health(started.node(), at, null);
                role(started.node(), at, null);
                tell(started, at);
            }
            case TraceLine.Stepped stepped -> {
                ask(stepped, at);
                tell(stepped, at);
            }
            case TraceLine.Struck(var time, var fault) -> strike(fault, at);
            default -> {}
        }
    }

    private void ask(TraceLine.Stepped stepped, int at) {
        switch (stepped.event()) {
            case Event.Acquire<?>() -> role(stepped.node(), at, new Waiting());
            case Event.Release<?>() -> role(stepped.node(), at, null);
            case Event.Campaign<?>() -> {
                var role = life(stepped.node()).role;
                if (role == null || role.condition instanceof Suspecting) {
                    role(stepped.node(), at, new Waiting());
                }
            }
            default -> {}
        }
    }

    private void tell(TraceLine.Acted acted, int at) {
        for (Effect<?> effect : acted.effects()) {
            switch (effect) {
                case Effect.Grant<?>(var fence) -> role(acted.node(), at, new Inside(fence));
                case Effect.Elected<?>(var leader, var term) ->
                    role(
                            acted.node(),
                            at,
                            leader.equals(acted.node()) ? new Leading(term) : new Following(leader, term));
                case Effect.Lost<?>() -> role(acted.node(), at, null);
                case Effect.Suspect<?>(var peer) ->
                    doubt(acted.node(), at, suspected(acted.node()).with(peer));
                case Effect.Restore<?>(var peer) ->
                    doubt(acted.node(), at, suspected(acted.node()).without(peer));
                default -> {}
            }
        }
    }

    private NodeSet suspected(NodeId node) {
        var role = life(node).role;
        return role != null && role.condition instanceof Suspecting(var peers) ? peers : NodeSet.NONE;
    }

    /** Shown only of who has no other role. */
    private void doubt(NodeId node, int at, NodeSet peers) {
        var role = life(node).role;
        if (role == null || role.condition instanceof Suspecting) {
            role(node, at, peers.isEmpty() ? null : new Suspecting(peers));
        }
    }

    private void strike(Fault fault, int at) {
        switch (fault) {
            case Fault.Crash(var node) -> {
                role(node, at, null);
                health(node, at, new Down());
            }
            case Fault.Pause(var node) -> {
                if (life(node).health == null) {
                    health(node, at, new Paused());
                }
            }
            case Fault.Resume(var node) -> resume(node, at);
            case Fault.Heal() -> lives.keySet().forEach(node -> resume(node, at));
            default -> {}
        }
    }

    private void resume(NodeId node, int at) {
        var health = life(node).health;
        if (health != null && health.condition instanceof Paused) {
            health(node, at, null);
        }
    }

    private void health(NodeId node, int at, @Nullable Condition next) {
        var life = life(node);
        life.health = change(node, life.health, at, next);
    }

    private void role(NodeId node, int at, @Nullable Condition next) {
        var life = life(node);
        life.role = change(node, life.role, at, next);
    }

    private @Nullable Begun change(NodeId node, @Nullable Begun before, int at, @Nullable Condition next) {
        if (before != null && before.condition.equals(next)) {
            return before;
        }
        if (before != null && before.line < at) {
            spans.add(new Span(node, before.condition, before.line, at));
        }
        return Optional.ofNullable(next).map(one -> new Begun(one, at)).orElse(null);
    }

    private Life life(NodeId node) {
        return lives.computeIfAbsent(node, unknown -> new Life());
    }
}
