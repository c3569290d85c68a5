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

/**
 * Restarts the followers one after the other while there is a leader. Its heartbeats are so rare that no restarted node
 * receives one in time: such a node knows of the term only what is on its disk.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class AmnesiaTest {

    private static final String SLOW = "term-majority --election-timeout 600000 --heartbeat 300000";

    @TempDir
    private Path folder;

    @Test
    void nodes_that_forget_their_vote_elect_a_second_leader_in_the_same_term() {
        try (var cluster = new RealCluster(3, new RealCluster.Setup("central", SLOW, folder, false))) {
            electAndRestartFollowers(cluster);
            cluster.node(1).pause(); // or its heartbeat might tell n2 of the term in time
            cluster.node(2).send("campaign boss");
            assertThat(cluster.node(2).awaitLeader(1, 0)).isEqualTo(new RealCluster.Leader(2, 1));
        }
        assertThat(RealCluster.verdict(folder, Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void nodes_with_their_vote_on_disk_do_not() {
        try (var cluster = new RealCluster(3, new RealCluster.Setup("central", SLOW, folder, true))) {
            electAndRestartFollowers(cluster);
            cluster.node(1).pause();
            cluster.node(2).send("campaign boss");
            cluster.node(2).send("campaign other"); // an election without earlier votes, which succeeds
            assertThat(cluster.node(2).awaitAgreement("other", cluster.node(3), 1))
                    .isEqualTo(2);
            cluster.others(1).forEach(node -> node.awaitLeaderIs(0));
        }
        assertThat(RealCluster.verdict(folder, Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
    }

    private static void electAndRestartFollowers(RealCluster cluster) {
        cluster.node(1).send("campaign boss");
        cluster.others(0).forEach(node -> assertThat(node.awaitLeader(0, 0)).isEqualTo(new RealCluster.Leader(1, 1)));
        for (var other : cluster.others(1)) {
            other.kill();
            other.restart();
        }
    }
}
