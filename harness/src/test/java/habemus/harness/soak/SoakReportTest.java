package habemus.harness.soak;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.AlgorithmSpec;
import habemus.harness.ProgressListener;
import habemus.harness.faults.MajorityTimeline;
import habemus.harness.faults.RandomFaults;
import habemus.harness.history.HistoryChecker;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** When a soak passes, and what its report says. */
class SoakReportTest {

    private static final ProgressListener NO_PROGRESS = new ProgressListener() {
        @Override
        public void show(String what, long done, long all) {}

        @Override
        public void showText(String what) {}

        @Override
        public void clear() {}
    };

    @Test
    void an_outage_with_a_healthy_majority_is_a_violation() {
        assertThat(lockServiceResult(Duration.ofSeconds(2)).hasPassed()).isTrue();
        var late = lockServiceResult(Duration.ofMillis(2_001));
        assertThat(late.hasPassed()).isFalse();
        var report = new SoakReport(soak(), new Soak.FaultSummary(60, Map.of(), List.of()), late);
        assertThat(report.hasPassed()).isFalse();
        assertThat(report.text())
                .contains("within 2.0 s, while the same majority is up and connected | **1 times** |")
                .contains("- **OUTAGE**: 2.00 s, starting at 5.00 s; the last change before its end: n1")
                .endsWith("**The soak failed.**\n");
        assertThat(report.json().getAsJsonArray("outages")).hasSize(1);
    }

    private static LockServiceSoakResult lockServiceResult(Duration outage) {
        long from = 5_000_000_000L;
        var commandLines =
                new LockServiceSoak.CommandLines((node, members, settings) -> List.of(), config -> List.of());
        return new LockServiceSoakResult(
                new LockServiceSoak(1, Duration.ofSeconds(2), false, false, commandLines),
                new LockServiceSoak.Observations(
                        Optional.of("no links were cut"),
                        Map.of(RandomFaults.Kind.KILL, 1),
                        2,
                        List.of(new LockServiceSoak.Recovery(RandomFaults.Kind.KILL, Optional.of(outage))),
                        0,
                        List.of(new MajorityTimeline.Gap(from, from + outage.toNanos(), "n1"))),
                LockServiceSoakResult.EventCounts.of(List.of(), List.of()),
                new HistoryChecker.Result(List.of(), 0),
                Optional.empty());
    }

    @Test
    void a_violated_guarantee_or_a_differing_step_fails_the_soak_and_nothing_else_does() {
        assertThat(report(Property.NO_STARVATION, List.of()).hasPassed()).isTrue();
        assertThat(report(Property.MUTUAL_EXCLUSION, List.of()).hasPassed()).isFalse();
        assertThat(report(Property.NO_STARVATION, List.of("n1#1, step 2: other"))
                        .hasPassed())
                .isFalse();
        assertThat(report(Property.MUTUAL_EXCLUSION, List.of()).text())
                .contains("mutual-exclusion violated")
                .contains("**the cluster did not settle**")
                .endsWith("all match the traces.\n\n**The soak failed.**\n");
    }

    private static Soak soak() {
        return new Soak(3, Duration.ofMinutes(1), 1, Path.of("unused"), new CountDownLatch(1), NO_PROGRESS);
    }

    private static SoakReport report(Property violated, List<String> differences) {
        var classic = new AlgorithmSoak(
                1,
                AlgorithmSpec.parse("quorum --durable", Problem.MUTEX),
                AlgorithmSpec.parse("term-majority", Problem.ELECTION),
                (node, members, settings) -> List.of());
        var faults = new Soak.FaultSummary(60, Map.of(RandomFaults.Kind.KILL, 1), List.of());
        var group = new AlgorithmSoakResult.GroupResult(
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
        var clients = new AlgorithmSoak.ClientStats(10, 0, Optional.empty());
        return new SoakReport(soak(), faults, new AlgorithmSoakResult(classic, clients, List.of(group)));
    }
}
