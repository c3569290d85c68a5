package habemus.harness.faults;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.world.Property;
import habemus.world.Verdict;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Real processes that are killed and restarted one after the other, never two at once, while a leader stands. Its beats
 * are so far apart that nobody who comes back hears of it in time: what is then known of the term is what is on disk.
 */
@Execution(ExecutionMode.CONCURRENT)
class AmnesiaTest {

    private static final String SLOW = "term-majority --patience 600000 --beat 300000";

    @TempDir
    private Path folder;

    @Test
    void who_has_forgotten_its_vote_makes_a_second_leader_in_the_same_term() {
        try (var realCluster = new RealCluster(3, new RealCluster.Setup("central", SLOW, folder, false))) {
            electAndRestartTheOthers(realCluster);
            realCluster.node(1).pause(); // or it might just tell n2 in time that this term is not new
            realCluster.node(2).send("campaign boss");
            assertThat(realCluster.node(2).awaitLeader(1, 0)).isEqualTo(new RealCluster.Leader(2, 1));
        }
        assertThat(RealCluster.verdict(folder, Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void who_has_its_vote_on_disk_does_not() {
        try (var realCluster = new RealCluster(3, new RealCluster.Setup("central", SLOW, folder, true))) {
            electAndRestartTheOthers(realCluster);
            realCluster.node(1).pause();
            realCluster.node(2).send("campaign boss");
            realCluster
                    .node(2)
                    .send("campaign other"); // in which there was no vote: it is won, though it was begun later
            assertThat(realCluster.node(2).awaitAgreement("other", realCluster.node(3), 1))
                    .isEqualTo(2);
            realCluster.others(1).forEach(node -> node.awaitLeaderIs(0));
        }
        assertThat(RealCluster.verdict(folder, Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
    }

    private static void electAndRestartTheOthers(RealCluster realCluster) {
        realCluster.node(1).send("campaign boss");
        realCluster
                .others(0)
                .forEach(node -> assertThat(node.awaitLeader(0, 0)).isEqualTo(new RealCluster.Leader(1, 1)));
        for (var other : realCluster.others(1)) {
            other.kill();
            other.restart();
        }
    }
}
