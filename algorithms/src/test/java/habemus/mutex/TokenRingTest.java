package habemus.mutex;

import static habemus.ProtocolFixture.grant;
import static habemus.ProtocolFixture.joining;
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

/** The rules, mostly at n2 of four nodes. */
class TokenRingTest {

    private static final TokenRing PLAIN = new TokenRing(false);
    private static final TokenRing REGENERATING = new TokenRing(true);

    private static ProtocolFixture<State, Message> waiting() {
        return node(2, 4, PLAIN).acquires();
    }

    private static ProtocolFixture<State, Message> holding() {
        return waiting().receives(new Token(0, 6), n(1));
    }

    @Test
    void n1_sends_the_first_token() {
        assertThat(node(1, 4, PLAIN).effects()).containsExactly(send(2, new Token(0, 0)));
        assertThat(node(2, 4, PLAIN).effects()).isEmpty();
    }

    @Test
    void an_idle_node_passes_the_token() {
        var n2 = node(2, 4, PLAIN).receives(new Token(0, 6), n(1));
        assertThat(n2.effects()).containsExactly(send(3, new Token(0, 6)));
    }

    @Test
    void the_last_node_passes_the_token_to_the_first() {
        var n4 = node(4, 4, PLAIN).receives(new Token(0, 6), n(3));
        assertThat(n4.effects()).containsExactly(send(1, new Token(0, 6)));
    }

    @Test
    void a_node_waits_for_the_token_without_messages() {
        assertThat(waiting().effects()).isEmpty();
        assertThat(waiting().state().phase()).isEqualTo(new Waiting());
    }

    @Test
    void a_node_enters_with_the_token_and_its_count_as_the_fence() {
        assertThat(holding().effects()).containsExactly(grant(7));
        assertThat(holding().state().phase()).isEqualTo(new Holding(7));
    }

    @Test
    void a_holder_passes_the_token_at_its_release() {
        var n2 = holding().releases();
        assertThat(n2.effects()).containsExactly(send(3, new Token(0, 7)));
        assertThat(n2.state().phase()).isEqualTo(new Idle());
    }

    @Test
    void a_node_without_peers_keeps_the_token() {
        var n1 = node(1, 1, PLAIN);
        assertThat(n1.state().phase()).isEqualTo(new Resting(0));
        assertThat(n1.acquires().effects()).containsExactly(grant(1));
        assertThat(n1.acquires().releases().state().phase()).isEqualTo(new Resting(1));
    }

    @Test
    void a_node_ignores_suspicions_without_regeneration() {
        assertThat(node(2, 4, PLAIN).suspects(3).effects()).isEmpty();
        assertThat(node(2, 4, PLAIN).suspects(3).receives(new Token(0, 6), n(1)).effects())
                .containsExactly(send(3, new Token(0, 6)));
    }

    @Test
    void each_node_starts_an_election_with_a_generation_of_its_own() {
        assertThat(node(2, 4, REGENERATING).suspects(4).effects()).containsExactly(send(3, new Election(5, n(2))));
        assertThat(node(3, 4, REGENERATING).suspects(4).effects()).containsExactly(send(1, new Election(6, n(3))));
    }

    @Test
    void a_node_skips_suspected_nodes() {
        assertThat(node(2, 4, REGENERATING).suspects(3).effects()).containsExactly(send(4, new Election(5, n(2))));
        assertThat(node(2, 4, REGENERATING)
                        .suspects(3)
                        .receives(new Token(5, 6), n(1))
                        .effects())
                .containsExactly(send(4, new Token(5, 6)));
    }

    @Test
    void a_node_with_the_token_starts_no_election() {
        var n2 = node(2, 4, REGENERATING)
                .acquires()
                .receives(new Token(0, 6), n(1))
                .suspects(3);
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.releases().effects()).containsExactly(send(4, new Token(0, 7)));
    }

    @Test
    void a_node_forwards_an_election_and_adopts_its_generation() {
        var n2 = node(2, 4, REGENERATING).receives(new Election(4, n(1)), n(1));
        assertThat(n2.effects()).containsExactly(send(3, new Election(4, n(1))));
        assertThat(n2.state().generation()).isEqualTo(4);
    }

    @Test
    void a_node_drops_an_election_of_an_older_generation() {
        var n2 = node(2, 4, REGENERATING).suspects(4).receives(new Election(4, n(1)), n(1));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state().generation()).isEqualTo(5);
    }

    @Test
    void a_node_drops_an_election_of_a_suspected_initiator() {
        var n2 = node(2, 4, REGENERATING).suspects(4).receives(new Election(7, n(4)), n(1));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state().generation()).isEqualTo(5);
    }

    @Test
    void a_node_with_the_token_ends_an_election_and_gives_the_token_its_generation() {
        var n2 = node(2, 4, REGENERATING)
                .acquires()
                .receives(new Token(0, 6), n(1))
                .receives(new Election(4, n(1)), n(1));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.releases().effects()).containsExactly(send(3, new Token(4, 7)));
    }

    @Test
    void a_node_drops_a_token_of_an_older_generation() {
        var n2 = node(2, 4, REGENERATING)
                .acquires()
                .receives(new Election(4, n(1)), n(1))
                .receives(new Token(0, 6), n(1));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state().phase()).isEqualTo(new Waiting());
    }

    @Test
    void an_initiator_creates_a_token_when_its_election_returns() {
        var idle = node(2, 4, REGENERATING).suspects(4);
        assertThat(idle.receives(new Election(5, n(2)), n(1)).effects()).containsExactly(send(3, new Token(5, 0)));
        assertThat(idle.acquires().receives(new Election(5, n(2)), n(1)).effects())
                .containsExactly(grant((5L << 32) + 1));
    }

    @Test
    void a_node_that_suspects_all_peers_sends_the_election_to_itself() {
        var n2 = node(2, 3, REGENERATING).suspects(1, 3);
        assertThat(n2.effects()).containsExactly(send(2, new Election(7, n(2))));
        assertThat(n2.receives(new Election(7, n(2)), n(2)).state().phase()).isEqualTo(new Resting(0));
    }

    @Test
    void a_restored_peer_gets_the_resting_token() {
        var n2 = node(2, 2, REGENERATING)
                .suspects(1)
                .receives(new Election(3, n(2)), n(2))
                .restores(1);
        assertThat(n2.effects()).containsExactly(send(1, new Token(3, 0)));
    }

    @Test
    void a_second_token_is_a_bug() {
        assertThatThrownBy(() -> holding().receives(new Token(0, 6), n(1)))
                .isInstanceOf(ProtocolBug.class)
                .hasMessageContaining("a second token");
    }

    @Test
    void an_acquire_while_waiting_or_holding_is_a_bug() {
        assertThatThrownBy(() -> waiting().acquires()).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> holding().acquires()).isInstanceOf(ProtocolBug.class);
    }

    @Test
    void a_release_without_the_lock_is_a_bug() {
        assertThatThrownBy(() -> waiting().releases()).isInstanceOf(ProtocolBug.class);
    }

    @Test
    void a_new_member_has_no_token() {
        var n1 = joining(1, 4, 1, PLAIN);
        assertThat(n1.effects()).isEmpty();
        assertThat(n1.state().phase()).isEqualTo(new Idle());
    }

    @Test
    void a_node_passes_the_token_to_a_new_successor() {
        var n2 = node(2, 2, PLAIN).learnsThatJoined(3, 1).receives(new Token(0, 6), n(1));
        assertThat(n2.effects()).containsExactly(send(3, new Token(0, 6)));
    }

    @Test
    void a_single_node_starts_the_circulation_when_another_joins() {
        assertThat(node(1, 1, PLAIN).learnsThatJoined(2, 1).effects()).containsExactly(send(2, new Token(0, 0)));
    }

    @Test
    void a_holder_that_leaves_passes_the_token() {
        assertThat(holding().leaves().effects()).containsExactly(send(3, new Token(0, 7)));
    }

    @Test
    void a_waiter_that_has_left_does_not_enter() {
        var n2 = waiting().leaves().forwards(new Token(0, 6), n(1));
        assertThat(n2.effects()).containsExactly(send(3, new Token(0, 6)));
    }

    @Test
    void the_token_skips_a_node_that_has_left() {
        var n2 = node(2, 4, PLAIN).learnsThatLeft(3, 1).receives(new Token(0, 6), n(1));
        assertThat(n2.effects()).containsExactly(send(4, new Token(0, 6)));
    }

    @Test
    void the_members_cannot_change_if_the_token_is_regenerated() {
        assertThat(PLAIN.mayJoin(n(5)) && PLAIN.mayLeave(n(2))).isTrue();
        assertThat(REGENERATING.mayJoin(n(5)) || REGENERATING.mayLeave(n(2))).isFalse();
    }
}
