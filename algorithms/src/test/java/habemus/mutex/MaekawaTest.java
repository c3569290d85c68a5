package habemus.mutex;

import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.nodes;
import static habemus.ProtocolFixture.send;
import static habemus.ProtocolFixture.sendAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.ProtocolFixture;
import habemus.mutex.Maekawa.Message;
import habemus.mutex.Maekawa.Message.Release;
import habemus.mutex.Maekawa.Message.Request;
import habemus.mutex.Maekawa.Message.Vote;
import habemus.mutex.Maekawa.Phase;
import habemus.mutex.Maekawa.Phase.Holding;
import habemus.mutex.Maekawa.Phase.Idle;
import habemus.mutex.Maekawa.Phase.Waiting;
import habemus.mutex.Maekawa.State;
import habemus.protocol.Effect;
import habemus.protocol.NodeId;
import habemus.protocol.ProtocolBug;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules, at n2 of three nodes. Its voting set is n2 and n3. */
class MaekawaTest {

    private static ProtocolFixture<State, Message> idle() {
        return node(2, 3, new Maekawa(new VotingSets.PlaneLines()));
    }

    private static ProtocolFixture<State, Message> waiting() {
        return idle().acquires();
    }

    private static ProtocolFixture<State, Message> holding() {
        return waiting().receives(new Vote(4), n(2)).receives(new Vote(3), n(3));
    }

    private static State n2(Phase phase, long fence, NodeId... queue) {
        return new State(nodes(2, 3), phase, List.of(queue), fence);
    }

    @Test
    void a_node_starts_idle_with_a_free_vote() {
        assertThat(idle().effects()).isEmpty();
        assertThat(idle().state()).isEqualTo(n2(new Idle(), 0));
    }

    @Test
    void a_node_sends_its_request_to_its_voting_set_only() {
        assertThat(waiting().effects()).containsExactly(sendAll(nodes(2, 3), new Request()));
        assertThat(waiting().state()).isEqualTo(n2(new Waiting(nodes(2, 3), 0), 0));
    }

    @Test
    void a_voter_with_a_free_vote_votes_at_once() {
        var n2 = idle().receives(new Request(), n(1));
        assertThat(n2.effects()).containsExactly(send(1, new Vote(0)));
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 0, n(1)));
    }

    @Test
    void a_voter_queues_requests_until_its_vote_returns() {
        var n2 = idle().receives(new Request(), n(1)).receives(new Request(), n(2));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 0, n(1), n(2)));
    }

    @Test
    void a_voter_votes_for_the_next_request_with_the_fence_of_the_release() {
        var n2 = idle().receives(new Request(), n(1))
                .receives(new Request(), n(2))
                .receives(new Release(7), n(1));
        assertThat(n2.effects()).containsExactly(send(2, new Vote(7)));
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 7, n(2)));
    }

    @Test
    void a_returned_vote_without_waiters_is_free() {
        var n2 = idle().receives(new Request(), n(1)).receives(new Release(7), n(1));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 7));
    }

    @Test
    void a_voter_remembers_the_highest_fence_of_all_releases() {
        var n2 = idle().receives(new Request(), n(1)).receives(new Release(7), n(1));
        var again = n2.receives(new Request(), n(1)).receives(new Release(5), n(1));
        assertThat(again.state()).isEqualTo(n2(new Idle(), 7));
    }

    @Test
    void a_node_waits_for_every_vote() {
        var n2 = waiting().receives(new Vote(4), n(3));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(new Waiting(nodes(2), 4), 0));
    }

    @Test
    void a_node_enters_with_the_last_vote_and_a_fence_above_those_of_all_votes() {
        assertThat(holding().effects()).containsExactly(new Effect.Grant<>(5));
        assertThat(holding().state()).isEqualTo(n2(new Holding(5), 0));
    }

    @Test
    void a_holder_sends_a_release_with_its_fence_to_all_voters() {
        var n2 = holding().releases();
        assertThat(n2.effects()).containsExactly(sendAll(nodes(2, 3), new Release(5)));
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 0));
    }

    @Test
    void an_unexpected_vote_is_a_bug() {
        assertThatThrownBy(() -> idle().receives(new Vote(0), n(3))).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> waiting().receives(new Vote(0), n(3)).receives(new Vote(0), n(3)))
                .isInstanceOf(ProtocolBug.class);
    }

    @Test
    void an_acquire_or_a_release_while_waiting_is_a_bug() {
        assertThatThrownBy(() -> waiting().acquires()).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> waiting().releases()).isInstanceOf(ProtocolBug.class);
    }
}
