package habemus.harness.faults;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.world.Property;
import habemus.world.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What happens when links between processes are cut; each process has a network namespace of its own. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class PartitionTest {

    private static final Duration UNANSWERED = Duration.ofSeconds(1);

    @TempDir
    private Path folder;

    @Test
    void an_isolated_leader_is_replaced_in_a_later_term_and_follows_after_healing() {
        try (var namespaces = new TestNamespaces(3);
                var cluster =
                        new RealCluster(namespaces, new RealCluster.Setup("central", "term-majority", folder, true))) {
            cluster.node(1).send("campaign boss");
            var first = cluster.node(1).awaitLeader(0, 0);
            namespaces.isolate(first.number());
            var witness = cluster.others(first.number()).getFirst();
            var second = witness.awaitLeader(first.number(), first.term());
            namespaces.healAll();
            assertThat(cluster.node(first.number()).awaitLeader(0, first.term()).term())
                    .isGreaterThanOrEqualTo(second.term());
        }
        assertThat(RealCluster.verdict(folder, Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void bullies_on_both_sides_of_a_partition_elect_a_leader_each() {
        try (var namespaces = new TestNamespaces(3);
                var cluster = new RealCluster(namespaces, new RealCluster.Setup("central", "bully", folder, true))) {
            cluster.node(1).send("campaign boss");
            cluster.node(1).awaitLeaderIs(3);
            namespaces.isolate(3);
            cluster.node(1).awaitLeaderIs(2);
            namespaces.healAll();
            cluster.node(1).awaitPeers(2);
        }
        assertThat(RealCluster.verdict(folder, Property.UNIQUENESS)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void a_leader_that_receives_nothing_is_replaced_although_its_messages_arrive() {
        try (var namespaces = new TestNamespaces(3);
                var cluster =
                        new RealCluster(namespaces, new RealCluster.Setup("central", "term-majority", folder, true))) {
            cluster.node(1).send("campaign boss");
            var first = cluster.node(1).awaitLeader(0, 0);
            for (var other : cluster.others(first.number())) {
                namespaces.cutLink(other.number, first.number());
            }
            var witness = cluster.others(first.number()).getFirst();
            witness.awaitLeader(first.number(), first.term());
            namespaces.healAll();
            cluster.node(first.number()).awaitLeader(0, first.term());
        }
        assertThat(RealCluster.verdict(folder, Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void lost_packets_are_sent_again() {
        try (var namespaces = new TestNamespaces(3);
                var cluster =
                        new RealCluster(namespaces, new RealCluster.Setup("ricart-agrawala", "bully", folder, true))) {
            namespaces.dropPackets(10);
            for (int i = 0; i < 4; i++) {
                for (int node = 1; node <= 3; node++) {
                    cluster.node(node).acquire();
                    cluster.node(node).release();
                }
            }
        }
        assertThat(RealCluster.verdict(folder, Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void a_request_sent_in_a_partition_is_answered_after_healing() {
        try (var namespaces = new TestNamespaces(3);
                var cluster =
                        new RealCluster(namespaces, new RealCluster.Setup("ricart-agrawala", "bully", folder, true))) {
            cluster.node(1).acquire();
            cluster.node(1).release();
            namespaces.isolate(3);
            cluster.node(1).awaitPeers(1);
            cluster.node(1).send("acquire x");
            assertThat(cluster.node(1).awaitLine("granted x", UNANSWERED)).isEmpty();
            namespaces.healAll();
            cluster.node(1).awaitLine("granted x");
        }
        assertThat(RealCluster.verdict(folder, Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
    }
}
