package habemus.mutex;

import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.nodes;
import static habemus.ProtocolFixture.send;
import static habemus.ProtocolFixture.sendAll;
import static habemus.ProtocolFixture.stamp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.ProtocolFixture;
import habemus.mutex.MaekawaDeadlockFree.Ballot.Free;
import habemus.mutex.MaekawaDeadlockFree.Message;
import habemus.mutex.MaekawaDeadlockFree.Message.Failed;
import habemus.mutex.MaekawaDeadlockFree.Message.Inquire;
import habemus.mutex.MaekawaDeadlockFree.Message.Release;
import habemus.mutex.MaekawaDeadlockFree.Message.Request;
import habemus.mutex.MaekawaDeadlockFree.Message.Vote;
import habemus.mutex.MaekawaDeadlockFree.Message.Yield;
import habemus.mutex.MaekawaDeadlockFree.Phase;
import habemus.mutex.MaekawaDeadlockFree.Phase.Holding;
import habemus.mutex.MaekawaDeadlockFree.Phase.Idle;
import habemus.mutex.MaekawaDeadlockFree.Phase.Waiting;
import habemus.mutex.MaekawaDeadlockFree.State;
import habemus.protocol.Effect;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Stamp;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules, at n3 of seven nodes. Its voting set is n3, n4 and n6. */
class MaekawaDeadlockFreeTest {

    private static ProtocolFixture<State, Message> idle() {
        return node(3, 7, new MaekawaDeadlockFree(new VotingSets.PlaneLines()));
    }

    /** The node has voted for n2, and n5 waits. */
    private static ProtocolFixture<State, Message> voted() {
        return idle().receives(new Request(stamp(5, 2)), n(2)).receives(new Request(stamp(6, 5)), n(5));
    }

    private static ProtocolFixture<State, Message> waiting() {
        return idle().acquires();
    }

    private static ProtocolFixture<State, Message> holding() {
        return waiting().receives(new Vote(0), n(3)).receives(new Vote(7), n(4)).receives(new Vote(2), n(6));
    }

    private static State voter(long clock, Stamp holder, boolean inquired, Stamp... queue) {
        var given = new MaekawaDeadlockFree.Ballot.Given(holder, inquired);
        return new State(n(3), nodes(3, 4, 6), clock, new Idle(), given, List.of(queue));
    }

    private static State requester(long clock, Phase phase) {
        return new State(n(3), nodes(3, 4, 6), clock, phase, new Free(), List.of());
    }

    private static Waiting missing(int... voters) {
        return new Waiting(stamp(1, 3), nodes(voters), nodes(), nodes());
    }

    @Test
    void a_node_starts_idle_with_a_free_vote() {
        assertThat(idle().effects()).isEmpty();
        assertThat(idle().state()).isEqualTo(requester(0, new Idle()));
    }

    @Test
    void a_node_sends_a_request_with_a_timestamp_to_its_voting_set() {
        assertThat(waiting().effects()).containsExactly(sendAll(nodes(3, 4, 6), new Request(stamp(1, 3))));
        assertThat(waiting().state()).isEqualTo(requester(1, missing(3, 4, 6)));
    }

    @Test
    void a_request_has_a_later_timestamp_than_all_received_ones() {
        assertThat(voted().acquires().effects()).containsExactly(sendAll(nodes(3, 4, 6), new Request(stamp(7, 3))));
    }

    @Test
    void a_voter_with_a_free_vote_votes_at_once() {
        var n3 = idle().receives(new Request(stamp(5, 2)), n(2));
        assertThat(n3.effects()).containsExactly(send(2, new Vote(5)));
        assertThat(n3.state()).isEqualTo(voter(5, stamp(5, 2), false));
    }

    @Test
    void a_voter_sends_failed_to_a_younger_request() {
        assertThat(voted().effects()).containsExactly(send(5, new Failed()));
        assertThat(voted().state()).isEqualTo(voter(6, stamp(5, 2), false, stamp(6, 5)));
    }

    @Test
    void a_voter_inquires_when_an_older_request_arrives() {
        var n3 = voted().receives(new Request(stamp(4, 7)), n(7));
        assertThat(n3.effects()).containsExactly(send(2, new Inquire(stamp(5, 2))));
        assertThat(n3.state()).isEqualTo(voter(6, stamp(5, 2), true, stamp(4, 7), stamp(6, 5)));
    }

    @Test
    void a_voter_sends_failed_to_the_first_in_the_queue_when_a_still_older_request_arrives() {
        var n3 = voted().receives(new Request(stamp(4, 7)), n(7)).receives(new Request(stamp(3, 1)), n(1));
        assertThat(n3.effects()).containsExactly(send(7, new Failed()));
        assertThat(n3.state()).isEqualTo(voter(6, stamp(5, 2), true, stamp(3, 1), stamp(4, 7), stamp(6, 5)));
    }

    @Test
    void a_request_older_than_the_holder_but_not_the_oldest_gets_failed() {
        var n3 = voted().receives(new Request(stamp(3, 1)), n(1)).receives(new Request(stamp(4, 7)), n(7));
        assertThat(n3.effects()).containsExactly(send(7, new Failed()));
    }

    @Test
    void a_yielded_vote_goes_to_the_oldest_request_and_the_yielding_one_is_queued_again() {
        var n3 = voted().receives(new Request(stamp(4, 7)), n(7)).receives(new Yield(), n(2));
        assertThat(n3.effects()).containsExactly(send(7, new Vote(6)));
        assertThat(n3.state()).isEqualTo(voter(6, stamp(4, 7), false, stamp(5, 2), stamp(6, 5)));
    }

    @Test
    void a_released_vote_goes_to_the_oldest_request_with_the_clock_of_the_release() {
        var n3 = voted().receives(new Release(9), n(2));
        assertThat(n3.effects()).containsExactly(send(5, new Vote(9)));
        assertThat(n3.state()).isEqualTo(voter(9, stamp(6, 5), false));
        assertThat(n3.receives(new Release(8), n(5)).state()).isEqualTo(requester(9, new Idle()));
    }

    @Test
    void a_node_enters_with_the_last_vote_and_a_fence_above_all_clocks() {
        assertThat(holding().effects()).containsExactly(new Effect.Grant<>(8));
        assertThat(holding().state()).isEqualTo(requester(8, new Holding()));
    }

    @Test
    void a_node_without_a_failed_does_not_yield() {
        var n3 = waiting().receives(new Vote(0), n(4)).receives(new Inquire(stamp(1, 3)), n(4));
        assertThat(n3.effects()).isEmpty();
        assertThat(n3.state()).isEqualTo(requester(1, new Waiting(stamp(1, 3), nodes(3, 6), nodes(), nodes(4))));
    }

    @Test
    void a_node_that_has_failed_yields_at_an_inquiry() {
        var n3 = waiting()
                .receives(new Failed(), n(6))
                .receives(new Vote(0), n(4))
                .receives(new Inquire(stamp(1, 3)), n(4));
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4), new Yield()));
        assertThat(n3.state()).isEqualTo(requester(1, new Waiting(stamp(1, 3), nodes(3, 4, 6), nodes(4, 6), nodes())));
    }

    @Test
    void a_node_with_an_open_inquiry_yields_when_it_fails() {
        var n3 = waiting()
                .receives(new Vote(0), n(4))
                .receives(new Inquire(stamp(1, 3)), n(4))
                .receives(new Failed(), n(6));
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4), new Yield()));
        assertThat(n3.state()).isEqualTo(requester(1, new Waiting(stamp(1, 3), nodes(3, 4, 6), nodes(4, 6), nodes())));
    }

    @Test
    void a_vote_cancels_an_earlier_failed_of_the_same_voter() {
        var n3 = waiting().receives(new Failed(), n(6)).receives(new Vote(0), n(6));
        assertThat(n3.state()).isEqualTo(requester(1, missing(3, 4)));
    }

    @Test
    void a_holder_ignores_inquiries_because_its_release_answers_them() {
        assertThat(holding().receives(new Inquire(stamp(1, 3)), n(4)).effects()).isEmpty();
        assertThat(holding()
                        .releases()
                        .acquires()
                        .receives(new Inquire(stamp(1, 3)), n(4))
                        .effects())
                .isEmpty();
    }

    @Test
    void a_holder_sends_a_release_with_its_clock_to_all_voters() {
        assertThat(holding().releases().effects()).containsExactly(sendAll(nodes(3, 4, 6), new Release(8)));
        assertThat(holding().releases().state()).isEqualTo(requester(8, new Idle()));
    }

    @Test
    void an_unexpected_vote_failed_or_yield_is_a_bug() {
        assertThatThrownBy(() -> idle().receives(new Vote(0), n(4))).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> idle().receives(new Failed(), n(4))).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> idle().receives(new Yield(), n(4))).isInstanceOf(ProtocolBug.class);
    }

    @Test
    void an_acquire_or_a_release_while_waiting_is_a_bug() {
        assertThatThrownBy(() -> waiting().acquires()).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> waiting().releases()).isInstanceOf(ProtocolBug.class);
    }
}
