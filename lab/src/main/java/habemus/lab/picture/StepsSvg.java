package habemus.lab.picture;

import habemus.lab.trace.TraceText;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.world.TraceLine;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A dot for every step, with a sign where it grants, elects, suspects or restarts. */
final class StepsSvg {

    private static final double RADIUS = 4;
    private static final double REACH = 9; // around the dot, so that a mouse can hit it

    private static final double DOUBT = 30;
    private static final double CROWN = 64;

    /** How far right on a lane the last sign reaches, and how far up it is. */
    private record Sign(double end, int height) {}

    private final Sheet sheet;
    private final Palette palette;
    private final Set<Integer> wrong;
    private final Map<NodeId, Sign> signs = new TreeMap<>();

    StepsSvg(Sheet sheet, Palette palette) {
        this.sheet = sheet;
        this.palette = palette;
        wrong = Doubts.wrong(sheet.scene().lines());
    }

    Svg draw() {
        var group = Svg.group("steps");
        List<TraceLine> lines = sheet.scene().lines();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i) instanceof TraceLine.Acted acted && isDrawn(acted)) {
                group.add(step(acted, i));
            }
        }
        return group;
    }

    /** In a crowd only what somebody would look for; who is granted is seen to be inside. */
    private boolean isDrawn(TraceLine.Acted acted) {
        boolean restarts = acted instanceof TraceLine.Started started && started.how() != TraceLine.Start.FIRST;
        return sheet.scene().grain() == Grain.COARSE
                ? restarts || acted.effects().stream().anyMatch(effect -> isNews(acted, effect))
                : !Moments.isUneventful(acted);
    }

    private static boolean isNews(TraceLine.Acted acted, Effect<?> effect) {
        return switch (effect) {
            case Effect.Elected<?>(var leader, var term) -> leader.equals(acted.node());
            case Effect.Lost<?>() -> true;
            default -> false;
        };
    }

    private Svg step(TraceLine.Acted acted, int line) {
        double x = sheet.x(line);
        double y = sheet.lane(acted.node());
        var step = Svg.group("step")
                .with("data-step", Integer.toString(line))
                .with("data-node", acted.node().toString())
                .titled(String.join("\n", TraceText.of(acted)).strip())
                .add(Svg.dot("reach", x, y, REACH));
        switch (acted) {
            case TraceLine.Started started -> {
                boolean amnesia = started.how() == TraceLine.Start.WITH_AMNESIA;
                step.add(Marks.restart(amnesia, x, y));
                if (amnesia) {
                    step.with("data-fresh", "true");
                }
            }
            case TraceLine.Stepped stepped -> {
                step.add(Svg.dot("dot", x, y, RADIUS));
                if (stepped.event() instanceof Event.Suspect<?>(var peer)) {
                    addDoubt(step, stepped.node(), peer, line);
                }
            }
        }
        acted.effects().forEach(effect -> addNews(step, acted, effect, line));
        return step;
    }

    private void addDoubt(Svg step, NodeId node, NodeId peer, int line) {
        double x = sheet.x(line);
        var look = wrong.contains(line) ? "doubt wrong" : "doubt";
        step.add(Svg.text(look, x, sheet.lane(node) - 9 - 11 * height(node, x, DOUBT), peer + "?"));
    }

    /** How far up a sign goes so that it is not drawn over the one before it. */
    private int height(NodeId node, double x, double room) {
        var before = signs.get(node);
        int height = before != null && x < before.end ? (before.height + 1) % 3 : 0;
        signs.put(node, new Sign(x + room, height));
        return height;
    }

    private void addNews(Svg step, TraceLine.Acted acted, Effect<?> effect, int line) {
        double x = sheet.x(line);
        double y = sheet.lane(acted.node());
        switch (effect) {
            case Effect.Grant<?> grant -> step.add(Svg.dot("grant", x, y, RADIUS + 1.5));
            case Effect.Elected<?>(var leader, var term)
            when leader.equals(acted.node()) -> {
                double foot = y - 9 - 14 * height(acted.node(), x, CROWN);
                step.add(Marks.crown(x, foot)).add(Svg.text("crown-words", x + 12, foot - 1, "term " + term));
            }
            case Effect.Elected<?>(var leader, var term) ->
                step.add(Svg.dot("named", x, y, RADIUS).with("fill", palette.ofLeader(leader)));
            case Effect.Lost<?>() -> step.add(Marks.cross("fail", x, y - 12, 3));
            case Effect.Suspect<?>(var peer) -> addDoubt(step, acted.node(), peer, line);
            default -> {}
        }
    }
}
