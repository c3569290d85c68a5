package habemus.harness.soak;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import habemus.catalogue.AlgorithmSpec;
import habemus.cli.CliRunner;
import habemus.cli.terminal.ExitCode;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.Terminal;
import habemus.harness.faults.MajorityTimeline;
import habemus.harness.faults.RandomFaults;
import habemus.harness.history.HistoryChecker;
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
        var commandOutput = CliRunner.line(
                "soak -n 3 --minutes 0.15 --seed 3 --locks 'quorum --durable' --how-many 1 --json --record " + traces);
        assertThat(commandOutput.code())
                .as(commandOutput.out() + commandOutput.err())
                .isEqualTo(ExitCode.OK);
        var json = commandOutput.json();
        assertThat(json.get("fine").getAsBoolean()).isTrue();
        assertThat(json.getAsJsonObject("faults").keySet()).containsExactly("KILL", "SHORT_STOP", "LONG_STOP");
        assertThat(json.get("entries").getAsLong()).isPositive();
        var groups = json.getAsJsonArray("groups");
        assertThat(groups).hasSize(2);
        assertThat(promised(groups.get(0).getAsJsonObject())).isEqualTo("[\"one-leader-per-term\"]");
        assertThat(promised(groups.get(1).getAsJsonObject())).isEqualTo("[\"mutual-exclusion\",\"fences-grow\"]");
        assertThat(CliRunner.line("replay --no-diagram " + traces).out())
                .as("what was recorded can be looked at")
                .contains("term-majority on 3 nodes")
                .contains("quorum --durable on 3 nodes")
                .contains("as the machine does it, every step");
    }

    /** How often what happens depends on how busy the machine is, as how soon it serves; what is promised does not. */
    @Test
    void the_production_service_keeps_its_promises_while_nodes_and_clients_are_struck() {
        var commandOutput = CliRunner.line("soak -n 3 --clients 3 --minutes 0.12 --seed 2 --patience 1m --json");
        assertThat(commandOutput.err()).isEmpty();
        var json = commandOutput.json();
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
        assertThat(findings(Duration.ofSeconds(2)).hasPassed()).isTrue();
        var late = findings(Duration.ofMillis(2_001));
        assertThat(late.hasPassed()).isFalse();
        var report = new SoakReport(soak(), new Soak.FaultSummary(60, Map.of(), List.of()), late);
        assertThat(report.hasPassed()).isFalse();
        assertThat(report.text())
                .contains("within 2.0 s, while the same majority is up and connected | **1 times** |")
                .contains("- **NOT SERVED**: for 2.00 s, from 5.00 s on; the last fault or mend before it ended: n1")
                .endsWith("**Something is wrong.**\n");
        assertThat(report.json().getAsJsonArray("outages")).hasSize(1);
    }

    private static LockServiceSoakResult findings(Duration away) {
        long from = 5_000_000_000L;
        return new LockServiceSoakResult(
                new LockServiceSoak(1, Duration.ofSeconds(2), false),
                new LockServiceSoak.Observations(
                        Optional.of("no wires were cut"),
                        Map.of(RandomFaults.Kind.KILL, 1),
                        2,
                        List.of(new LockServiceSoak.Recovery(RandomFaults.Kind.KILL, Optional.of(away))),
                        0,
                        List.of(new MajorityTimeline.Gap(from, from + away.toNanos(), "n1"))),
                LockServiceSoakResult.EventCounts.of(List.of(), List.of()),
                new HistoryChecker.Result(List.of(), 0));
    }

    private static String promised(JsonObject group) {
        assertThat(group.get("steps").getAsLong()).isPositive();
        return group.getAsJsonArray("promised").toString();
    }

    @Test
    void only_what_is_promised_or_a_step_that_differs_makes_it_fail() {
        assertThat(report(Property.NO_STARVATION, List.of()).hasPassed()).isTrue();
        assertThat(report(Property.MUTUAL_EXCLUSION, List.of()).hasPassed()).isFalse();
        assertThat(report(Property.NO_STARVATION, List.of("n1#1, line 2: other"))
                        .hasPassed())
                .isFalse();
        assertThat(report(Property.MUTUAL_EXCLUSION, List.of()).text())
                .contains("mutual-exclusion violated")
                .contains("**it did not settle**")
                .endsWith("all are as recorded.\n\n**Something is wrong.**\n");
    }

    private Soak soak() {
        return new Soak(
                3, Duration.ofMinutes(1), 1, folder, new CountDownLatch(1), new ProgressLine(Terminal.system()));
    }

    private SoakReport report(Property violated, List<String> differences) {
        var classic = new AlgorithmSoak(
                1,
                AlgorithmSpec.parse("quorum --durable", Problem.MUTEX),
                AlgorithmSpec.parse("term-majority", Problem.ELECTION));
        var faultSummary = new Soak.FaultSummary(60, Map.of(RandomFaults.Kind.KILL, 1), List.of());
        var groupResult = new AlgorithmSoakResult.GroupResult(
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
        var clientStats = new AlgorithmSoak.ClientStats(10, 0, Optional.empty());
        return new SoakReport(
                soak(), faultSummary, new AlgorithmSoakResult(classic, clientStats, List.of(groupResult)));
    }

    @Test
    void a_folder_with_something_in_it_is_refused() throws IOException {
        Files.writeString(folder.resolve("mine"), "something");
        var commandOutput = CliRunner.run("soak", "--record", folder.toString());
        assertThat(commandOutput.code()).isEqualTo(ExitCode.USAGE);
        assertThat(commandOutput.err()).contains("there is something in " + folder);
    }
}
