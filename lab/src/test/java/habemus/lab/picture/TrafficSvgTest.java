package habemus.lab.picture;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.trace.Recording;
import habemus.mutex.RicartAgrawala;
import habemus.simulate.Simulation;
import habemus.world.Topology;
import habemus.world.TraceLine;
import habemus.world.World;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How many messages went which way. */
class TrafficSvgTest {

    @Test
    void every_link_tells_its_messages_and_every_node_what_it_received() {
        var svg = draw(3);
        assertThat(svg).contains("<title>n1 → n2: 2</title>", "<title>n3 → n2: 2</title>");
        assertThat(svg).contains("12 messages", "<title>n2 received 4</title>");
        assertThat(svg.lines().filter(line -> line.contains("class=\"head\""))).hasSize(6);
    }

    @Test
    void a_large_picture_has_no_labels_on_its_links() {
        assertThat(draw(20)).doesNotContain("class=\"count\"").contains("<title>n1 → n20: 2</title>");
    }

    private static String draw(int nodes) {
        var lines = new ArrayList<TraceLine>();
        var topology = Topology.complete(nodes);
        Simulation.of(new RicartAgrawala(false, List.of()), World.of(topology), 1)
                .tracing(lines::add)
                .run();
        return TrafficSvg.draw(new Recording("run", topology.nodes(), lines), topology);
    }
}
