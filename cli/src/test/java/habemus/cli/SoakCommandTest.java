package habemus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import habemus.catalogue.Recipe;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code habemus soak}, for seconds in place of minutes. */
@Timeout(400)
class SoakCommandTest {

    @TempDir
    Path folder;

    /** How many entries there are, and what strikes, depends on how busy the machine is. */
    @Test
    void real_nodes_that_are_killed_and_stopped_keep_what_is_promised() {
        var traces = folder.resolve("soaked");
        var said = Cli.line(
                "soak -n 3 --minutes 0.25 --seed 3 --locks 'quorum --durable' --how-many 1 --json --record " + traces);
        assertThat(said.code()).as(said.out() + said.err()).isEqualTo(ExitCode.DONE);
        var json = said.json();
        assertThat(json.get("fine").getAsBoolean()).isTrue();
        assertThat(json.getAsJsonObject("faults").keySet()).containsExactly("KILL", "SHORT_STOP", "LONG_STOP");
        assertThat(json.get("entries").getAsLong()).isPositive();
        var groups = json.getAsJsonArray("groups");
        assertThat(groups).hasSize(2);
        assertThat(promised(groups.get(0).getAsJsonObject())).isEqualTo("[\"one-leader-per-term\"]");
        assertThat(promised(groups.get(1).getAsJsonObject())).isEqualTo("[\"mutual-exclusion\",\"fences-grow\"]");
        assertThat(Cli.line("replay --no-diagram " + traces).out())
                .as("what was recorded can be looked at")
                .contains("term-majority on 3 nodes")
                .contains("quorum --durable on 3 nodes")
                .contains("as the machine does it, every step");
    }

    /** How often what happens depends on how busy the machine is; what is promised does not. */
    @Test
    void the_production_service_keeps_its_promises_while_nodes_and_clients_are_killed_and_stopped() {
        var said = Cli.line("soak -n 3 --clients 3 --minutes 0.12 --seed 2 --json");
        assertThat(said.err()).isEmpty();
        var json = said.json();
        assertThat(json.getAsJsonArray("violations")).isEmpty();
        assertThat(json.getAsJsonArray("troubles")).isEmpty();
        assertThat(json.getAsJsonArray("returns")).isNotEmpty();
        assertThat(json.getAsJsonObject("seen").get("RELEASED").getAsLong()).isPositive();
        assertThat(json.getAsJsonObject("seen").get("ELECTED").getAsLong()).isPositive();
        assertThat(json.get("writesTaken").getAsLong()).isPositive();
    }

    private static String promised(JsonObject group) {
        assertThat(group.get("steps").getAsLong()).isPositive();
        return group.getAsJsonArray("promised").toString();
    }

    @Test
    void only_what_is_promised_or_a_step_that_differs_makes_it_fail() {
        assertThat(report(Property.NO_STARVATION, List.of()).isFine()).isTrue();
        assertThat(report(Property.MUTUAL_EXCLUSION, List.of()).isFine()).isFalse();
        assertThat(report(Property.NO_STARVATION, List.of("n1#1, line 2: other"))
                        .isFine())
                .isFalse();
        assertThat(report(Property.MUTUAL_EXCLUSION, List.of()).text())
                .contains("mutual-exclusion violated")
                .contains("**it did not settle**")
                .endsWith("all are as recorded. **Something is wrong.**\n");
    }

    private SoakReport report(Property violated, List<String> differences) {
        var soak = new Soak(
                3,
                1,
                Duration.ofMinutes(1),
                1,
                Recipe.parse("quorum --durable", Problem.MUTEX),
                Recipe.parse("term-majority", Problem.ELECTION),
                folder);
        var campaign = new Soak.Campaign(60, Map.of(Strikes.Kind.KILL, 1), 10, 0, Optional.empty(), List.of());
        var judged = new SoakReport.Judged(
                "mutex a",
                "quorum --durable",
                4,
                100,
                50,
                10,
                0,
                differences,
                List.of(),
                Map.of(violated, Verdict.VIOLATED),
                Set.of(Property.MUTUAL_EXCLUSION));
        return new SoakReport(soak, campaign, List.of(judged));
    }

    @Test
    void a_folder_with_something_in_it_is_refused() throws IOException {
        Files.writeString(folder.resolve("mine"), "something");
        var said = Cli.run("soak", "--record", folder.toString());
        assertThat(said.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(said.err()).contains("there is something in " + folder);
    }
}
