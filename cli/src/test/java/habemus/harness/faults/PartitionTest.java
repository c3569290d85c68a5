package habemus.harness.faults;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.world.Property;
import habemus.world.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Real processes, each in a network of its own, and wires between them that are cut. */
@Execution(ExecutionMode.CONCURRENT)
class PartitionTest {

    private static final Duration LONG = Duration.ofSeconds(4);

    @TempDir
    private Path folder;

    @Test
    void a_leader_that_is_cut_off_is_replaced_in_a_later_term_and_follows_when_it_is_back() {
        try (var testNamespaces = new TestNamespaces(3);
                var realCluster = new RealCluster(
                        testNamespaces, new RealCluster.Setup("central", "term-majority", folder, true))) {
            realCluster.node(1).send("campaign boss");
            var first = realCluster.node(1).awaitLeader(0, 0);
            testNamespaces.isolate(first.number());
            var witness = realCluster.others(first.number()).getFirst();
            var second = witness.awaitLeader(first.number(), first.term());
            testNamespaces.healAll();
            assertThat(realCluster
                            .node(first.number())
                            .awaitLeader(0, first.term())
                            .term())
                    .isGreaterThanOrEqualTo(second.term());
        }
        assertThat(RealCluster.verdict(folder, Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void bullies_on_both_sides_of_a_cut_have_a_leader_each() {
        try (var testNamespaces = new TestNamespaces(3);
                var realCluster =
                        new RealCluster(testNamespaces, new RealCluster.Setup("central", "bully", folder, true))) {
            realCluster.node(1).send("campaign boss");
            realCluster.node(1).awaitLeaderIs(3);
            testNamespaces.isolate(3);
            realCluster.node(1).awaitLeaderIs(2);
            testNamespaces.healAll();
            realCluster.node(1).awaitPeers(2);
        }
        assertThat(RealCluster.verdict(folder, Property.UNIQUENESS)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void who_hears_nobody_is_given_up_though_it_is_heard() {
        try (var testNamespaces = new TestNamespaces(3);
                var realCluster = new RealCluster(
                        testNamespaces, new RealCluster.Setup("central", "term-majority", folder, true))) {
            realCluster.node(1).send("campaign boss");
            var first = realCluster.node(1).awaitLeader(0, 0);
            for (var other : realCluster.others(first.number())) {
                testNamespaces.cutLink(other.number, first.number());
            }
            var witness = realCluster.others(first.number()).getFirst();
            witness.awaitLeader(first.number(), first.term());
            testNamespaces.healAll();
            realCluster.node(first.number()).awaitLeader(0, first.term());
        }
        assertThat(RealCluster.verdict(folder, Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void packets_that_are_lost_are_sent_again() {
        try (var testNamespaces = new TestNamespaces(3);
                var realCluster = new RealCluster(
                        testNamespaces, new RealCluster.Setup("ricart-agrawala", "bully", folder, true))) {
            testNamespaces.dropPackets(10);
            for (int i = 0; i < 4; i++) {
                for (int node = 1; node <= 3; node++) {
                    realCluster.node(node).acquire();
                    realCluster.node(node).release();
                }
            }
        }
        assertThat(RealCluster.verdict(folder, Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void a_request_that_a_cut_has_swallowed_is_never_answered() {
        try (var testNamespaces = new TestNamespaces(3);
                var realCluster = new RealCluster(
                        testNamespaces, new RealCluster.Setup("ricart-agrawala", "bully", folder, true))) {
            realCluster.node(1).acquire();
            realCluster.node(1).release();
            testNamespaces.isolate(3);
            realCluster.node(1).awaitPeers(1);
            realCluster.node(1).send("acquire x");
            testNamespaces.healAll();
            realCluster.node(1).awaitPeers(2);
            assertThat(realCluster.node(1).awaitLine("granted x", LONG)).isEmpty();
        }
        assertThat(RealCluster.verdict(folder, Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
    }
}
