package habemus.lab.trace;

import static habemus.lab.TraceFixture.n;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import habemus.lab.SampleRuns;
import habemus.lab.diagram.svg.RunSvg;
import habemus.lab.diagram.svg.TrafficSvg;
import habemus.lab.diagram.text.Mermaid;
import habemus.lab.diagram.text.TextDiagram;
import habemus.world.Fault;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeNamesTest {

    private static final NodeNames NAMES =
            NodeNames.of(List.of(n(1), n(2), n(3)), List.of("Coordenador", "Part1", "Part2"));
    private static final Recording RUN = SampleRuns.ricartAgrawala(3);
    private static final Recording NAMED =
            new Recording(RUN.title(), RUN.nodes(), RUN.events(), NAMES, TimeScale.MILLIS);

    @Test
    void a_text_has_names_in_place_of_whole_ids_only() {
        assertThat(NAMES.in("Request(1@n1) from n2 to {n1 n3}: n4, n12, run-n1 and in1"))
                .isEqualTo("Request(1@Coordenador) from Part1 to {Coordenador Part2}: n4, n12, run-n1 and in1");
        assertThat(NodeNames.NONE.in("from n2")).isEqualTo("from n2");
    }

    @Test
    void json_has_names_in_its_strings_but_not_in_its_keys() {
        var json = JsonParser.parseString("{\"n1\":[{\"node\":\"n1\",\"at\":1,\"flag\":true},null]}");
        assertThat(NAMES.in(json).toString())
                .isEqualTo("{\"n1\":[{\"node\":\"Coordenador\",\"at\":1,\"flag\":true},null]}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "n1", "1a", "a b", "a,b", "a-b", "a@b"})
    void a_name_is_one_word_and_no_id(String name) {
        assertThat(NodeNames.isValid(name)).isFalse();
    }

    @Test
    void lines_are_aligned_by_the_longest_name() {
        assertThat(TraceText.of(new TraceEvent.FaultInjected(0, new Fault.Crash(n(2))), NAMES, TimeScale.MILLIS))
                .containsExactly("     0.000 ms  *            Part1 crashes");
    }

    @Test
    void every_view_shows_names_and_no_ids() {
        var text = String.join(
                "\n",
                NAMED.events().stream()
                        .flatMap(event -> TraceText.of(event, NAMES, TimeScale.MILLIS).stream())
                        .toList());
        for (var view : List.of(
                text,
                TextDiagram.draw(NAMED, false),
                RunSvg.draw(NAMED).replaceAll("data-node=\"n\\d\"", ""),
                TrafficSvg.draw(NAMED, Topology.complete(3)),
                Mermaid.draw(NAMED).replaceAll("(Note over|participant|activate|deactivate) n\\d|n\\d->>n\\d", ""))) {
            assertThat(view).contains("Coordenador", "Part1", "Part2").doesNotContainPattern("\\bn[123]\\b");
        }
    }
}
