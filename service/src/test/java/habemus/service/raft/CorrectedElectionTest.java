package habemus.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.jgroups.Address;
import org.jgroups.protocols.raft.election.VoteResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which voter becomes leader. */
class CorrectedElectionTest {

    private static final Address N1 = RaftNodeFixture.N1;
    private static final Address N2 = RaftNodeFixture.N2;
    private static final Address N3 = RaftNodeFixture.N3;

    private static final class Count extends CorrectedElection {

        Count(Address... present) {
            view = RaftNodeFixture.view(2, present);
            getVotes().reset(List.of(N1, N2, N3));
        }

        Count vote(Address voter, long lastTerm, long lastIndex) {
            getVotes().add(voter, new VoteResponse(3, lastTerm, lastIndex));
            return this;
        }

        @Nullable
        Address leader() {
            return determineLeader();
        }
    }

    /** Jgroups-raft would start one term after the other, as fast as the disk can write them. */
    @Test
    void no_election_round_starts_without_a_majority(@TempDir Path folder) throws Exception {
        try (var node = new RaftNodeFixture(folder)) {
            var election = new Count(N1);
            election.raft(node.raft).startVotingThread();
            ReplicatedLogContract.await(() -> !election.isVotingThreadRunning());
            assertThat(node.raft.currentTerm()).isZero();
        }
    }

    @Test
    void the_voter_with_the_longest_log_becomes_leader() {
        assertThat(new Count(N2, N1, N3).vote(N1, 1, 9).vote(N2, 2, 7).leader()).isEqualTo(N2);
        assertThat(new Count(N2, N1, N3).vote(N1, 2, 9).vote(N2, 2, 7).leader()).isEqualTo(N1);
    }

    @Test
    void no_node_becomes_leader_if_a_voter_has_left() {
        assertThat(new Count(N2, N3).vote(N1, 2, 9).vote(N2, 2, 7).leader()).isNull();
    }
}
