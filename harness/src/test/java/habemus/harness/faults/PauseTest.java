package habemus.harness.faults;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.world.Property;
import habemus.world.Verdict;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What happens when a process is paused and resumed. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class PauseTest {

    @TempDir
    private Path folder;

    @Test
    void a_holder_paused_for_longer_than_its_lease_overlaps_with_the_next_holder() {
        try (var cluster = new RealCluster(3, new RealCluster.Setup("central --lease 3000", "bully", folder, false))) {
            cluster.node(2).acquire();
            cluster.node(2).pause();
            cluster.node(3).acquire();
            cluster.node(2).resume();
            cluster.node(2).awaitLine("lost x");
        }
        assertThat(RealCluster.verdict(folder, Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void without_a_lease_the_others_wait_for_a_paused_holder() {
        try (var cluster = new RealCluster(3, new RealCluster.Setup("ricart-agrawala", "bully", folder, false))) {
            cluster.node(2).acquire();
            cluster.node(2).pause();
            cluster.node(3).send("acquire x");
            cluster.node(1).awaitPeers(1); // the failure detector suspects n2
            cluster.node(2).resume();
            cluster.node(1).awaitPeers(2);
        }
        assertThat(RealCluster.verdict(folder, Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void a_resumed_bully_leads_beside_its_successor() {
        try (var cluster = new RealCluster(3, new RealCluster.Setup("central", "bully", folder, false))) {
            cluster.node(1).send("campaign boss");
            cluster.node(1).awaitLeaderIs(3);
            cluster.node(3).pause();
            cluster.node(1).awaitLeaderIs(2);
            cluster.node(3).resume();
            cluster.node(1).awaitPeers(2);
        }
        assertThat(RealCluster.verdict(folder, Property.UNIQUENESS)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void with_terms_a_resumed_leader_has_an_old_term() {
        try (var cluster = new RealCluster(3, new RealCluster.Setup("central", "term-majority", folder, true))) {
            cluster.node(1).send("campaign boss");
            var first = cluster.node(1).awaitLeader(0, 0);
            cluster.node(first.number()).pause();
            var witness = cluster.others(first.number()).getFirst();
            var second = witness.awaitLeader(first.number(), first.term());
            cluster.node(first.number()).resume();
            var last = cluster.node(first.number()).awaitLeader(0, first.term());
            assertThat(last.term()).isGreaterThanOrEqualTo(second.term());
        }
        assertThat(RealCluster.verdict(folder, Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
    }
}
