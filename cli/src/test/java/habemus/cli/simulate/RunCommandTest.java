package habemus.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import habemus.cli.CliRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code habemus run} says. */
class RunCommandTest {

    @Test
    void bully_after_the_crash_of_the_best_of_five_costs_19_messages_and_n4_leads() {
        var commandOutput = CliRunner.line("run bully -n 5 --crash 5@0 --initiators 1 --json");
        assertThat(commandOutput.code()).isZero();
        assertThat(commandOutput.json().get("messages").getAsInt()).isEqualTo(19);
        assertThat(commandOutput.json().getAsJsonArray("elected"))
                .isNotEmpty()
                .allSatisfy(elected -> assertThat(
                                elected.getAsJsonObject().get("leader").getAsString())
                        .isEqualTo("n4"));
    }

    @Test
    void ricart_agrawala_costs_two_messages_for_each_other_node_an_entry() {
        var json = CliRunner.line("run ricart-agrawala -n 3 --json").json();
        assertThat(json.get("entries").getAsInt()).isEqualTo(3);
        assertThat(json.get("messages").getAsInt()).isEqualTo(3 * 2 * (3 - 1));
        for (var name : List.of("mutual-exclusion", "deadlock-freedom", "no-starvation", "fences-grow")) {
            assertThat(json.getAsJsonObject("properties").get(name).getAsString())
                    .isEqualTo("holds");
        }
    }

    @Test
    void the_names_of_the_fields_are_a_promise() {
        var json = CliRunner.line("run ricart-agrawala --json --trace -").json();
        assertThat(json.keySet())
                .containsExactly(
                        "algorithm",
                        "problem",
                        "nodes",
                        "seed",
                        "network",
                        "steps",
                        "messages",
                        "messagesByType",
                        "heartbeats",
                        "grants",
                        "elected",
                        "suspicions",
                        "entries",
                        "maxBypass",
                        "writesAccepted",
                        "writesRefused",
                        "writesStale",
                        "properties",
                        "end",
                        "replay",
                        "trace");
        assertThat(first(json, "grants").keySet()).containsExactly("node", "fence", "at");
        assertThat(first(CliRunner.line("run bully --json").json(), "elected").keySet())
                .containsExactly("node", "leader", "term", "at");
        assertThat(json.get("nodes").getAsInt()).isEqualTo(3);
        assertThat(json.get("end").getAsString()).isEqualTo("rest");
    }

    private static JsonObject first(JsonObject json, String array) {
        return json.getAsJsonArray(array).get(0).getAsJsonObject();
    }

    @Test
    void who_waits_for_ever_is_named_and_the_exit_code_is_1() {
        var commandOutput = CliRunner.line("run ricart-agrawala --crash 3@0 --json");
        assertThat(commandOutput.code()).isEqualTo(1);
        assertThat(commandOutput.json().getAsJsonArray("waiting")).hasToString("[\"n1\",\"n2\"]");
        assertThat(commandOutput
                        .json()
                        .getAsJsonObject("properties")
                        .get("deadlock-freedom")
                        .getAsString())
                .isEqualTo("violated");
        var text = CliRunner.line("run ricart-agrawala --crash 3@0").out();
        assertThat(text).contains("still waiting          n1 in Waiting(mine=1@n1 silent={n3}), n2 in Waiting(");
        assertThat(text).contains("see it again with  ./habemus run ricart-agrawala -n 3 --seed 1 --crash 3@0\n");
    }

    @Test
    void a_run_is_told_with_diagram_counts_verdicts_and_how_to_see_it_again() {
        var commandOutput = CliRunner.line("run ricart-agrawala");
        assertThat(commandOutput.code()).isZero();
        assertThat(commandOutput.out())
                .startsWith("ricart-agrawala: 3 nodes, seed 1, fifo network, latency in ms uniform:1..5\n")
                .contains("messages               12: Reply 6, Request 6; 4 an entry\n")
                .contains("granted                n1 at ")
                .contains("mutual-exclusion       holds\n")
                .contains("│")
                .endsWith("again with  ./habemus run ricart-agrawala -n 3 --seed 1\n");
        assertThat(commandOutput.err()).isEmpty();
    }

    @Test
    void colours_are_there_if_wanted() {
        assertThat(CliRunner.line("run bully --color always").out()).contains("\u001b[32mholds\u001b[0m");
        assertThat(CliRunner.line("run bully --color never").out()).doesNotContain("\u001b");
        assertThat(CliRunner.line("run bully").out()).doesNotContain("\u001b");
    }

    @Test
    void a_diagram_is_left_out_if_it_is_large_or_unwanted() {
        assertThat(CliRunner.line("run bully --no-diagram").out())
                .doesNotContain("│")
                .doesNotContain("too large");
        assertThat(CliRunner.line("run bully -n 17").out()).doesNotContain("│").contains("too large");
        assertThat(CliRunner.line("run ricart-agrawala --entries 100").out())
                .doesNotContain("│")
                .contains("too large");
        assertThat(CliRunner.line("run bully -n 17 --initiators 17 --diagram").out())
                .contains("campaign");
    }

    @Test
    void files_are_written(@TempDir Path folder) throws IOException {
        var name = folder.resolve("a");
        var commandOutput = CliRunner.line(
                "run ricart-agrawala --svg %s.svg --mermaid %s.mmd --trace %s.json".formatted(name, name, name));
        assertThat(commandOutput.code()).isZero();
        assertThat(folder.resolve("a.svg")).content().contains("<svg");
        assertThat(folder.resolve("a.mmd")).content().startsWith("sequenceDiagram");
        assertThat(Files.readAllLines(folder.resolve("a.json")))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(
                                JsonParser.parseString(line).getAsJsonObject().keySet())
                        .contains("at"));
        CliRunner.line("run ricart-agrawala --trace " + folder.resolve("a.txt"));
        assertThat(folder.resolve("a.txt")).content().contains("GRANTED fence");
        try (var files = Files.list(folder)) {
            assertThat(files).as("no drafts left behind").hasSize(4);
        }
    }

    @Test
    void a_refused_run_leaves_the_files_as_they_were(@TempDir Path folder) throws IOException {
        var kept = Files.writeString(folder.resolve("kept.svg"), "as it was");
        var commandOutput = CliRunner.line("run bully --svg " + kept + " --mermaid " + folder.resolve("missing/x.mmd"));
        assertThat(commandOutput.code()).isEqualTo(3);
        assertThat(kept).hasContent("as it was");
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(kept);
        }
    }

    @Test
    void a_trace_on_the_standard_output_is_alone_there() {
        var commandOutput = CliRunner.line("run bully --trace -");
        assertThat(commandOutput.out().lines())
                .allSatisfy(line -> assertThat(line).startsWith("{\"at\":"));
        assertThat(commandOutput.err()).contains("termination            holds");
    }

    @Test
    void a_run_that_goes_on_for_ever_ends_all_the_same() {
        var commandOutput = CliRunner.line("run bully --latency fixed:4 --initiators 2 --answer 5 --json");
        assertThat(commandOutput.json().get("end").getAsString()).isEqualTo("limit");
        assertThat(commandOutput
                        .json()
                        .getAsJsonObject("properties")
                        .get("agreement")
                        .getAsString())
                .isEqualTo("open");
    }

    @Test
    void a_hundred_thousand_nodes_are_not_recorded() {
        var json = CliRunner.line("run chang-roberts -n 100000 --topology ring:random --initiators 1 --json")
                .json();
        assertThat(json.getAsJsonArray("elected")).hasSize(10_000);
        assertThat(json.getAsJsonObject("properties").get("agreement").getAsString())
                .isEqualTo("holds");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run bully",
                "run bully -n 5 --crash 5@0 --initiators 1@3,2",
                "run bully --rank 1=9 --answer 20 --coordinator 70.5 --seed -3",
                "run ricart-agrawala --clocks 40,33 --clocked-replies --acquire 1@0,2@0",
                "run ricart-agrawala-by-priority --latency fixed:1 --link '3>1=fixed:20' --acquire 1@0,2@5 --hold 30",
                "run chang-roberts -n 9 --topology ring:random --seed 11 --network bag",
                "run chang-roberts --topology ring:17,24,1,28 --initiators 17",
                "run ricart-agrawala -n 5 --swarm --entries 4 --think 400 --seed 5",
                "run bully -n 4 --swarm=crash,restart,partition --seed 8",
                "run bully --slow '1>2@10..40x5' --cut '1>2@3..9' --suspect '1>3@1..5' --pause 2@5..30 --heal 100",
                "run ricart-agrawala --chatter apart --callers 1,2 --loss 0.3 --until 50 --detect off"
            })
    void the_replay_line_reproduces_the_run(String line) {
        var first = CliRunner.line(line + " --json --trace -");
        var again = CliRunner.line(first.json().get("replay").getAsString() + " --json --trace -");
        assertThat(again).isEqualTo(first);
    }
}
