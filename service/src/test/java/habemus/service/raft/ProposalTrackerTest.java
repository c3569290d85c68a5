package habemus.service.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.ByteString;
import habemus.service.log.IndeterminateOutcomeException;
import habemus.service.log.ProposalRejectedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** When the outcome of a proposal is known, and what it is. */
@SuppressWarnings("FutureReturnValueIgnored") // of proposals whose outcome a test is not about
class ProposalTrackerTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final ProposalTracker tracker = new ProposalTracker(TIMEOUT);

    private CompletableFuture<Void> propose(long number) {
        var proposal = new ProposalTracker.Proposal(number, command(number), tracker.deadline(0));
        tracker.add(proposal);
        return proposal.done;
    }

    private static ByteString command(long number) {
        return ByteString.ofText("p" + number);
    }

    private static void assertRejected(CompletableFuture<Void> outcome, String reason) {
        assertFailed(outcome, ProposalRejectedException.class, reason);
    }

    private static void assertIndeterminate(CompletableFuture<Void> outcome, String reason) {
        assertFailed(outcome, IndeterminateOutcomeException.class, reason);
    }

    private static void assertFailed(CompletableFuture<Void> outcome, Class<?> kind, String reason) {
        assertThat(outcome).isDone();
        assertThatThrownBy(outcome::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(kind)
                .hasMessage(reason);
    }

    // ---- committed ----

    @Test
    void an_applied_proposal_is_committed() {
        var outcome = propose(1);
        tracker.send(3);
        assertThat(outcome).isNotDone();
        tracker.onApplied(1);
        assertThat(outcome).isCompleted();
        assertThat(tracker.size()).isZero();
    }

    @Test
    void an_applied_proposal_stays_committed() {
        var outcome = propose(1);
        tracker.send(3);
        tracker.onApplied(1);
        tracker.onApplied(1);
        tracker.onTermApplied(4);
        tracker.onEntriesSkipped(4);
        tracker.failLate(TIMEOUT.toNanos());
        tracker.failAll();
        assertThat(outcome).isCompleted();
    }

    // ---- rejected ----

    @Test
    void an_entry_of_a_later_term_rejects_what_was_sent_to_an_earlier_leader() {
        var first = propose(1);
        tracker.send(3);
        var second = propose(2);
        tracker.send(4);
        tracker.onTermApplied(4);
        assertRejected(first, "not committed: the leader changed before the commit");
        assertThat(second).isNotDone();
        assertThat(tracker.size()).isEqualTo(1);
    }

    @Test
    void an_entry_of_the_same_term_decides_nothing() {
        var outcome = propose(1);
        tracker.send(3);
        tracker.onTermApplied(3);
        assertThat(outcome).isNotDone();
    }

    @Test
    void an_entry_of_a_later_term_does_not_reject_what_was_never_sent() {
        var outcome = propose(1);
        tracker.onTermApplied(9);
        assertThat(outcome).isNotDone();
        assertThat(tracker.send(9)).containsExactly(command(1));
    }

    @Test
    void a_proposal_that_was_never_sent_is_rejected_after_the_timeout() {
        var outcome = propose(1);
        tracker.failLate(TIMEOUT.toNanos() - 1);
        assertThat(outcome).isNotDone();
        tracker.failLate(TIMEOUT.toNanos());
        assertRejected(outcome, "no leader: no majority of the nodes is connected");
    }

    @Test
    void a_rejected_proposal_is_not_sent_later() {
        propose(1);
        tracker.failLate(TIMEOUT.toNanos());
        var second = propose(2);
        assertThat(tracker.send(3)).containsExactly(command(2));
        assertThat(second).isNotDone();
    }

    @Test
    void a_proposal_that_was_returned_and_not_sent_again_is_rejected_after_the_timeout() {
        var outcome = propose(1);
        tracker.send(3);
        tracker.onReturned(3, List.of(1L));
        tracker.failLate(TIMEOUT.toNanos());
        assertRejected(outcome, "no leader: no majority of the nodes is connected");
    }

    @Test
    void a_proposal_that_was_never_sent_is_rejected_when_the_node_is_closed() {
        var outcome = propose(1);
        tracker.failAll();
        assertRejected(outcome, "not proposed: the node was closed");
    }

    // ---- indeterminate ----

    @Test
    void a_sent_proposal_is_indeterminate_after_the_timeout() {
        var outcome = propose(1);
        tracker.send(3);
        tracker.failLate(TIMEOUT.toNanos());
        assertIndeterminate(outcome, "outcome unknown: no majority acknowledged the entry in time");
    }

    @Test
    void the_deadline_may_pass_the_largest_number_of_the_clock() {
        var proposal = new ProposalTracker.Proposal(1, command(1), tracker.deadline(Long.MAX_VALUE));
        tracker.add(proposal);
        tracker.failLate(Long.MAX_VALUE);
        assertThat(proposal.done).isNotDone();
        tracker.failLate(Long.MAX_VALUE + TIMEOUT.toNanos());
        assertThat(proposal.done).isDone();
    }

    @Test
    void a_sent_proposal_is_indeterminate_after_a_snapshot_of_its_term_or_a_later_one() {
        var first = propose(1);
        tracker.send(3);
        var second = propose(2);
        tracker.send(5);
        var unsent = propose(3);
        tracker.onEntriesSkipped(3);
        assertIndeterminate(first, "outcome unknown: a snapshot replaced the entry");
        assertThat(second).isNotDone();
        assertThat(unsent).isNotDone();
        tracker.onEntriesSkipped(6);
        assertIndeterminate(second, "outcome unknown: a snapshot replaced the entry");
        assertThat(unsent).isNotDone();
    }

    @Test
    void a_sent_proposal_is_indeterminate_when_the_node_is_closed() {
        var outcome = propose(1);
        tracker.send(3);
        tracker.failAll();
        assertIndeterminate(outcome, "outcome unknown: the node was closed");
    }

    // ---- sent again ----

    @Test
    void proposals_are_sent_once_in_their_order() {
        propose(1);
        propose(2);
        assertThat(tracker.hasUnsent()).isTrue();
        assertThat(tracker.send(3)).containsExactly(command(1), command(2));
        assertThat(tracker.hasUnsent()).isFalse();
        assertThat(tracker.send(3)).isEmpty();
    }

    @Test
    void returned_proposals_are_sent_again_in_their_order() {
        for (int number = 1; number <= 4; number++) {
            propose(number);
        }
        tracker.send(3);
        tracker.onReturned(3, List.of(1L, 2L, 3L, 4L));
        assertThat(tracker.send(4)).containsExactly(command(1), command(2), command(3), command(4));
    }

    @Test
    void returned_proposals_are_sent_before_those_that_were_never_sent() {
        propose(1);
        propose(2);
        tracker.send(3);
        propose(3);
        tracker.onReturned(3, List.of(1L, 2L));
        assertThat(tracker.send(4)).containsExactly(command(1), command(2), command(3));
    }

    @Test
    void proposals_that_return_one_after_the_other_keep_their_order() {
        propose(1);
        tracker.send(3);
        propose(2);
        tracker.send(3);
        tracker.onReturned(3, List.of(1L));
        tracker.onReturned(3, List.of(2L));
        assertThat(tracker.send(4)).containsExactly(command(1), command(2));
    }

    @Test
    void a_late_return_of_an_earlier_term_does_not_send_again() {
        var outcome = propose(1);
        tracker.send(3);
        tracker.onReturned(3, List.of(1L));
        tracker.send(4);
        tracker.onReturned(3, List.of(1L));
        assertThat(tracker.hasUnsent()).isFalse();
        assertThat(outcome).isNotDone();
    }

    @Test
    void a_proposal_whose_outcome_is_known_does_not_return() {
        propose(1);
        tracker.send(3);
        tracker.onApplied(1);
        tracker.onReturned(3, List.of(1L));
        assertThat(tracker.hasUnsent()).isFalse();
    }
}
