package habemus.lab.picture;

import habemus.lab.trace.Recording;
import habemus.protocol.NodeId;
import habemus.world.Happening;
import habemus.world.Topology;
import habemus.world.TraceLine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Who stands where, and how many messages went which way: the darker and thicker a link, the more. */
public final class TrafficSvg {

    private static final double MARGIN = 70;
    private static final double TOP = 84;
    private static final double NODE = 15;
    private static final double BEND = 0.09; // of its length, so that both ways can be seen
    private static final long FEW = 5; // messages: so many are needed for a thick line
    private static final double HEAD = 0.7; // of the way
    private static final int LABELLED = 60; // links; more are told by their tooltips
    private static final int COMPLETE = 12; // nodes; of more only the links that were used are drawn
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

    /** Where something is on the paper. */
    record Spot(double x, double y) {}

    private final Recording recording;
    private final Topology topology;
    private final Map<NodeId, Spot> spots;
    private final Map<Link, Long> sent = new LinkedHashMap<>();
    private final Map<NodeId, Long> received = new TreeMap<>();
    private final TreeSet<NodeId> leaders = new TreeSet<>();
    private final double size;

    private TrafficSvg(Recording recording, Topology topology) {
        this.recording = recording;
        this.topology = topology;
        size = Math.clamp(64.0 * Math.sqrt(topology.size()) * 2, 300, 1_400);
        spots = Layout.of(topology, size);
        recording.lines().forEach(this::read);
    }

    public static String draw(Recording recording, Topology topology) {
        return new TrafficSvg(recording, topology).compose().file();
    }

    private void read(TraceLine line) {
        switch (line) {
            case TraceLine.Acted acted -> {
                acted.sent().forEach(mail -> sent.merge(new Link(mail.from(), mail.to()), 1L, Long::sum));
                if (line instanceof TraceLine.Stepped stepped && stepped.mail() != 0) {
                    received.merge(acted.node(), 1L, Long::sum);
                }
            }
            case TraceLine.Seen(var at, var happening) -> read(happening);
            default -> {}
        }
    }

    private void read(Happening seen) {
        switch (seen) {
            case Happening.Named(var node, var leader, var term) when node.equals(leader) -> leaders.add(node);
            case Happening.Disowned(var node, var leader) when node.equals(leader) -> leaders.remove(node);
            default -> {}
        }
    }

    private Svg compose() {
        double width = Math.max(size + 2 * MARGIN, recording.title().length() * 9.5 + 56);
        double height = size + TOP + MARGIN;
        long all = sent.values().stream().mapToLong(Long::longValue).sum();
        var picture = Svg.paper(width, height, recording.title(), STYLE)
                .add(Svg.box("paper", 0, 0, width, height))
                .add(Svg.text("heading", 28, 34, recording.title()))
                .add(Svg.text(
                        "panel",
                        28,
                        54,
                        all + " messages; a link is as dark as there are messages on it,"
                                + " and a node as it received"));
        var drawing = Svg.tag("g").with("transform", "translate(" + Svg.number(MARGIN) + " " + Svg.number(TOP) + ")");
        drawUnused(drawing);
        sent.forEach((link, count) -> drawLink(drawing, link, count));
        topology.nodes().forEach(node -> drawNode(drawing, node));
        return picture.add(drawing);
    }

    private void drawUnused(Svg drawing) {
        if (topology.shape() == Topology.Shape.COMPLETE && topology.size() > COMPLETE) {
            return;
        }
        for (NodeId node : topology.nodes()) {
            for (NodeId other : topology.place(node).neighbours()) {
                if (other.above(node)
                        && !sent.containsKey(new Link(node, other))
                        && !sent.containsKey(new Link(other, node))) {
                    drawing.add(Svg.line("unused", spot(node).x, spot(node).y, spot(other).x, spot(other).y));
                }
            }
        }
    }

    private void drawLink(Svg drawing, Link link, long count) {
        var from = spot(link.from);
        var to = spot(link.to);
        double acrossX = (to.y - from.y) * BEND;
        double acrossY = (from.x - to.x) * BEND;
        double middleX = (from.x + to.x) / 2 + acrossX;
        double middleY = (from.y + to.y) / 2 + acrossY;
        double share = (double) count / Math.max(FEW, most(sent));
        drawing.add(Svg.path(
                        "used",
                        "M " + at(from.x, from.y) + " Q " + at(middleX + acrossX, middleY + acrossY) + " "
                                + at(to.x, to.y))
                .with("stroke", shade(share))
                .with("stroke-width", 1.2 + 6 * share)
                .titled(link.from + " → " + link.to + ": " + count));
        drawing.add(
                head(from, to, new Spot(middleX + acrossX, middleY + acrossY)).with("fill", shade(share)));
        if (sent.size() <= LABELLED) {
            drawing.add(Svg.text("count", middleX, middleY + 4, Long.toString(count)));
        }
    }

    /** Which way it goes: a small triangle on the curve between two spots that bends towards a third. */
    private static Svg head(Spot from, Spot to, Spot bend) {
        double x = (1 - HEAD) * (1 - HEAD) * from.x + 2 * HEAD * (1 - HEAD) * bend.x + HEAD * HEAD * to.x;
        double y = (1 - HEAD) * (1 - HEAD) * from.y + 2 * HEAD * (1 - HEAD) * bend.y + HEAD * HEAD * to.y;
        double angle = Math.toDegrees(Math.atan2(
                (1 - HEAD) * (bend.y - from.y) + HEAD * (to.y - bend.y),
                (1 - HEAD) * (bend.x - from.x) + HEAD * (to.x - bend.x)));
        return Svg.path("head", "M -6 -6 L 8 0 L -6 6 Z")
                .with("transform", "translate(" + at(x, y) + ") rotate(" + Svg.number(angle) + ")");
    }

    private static String at(double x, double y) {
        return Svg.number(x) + " " + Svg.number(y);
    }

    private void drawNode(Svg drawing, NodeId node) {
        var spot = spot(node);
        long load = received.getOrDefault(node, 0L);
        drawing.add(Svg.dot("node", spot.x, spot.y, NODE)
                .with("fill", received.isEmpty() ? "#ffffff" : pale((double) load / most(received)))
                .titled(node + " received " + load));
        drawing.add(Svg.text("number", spot.x, spot.y + 4, node.toString()));
        drawing.add(Svg.text("load", spot.x, spot.y + NODE + 13, Long.toString(load)));
        if (leaders.contains(node)) {
            drawing.add(Marks.crown(spot.x, spot.y - NODE - 3));
        }
    }

    private Spot spot(NodeId node) {
        return spots.getOrDefault(node, new Spot(0, 0));
    }

    private static long most(Map<?, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).max().orElse(1);
    }

    /** From light to dark blue. */
    private static String shade(double share) {
        return mix(List.of(0xc3, 0xd6, 0xea), List.of(0x0b, 0x3d, 0x78), share);
    }

    /** From white to the yellow of lamps. */
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
