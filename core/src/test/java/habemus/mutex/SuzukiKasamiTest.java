package habemus.mutex;

import static habemus.ProtocolFixture.grant;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.nodes;
import static habemus.ProtocolFixture.send;
import static habemus.ProtocolFixture.sendAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.ProtocolFixture;
import habemus.mutex.SuzukiKasami.Message;
import habemus.mutex.SuzukiKasami.Message.Request;
import habemus.mutex.SuzukiKasami.Message.Token;
import habemus.mutex.SuzukiKasami.Phase.Holding;
import habemus.mutex.SuzukiKasami.Phase.Idle;
import habemus.mutex.SuzukiKasami.Phase.Resting;
import habemus.mutex.SuzukiKasami.Phase.Waiting;
import habemus.mutex.SuzukiKasami.State;
import habemus.protocol.NodeId;
import habemus.protocol.ProtocolBug;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of Suzuki and Kasami, one by one, of three nodes. */
class SuzukiKasamiTest {

    private static ProtocolFixture<State, Message> first() {
        return node(1, 3, new SuzukiKasami());
    }

    private static ProtocolFixture<State, Message> second() {
        return node(2, 3, new SuzukiKasami());
    }

    private static ProtocolFixture<State, Message> holding() {
        return second().acquires().receives(token(List.of(4L, 0L, 2L)), n(1));
    }

    private static Token token(List<Long> served, NodeId... queue) {
        return new Token(served, List.of(queue));
    }

    @Test
    void the_first_node_has_the_token_at_the_start() {
        assertThat(first().state().phase()).isEqualTo(new Resting(token(List.of(0L, 0L, 0L))));
        assertThat(second().state().phase()).isEqualTo(new Idle());
    }

    @Test
    void tells_everybody_the_number_of_its_request() {
        var n2 = second().acquires();
        assertThat(n2.effects()).containsExactly(sendAll(nodes(1, 3), new Request(1)));
        assertThat(n2.state().phase()).isEqualTo(new Waiting());
    }

    @Test
    void enters_without_a_word_if_the_token_is_here() {
        var n1 = first().acquires();
        assertThat(n1.effects()).containsExactly(grant(1));
        assertThat(n1.state().phase()).isEqualTo(new Holding(token(List.of(1L, 0L, 0L))));
    }

    @Test
    void enters_with_the_token_and_the_sum_of_all_served_is_the_fence() {
        assertThat(holding().effects()).containsExactly(grant(7));
        assertThat(holding().state().phase()).isEqualTo(new Holding(token(List.of(4L, 1L, 2L))));
    }

    @Test
    void sends_the_token_to_who_asks_if_it_rests_here() {
        var n1 = first().receives(new Request(1), n(3));
        assertThat(n1.effects()).containsExactly(send(3, token(List.of(0L, 0L, 0L))));
        assertThat(n1.state().phase()).isEqualTo(new Idle());
    }

    @Test
    void keeps_the_token_from_a_request_that_was_served_already() {
        var n2 = holding().releases().receives(new Request(2), n(3));
        assertThat(n2.effects()).isEmpty();
    }

    @Test
    void keeps_the_token_while_it_is_inside() {
        assertThat(holding().receives(new Request(3), n(3)).effects()).isEmpty();
    }

    @Test
    void hands_the_token_on_when_it_leaves_with_those_who_still_wait() {
        var n2 = holding()
                .receives(new Request(3), n(3))
                .receives(new Request(5), n(1))
                .releases();
        assertThat(n2.effects()).containsExactly(send(1, token(List.of(4L, 1L, 2L), n(3))));
        assertThat(n2.state().phase()).isEqualTo(new Idle());
    }

    @Test
    void puts_those_who_asked_meanwhile_behind_those_in_the_queue() {
        var n2 = second().acquires()
                .receives(token(List.of(4L, 0L, 2L), n(3)), n(1))
                .receives(new Request(3), n(3))
                .receives(new Request(5), n(1))
                .releases();
        assertThat(n2.effects()).containsExactly(send(3, token(List.of(4L, 1L, 2L), n(1))));
    }

    @Test
    void rests_with_the_token_if_nobody_waits() {
        assertThat(holding().releases().effects()).isEmpty();
        assertThat(holding().releases().state().phase()).isEqualTo(new Resting(token(List.of(4L, 1L, 2L))));
    }

    @Test
    void does_not_mind_an_old_request() {
        var n2 = second().receives(new Request(3), n(3)).receives(new Request(2), n(3));
        assertThat(n2.state().asked()).containsExactly(0L, 0L, 3L);
    }

    @Test
    void cannot_get_a_token_that_it_does_not_wait_for() {
        assertThatThrownBy(() -> first().receives(token(List.of(0L, 0L, 0L)), n(2)))
                .isInstanceOf(ProtocolBug.class);
    }

    @Test
    void cannot_be_asked_to_enter_while_it_waits_or_is_inside() {
        assertThatThrownBy(() -> second().acquires().acquires()).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> holding().acquires()).isInstanceOf(ProtocolBug.class);
    }

    @Test
    void cannot_leave_if_it_is_not_inside() {
        assertThatThrownBy(() -> first().releases()).isInstanceOf(ProtocolBug.class);
    }
}
