package habemus.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.cli.options.RunOptions;
import habemus.cli.simulate.FuzzInputs;
import habemus.lab.experiment.ExperimentParser;
import habemus.lab.experiment.ReplayCommandLine;
import habemus.lab.experiment.RunArguments;
import habemus.lab.graph.EdgeListParser;
import habemus.world.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The valid topologies; the invalid ones are in {@code wrong-input.txt}. */
class TopologyParserTest {

    @TempDir
    Path folder;

    private static Topology topology(String line) {
        return CliRunner.experiment("yo-yo " + line).world().topology();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '=',
            value = {
                "--topology grid:2x3 = 1-2,1-4,2-3,2-5,3-6,4-5,5-6",
                "--topology grid -n 6 = 1-2,1-4,2-3,2-5,3-6,4-5,5-6",
                "--topology grid -n 5 = 1-2,2-3,3-4,4-5",
                "--topology grid -n 1 = 1",
                "--topology tree:2 -n 5 = 1-2,1-3,2-4,2-5",
                "--topology random:1 -n 3 = 1-2,1-3,2-3",
                "--topology random:0 -n 3 --disconnected = 1,2,3",
                "--topology graph:1-9,n9-n4 = 1-9,4-9",
                "--topology graph:7 = 7",
                "--topology complete = 1-2,1-3,2-3",
                "--topology ring -n 4 = 1-2,1-4,2-3,3-4",
                "-n 2 = 1-2"
            })
    void a_topology_has_these_edges(String line, String edges) {
        assertThat(EdgeListParser.format(topology(line))).isEqualTo(edges);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tree", "random", "random:0.5", "scale-free", "scale-free:3"})
    void a_random_topology_depends_on_the_seed_only(String shape) {
        var seven = topology("-n 30 --seed 7 --topology " + shape);
        assertThat(seven.size()).isEqualTo(30);
        assertThat(EdgeListParser.format(topology("-n 30 --seed 7 --topology " + shape)))
                .isEqualTo(EdgeListParser.format(seven));
        assertThat(EdgeListParser.format(topology("-n 30 --seed 8 --topology " + shape)))
                .isNotEqualTo(EdgeListParser.format(seven));
    }

    @Test
    void a_file_has_one_edge_a_line() throws IOException {
        var file = folder.resolve("my.graph");
        Files.writeString(file, "# two and two\n1 2\n\nn2 - n30 # a gap\n30-4\n");
        assertThat(EdgeListParser.format(topology("--topology " + file))).isEqualTo("1-2,2-30,4-30");
        assertThat(EdgeListParser.format(topology("--topology file:" + file))).isEqualTo("1-2,2-30,4-30");
    }

    @Test
    void an_invalid_line_of_a_file_is_named() throws IOException {
        var file = folder.resolve("my.graph");
        Files.writeString(file, "1 2\n2 to 3\n");
        assertThat(CliRunner.run("run", "yo-yo", "--topology", file.toString()).err())
                .contains("my.graph is not a graph: line 2: not an edge: '2 to 3'\nhint: write one edge a line");
        Files.writeString(file, "# nothing\n");
        assertThat(CliRunner.run("run", "yo-yo", "--topology", file.toString()).err())
                .contains("my.graph has no nodes\n");
    }

    @Test
    void a_replay_command_reproduces_the_graph() {
        assertThat(ReplayCommandLine.of(CliRunner.experiment("yo-yo -n 9 --seed 3 --topology random:0.1 --disconnected")
                        .arguments()))
                .isEqualTo("./habemus run yo-yo -n 9 --seed 3 --topology random:0.1 --disconnected");
        assertThat(ReplayCommandLine.of(
                        CliRunner.experiment("yo-yo --topology graph:1-2,2-5").arguments()))
                .isEqualTo("./habemus run yo-yo --seed 1 --topology graph:1-2,2-5");
    }

    @Test
    void a_counterexample_on_a_graph_names_its_edges() {
        var output =
                CliRunner.line("check yo-yo -n 3 --topology random:0 --disconnected --property uniqueness --seed 3");
        assertThat(output.out()).contains("replay with  ./habemus run yo-yo --topology graph:1,2,3 --disconnected ");
        var again = output.out()
                .lines()
                .filter(line -> line.startsWith("replay with"))
                .findFirst()
                .orElseThrow();
        assertThat(CliRunner.line(again.replace("replay with  ", "")).out())
                .contains("uniqueness             violated");
    }

    @Test
    void every_fuzzed_graph_is_connected_and_reproducible() {
        for (long seed = 1; seed <= 200; seed++) {
            var drawn = FuzzInputs.draw(RunArguments.of(RunOptions.algorithm("yo-yo"), Map.of()), seed);
            var line = ReplayCommandLine.of(drawn).replace("./habemus run ", "");
            assertThat(EdgeListParser.format(CliRunner.experiment(line).world().topology()))
                    .isEqualTo(EdgeListParser.format(
                            ExperimentParser.parse(drawn).world().topology()));
        }
    }
}
