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

/** The output of {@code habemus run}. */
class RunCommandTest {

    @Test
    void bully_with_five_nodes_elects_n4_with_19_messages_after_the_crash_of_n5() {
        var output = CliRunner.line("run bully -n 5 --crash 5@0 --initiators 1 --json");
        assertThat(output.code()).isZero();
        assertThat(output.json().get("messages").getAsInt()).isEqualTo(19);
        assertThat(output.json().getAsJsonArray("elected"))
                .isNotEmpty()
                .allSatisfy(elected -> assertThat(
                                elected.getAsJsonObject().get("leader").getAsString())
                        .isEqualTo("n4"));
    }

    @Test
    void ricart_agrawala_costs_two_messages_per_peer_and_entry() {
        var json = CliRunner.line("run ricart-agrawala -n 3 --json").json();
        assertThat(json.get("entries").getAsInt()).isEqualTo(3);
        assertThat(json.get("messages").getAsInt()).isEqualTo(3 * 2 * (3 - 1));
        for (var name : List.of("mutual-exclusion", "deadlock-freedom", "no-starvation", "fences-grow")) {
            assertThat(json.getAsJsonObject("properties").get(name).getAsString())
                    .isEqualTo("holds");
        }
    }

    @Test
    void the_names_of_the_json_fields_are_stable() {
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
                        "notGuaranteed",
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
    void a_starving_node_is_named_and_the_exit_code_is_1_if_that_counts() {
        var output = CliRunner.line("run ricart-agrawala --crash 3@0 --require deadlock-freedom --json");
        assertThat(output.code()).isEqualTo(1);
        assertThat(output.json().getAsJsonArray("waiting")).hasToString("[\"n1\",\"n2\"]");
        assertThat(output.json()
                        .getAsJsonObject("properties")
                        .get("deadlock-freedom")
                        .getAsString())
                .isEqualTo("violated");
        var text = CliRunner.line("run ricart-agrawala --crash 3@0").out();
        assertThat(text).contains("still waiting          n1 in Waiting(mine=1@n1 silent={n3}), n2 in Waiting(");
        assertThat(text).contains("replay with  ./habemus run ricart-agrawala -n 3 --seed 1 --crash 3@0\n");
    }

    @Test
    void a_run_is_printed_with_diagram_counts_verdicts_and_replay_command() {
        var output = CliRunner.line("run ricart-agrawala");
        assertThat(output.code()).isZero();
        assertThat(output.out())
                .startsWith("ricart-agrawala: 3 nodes, seed 1, fifo network, latency in ms uniform:1..5\n")
                .contains("messages               12: Reply 6, Request 6; 4 an entry\n")
                .contains("granted                n1 at ")
                .contains("mutual-exclusion       holds\n")
                .contains("│")
                .endsWith("replay with  ./habemus run ricart-agrawala -n 3 --seed 1\n");
        assertThat(output.err()).isEmpty();
    }

    @Test
    void colours_are_printed_on_request() {
        assertThat(CliRunner.line("run bully --color always").out()).contains("\u001b[32mholds\u001b[39m");
        assertThat(CliRunner.line("run bully --color never").out()).doesNotContain("\u001b");
        assertThat(CliRunner.line("run bully").out()).doesNotContain("\u001b");
    }

    @Test
    void a_large_or_unwanted_diagram_is_left_out() {
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
    void output_files_are_written(@TempDir Path folder) throws IOException {
        var name = folder.resolve("a");
        var output = CliRunner.line(
                "run ricart-agrawala --svg %s.svg --mermaid %s.mmd --trace %s.json".formatted(name, name, name));
        assertThat(output.code()).isZero();
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
    void a_rejected_run_leaves_existing_files_unchanged(@TempDir Path folder) throws IOException {
        var kept = Files.writeString(folder.resolve("kept.svg"), "as it was");
        var output = CliRunner.line("run bully --svg " + kept + " --mermaid " + folder.resolve("missing/x.mmd"));
        assertThat(output.code()).isEqualTo(3);
        assertThat(kept).hasContent("as it was");
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(kept);
        }
    }

    @Test
    void a_trace_on_standard_output_is_the_only_output_there() {
        var output = CliRunner.line("run bully --trace -");
        assertThat(output.out().lines()).allSatisfy(line -> assertThat(line).startsWith("{\"at\":"));
        assertThat(output.err()).contains("termination            holds");
    }

    @Test
    void an_infinite_run_ends_at_its_limit() {
        var output = CliRunner.line("run bully --latency fixed:4 --initiators 2 --answer 5 --json");
        assertThat(output.json().get("end").getAsString()).isEqualTo("limit");
        assertThat(output.json()
                        .getAsJsonObject("notGuaranteed")
                        .get("agreement")
                        .getAsString())
                .isEqualTo("open");
    }

    @Test
    void a_run_of_a_hundred_thousand_nodes_is_not_recorded() {
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
    void the_replay_command_reproduces_the_run(String line) {
        var first = CliRunner.line(line + " --json --trace -");
        var again = CliRunner.line(first.json().get("replay").getAsString() + " --json --trace -");
        assertThat(again).isEqualTo(first);
    }
}
