package habemus.service.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Every proposal ends, and its outcome claims no more than the node knows. */
class PendingProposalsTest {

    private final PendingProposals timedOut = new PendingProposals(Duration.ZERO);
    private final PendingProposals patient = new PendingProposals(Duration.ofHours(1));

    private static PendingProposals.Proposal begin(PendingProposals pendingProposals) {
        return pendingProposals.begin(number -> new PeerMessage.Propose(new byte[0]));
    }

    private static void assertFailed(PendingProposals.Proposal proposal, Class<? extends Throwable> cause) {
        assertThat(proposal.done).isDone();
        assertThatThrownBy(proposal.done::join).hasCauseInstanceOf(cause);
    }

    @Test
    void a_proposal_that_was_never_sent_is_rejected() {
        var proposal = begin(timedOut);
        ReplicatedLogContract.await(() -> {
            timedOut.failLate();
            return timedOut.size() == 0;
        });
        assertFailed(proposal, ProposalRejectedException.class);
    }

    @Test
    void a_rejected_proposal_is_never_sent() {
        var proposal = begin(timedOut);
        assertThat(proposal.timeOut()).isInstanceOf(ProposalRejectedException.class);
        assertThat(proposal.markSent(1)).isFalse();
        assertThat(proposal.timeOut()).isInstanceOf(ProposalRejectedException.class);
    }

    @Test
    void a_sent_proposal_that_times_out_is_indeterminate() {
        var proposal = begin(timedOut);
        proposal.markSent(1);
        ReplicatedLogContract.await(() -> {
            timedOut.failLate();
            return timedOut.size() == 0;
        });
        assertFailed(proposal, IndeterminateOutcomeException.class);
    }

    @Test
    void a_proposal_to_the_old_leader_is_indeterminate_when_the_next_one_starts() {
        var before = begin(patient);
        before.markSent(1);
        var after = begin(patient);
        after.markSent(2);
        var unsent = begin(patient);
        patient.failBefore(2);
        assertFailed(before, IndeterminateOutcomeException.class);
        assertThat(after.done).isNotDone();
        assertThat(unsent.done).isNotDone();
    }

    @Test
    void a_proposal_that_the_receiver_did_not_take_can_be_sent_again() {
        var proposal = begin(patient);
        proposal.markSent(1);
        proposal.markNotSent();
        patient.failBefore(2);
        assertThat(proposal.done).isNotDone();
        patient.complete(proposal.number);
        assertThat(proposal.done).isCompleted();
        assertThat(patient.size()).isZero();
    }
}
