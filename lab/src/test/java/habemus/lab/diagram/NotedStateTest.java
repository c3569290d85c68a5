package habemus.lab.diagram;

import static habemus.lab.TraceFixture.n;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.diagram.svg.RunSvg;
import habemus.lab.diagram.text.Mermaid;
import habemus.lab.diagram.text.TextDiagram;
import habemus.lab.trace.Recording;
import habemus.lab.trace.TraceText;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.NotedState;
import habemus.world.TraceEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All views show the note of a state at each step, and nothing at a node without a note. */
class NotedStateTest {

    private record State(String phase) implements NotedState {
        @Override
        public String note(NodeId self) {
            return self.equals(n(1)) ? "free, queue []" : "";
        }
    }

    private static final TraceEvent NOTED = step(1);
    private static final TraceEvent SILENT = step(2);
    private static final Recording RECORDING =
            new Recording("notes", List.of(n(1), n(2)), List.of(NOTED, SILENT, step(1)));

    private static TraceEvent step(int node) {
        return new TraceEvent.Step(0, n(node), new Event.Acquire<>(), 0, new State("Idle"), List.of(), List.of());
    }

    @Test
    void a_line_of_text_shows_it_after_the_phase() {
        assertThat(TraceText.of(NOTED)).containsExactly("     0.000 ms  n1     acquire → Idle (free, queue [])");
        assertThat(TraceText.of(SILENT)).containsExactly("     0.000 ms  n2     acquire → Idle");
    }

    @Test
    void a_text_diagram_shows_it_beside_each_row() {
        assertThat(TextDiagram.draw(RECORDING, false).lines().filter(line -> line.contains("(free, queue [])")))
                .hasSize(2)
                .allMatch(line -> line.contains("n1 acquire"));
    }

    @Test
    void mermaid_shows_it_as_a_note_over_the_node() {
        assertThat(Mermaid.draw(RECORDING).lines().map(String::strip))
                .containsOnlyOnce("Note over n2: acquire")
                .contains("Note over n1: acquire, free, queue []");
    }

    @Test
    void svg_shows_each_part_as_a_line_above_the_dot() {
        var svg = RunSvg.draw(RECORDING);
        assertThat(svg.split(">free</text>", -1)).hasSize(3);
        assertThat(svg.split(">queue \\[]</text>", -1)).hasSize(3);
    }
}
