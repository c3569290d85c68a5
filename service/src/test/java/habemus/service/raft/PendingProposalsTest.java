package habemus.service.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Nobody waits for ever, and nobody is told more than is known. */
class PendingProposalsTest {

    private final PendingProposals late = new PendingProposals(Duration.ZERO);
    private final PendingProposals patient = new PendingProposals(Duration.ofHours(1));

    private static PendingProposals.Proposal begin(PendingProposals pendingProposals) {
        return pendingProposals.begin(number -> new PeerMessage.Propose(new byte[0]));
    }

    private static void assertFailed(PendingProposals.Proposal proposal, Class<? extends Throwable> how) {
        assertThat(proposal.done).isDone();
        assertThatThrownBy(proposal.done::join).hasCauseInstanceOf(how);
    }

    @Test
    void what_nobody_was_asked_for_was_certainly_not_committed() {
        var proposal = begin(late);
        ReplicatedLogContract.await(() -> {
            late.failLate();
            return late.size() == 0;
        });
        assertFailed(proposal, ProposalRejectedException.class);
    }

    @Test
    void what_was_refused_is_asked_for_of_nobody() {
        var proposal = begin(late);
        assertThat(proposal.giveUp()).isInstanceOf(ProposalRejectedException.class);
        assertThat(proposal.ask(1)).isFalse();
        assertThat(proposal.giveUp()).isInstanceOf(ProposalRejectedException.class);
    }

    @Test
    void of_what_a_leader_was_asked_for_nobody_knows() {
        var proposal = begin(late);
        proposal.ask(1);
        ReplicatedLogContract.await(() -> {
            late.failLate();
            return late.size() == 0;
        });
        assertFailed(proposal, IndeterminateOutcomeException.class);
    }

    @Test
    void what_the_leader_took_with_it_is_given_up_when_the_next_one_begins() {
        var before = begin(patient);
        before.ask(1);
        var after = begin(patient);
        after.ask(2);
        var unasked = begin(patient);
        patient.failBefore(2);
        assertFailed(before, IndeterminateOutcomeException.class);
        assertThat(after.done).isNotDone();
        assertThat(unasked.done).isNotDone();
    }

    @Test
    void what_was_not_taken_is_asked_for_again() {
        var proposal = begin(patient);
        proposal.ask(1);
        proposal.unask();
        patient.failBefore(2);
        assertThat(proposal.done).isNotDone();
        patient.complete(proposal.number);
        assertThat(proposal.done).isCompleted();
        assertThat(patient.size()).isZero();
    }
}
