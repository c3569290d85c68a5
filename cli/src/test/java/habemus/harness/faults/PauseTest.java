package habemus.harness.faults;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.world.Property;
import habemus.world.Verdict;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Real processes that stand still for a while, and go on as if nothing had been. */
@Execution(ExecutionMode.CONCURRENT)
class PauseTest {

    @TempDir
    private Path folder;

    @Test
    void a_holder_that_stands_still_longer_than_its_lease_is_inside_with_another() {
        try (var realCluster =
                new RealCluster(3, new RealCluster.Setup("central --lease 3000", "bully", folder, false))) {
            realCluster.node(2).acquire();
            realCluster.node(2).pause();
            realCluster.node(3).acquire();
            realCluster.node(2).resume();
            realCluster.node(2).awaitLine("lost x");
        }
        assertThat(RealCluster.verdict(folder, Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void without_a_lease_others_wait_for_a_holder_that_stands_still() {
        try (var realCluster = new RealCluster(3, new RealCluster.Setup("ricart-agrawala", "bully", folder, false))) {
            realCluster.node(2).acquire();
            realCluster.node(2).pause();
            realCluster.node(3).send("acquire x");
            realCluster.node(1).awaitPeers(1); // the detector has given it up
            realCluster.node(2).resume();
            realCluster.node(1).awaitPeers(2);
        }
        assertThat(RealCluster.verdict(folder, Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void a_bully_that_stood_still_leads_beside_its_successor() {
        try (var realCluster = new RealCluster(3, new RealCluster.Setup("central", "bully", folder, false))) {
            realCluster.node(1).send("campaign boss");
            realCluster.node(1).awaitLeaderIs(3);
            realCluster.node(3).pause();
            realCluster.node(1).awaitLeaderIs(2);
            realCluster.node(3).resume();
            realCluster.node(1).awaitPeers(2);
        }
        assertThat(RealCluster.verdict(folder, Property.UNIQUENESS)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void with_terms_a_leader_that_stood_still_is_an_old_one() {
        try (var realCluster = new RealCluster(3, new RealCluster.Setup("central", "term-majority", folder, true))) {
            realCluster.node(1).send("campaign boss");
            var first = realCluster.node(1).awaitLeader(0, 0);
            realCluster.node(first.number()).pause();
            var witness = realCluster.others(first.number()).getFirst();
            var second = witness.awaitLeader(first.number(), first.term());
            realCluster.node(first.number()).resume();
            var last = realCluster.node(first.number()).awaitLeader(0, first.term());
            assertThat(last.term()).isGreaterThanOrEqualTo(second.term());
        }
        assertThat(RealCluster.verdict(folder, Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
    }
}
