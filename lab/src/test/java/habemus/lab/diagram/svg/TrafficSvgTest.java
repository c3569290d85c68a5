package habemus.lab.diagram.svg;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.trace.Recording;
import habemus.mutex.RicartAgrawala;
import habemus.protocol.NodeId;
import habemus.simulate.Simulation;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TrafficSvgTest {

    @Test
    void each_link_and_each_node_has_its_number_of_messages() {
        var svg = draw(3);
        assertThat(svg).contains("<title>n1 → n2: 2</title>", "<title>n3 → n2: 2</title>");
        assertThat(svg).contains("12 messages", "<title>n2 received 4</title>");
        assertThat(svg.lines().filter(line -> line.contains("class=\"head\""))).hasSize(6);
    }

    @Test
    void a_large_diagram_has_no_labels_on_its_links() {
        assertThat(draw(20)).doesNotContain("class=\"count\"").contains("<title>n1 → n20: 2</title>");
    }

    @Test
    void a_graph_has_a_deterministic_force_layout_and_a_ring_is_a_circle() {
        var nodes = IntStream.rangeClosed(1, 5).mapToObj(NodeId::new).toList();
        var star = Topology.graph(
                nodes,
                nodes.stream()
                        .skip(1)
                        .map(leaf -> new Topology.Edge(nodes.getFirst(), leaf))
                        .toList());
        var nothing = new Recording("run", star.nodes(), List.of());
        assertThat(TrafficSvg.draw(nothing, star)).isEqualTo(TrafficSvg.draw(nothing, star));
        var positions = TopologyLayout.of(star, 100);
        double near = positions.values().stream()
                .mapToDouble(position -> Math.hypot(position.x() - 50, position.y() - 50))
                .min()
                .orElseThrow();
        var centre = positions.getOrDefault(new NodeId(1), new TopologyLayout.Position(0, 0));
        assertThat(Math.hypot(centre.x() - 50, centre.y() - 50)).isEqualTo(near);
        assertThat(TopologyLayout.of(Topology.ring(4), 100).values())
                .allMatch(position -> Math.abs(Math.hypot(position.x() - 50, position.y() - 50) - 50) < 0.001);
    }

    private static String draw(int nodes) {
        var events = new ArrayList<TraceEvent>();
        var topology = Topology.complete(nodes);
        Simulation.of(new RicartAgrawala(false, List.of()), World.of(topology), 1)
                .withTrace(events::add)
                .run();
        return TrafficSvg.draw(new Recording("run", topology.nodes(), events), topology);
    }
}
