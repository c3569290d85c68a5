package habemus.mutex;

import static habemus.ProtocolFixture.grant;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.ProtocolFixture;
import habemus.mutex.TokenRing.Message;
import habemus.mutex.TokenRing.Message.Election;
import habemus.mutex.TokenRing.Message.Token;
import habemus.mutex.TokenRing.Phase.Holding;
import habemus.mutex.TokenRing.Phase.Idle;
import habemus.mutex.TokenRing.Phase.Resting;
import habemus.mutex.TokenRing.Phase.Waiting;
import habemus.mutex.TokenRing.State;
import habemus.protocol.ProtocolBug;
import org.junit.jupiter.api.Test;

/** The rules of the token ring, one by one, mostly of the second of four nodes. */
class TokenRingTest {

    private static final TokenRing PLAIN = new TokenRing(false);
    private static final TokenRing CURED = new TokenRing(true);

    private static ProtocolFixture<State, Message> waiting() {
        return node(2, 4, PLAIN).acquires();
    }

    private static ProtocolFixture<State, Message> holding() {
        return waiting().receives(new Token(0, 6), n(1));
    }

    @Test
    void the_first_node_sends_the_token_round() {
        assertThat(node(1, 4, PLAIN).effects()).containsExactly(send(2, new Token(0, 0)));
        assertThat(node(2, 4, PLAIN).effects()).isEmpty();
    }

    @Test
    void passes_the_token_on_if_it_does_not_want_in() {
        var n2 = node(2, 4, PLAIN).receives(new Token(0, 6), n(1));
        assertThat(n2.effects()).containsExactly(send(3, new Token(0, 6)));
    }

    @Test
    void the_last_one_passes_it_to_the_first() {
        var n4 = node(4, 4, PLAIN).receives(new Token(0, 6), n(3));
        assertThat(n4.effects()).containsExactly(send(1, new Token(0, 6)));
    }

    @Test
    void says_nothing_when_it_wants_in() {
        assertThat(waiting().effects()).isEmpty();
        assertThat(waiting().state().phase()).isEqualTo(new Waiting());
    }

    @Test
    void enters_with_the_token_and_its_count_is_the_fence() {
        assertThat(holding().effects()).containsExactly(grant(7));
        assertThat(holding().state().phase()).isEqualTo(new Holding(7));
    }

    @Test
    void passes_the_token_on_when_it_leaves() {
        var n2 = holding().releases();
        assertThat(n2.effects()).containsExactly(send(3, new Token(0, 7)));
        assertThat(n2.state().phase()).isEqualTo(new Idle());
    }

    @Test
    void rests_with_the_token_if_it_is_alone() {
        var n1 = node(1, 1, PLAIN);
        assertThat(n1.state().phase()).isEqualTo(new Resting(0));
        assertThat(n1.acquires().effects()).containsExactly(grant(1));
        assertThat(n1.acquires().releases().state().phase()).isEqualTo(new Resting(1));
    }

    @Test
    void does_nothing_about_a_crash_unless_it_is_to_regenerate() {
        assertThat(node(2, 4, PLAIN).suspects(3).effects()).isEmpty();
        assertThat(node(2, 4, PLAIN).suspects(3).receives(new Token(0, 6), n(1)).effects())
                .containsExactly(send(3, new Token(0, 6)));
    }

    @Test
    void starts_an_election_of_a_new_generation_that_is_nobody_elses() {
        assertThat(node(2, 4, CURED).suspects(4).effects()).containsExactly(send(3, new Election(5, n(2))));
        assertThat(node(3, 4, CURED).suspects(4).effects()).containsExactly(send(1, new Election(6, n(3))));
    }

    @Test
    void skips_who_is_suspected() {
        assertThat(node(2, 4, CURED).suspects(3).effects()).containsExactly(send(4, new Election(5, n(2))));
        assertThat(node(2, 4, CURED).suspects(3).receives(new Token(5, 6), n(1)).effects())
                .containsExactly(send(4, new Token(5, 6)));
    }

    @Test
    void starts_no_election_while_it_has_the_token() {
        var n2 = node(2, 4, CURED).acquires().receives(new Token(0, 6), n(1)).suspects(3);
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.releases().effects()).containsExactly(send(4, new Token(0, 7)));
    }

    @Test
    void passes_an_election_on_and_takes_on_its_generation() {
        var n2 = node(2, 4, CURED).receives(new Election(4, n(1)), n(1));
        assertThat(n2.effects()).containsExactly(send(3, new Election(4, n(1))));
        assertThat(n2.state().generation()).isEqualTo(4);
    }

    @Test
    void ends_an_election_of_an_older_generation() {
        var n2 = node(2, 4, CURED).suspects(4).receives(new Election(4, n(1)), n(1));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state().generation()).isEqualTo(5);
    }

    @Test
    void ends_an_election_whose_initiator_is_down() {
        var n2 = node(2, 4, CURED).suspects(4).receives(new Election(7, n(4)), n(1));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state().generation()).isEqualTo(5);
    }

    @Test
    void ends_an_election_while_it_has_the_token_which_takes_on_the_generation() {
        var n2 = node(2, 4, CURED).acquires().receives(new Token(0, 6), n(1)).receives(new Election(4, n(1)), n(1));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.releases().effects()).containsExactly(send(3, new Token(4, 7)));
    }

    @Test
    void throws_a_token_of_an_older_generation_away() {
        var n2 = node(2, 4, CURED)
                .acquires()
                .receives(new Election(4, n(1)), n(1))
                .receives(new Token(0, 6), n(1));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state().phase()).isEqualTo(new Waiting());
    }

    @Test
    void makes_a_new_token_when_its_election_comes_home() {
        var idle = node(2, 4, CURED).suspects(4);
        assertThat(idle.receives(new Election(5, n(2)), n(1)).effects()).containsExactly(send(3, new Token(5, 0)));
        assertThat(idle.acquires().receives(new Election(5, n(2)), n(1)).effects())
                .containsExactly(grant((5L << 32) + 1));
    }

    @Test
    void asks_itself_if_nobody_else_is_left() {
        var n2 = node(2, 3, CURED).suspects(1, 3);
        assertThat(n2.effects()).containsExactly(send(2, new Election(7, n(2))));
        assertThat(n2.receives(new Election(7, n(2)), n(2)).state().phase()).isEqualTo(new Resting(0));
    }

    @Test
    void sends_the_token_round_again_when_somebody_comes_back() {
        var n2 = node(2, 2, CURED)
                .suspects(1)
                .receives(new Election(3, n(2)), n(2))
                .restores(1);
        assertThat(n2.effects()).containsExactly(send(1, new Token(3, 0)));
    }

    @Test
    void cannot_have_two_tokens() {
        assertThatThrownBy(() -> holding().receives(new Token(0, 6), n(1)))
                .isInstanceOf(ProtocolBug.class)
                .hasMessageContaining("a second token");
    }

    @Test
    void cannot_be_asked_to_enter_while_it_waits_or_is_inside() {
        assertThatThrownBy(() -> waiting().acquires()).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> holding().acquires()).isInstanceOf(ProtocolBug.class);
    }

    @Test
    void cannot_leave_if_it_is_not_inside() {
        assertThatThrownBy(() -> waiting().releases()).isInstanceOf(ProtocolBug.class);
    }
}
