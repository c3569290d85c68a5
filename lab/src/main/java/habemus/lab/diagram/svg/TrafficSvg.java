package habemus.lab.diagram.svg;

import habemus.lab.diagram.svg.TopologyLayout.Position;
import habemus.lab.trace.Recording;
import habemus.protocol.NodeId;
import habemus.world.ObservableEvent;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Draws the topology with the number of messages on each link: darker and thicker links carried more. */
public final class TrafficSvg {

    private static final double MARGIN = 70;
    private static final double TOP = 84;
    private static final double NODE_RADIUS = 15;
    private static final double BEND = 0.09; // of its length, so that both directions are visible
    private static final long MIN_FULL_WIDTH_MESSAGES = 5; // fewer messages never get the thickest line
    private static final double ARROWHEAD_POSITION = 0.7; // fraction of the link
    private static final int MAX_LABELLED_LINKS = 60; // more links have only tooltips
    private static final int MAX_COMPLETE_NODES = 12; // larger complete graphs show only links with messages
    private static final String STYLE = """

            text { font-family: Inter, "Helvetica Neue", Arial, "Liberation Sans", "DejaVu Sans", sans-serif; \
            font-size: 12px; fill: #1f2933; }
            .paper { fill: #fdfdfb; }
            .heading { font-size: 17px; font-weight: 600; }
            .panel { font-size: 11px; fill: #6b7580; }
            .unused { stroke: #dfe3e6; stroke-width: 1; }
            .used { fill: none; stroke-linecap: round; }
            .node { stroke: #37424d; stroke-width: 1.4; }
            .number { font-weight: 600; text-anchor: middle; }
            .load, .count { font-size: 10.5px; text-anchor: middle; stroke: #fdfdfb; stroke-width: 3.5px; \
            paint-order: stroke; stroke-linejoin: round; }
            .load { fill: #3d4852; }
            .crown { fill: #f2b705; stroke: #8a6500; stroke-width: 1; stroke-linejoin: round; }
            """;

    private record Link(NodeId from, NodeId to) {}

    private final Recording recording;
    private final Topology topology;
    private final Map<NodeId, Position> positions;
    private final Map<Link, Long> sent = new LinkedHashMap<>();
    private final Map<NodeId, Long> received = new TreeMap<>();
    private final TreeSet<NodeId> leaders = new TreeSet<>();
    private final double size;

    private TrafficSvg(Recording recording, Topology topology) {
        this.recording = recording;
        this.topology = topology;
        size = Math.clamp(64.0 * Math.sqrt(topology.size()) * 2, 300, 1_400);
        positions = TopologyLayout.of(topology, size);
        recording.events().forEach(this::read);
    }

    public static String draw(Recording recording, Topology topology) {
        return new TrafficSvg(recording, topology).compose().toXml(recording.names());
    }

    private void read(TraceEvent event) {
        switch (event) {
            case TraceEvent.NodeStep nodeStep -> {
                nodeStep.sent().forEach(message -> sent.merge(new Link(message.from(), message.to()), 1L, Long::sum));
                if (event instanceof TraceEvent.Step step && step.messageNumber() != 0) {
                    received.merge(nodeStep.node(), 1L, Long::sum);
                }
            }
            case TraceEvent.Observed(var at, var observableEvent) -> read(observableEvent);
            default -> {}
        }
    }

    private void read(ObservableEvent seen) {
        switch (seen) {
            case ObservableEvent.LeaderAnnounced(var node, var leader, var term)
            when node.equals(leader) -> leaders.add(node);
            case ObservableEvent.LeaderDropped(var node, var leader) when node.equals(leader) -> leaders.remove(node);
            default -> {}
        }
    }

    private SvgElement compose() {
        double width = Math.max(size + 2 * MARGIN, recording.title().length() * 9.5 + 56);
        double height = size + TOP + MARGIN;
        long all = sent.values().stream().mapToLong(Long::longValue).sum();
        var picture = SvgElement.document(width, height, recording.title(), STYLE)
                .add(SvgElement.rectangle("paper", 0, 0, width, height))
                .add(SvgElement.text("heading", 28, 34, recording.title()))
                .add(SvgElement.text(
                        "panel", 28, 54, all + " messages; darker links carried more, darker nodes received more"));
        var drawing = SvgElement.tag("g")
                .with(
                        "transform",
                        "translate(" + SvgElement.formatNumber(MARGIN) + " " + SvgElement.formatNumber(TOP) + ")");
        drawUnused(drawing);
        sent.forEach((link, count) -> drawLink(drawing, link, count));
        topology.nodes().forEach(node -> drawNode(drawing, node));
        return picture.add(drawing);
    }

    private void drawUnused(SvgElement drawing) {
        if (topology.shape() == Topology.Shape.COMPLETE && topology.size() > MAX_COMPLETE_NODES) {
            return;
        }
        for (NodeId node : topology.nodes()) {
            for (NodeId other : topology.neighbourhood(node).neighbours()) {
                if (other.isAbove(node)
                        && !sent.containsKey(new Link(node, other))
                        && !sent.containsKey(new Link(other, node))) {
                    drawing.add(SvgElement.line(
                            "unused",
                            position(node).x(),
                            position(node).y(),
                            position(other).x(),
                            position(other).y()));
                }
            }
        }
    }

    private void drawLink(SvgElement drawing, Link link, long count) {
        var from = position(link.from);
        var to = position(link.to);
        double acrossX = (to.y() - from.y()) * BEND;
        double acrossY = (from.x() - to.x()) * BEND;
        double middleX = (from.x() + to.x()) / 2 + acrossX;
        double middleY = (from.y() + to.y()) / 2 + acrossY;
        double share = (double) count / Math.max(MIN_FULL_WIDTH_MESSAGES, maxCount(sent));
        drawing.add(SvgElement.path(
                        "used",
                        "M " + at(from.x(), from.y()) + " Q " + at(middleX + acrossX, middleY + acrossY) + " "
                                + at(to.x(), to.y()))
                .with("stroke", shade(share))
                .with("stroke-width", 1.2 + 6 * share)
                .withTooltip(link.from + " → " + link.to + ": " + count));
        drawing.add(head(from, to, new Position(middleX + acrossX, middleY + acrossY))
                .with("fill", shade(share)));
        if (sent.size() <= MAX_LABELLED_LINKS) {
            drawing.add(SvgElement.text("count", middleX, middleY + 4, Long.toString(count)));
        }
    }

    /** The direction of a link: a triangle on the curve between two points that bends towards a third. */
    private static SvgElement head(Position from, Position to, Position bend) {
        double x = (1 - ARROWHEAD_POSITION) * (1 - ARROWHEAD_POSITION) * from.x()
                + 2 * ARROWHEAD_POSITION * (1 - ARROWHEAD_POSITION) * bend.x()
                + ARROWHEAD_POSITION * ARROWHEAD_POSITION * to.x();
        double y = (1 - ARROWHEAD_POSITION) * (1 - ARROWHEAD_POSITION) * from.y()
                + 2 * ARROWHEAD_POSITION * (1 - ARROWHEAD_POSITION) * bend.y()
                + ARROWHEAD_POSITION * ARROWHEAD_POSITION * to.y();
        double angle = Math.toDegrees(Math.atan2(
                (1 - ARROWHEAD_POSITION) * (bend.y() - from.y()) + ARROWHEAD_POSITION * (to.y() - bend.y()),
                (1 - ARROWHEAD_POSITION) * (bend.x() - from.x()) + ARROWHEAD_POSITION * (to.x() - bend.x())));
        return SvgElement.path("head", "M -6 -6 L 8 0 L -6 6 Z")
                .with("transform", "translate(" + at(x, y) + ") rotate(" + SvgElement.formatNumber(angle) + ")");
    }

    private static String at(double x, double y) {
        return SvgElement.formatNumber(x) + " " + SvgElement.formatNumber(y);
    }

    private void drawNode(SvgElement drawing, NodeId node) {
        var position = position(node);
        long load = received.getOrDefault(node, 0L);
        drawing.add(SvgElement.circle("node", position.x(), position.y(), NODE_RADIUS)
                .with("fill", received.isEmpty() ? "#ffffff" : pale((double) load / maxCount(received)))
                .withTooltip(node + " received " + load));
        drawing.add(SvgElement.text("number", position.x(), position.y() + 4, node.toString()));
        drawing.add(SvgElement.text("load", position.x(), position.y() + NODE_RADIUS + 13, Long.toString(load)));
        if (leaders.contains(node)) {
            drawing.add(SvgMarkers.crown(position.x(), position.y() - NODE_RADIUS - 3));
        }
    }

    private Position position(NodeId node) {
        return positions.getOrDefault(node, new Position(0, 0));
    }

    private static long maxCount(Map<?, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).max().orElse(1);
    }

    /** From light to dark blue. */
    private static String shade(double share) {
        return mix(List.of(0xc3, 0xd6, 0xea), List.of(0x0b, 0x3d, 0x78), share);
    }

    /** From white to yellow. */
    private static String pale(double share) {
        return mix(List.of(0xff, 0xff, 0xff), List.of(0xf7, 0xc9, 0x48), share);
    }

    private static String mix(List<Integer> from, List<Integer> to, double share) {
        var colour = new StringBuilder("#");
        for (int i = 0; i < from.size(); i++) {
            colour.append(String.format("%02x", Math.round(from.get(i) + share * (to.get(i) - from.get(i)))));
        }
        return colour.toString();
    }
}
