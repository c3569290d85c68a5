package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.DetailLevel;
import habemus.lab.diagram.model.TimeSlots;
import habemus.lab.diagram.model.WrongSuspicions;
import habemus.lab.trace.NodeNames;
import habemus.lab.trace.TraceText;
import habemus.lab.trace.TraceWording;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.LogCall;
import habemus.protocol.NodeId;
import habemus.world.TraceEvent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Draws a dot for each step, its note, and a symbol if it grants, elects, suspects, restarts or is called. */
final class StepsSvg {

    private static final double RADIUS = 4;
    private static final double HOVER_RADIUS = 9; // larger than the dot, so that the mouse can hit it

    private static final double SUSPICION_WIDTH = 30;
    private static final double CROWN_WIDTH = 64;
    private static final double CALL_CHARACTER_WIDTH = 6.5;

    /** The x coordinate at which the last symbol of a lane ends, and how many levels above the lane it is. */
    private record PlacedSymbol(double end, int height) {}

    private final PageLayout layout;
    private final Palette palette;
    private final Set<Integer> wrongSuspicions;
    private final Map<NodeId, PlacedSymbol> lastSymbolByNode = new TreeMap<>();

    StepsSvg(PageLayout layout, Palette palette) {
        this.layout = layout;
        this.palette = palette;
        wrongSuspicions = WrongSuspicions.indexesIn(layout.model().events());
    }

    SvgElement draw() {
        var group = SvgElement.group("steps");
        List<TraceEvent> events = layout.model().events();
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i) instanceof TraceEvent.NodeStep nodeStep && isDrawn(nodeStep)) {
                group.add(step(nodeStep, i));
            }
        }
        return group;
    }

    /** In an aggregated diagram only restarts and notable effects. Grants are visible as bars. */
    private boolean isDrawn(TraceEvent.NodeStep nodeStep) {
        boolean restarts = nodeStep instanceof TraceEvent.Started started && started.how() != TraceEvent.Start.FIRST;
        return layout.model().detailLevel() == DetailLevel.AGGREGATED
                ? restarts || nodeStep.effects().stream().anyMatch(effect -> isNotable(nodeStep, effect))
                : !TimeSlots.isUneventful(nodeStep);
    }

    private static boolean isNotable(TraceEvent.NodeStep nodeStep, Effect<?> effect) {
        return switch (effect) {
            case Effect.Elected<?>(var leader, var term) -> leader.equals(nodeStep.node());
            case Effect.Lost<?>() -> true;
            default -> false;
        };
    }

    private SvgElement step(TraceEvent.NodeStep nodeStep, int index) {
        double x = layout.x(index);
        double y = layout.laneY(nodeStep.node());
        var step = SvgElement.group("step")
                .with("data-step", Integer.toString(index))
                .with("data-node", nodeStep.node().toString())
                .withTooltip(String.join(
                                "\n",
                                TraceText.of(
                                        nodeStep,
                                        NodeNames.NONE,
                                        layout.model().recording().timeScale()))
                        .strip())
                .add(SvgElement.circle("hover", x, y, HOVER_RADIUS));
        switch (nodeStep) {
            case TraceEvent.Started started -> {
                boolean amnesia = started.how() == TraceEvent.Start.WITH_AMNESIA;
                step.add(SvgMarkers.restart(amnesia, x, y));
                if (amnesia) {
                    step.with("data-fresh", "true");
                }
            }
            case TraceEvent.Step stepped -> {
                step.add(SvgElement.circle("dot", x, y, RADIUS));
                if (stepped.event() instanceof Event.Suspect<?>(var peer)) {
                    addSuspicion(step, stepped.node(), peer, index);
                }
                if (stepped.event() instanceof Event.Call<?>(var call)
                        && layout.model().detailLevel() == DetailLevel.FULL) {
                    addCall(step, stepped.node(), call, index);
                }
            }
        }
        nodeStep.effects().forEach(effect -> addEffectSymbol(step, nodeStep, effect, index));
        if (layout.model().detailLevel() == DetailLevel.FULL) {
            addNote(step, nodeStep, index);
        }
        return step;
    }

    /** Each part of a note is a line of its own, so that neighbouring notes have room. */
    private void addNote(SvgElement step, TraceEvent.NodeStep nodeStep, int index) {
        var parts = List.of(layout.model()
                .recording()
                .names()
                .in(TraceWording.note(nodeStep))
                .split(", "));
        int longest = parts.stream().mapToInt(String::length).max().orElse(0);
        if (longest > 0) {
            double x = layout.x(index);
            int level = height(nodeStep.node(), x, longest * CALL_CHARACTER_WIDTH);
            for (int i = 0; i < parts.size(); i++) {
                int line = parts.size() * (level + 1) - i - 1;
                step.add(SvgElement.text("label", x, layout.laneY(nodeStep.node()) - 9 - 12 * line, parts.get(i)));
            }
        }
    }

    private void addSuspicion(SvgElement step, NodeId node, NodeId peer, int index) {
        double x = layout.x(index);
        var cssClass = wrongSuspicions.contains(index) ? "suspicion wrong" : "suspicion";
        step.add(SvgElement.text(
                cssClass, x, layout.laneY(node) - 9 - 11 * height(node, x, SUSPICION_WIDTH), peer + "?"));
    }

    private void addCall(SvgElement step, NodeId node, LogCall call, int index) {
        double x = layout.x(index);
        var text = label(call);
        step.add(SvgElement.text(
                "label", x, layout.laneY(node) - 9 - 14 * height(node, x, text.length() * CALL_CHARACTER_WIDTH), text));
    }

    private static String label(LogCall call) {
        return switch (call) {
            case LogCall.Propose propose -> "propose";
            case LogCall.Read read -> "read";
            case LogCall.ChangeMembers(var id, LogCall.AddLearner(var member)) -> "add " + member;
            case LogCall.ChangeMembers(var id, LogCall.Promote(var member)) -> "promote " + member;
            case LogCall.ChangeMembers(var id, LogCall.Remove(var member)) -> "remove " + member;
            case LogCall.TransferLeadership(var to) -> "transfer to " + to;
            case LogCall.Compact compact -> "snapshot";
        };
    }

    /** The level of a symbol above the lane, chosen so that it does not cover the one before it. */
    private int height(NodeId node, double x, double room) {
        var before = lastSymbolByNode.get(node);
        int height = before != null && x < before.end ? (before.height + 1) % 3 : 0;
        lastSymbolByNode.put(node, new PlacedSymbol(x + room, height));
        return height;
    }

    private void addEffectSymbol(SvgElement step, TraceEvent.NodeStep nodeStep, Effect<?> effect, int index) {
        double x = layout.x(index);
        double y = layout.laneY(nodeStep.node());
        switch (effect) {
            case Effect.Grant<?> grant -> step.add(SvgElement.circle("grant", x, y, RADIUS + 1.5));
            case Effect.Elected<?>(var leader, var term)
            when leader.equals(nodeStep.node()) -> {
                double foot = y - 9 - 14 * height(nodeStep.node(), x, CROWN_WIDTH);
                step.add(SvgMarkers.crown(x, foot))
                        .add(SvgElement.text("crown-label", x + 12, foot - 1, "term " + term));
            }
            case Effect.Elected<?>(var leader, var term) ->
                step.add(SvgElement.circle("named", x, y, RADIUS).with("fill", palette.leaderColour(leader)));
            case Effect.Lost<?>() -> step.add(SvgMarkers.cross("fail", x, y - 12, 3));
            case Effect.Suspect<?>(var peer) -> addSuspicion(step, nodeStep.node(), peer, index);
            default -> {}
        }
    }
}
