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
import java.util.concurrent.CountDownLatch;
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
                "soak -n 3 --minutes 0.15 --seed 3 --locks 'quorum --durable' --how-many 1 --json --record " + traces);
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

    /** How often what happens depends on how busy the machine is, as how soon it serves; what is promised does not. */
    @Test
    void the_production_service_keeps_its_promises_while_nodes_and_clients_are_struck() {
        var said = Cli.line("soak -n 3 --clients 3 --minutes 0.12 --seed 2 --patience 1m --json");
        assertThat(said.err()).isEmpty();
        var json = said.json();
        assertThat(json.getAsJsonArray("violations")).isEmpty();
        assertThat(json.getAsJsonArray("outages")).isEmpty();
        assertThat(json.getAsJsonArray("troubles")).isEmpty();
        assertThat(json.get("fine").getAsBoolean()).isTrue();
        assertThat(json.getAsJsonArray("returns")).isNotEmpty();
        assertThat(json.get("longestGap").getAsDouble()).isPositive();
        assertThat(json.getAsJsonObject("seen").get("RELEASED").getAsLong()).isPositive();
        assertThat(json.getAsJsonObject("seen").get("ELECTED").getAsLong()).isPositive();
        assertThat(json.get("writesTaken").getAsLong()).isPositive();
        var kinds = json.getAsJsonObject("faultsOfClients").keySet();
        assertThat(kinds).contains("KILL", "SHORT_STOP", "LONG_STOP");
        assertThat(kinds.contains("ONE_WAY"))
                .as("wires are cut, or it is said why not")
                .isEqualTo(json.get("uncut").isJsonNull());
    }

    @Test
    void a_service_that_is_away_though_a_majority_is_there_is_a_violation() {
        assertThat(findings(Duration.ofSeconds(2)).areFine()).isTrue();
        var late = findings(Duration.ofMillis(2_001));
        assertThat(late.areFine()).isFalse();
        var report = new SoakReport(soak(), new Soak.Course(60, Map.of(), List.of()), late);
        assertThat(report.isFine()).isFalse();
        assertThat(report.text())
                .contains("within 2.0 s, while the same majority is up and connected | **1 times** |")
                .contains("- **NOT SERVED**: for 2.00 s, from 5.00 s on; the last fault or mend before it ended: n1")
                .endsWith("**Something is wrong.**\n");
        assertThat(report.json().getAsJsonArray("outages")).hasSize(1);
    }

    private static FencedFindings findings(Duration away) {
        long from = 5_000_000_000L;
        return new FencedFindings(
                new FencedSoak(1, Duration.ofSeconds(2), false),
                new FencedSoak.Campaign(
                        Optional.of("no wires were cut"),
                        Map.of(Strikes.Kind.KILL, 1),
                        2,
                        List.of(new FencedSoak.Return(Strikes.Kind.KILL, Optional.of(away))),
                        0,
                        List.of(new Majority.Gap(from, from + away.toNanos(), "n1"))),
                FencedFindings.Seen.of(List.of(), List.of()),
                new HistoryJudge.Verdict(List.of(), 0));
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
                .endsWith("all are as recorded.\n\n**Something is wrong.**\n");
    }

    private Soak soak() {
        return new Soak(3, Duration.ofMinutes(1), 1, folder, new CountDownLatch(1), new Progress(Terminal.system()));
    }

    private SoakReport report(Property violated, List<String> differences) {
        var classic = new ClassicSoak(
                1, Recipe.parse("quorum --durable", Problem.MUTEX), Recipe.parse("term-majority", Problem.ELECTION));
        var course = new Soak.Course(60, Map.of(Strikes.Kind.KILL, 1), List.of());
        var judged = new ClassicFindings.Judged(
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
        var visits = new ClassicSoak.Visits(10, 0, Optional.empty());
        return new SoakReport(soak(), course, new ClassicFindings(classic, visits, List.of(judged)));
    }

    @Test
    void a_folder_with_something_in_it_is_refused() throws IOException {
        Files.writeString(folder.resolve("mine"), "something");
        var said = Cli.run("soak", "--record", folder.toString());
        assertThat(said.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(said.err()).contains("there is something in " + folder);
    }
}
