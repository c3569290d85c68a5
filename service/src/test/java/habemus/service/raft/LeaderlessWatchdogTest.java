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

/** Whoever misses a leader says so, and whoever is told has one elected. */
class LeaderlessWatchdogTest {

    private static final View ALL = RaftNodeFixture.view(1, N2, N1, N3);

    @TempDir
    private Path folder;

    private final Booth booth = new Booth();
    private RaftNodeFixture node;
    private LeaderlessWatchdog leaderlessWatchdog;

    /** Counts the elections that are asked for. */
    private static final class Booth extends ELECTION {
        private boolean coordinator;
        private int held;

        @Override
        public boolean runVotingThread() {
            held++;
            return coordinator;
        }
    }

    @BeforeEach
    void start() throws Exception {
        node = new RaftNodeFixture(folder);
        leaderlessWatchdog = new LeaderlessWatchdog(node.correctedRaft, booth);
    }

    @AfterEach
    void stop() throws Exception {
        node.close();
    }

    @Test
    void who_misses_a_leader_for_a_while_tells_the_coordinator_again_and_again() {
        assertThat(leaderlessWatchdog.look(ALL)).as("at once").isEmpty();
        for (int i = 0; i < 2; i++) {
            ReplicatedLogContract.await(() -> leaderlessWatchdog.look(ALL).equals(Optional.of(N2)));
        }
    }

    @Test
    void the_coordinator_has_an_election_held_itself() {
        booth.coordinator = true;
        ReplicatedLogContract.await(() -> {
            assertThat(leaderlessWatchdog.look(ALL)).isEmpty();
            return booth.held > 0;
        });
    }

    @Test
    void whoever_is_told_has_one_held_unless_somebody_else_leads() {
        leaderlessWatchdog.reported(N3, 1);
        assertThat(booth.held).isEqualTo(1);
        node.leading(1);
        leaderlessWatchdog.reported(N3, 1);
        assertThat(booth.held).as("this one leads").isEqualTo(1);
    }

    @Test
    void who_led_before_it_stood_still_leads_no_more_when_another_is_in_a_later_term() {
        node.leading(1);
        leaderlessWatchdog.reported(N3, 2);
        assertThat(node.correctedRaft.isLeader()).isFalse();
        assertThat(booth.held).isEqualTo(1);
    }

    /** It leads no more, and its followers do not know: they stood still meanwhile. */
    @Test
    void who_is_believed_to_lead_and_misses_a_leader_is_believed_that() {
        node.followingN2(1);
        leaderlessWatchdog.reported(N3, 1);
        assertThat(booth.held).isZero();
        leaderlessWatchdog.reported(N2, 1);
        assertThat(booth.held).isEqualTo(1);
    }

    @Test
    void where_there_is_a_leader_or_no_majority_nothing_is_missed() {
        var few = RaftNodeFixture.view(2, N1);
        assertThat(leaderlessWatchdog.look(few)).isEmpty();
        node.followingN2(1);
        assertThat(leaderlessWatchdog.look(ALL)).isEmpty();
        assertThat(booth.held).isZero();
    }
}
