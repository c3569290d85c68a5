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

/** The rules of Raymond, one by one, of five nodes: n2 stands below n1 and above n4 and n5. */
class RaymondTest {

    private static ProtocolFixture<State, Message> second() {
        return node(2, 5, new Raymond());
    }

    private static ProtocolFixture<State, Message> holding() {
        return second().acquires().receives(new Token(6), n(1));
    }

    @Test
    void the_token_is_at_the_top_of_the_tree_at_the_start() {
        assertThat(node(1, 5, new Raymond()).state().towards()).isEqualTo(n(1));
        assertThat(node(2, 5, new Raymond()).state().towards()).isEqualTo(n(1));
        assertThat(node(5, 5, new Raymond()).state().towards()).isEqualTo(n(2));
    }

    @Test
    void asks_the_neighbour_in_the_direction_of_the_token() {
        assertThat(second().acquires().effects()).containsExactly(send(1, new Request()));
        assertThat(second().acquires().state().phase()).isEqualTo(new Waiting());
    }

    @Test
    void enters_at_once_if_the_token_is_here() {
        var n1 = node(1, 5, new Raymond()).acquires();
        assertThat(n1.effects()).containsExactly(grant(1));
        assertThat(n1.state().phase()).isEqualTo(new Holding());
    }

    @Test
    void asks_on_for_a_neighbour() {
        var n2 = second().receives(new Request(), n(5));
        assertThat(n2.effects()).containsExactly(send(1, new Request()));
        assertThat(n2.state().queue()).containsExactly(n(5));
    }

    @Test
    void asks_only_once_for_all_who_wait() {
        var n2 = second().receives(new Request(), n(5)).acquires();
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state().queue()).containsExactly(n(5), n(2));
    }

    @Test
    void enters_with_the_token_if_it_is_the_first_that_asked() {
        assertThat(holding().effects()).containsExactly(grant(7));
        assertThat(holding().state().towards()).isEqualTo(n(2));
    }

    @Test
    void sends_the_token_to_the_first_that_asked() {
        var n2 = second().receives(new Request(), n(5)).receives(new Token(6), n(1));
        assertThat(n2.effects()).containsExactly(send(5, new Token(6)));
        assertThat(n2.state().towards()).isEqualTo(n(5));
    }

    @Test
    void asks_for_the_token_back_if_others_wait() {
        var n2 = second().receives(new Request(), n(5))
                .receives(new Request(), n(4))
                .receives(new Token(6), n(1));
        assertThat(n2.effects()).containsExactly(send(5, new Token(6)), send(5, new Request()));
        assertThat(n2.state().queue()).containsExactly(n(4));
    }

    @Test
    void keeps_the_token_while_it_is_inside() {
        var n2 = holding().receives(new Request(), n(5));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state().queue()).containsExactly(n(5));
    }

    @Test
    void hands_the_token_on_when_it_leaves() {
        var n2 = holding().receives(new Request(), n(5)).releases();
        assertThat(n2.effects()).containsExactly(send(5, new Token(7)));
        assertThat(n2.state().phase()).isEqualTo(new Idle());
    }

    @Test
    void keeps_the_token_if_nobody_waits() {
        var n2 = holding().releases();
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(new State(n(2), n(2), List.of(), false, 7, new Idle()));
    }

    @Test
    void cannot_be_asked_to_enter_while_it_waits_or_is_inside() {
        assertThatThrownBy(() -> second().acquires().acquires()).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> holding().acquires()).isInstanceOf(ProtocolBug.class);
    }

    @Test
    void cannot_leave_if_it_is_not_inside() {
        assertThatThrownBy(() -> second().releases()).isInstanceOf(ProtocolBug.class);
    }
}
