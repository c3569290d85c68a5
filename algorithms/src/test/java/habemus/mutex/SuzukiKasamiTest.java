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

/** The rules, at n1 and n2 of three nodes. */
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
    void n1_has_the_token_at_the_start() {
        assertThat(first().state().phase()).isEqualTo(new Resting(token(List.of(0L, 0L, 0L))));
        assertThat(second().state().phase()).isEqualTo(new Idle());
    }

    @Test
    void a_node_broadcasts_a_numbered_request() {
        var n2 = second().acquires();
        assertThat(n2.effects()).containsExactly(sendAll(nodes(1, 3), new Request(1)));
        assertThat(n2.state().phase()).isEqualTo(new Waiting());
    }

    @Test
    void a_node_with_the_token_enters_without_messages() {
        var n1 = first().acquires();
        assertThat(n1.effects()).containsExactly(grant(1));
        assertThat(n1.state().phase()).isEqualTo(new Holding(token(List.of(1L, 0L, 0L))));
    }

    @Test
    void a_node_enters_with_the_token_and_the_number_of_served_requests_as_the_fence() {
        assertThat(holding().effects()).containsExactly(grant(7));
        assertThat(holding().state().phase()).isEqualTo(new Holding(token(List.of(4L, 1L, 2L))));
    }

    @Test
    void an_unused_token_goes_to_the_node_that_requests_it() {
        var n1 = first().receives(new Request(1), n(3));
        assertThat(n1.effects()).containsExactly(send(3, token(List.of(0L, 0L, 0L))));
        assertThat(n1.state().phase()).isEqualTo(new Idle());
    }

    @Test
    void an_unused_token_ignores_a_served_request() {
        var n2 = holding().releases().receives(new Request(2), n(3));
        assertThat(n2.effects()).isEmpty();
    }

    @Test
    void a_holder_keeps_the_token() {
        assertThat(holding().receives(new Request(3), n(3)).effects()).isEmpty();
    }

    @Test
    void a_holder_passes_the_token_with_the_queue_of_waiters() {
        var n2 = holding()
                .receives(new Request(3), n(3))
                .receives(new Request(5), n(1))
                .releases();
        assertThat(n2.effects()).containsExactly(send(1, token(List.of(4L, 1L, 2L), n(3))));
        assertThat(n2.state().phase()).isEqualTo(new Idle());
    }

    @Test
    void new_waiters_are_queued_behind_those_in_the_token() {
        var n2 = second().acquires()
                .receives(token(List.of(4L, 0L, 2L), n(3)), n(1))
                .receives(new Request(3), n(3))
                .receives(new Request(5), n(1))
                .releases();
        assertThat(n2.effects()).containsExactly(send(3, token(List.of(4L, 1L, 2L), n(1))));
    }

    @Test
    void a_holder_without_waiters_keeps_the_token_at_its_release() {
        assertThat(holding().releases().effects()).isEmpty();
        assertThat(holding().releases().state().phase()).isEqualTo(new Resting(token(List.of(4L, 1L, 2L))));
    }

    @Test
    void a_node_ignores_an_old_request() {
        var n2 = second().receives(new Request(3), n(3)).receives(new Request(2), n(3));
        assertThat(n2.state().asked()).containsExactly(0L, 0L, 3L);
    }

    @Test
    void an_unexpected_token_is_a_bug() {
        assertThatThrownBy(() -> first().receives(token(List.of(0L, 0L, 0L)), n(2)))
                .isInstanceOf(ProtocolBug.class);
    }

    @Test
    void an_acquire_while_waiting_or_holding_is_a_bug() {
        assertThatThrownBy(() -> second().acquires().acquires()).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> holding().acquires()).isInstanceOf(ProtocolBug.class);
    }

    @Test
    void a_release_without_the_lock_is_a_bug() {
        assertThatThrownBy(() -> first().releases()).isInstanceOf(ProtocolBug.class);
    }
}
