package habemus.mutex;

import static habemus.ProtocolFixture.grant;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.ProtocolFixture;
import habemus.mutex.Raymond.Message;
import habemus.mutex.Raymond.Message.Request;
import habemus.mutex.Raymond.Message.Token;
import habemus.mutex.Raymond.Phase.Holding;
import habemus.mutex.Raymond.Phase.Idle;
import habemus.mutex.Raymond.Phase.Waiting;
import habemus.mutex.Raymond.State;
import habemus.protocol.ProtocolBug;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules, mostly at n2 of five nodes: its parent is n1, its children are n4 and n5. */
class RaymondTest {

    private static ProtocolFixture<State, Message> second() {
        return node(2, 5, new Raymond());
    }

    private static ProtocolFixture<State, Message> holding() {
        return second().acquires().receives(new Token(6), n(1));
    }

    @Test
    void the_root_has_the_token_at_the_start() {
        assertThat(node(1, 5, new Raymond()).state().towards()).isEqualTo(n(1));
        assertThat(node(2, 5, new Raymond()).state().towards()).isEqualTo(n(1));
        assertThat(node(5, 5, new Raymond()).state().towards()).isEqualTo(n(2));
    }

    @Test
    void a_node_sends_its_request_in_the_direction_of_the_token() {
        assertThat(second().acquires().effects()).containsExactly(send(1, new Request()));
        assertThat(second().acquires().state().phase()).isEqualTo(new Waiting());
    }

    @Test
    void a_node_with_the_token_enters_at_once() {
        var n1 = node(1, 5, new Raymond()).acquires();
        assertThat(n1.effects()).containsExactly(grant(1));
        assertThat(n1.state().phase()).isEqualTo(new Holding());
    }

    @Test
    void a_node_forwards_the_request_of_a_neighbour() {
        var n2 = second().receives(new Request(), n(5));
        assertThat(n2.effects()).containsExactly(send(1, new Request()));
        assertThat(n2.state().queue()).containsExactly(n(5));
    }

    @Test
    void a_node_forwards_one_request_for_all_waiters() {
        var n2 = second().receives(new Request(), n(5)).acquires();
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state().queue()).containsExactly(n(5), n(2));
    }

    @Test
    void a_node_that_is_first_in_its_queue_enters_with_the_token() {
        assertThat(holding().effects()).containsExactly(grant(7));
        assertThat(holding().state().towards()).isEqualTo(n(2));
    }

    @Test
    void a_node_passes_the_token_to_the_first_in_its_queue() {
        var n2 = second().receives(new Request(), n(5)).receives(new Token(6), n(1));
        assertThat(n2.effects()).containsExactly(send(5, new Token(6)));
        assertThat(n2.state().towards()).isEqualTo(n(5));
    }

    @Test
    void a_node_requests_the_token_again_for_further_waiters() {
        var n2 = second().receives(new Request(), n(5))
                .receives(new Request(), n(4))
                .receives(new Token(6), n(1));
        assertThat(n2.effects()).containsExactly(send(5, new Token(6)), send(5, new Request()));
        assertThat(n2.state().queue()).containsExactly(n(4));
    }

    @Test
    void a_holder_keeps_the_token() {
        var n2 = holding().receives(new Request(), n(5));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state().queue()).containsExactly(n(5));
    }

    @Test
    void a_holder_passes_the_token_at_its_release() {
        var n2 = holding().receives(new Request(), n(5)).releases();
        assertThat(n2.effects()).containsExactly(send(5, new Token(7)));
        assertThat(n2.state().phase()).isEqualTo(new Idle());
    }

    @Test
    void a_holder_without_waiters_keeps_the_token_at_its_release() {
        var n2 = holding().releases();
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(new State(n(2), n(2), List.of(), false, 7, new Idle()));
    }

    @Test
    void an_acquire_while_waiting_or_holding_is_a_bug() {
        assertThatThrownBy(() -> second().acquires().acquires()).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> holding().acquires()).isInstanceOf(ProtocolBug.class);
    }

    @Test
    void a_release_without_the_lock_is_a_bug() {
        assertThatThrownBy(() -> second().releases()).isInstanceOf(ProtocolBug.class);
    }
}
