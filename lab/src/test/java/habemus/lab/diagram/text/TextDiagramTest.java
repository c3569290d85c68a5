package habemus.lab.diagram.text;

import static habemus.lab.TraceFixture.n;
import static habemus.lab.TraceFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.SampleRuns;
import habemus.lab.TraceFixture;
import habemus.lab.trace.Recording;
import habemus.protocol.NodeId;
import habemus.world.Fault;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.TraceEvent.Fate;
import habemus.world.TraceEvent.Start;
import habemus.world.World;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextDiagramTest {

    private static final String LANE = "│┃┊├┤┠┨┼╂●○◆◇✕─";

    @Test
    void messages_are_arrows_across_the_columns() {
        var diagram = TextDiagram.draw(
                TraceFixture.of(3)
                        .acquires(2)
                        .sends(1, 3, request(1, 1))
                        .at(1_173)
                        .receives(1)
                        .recording(),
                false);

        assertThat(diagram).isEqualTo("""
                         n1              n2              n3          ms
                          │               ○               │       0.000  n2 acquire → Idle
                          ○               │               │       0.000  n1 OVERDUE timeout → Idle, \
                        sends Request 1@n1 to n3
                          ├─Request 1@n1──┼──────────────▶●       1.173  n3 Request 1@n1 → Idle
                        """);
    }

    @Test
    void a_loop_is_announced() {
        var traceFixture =
                TraceFixture.of(2).acquires(1).at(5).acquires(2).at(6).acquires(1);
        var rows = TextDiagram.draw(traceFixture.recording(), false, 0).lines().toList();
        assertThat(rows).hasSize(5);
        assertThat(rows.get(2)).isEqualTo("repeats forever from here:");
    }

    @Test
    void a_lane_is_heavy_while_holding_dotted_while_paused_and_empty_while_down() {
        var rows = TextDiagram.draw(
                        TraceFixture.of(2)
                                .enters(2, 5)
                                .acquires(1)
                                .injects(new Fault.Pause(n(2)))
                                .injects(new Fault.Crash(n(2)))
                                .acquires(1)
                                .starts(2, Start.WITH_AMNESIA)
                                .acquires(1)
                                .recording(),
                        false)
                .lines()
                .skip(1)
                .map(row -> row.substring(18, 19));

        assertThat(rows).containsExactly("○", "┃", "┊", "✕", " ", "◇", "│");
    }

    @Test
    void the_arrow_of_a_lost_message_ends_midway() {
        var diagram = TextDiagram.draw(
                TraceFixture.of(2)
                        .sends(2, 1, request(1, 2))
                        .endsAs(1, Fate.LOST)
                        .recording(),
                false);

        assertThat(diagram).contains("  │       ✕───────┤       0.000  Request(1@n2) from n2 to n1 is lost");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 9, 10, 16})
    void all_rows_have_aligned_columns(int nodes) {
        assertAligned(SampleRuns.ricartAgrawala(nodes));
    }

    @Test
    void wide_names_get_wide_columns() {
        var ids = IntStream.rangeClosed(998, 1_003).mapToObj(NodeId::new).toList();

        assertAligned(SampleRuns.run("chang-roberts", World.of(Topology.ring(ids))));
    }

    private static void assertAligned(Recording recording) {
        List<String> rows = TextDiagram.draw(recording, false).lines().toList();
        var header = rows.get(0);
        int textStart = header.indexOf(" ms") - 6;
        for (String row : rows.subList(1, Math.min(rows.size(), 200))) {
            for (NodeId node : recording.nodes()) {
                int middle =
                        header.indexOf(node.toString() + " ") + node.toString().length() / 2;
                assertThat(LANE).as("column of %s in: %s", node, row).contains(row.substring(middle, middle + 1));
            }
            assertThat(row.substring(textStart, textStart + 9)).matches(" *\\d+\\.\\d{3}");
        }
    }

    @Test
    void colour_is_used_only_on_request() {
        var story = TraceFixture.of(1)
                .enters(1, 5)
                .injects(new Fault.Pause(n(1)))
                .violates(Property.FENCES_GROW)
                .recording();

        assertThat(TextDiagram.draw(story, false)).doesNotContain("\u001b");
        assertThat(TextDiagram.draw(story, true)).contains("\u001b[32m", "\u001b[33m", "\u001b[1;31m");
    }

    @Test
    void colour_changes_nothing_else() {
        var run = SampleRuns.bullyWithCrash();

        assertThat(TextDiagram.draw(run, true).replaceAll("\u001b\\[[0-9;]*m", ""))
                .isEqualTo(TextDiagram.draw(run, false));
    }

    @Test
    void more_than_sixteen_nodes_are_listed_without_columns() {
        var diagram = TextDiagram.draw(SampleRuns.ricartAgrawala(17), false);

        assertThat(diagram.lines().findFirst().orElseThrow()).startsWith("     0.000 ms  n1     acquire → Waiting(");
    }

    @Test
    void a_long_run_is_truncated_with_a_note() {
        var traceFixture = TraceFixture.of(1);
        for (int i = 0; i < 250; i++) {
            traceFixture.at(i).acquires(1);
        }

        assertThat(TextDiagram.draw(traceFixture.recording(), false).lines())
                .hasSize(202)
                .last()
                .isEqualTo("… and 50 more; use --trace to see all");
    }
}
