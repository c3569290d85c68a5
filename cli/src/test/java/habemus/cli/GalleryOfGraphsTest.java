package habemus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.simulate.Outcome;
import habemus.world.Property;
import habemus.world.Verdict;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The stories of elections on graphs end as they are told. */
class GalleryOfGraphsTest {

    private static Outcome outcome(String name) throws IOException {
        var scenario = Scenario.parse(name, Files.readString(Cli.scenarios().resolve(name + ".scenario")));
        return ScenarioPlayer.play(scenario, Output.NONE, new PrintStream(OutputStream.nullOutputStream()))
                .getFirst()
                .performance()
                .outcome();
    }

    private static List<Integer> leaders(Outcome outcome) {
        return outcome.elected().stream()
                .filter(elected -> elected.node().equals(elected.leader()))
                .map(elected -> elected.leader().number())
                .toList();
    }

    @Test
    void yo_yo_graph_has_one_leader_whom_all_know() throws IOException {
        var outcome = outcome("yo-yo-graph");
        assertThat(leaders(outcome)).containsExactly(11);
        assertThat(outcome.elected()).hasSize(11);
        assertThat(outcome.failed()).isFalse();
    }

    @Test
    void yo_yo_partition_has_a_leader_in_each_part() throws IOException {
        var outcome = outcome("yo-yo-partition");
        assertThat(leaders(outcome)).containsExactly(5, 11);
        assertThat(outcome.verdicts()).containsEntry(Property.UNIQUENESS, Verdict.VIOLATED);
    }
}
