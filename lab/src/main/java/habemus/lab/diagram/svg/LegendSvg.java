package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.ConditionInterval;
import habemus.lab.diagram.model.DetailLevel;
import habemus.lab.diagram.model.DiagramModel;
import habemus.lab.diagram.model.MessageArrow;
import habemus.lab.diagram.model.NodeCondition;
import habemus.lab.diagram.model.WrongSuspicions;
import habemus.protocol.Event;
import habemus.world.TraceEvent;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What the colours and signs of a picture mean; only those that it has. */
final class LegendSvg {

    private static final double CHARACTER_WIDTH = 5.9;
    private static final double SYMBOL_WIDTH = 26;
    private static final double GAP = 20;

    private final SvgElement group = SvgElement.group("legend-row");
    private final double y;
    private double x;

    private LegendSvg(double x, double y) {
        this.x = x;
        this.y = y;
    }

    static SvgElement draw(DiagramModel diagramModel, Palette palette, double x, double y) {
        var legend = new LegendSvg(x, y);
        legend.messageColours(diagramModel, palette)
                .forEach((name, colour) -> legend.add(
                        SvgElement.line("arrow-sign", legend.x, y - 4, legend.x + 18, y - 4)
                                .with("stroke", colour)
                                .with("stroke-width", "2")
                                .with("marker-end", "url(#head-" + colour.substring(1) + ")"),
                        name));
        legend.addSymbols(diagramModel);
        return legend.group;
    }

    /** Their colours by their names; none where messages are only counted. */
    private Map<String, String> messageColours(DiagramModel diagramModel, Palette palette) {
        return diagramModel.detailLevel() == DetailLevel.AGGREGATED ? Map.of() : palette.messages();
    }

    private void addSymbols(DiagramModel diagramModel) {
        if (diagramModel.detailLevel() == DetailLevel.AGGREGATED) {
            add(
                    SvgElement.rectangle("busy", x, y - 11, 18, 12).with("fill-opacity", 0.5),
                    "steps: the darker, the more");
            if (AggregateSvg.hasBundles(diagramModel)) {
                add(
                        SvgElement.line("bundle", x, y - 4, x + 18, y - 4).with("stroke-width", 3),
                        "messages: the thicker, the more");
            }
        }
        if (has(diagramModel, NodeCondition.Holding.class::isInstance)) {
            add(SvgElement.rectangle("inside", x, y - 9, 18, 9).with("rx", 3), "inside");
        }
        if (has(diagramModel, NodeCondition.Leading.class::isInstance)) {
            add(SvgMarkers.crown(x + 9, y + 1), "leads");
        }
        if (!diagramModel.overlapIntervals().isEmpty()) {
            add(SvgElement.rectangle("clash", x, y - 9, 18, 9).with("rx", 3), "two at once");
        }
        if (has(diagramModel, NodeCondition.Down.class::isInstance)) {
            add(SvgMarkers.cross("cross", x + 9, y - 4, 6), "crash");
        }
        if (has(diagramModel, NodeCondition.Paused.class::isInstance)) {
            add(SvgElement.line("paused", x, y - 4, x + 18, y - 4), "paused");
        }
        for (TraceEvent.Start how : List.of(TraceEvent.Start.WITH_MEMORY, TraceEvent.Start.WITH_AMNESIA)) {
            boolean amnesia = how == TraceEvent.Start.WITH_AMNESIA;
            if (diagramModel.events().stream()
                    .anyMatch(line -> line instanceof TraceEvent.Started s && s.how() == how)) {
                add(SvgMarkers.restart(amnesia, x + 9, y - 4), amnesia ? "restart with amnesia" : "restart");
            }
        }
        if (diagramModel.messageArrows().stream()
                .anyMatch(messageArrow -> messageArrow.end() instanceof MessageArrow.End.Dropped)) {
            add(SvgMarkers.cross("fail", x + 9, y - 4, 4), "does not arrive");
        }
        if (!diagramModel.cutIntervals().isEmpty()) {
            add(SvgElement.rectangle("cut", x, y - 11, 18, 12), "links are cut");
        }
        addRareSymbols(diagramModel);
    }

    private void addRareSymbols(DiagramModel diagramModel) {
        if (diagramModel.messageArrows().stream().anyMatch(MessageArrow::duplicate)) {
            add(SvgElement.group("arrow").add(sample("copy")), "arrives again");
        }
        if (diagramModel.messageArrows().stream().anyMatch(MessageArrow::fromApplication)) {
            add(SvgElement.group("arrow").add(sample("told")), "applications talk");
        }
        var wrong = WrongSuspicions.indexesIn(diagramModel.events());
        if (!wrong.isEmpty()) {
            add(SvgElement.text("doubt wrong", x + 9, y, "n?"), "wrongly suspected");
        }
        if (diagramModel.events().stream().filter(LegendSvg::suspects).count() > wrong.size()) {
            add(SvgElement.text("doubt", x + 9, y, "n?"), "suspected");
        }
    }

    private static boolean suspects(TraceEvent line) {
        return line instanceof TraceEvent.Step step && step.event() instanceof Event.Suspect<?>;
    }

    private SvgElement sample(String look) {
        return SvgElement.line(look, x, y - 4, x + 18, y - 4).with("stroke", Palette.APPLICATION);
    }

    private static boolean has(DiagramModel diagramModel, Predicate<NodeCondition> kind) {
        return diagramModel.conditionIntervals().stream()
                .map(ConditionInterval::nodeCondition)
                .anyMatch(kind);
    }

    private void add(SvgElement sign, String words) {
        group.add(sign).add(SvgElement.text("legend", x + SYMBOL_WIDTH, y, words));
        x += SYMBOL_WIDTH + words.length() * CHARACTER_WIDTH + GAP;
    }

    /** How wide it would be. */
    static double width(DiagramModel diagramModel, Palette palette) {
        var legend = new LegendSvg(0, 0);
        legend.messageColours(diagramModel, palette).keySet().forEach(name -> legend.add(SvgElement.group(""), name));
        legend.addSymbols(diagramModel);
        return legend.x;
    }
}
