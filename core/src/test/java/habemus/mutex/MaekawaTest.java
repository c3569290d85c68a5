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

/** The rules, as n2 of three nodes follows them, whose voters are n2 and n3. */
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

    private static State n2(Phase phase, long fence, NodeId... line) {
        return new State(nodes(2, 3), phase, List.of(line), fence);
    }

    @Test
    void starts_idle_with_its_vote_at_hand() {
        assertThat(idle().effects()).isEmpty();
        assertThat(idle().state()).isEqualTo(n2(new Idle(), 0));
    }

    @Test
    void asks_its_voting_set_and_nobody_else() {
        assertThat(waiting().effects()).containsExactly(sendAll(nodes(2, 3), new Request()));
        assertThat(waiting().state()).isEqualTo(n2(new Waiting(nodes(2, 3), 0), 0));
    }

    @Test
    void votes_for_the_first_who_asks() {
        var n2 = idle().receives(new Request(), n(1));
        assertThat(n2.effects()).containsExactly(send(1, new Vote(0)));
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 0, n(1)));
    }

    @Test
    void lets_others_stand_in_line_while_its_vote_is_away() {
        var n2 = idle().receives(new Request(), n(1)).receives(new Request(), n(2));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 0, n(1), n(2)));
    }

    @Test
    void votes_for_the_next_when_its_vote_comes_back_and_tells_the_fence_that_came_with_it() {
        var n2 = idle().receives(new Request(), n(1))
                .receives(new Request(), n(2))
                .receives(new Release(7), n(1));
        assertThat(n2.effects()).containsExactly(send(2, new Vote(7)));
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 7, n(2)));
    }

    @Test
    void keeps_its_vote_when_nobody_waits_for_it() {
        var n2 = idle().receives(new Request(), n(1)).receives(new Release(7), n(1));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 7));
    }

    @Test
    void remembers_the_highest_fence_that_came_back() {
        var n2 = idle().receives(new Request(), n(1)).receives(new Release(7), n(1));
        var again = n2.receives(new Request(), n(1)).receives(new Release(5), n(1));
        assertThat(again.state()).isEqualTo(n2(new Idle(), 7));
    }

    @Test
    void waits_for_every_vote() {
        var n2 = waiting().receives(new Vote(4), n(3));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(new Waiting(nodes(2), 4), 0));
    }

    @Test
    void enters_with_the_last_vote_and_a_fence_above_all_that_it_heard_of() {
        assertThat(holding().effects()).containsExactly(new Effect.Grant<>(5));
        assertThat(holding().state()).isEqualTo(n2(new Holding(5), 0));
    }

    @Test
    void returns_all_votes_with_its_fence_when_it_leaves() {
        var n2 = holding().releases();
        assertThat(n2.effects()).containsExactly(sendAll(nodes(2, 3), new Release(5)));
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 0));
    }

    @Test
    void a_vote_that_nobody_waits_for_is_a_bug() {
        assertThatThrownBy(() -> idle().receives(new Vote(0), n(3))).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> waiting().receives(new Vote(0), n(3)).receives(new Vote(0), n(3)))
                .isInstanceOf(ProtocolBug.class);
    }

    @Test
    void asks_only_when_idle_and_leaves_only_when_inside() {
        assertThatThrownBy(() -> waiting().acquires()).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> waiting().releases()).isInstanceOf(ProtocolBug.class);
    }
}
