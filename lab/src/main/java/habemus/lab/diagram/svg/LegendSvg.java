package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.ConditionInterval;
import habemus.lab.diagram.model.DetailLevel;
import habemus.lab.diagram.model.DiagramModel;
import habemus.lab.diagram.model.MessageArrow;
import habemus.lab.diagram.model.NodeCondition;
import habemus.lab.diagram.model.WrongSuspicions;
import habemus.protocol.Event;
import habemus.world.TraceEvent;
import java.util.Map;
import java.util.function.Predicate;

/** Draws the legend of a diagram: only the colours and symbols that it contains. */
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

    static SvgElement draw(DiagramModel model, Palette palette, double x, double y) {
        var legend = new LegendSvg(x, y);
        legend.messageColours(model, palette)
                .forEach((name, colour) -> legend.add(
                        SvgElement.line("arrow-sample", legend.x, y - 4, legend.x + 18, y - 4)
                                .with("stroke", colour)
                                .with("stroke-width", "2")
                                .with("marker-end", "url(#head-" + colour.substring(1) + ")"),
                        name));
        legend.addSymbols(model);
        return legend.group;
    }

    /** Colours of the message types by name; empty where messages are only counted. */
    private Map<String, String> messageColours(DiagramModel model, Palette palette) {
        return model.detailLevel() == DetailLevel.AGGREGATED ? Map.of() : palette.messages();
    }

    private void addSymbols(DiagramModel model) {
        if (model.detailLevel() == DetailLevel.AGGREGATED) {
            add(SvgElement.rectangle("activity", x, y - 11, 18, 12).with("fill-opacity", 0.5), "darker: more steps");
            if (AggregateSvg.hasBundles(model)) {
                add(
                        SvgElement.line("bundle", x, y - 4, x + 18, y - 4).with("stroke-width", 3),
                        "thicker: more messages");
            }
        }
        if (has(model, NodeCondition.Holding.class::isInstance)) {
            add(SvgElement.rectangle("holding", x, y - 9, 18, 9).with("rx", 3), "holds");
        }
        if (has(model, NodeCondition.Leading.class::isInstance)) {
            add(SvgMarkers.crown(x + 9, y + 1), "leads");
        }
        if (!model.overlaps().isEmpty()) {
            add(SvgElement.rectangle("overlap", x, y - 9, 18, 9).with("rx", 3), "overlap");
        }
        if (has(model, NodeCondition.Down.class::isInstance)) {
            add(SvgMarkers.cross("cross", x + 9, y - 4, 6), "crash");
        }
        if (has(model, NodeCondition.Paused.class::isInstance)) {
            add(SvgElement.line("paused", x, y - 4, x + 18, y - 4), "paused");
        }
        for (TraceEvent.Start how : TraceEvent.Start.values()) {
            boolean isShown = how != TraceEvent.Start.FIRST;
            if (isShown
                    && model.events().stream()
                            .anyMatch(event -> event instanceof TraceEvent.Started s && s.how() == how)) {
                add(SvgMarkers.restart(how == TraceEvent.Start.WITH_AMNESIA, x + 9, y - 4), describe(how));
            }
        }
        if (model.arrows().stream().anyMatch(arrow -> arrow.end() instanceof MessageArrow.End.Dropped)) {
            add(SvgMarkers.cross("fail", x + 9, y - 4, 4), "dropped");
        }
        if (!model.cutIntervals().isEmpty()) {
            add(SvgElement.rectangle("cut", x, y - 11, 18, 12), "partition");
        }
        addRareSymbols(model);
    }

    private static String describe(TraceEvent.Start how) {
        return switch (how) {
            case FIRST -> "start";
            case WITH_MEMORY -> "restart";
            case WITH_AMNESIA -> "restart with amnesia";
            case AS_NEW_MEMBER -> "joins";
        };
    }

    private void addRareSymbols(DiagramModel model) {
        if (has(model, NodeCondition.InSection.class::isInstance)) {
            add(SvgElement.rectangle("holding", x, y - 9, 18, 9).with("rx", 3), "in its section");
        }
        if (model.arrows().stream().anyMatch(MessageArrow::duplicate)) {
            add(SvgElement.group("arrow").add(sample("duplicate")), "duplicate");
        }
        if (model.arrows().stream().anyMatch(MessageArrow::fromApplication)) {
            add(SvgElement.group("arrow").add(sample("application")), "application message");
        }
        var wrongSuspicions = WrongSuspicions.indexesIn(model.events());
        if (!wrongSuspicions.isEmpty()) {
            add(SvgElement.text("suspicion wrong", x + 9, y, "n?"), "wrongly suspected");
        }
        if (model.events().stream().filter(LegendSvg::suspects).count() > wrongSuspicions.size()) {
            add(SvgElement.text("suspicion", x + 9, y, "n?"), "suspected");
        }
    }

    private static boolean suspects(TraceEvent event) {
        return event instanceof TraceEvent.Step step && step.event() instanceof Event.Suspect<?>;
    }

    private SvgElement sample(String cssClass) {
        return SvgElement.line(cssClass, x, y - 4, x + 18, y - 4).with("stroke", Palette.APPLICATION);
    }

    private static boolean has(DiagramModel model, Predicate<NodeCondition> kind) {
        return model.intervals().stream().map(ConditionInterval::condition).anyMatch(kind);
    }

    private void add(SvgElement symbol, String text) {
        group.add(symbol).add(SvgElement.text("legend", x + SYMBOL_WIDTH, y, text));
        x += SYMBOL_WIDTH + text.length() * CHARACTER_WIDTH + GAP;
    }

    /** The width of the legend. */
    static double width(DiagramModel model, Palette palette) {
        var legend = new LegendSvg(0, 0);
        legend.messageColours(model, palette).keySet().forEach(name -> legend.add(SvgElement.group(""), name));
        legend.addSymbols(model);
        return legend.x;
    }
}
