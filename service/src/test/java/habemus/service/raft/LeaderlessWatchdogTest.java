package habemus.service.raft;

import static habemus.service.raft.RaftNodeFixture.N1;
import static habemus.service.raft.RaftNodeFixture.N2;
import static habemus.service.raft.RaftNodeFixture.N3;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import org.jgroups.View;
import org.jgroups.protocols.raft.ELECTION;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports of a missing leader, and the elections that they start. */
class LeaderlessWatchdogTest {

    private static final View ALL = RaftNodeFixture.view(1, N2, N1, N3);

    @TempDir
    private Path folder;

    private final CountingElection election = new CountingElection();
    private RaftNodeFixture node;
    private LeaderlessWatchdog watchdog;

    /** Counts the attempts to start an election. */
    private static final class CountingElection extends ELECTION {
        private boolean isCoordinator;
        private int started;

        @Override
        public boolean runVotingThread() {
            started++;
            return isCoordinator;
        }
    }

    @BeforeEach
    void start() throws Exception {
        node = new RaftNodeFixture(folder);
        watchdog = new LeaderlessWatchdog(node.raft, election);
    }

    @AfterEach
    void stop() throws Exception {
        node.close();
    }

    @Test
    void a_node_without_a_leader_reports_to_the_coordinator_repeatedly() {
        assertThat(watchdog.look(ALL)).as("at once").isEmpty();
        for (int i = 0; i < 2; i++) {
            ReplicatedLogContract.await(() -> watchdog.look(ALL).equals(Optional.of(N2)));
        }
    }

    @Test
    void the_coordinator_starts_an_election_itself() {
        election.isCoordinator = true;
        ReplicatedLogContract.await(() -> {
            assertThat(watchdog.look(ALL)).isEmpty();
            return election.started > 0;
        });
    }

    @Test
    void a_report_starts_an_election_unless_another_node_leads() {
        watchdog.reported(N3, 1);
        assertThat(election.started).isEqualTo(1);
        node.leading(1);
        watchdog.reported(N3, 1);
        assertThat(election.started).as("this node is the leader").isEqualTo(1);
    }

    @Test
    void a_paused_leader_steps_down_after_a_report_of_a_later_term() {
        node.leading(1);
        watchdog.reported(N3, 2);
        assertThat(node.raft.isLeader()).isFalse();
        assertThat(election.started).isEqualTo(1);
    }

    /** The leader has stepped down while its followers were paused, so they still believe in it. */
    @Test
    void a_report_of_the_supposed_leader_starts_an_election() {
        node.followingN2(1);
        watchdog.reported(N3, 1);
        assertThat(election.started).isZero();
        watchdog.reported(N2, 1);
        assertThat(election.started).isEqualTo(1);
    }

    @Test
    void a_node_with_a_leader_or_without_a_majority_reports_nothing() {
        var few = RaftNodeFixture.view(2, N1);
        assertThat(watchdog.look(few)).isEmpty();
        node.followingN2(1);
        assertThat(watchdog.look(ALL)).isEmpty();
        assertThat(election.started).isZero();
    }
}
