package habemus.cli.soak;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code habemus soak}, for seconds instead of minutes. */
@Timeout(400)
@Tag("slow")
class SoakCommandTest {

    @TempDir
    Path folder;

    /** The number of entries, and the faults, depend on the load of the machine. */
    @Test
    void classic_algorithms_keep_their_guarantees_while_nodes_are_killed_and_paused() {
        var traces = folder.resolve("soaked");
        var output = CliRunner.line("soak -n 3 --minutes 0.15 --seed 3 --locks 'quorum --durable' --lock-count 1 --json"
                + " --record " + traces);
        assertThat(output.code()).as(output.out() + output.err()).isEqualTo(ExitCode.OK);
        var json = output.json();
        assertThat(json.get("passed").getAsBoolean()).isTrue();
        assertThat(json.getAsJsonObject("faults").keySet()).containsExactly("KILL", "SHORT_PAUSE", "LONG_PAUSE");
        assertThat(json.get("entries").getAsLong()).isPositive();
        var groups = json.getAsJsonArray("groups");
        assertThat(groups).hasSize(2);
        assertThat(guaranteed(groups.get(0).getAsJsonObject())).isEqualTo("[\"one-leader-per-term\"]");
        assertThat(guaranteed(groups.get(1).getAsJsonObject())).isEqualTo("[\"mutual-exclusion\",\"fences-grow\"]");
        assertThat(CliRunner.line("validate --no-diagram " + traces).out())
                .as("the recordings can be validated")
                .contains("term-majority on 3 nodes")
                .contains("quorum --durable on 3 nodes");
    }

    private static String guaranteed(JsonObject group) {
        assertThat(group.get("steps").getAsLong()).isPositive();
        return group.getAsJsonArray("guaranteed").toString();
    }

    /** The number of events, and the time to recover, depend on the load of the machine; the guarantees do not. */
    @Test
    void the_lock_service_keeps_its_guarantees_while_nodes_and_clients_fail() {
        var recorded = folder.resolve("soaked");
        var output = CliRunner.line(
                "soak -n 3 --clients 3 --minutes 0.12 --seed 2 --max-outage 1m --json --record " + recorded);
        assertThat(output.err()).isEmpty();
        var json = output.json();
        assertThat(json.get("stepsAccepted").getAsBoolean()).isTrue();
        assertThat(json.getAsJsonArray("violations")).isEmpty();
        assertThat(json.getAsJsonArray("outages")).isEmpty();
        assertThat(json.getAsJsonArray("problems")).isEmpty();
        assertThat(json.get("passed").getAsBoolean()).isTrue();
        assertThat(json.getAsJsonArray("recoveries")).isNotEmpty();
        assertThat(json.get("longestGapSeconds").getAsDouble()).isPositive();
        assertThat(json.getAsJsonObject("events").get("RELEASED").getAsLong()).isPositive();
        assertThat(json.getAsJsonObject("events").get("ELECTED").getAsLong()).isPositive();
        assertThat(json.get("writesAccepted").getAsLong()).isPositive();
        var kinds = json.getAsJsonObject("clientFaults").keySet();
        assertThat(kinds).contains("KILL", "SHORT_PAUSE", "LONG_PAUSE");
        assertThat(kinds.contains("ONE_WAY_CUT"))
                .as("either links are cut, or the report says why not")
                .isEqualTo(json.get("noPartitionsReason").isJsonNull());
        var validated = CliRunner.line("validate --json " + recorded);
        assertThat(validated.code()).isEqualTo(ExitCode.OK);
        var run = validated.json().getAsJsonArray("services").get(0).getAsJsonObject();
        assertThat(run.get("steps")).isEqualTo(json.get("stepsValidated"));
        assertThat(run.getAsJsonArray("differences")).isEmpty();
    }

    @Test
    void a_folder_that_is_not_empty_is_rejected() throws IOException {
        Files.writeString(folder.resolve("mine"), "something");
        var output = CliRunner.run("soak", "--record", folder.toString());
        assertThat(output.code()).isEqualTo(ExitCode.USAGE);
        assertThat(output.err()).contains(folder.toString());
    }
}
