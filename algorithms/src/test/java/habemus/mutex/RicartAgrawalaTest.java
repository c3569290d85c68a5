package habemus.mutex;

import static habemus.ProtocolFixture.grant;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.nodes;
import static habemus.ProtocolFixture.send;
import static habemus.ProtocolFixture.sendAll;
import static habemus.ProtocolFixture.stamp;
import static habemus.protocol.NodeSet.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.ProtocolFixture;
import habemus.mutex.RicartAgrawala.Message;
import habemus.mutex.RicartAgrawala.Message.Reply;
import habemus.mutex.RicartAgrawala.Message.Request;
import habemus.mutex.RicartAgrawala.Phase;
import habemus.mutex.RicartAgrawala.Phase.Holding;
import habemus.mutex.RicartAgrawala.Phase.Idle;
import habemus.mutex.RicartAgrawala.Phase.Waiting;
import habemus.mutex.RicartAgrawala.State;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules, at n2 of three nodes. Its clock starts at 4 unless stated otherwise, so its first request has time 5. */
class RicartAgrawalaTest {

    private static final Reply REPLY = new Reply(0);
    private static final Waiting WAITING = new Waiting(stamp(5, 2), nodes(1, 3));

    private static ProtocolFixture<State, Message> idle() {
        return node(2, 3, new RicartAgrawala(false, List.of(0L, 4L)));
    }

    private static ProtocolFixture<State, Message> clocked() {
        return node(2, 3, new RicartAgrawala(true, List.of(0L, 4L)));
    }

    private static ProtocolFixture<State, Message> waiting() {
        return idle().acquires();
    }

    private static ProtocolFixture<State, Message> holding() {
        return waiting().receives(REPLY, n(1)).receives(REPLY, n(3));
    }

    private static Request request(long time, int node) {
        return new Request(stamp(time, node));
    }

    private static State n2(long clock, Phase phase, NodeSet deferred) {
        return new State(n(2), nodes(1, 3), clock, phase, deferred);
    }

    @Test
    void a_node_starts_idle_with_clock_zero() {
        var n2 = node(2, 3, new RicartAgrawala(false, List.of()));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(0, new Idle(), NONE));
    }

    @Test
    void a_node_starts_with_the_clock_of_the_option() {
        assertThat(idle().effects()).isEmpty();
        assertThat(idle().state()).isEqualTo(n2(4, new Idle(), NONE));
    }

    @Test
    void a_node_that_the_option_does_not_list_starts_with_clock_zero() {
        assertThat(node(2, 3, new RicartAgrawala(false, List.of(7L))).state()).isEqualTo(n2(0, new Idle(), NONE));
    }

    @Test
    void a_node_sends_all_peers_a_request_one_later_than_its_clock() {
        var n2 = idle().acquires();
        assertThat(n2.effects()).containsExactly(sendAll(nodes(1, 3), request(5, 2)));
        assertThat(n2.state()).isEqualTo(n2(5, WAITING, NONE));
    }

    @Test
    void a_node_without_peers_enters_at_once() {
        var n1 = node(1, 1, new RicartAgrawala(false, List.of())).acquires();
        assertThat(n1.effects()).containsExactly(grant(stamp(1, 1)));
        assertThat(n1.state()).isEqualTo(new State(n(1), NONE, 1, new Holding(stamp(1, 1)), NONE));
    }

    @Test
    void an_idle_node_replies_at_once() {
        var n2 = idle().receives(request(1, 3), n(3));
        assertThat(n2.effects()).containsExactly(send(3, REPLY));
        assertThat(n2.state()).isEqualTo(n2(4, new Idle(), NONE));
    }

    @Test
    void a_later_request_advances_the_clock() {
        var n2 = idle().receives(request(9, 3), n(3));
        assertThat(n2.effects()).containsExactly(send(3, REPLY));
        assertThat(n2.state()).isEqualTo(n2(9, new Idle(), NONE));
    }

    @Test
    void a_waiting_node_replies_to_an_older_request() {
        var n2 = waiting().receives(request(4, 3), n(3));
        assertThat(n2.effects()).containsExactly(send(3, REPLY));
        assertThat(n2.state()).isEqualTo(n2(5, WAITING, NONE));
    }

    @Test
    void a_waiting_node_defers_a_younger_request() {
        var n2 = waiting().receives(request(6, 1), n(1));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(6, WAITING, nodes(1)));
    }

    @Test
    void a_waiting_node_defers_an_equally_old_request_of_a_higher_number() {
        var n2 = waiting().receives(request(5, 3), n(3));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(5, WAITING, nodes(3)));
    }

    @Test
    void a_waiting_node_replies_to_an_equally_old_request_of_a_lower_number() {
        var n2 = waiting().receives(request(5, 1), n(1));
        assertThat(n2.effects()).containsExactly(send(1, REPLY));
        assertThat(n2.state()).isEqualTo(n2(5, WAITING, NONE));
    }

    @Test
    void a_node_waits_for_every_reply() {
        var n2 = waiting().receives(REPLY, n(3));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(5, new Waiting(stamp(5, 2), nodes(1)), NONE));
    }

    @Test
    void a_node_enters_with_the_last_reply_and_its_timestamp_as_the_fence() {
        var n2 = waiting().receives(REPLY, n(3)).receives(REPLY, n(1));
        assertThat(n2.effects()).containsExactly(grant(stamp(5, 2)));
        assertThat(n2.state()).isEqualTo(n2(5, new Holding(stamp(5, 2)), NONE));
    }

    @Test
    void a_node_that_enters_keeps_the_deferred_requests() {
        var n2 = waiting().receives(request(6, 1), n(1)).receives(REPLY, n(1)).receives(REPLY, n(3));
        assertThat(n2.effects()).containsExactly(grant(stamp(5, 2)));
        assertThat(n2.state()).isEqualTo(n2(6, new Holding(stamp(5, 2)), nodes(1)));
    }

    @Test
    void a_holder_defers_every_request() {
        var n2 = holding().receives(request(6, 1), n(1));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(6, new Holding(stamp(5, 2)), nodes(1)));
    }

    @Test
    void a_holder_replies_to_all_deferred_requests_at_its_release() {
        var n2 = holding()
                .receives(request(6, 3), n(3))
                .receives(request(7, 1), n(1))
                .releases();
        assertThat(n2.effects()).containsExactly(sendAll(nodes(1, 3), REPLY));
        assertThat(n2.state()).isEqualTo(n2(7, new Idle(), NONE));
    }

    @Test
    void a_holder_without_deferred_requests_sends_nothing_at_its_release() {
        var n2 = holding().releases();
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(5, new Idle(), NONE));
    }

    @Test
    void the_next_request_is_later_than_all_received_ones() {
        var n2 = holding().receives(request(8, 1), n(1)).releases().acquires();
        assertThat(n2.effects()).containsExactly(sendAll(nodes(1, 3), request(9, 2)));
        assertThat(n2.state()).isEqualTo(n2(9, new Waiting(stamp(9, 2), nodes(1, 3)), NONE));
    }

    @Test
    void a_clocked_reply_carries_the_clock() {
        var n2 = clocked().receives(request(9, 3), n(3));
        assertThat(n2.effects()).containsExactly(send(3, new Reply(9)));
        assertThat(n2.state()).isEqualTo(n2(9, new Idle(), NONE));
    }

    @Test
    void clocked_replies_at_the_release_carry_the_clock() {
        var n2 = clocked()
                .acquires()
                .receives(new Reply(1), n(1))
                .receives(new Reply(1), n(3))
                .receives(request(6, 1), n(1))
                .releases();
        assertThat(n2.effects()).containsExactly(sendAll(nodes(1), new Reply(6)));
        assertThat(n2.state()).isEqualTo(n2(6, new Idle(), NONE));
    }

    @Test
    void a_later_clocked_reply_advances_the_clock() {
        var n2 = clocked().acquires().receives(new Reply(11), n(3));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(11, new Waiting(stamp(5, 2), nodes(1)), NONE));
    }

    @Test
    void an_acquire_while_waiting_or_holding_is_a_bug() {
        assertThatThrownBy(() -> waiting().acquires()).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> holding().acquires()).isInstanceOf(ProtocolBug.class);
    }

    @Test
    void a_release_without_the_lock_is_a_bug() {
        assertThatThrownBy(() -> idle().releases()).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> waiting().releases()).isInstanceOf(ProtocolBug.class);
    }

    @Test
    void a_reply_without_a_request_is_a_bug() {
        assertThatThrownBy(() -> idle().receives(REPLY, n(1))).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> holding().receives(REPLY, n(1))).isInstanceOf(ProtocolBug.class);
    }

    @Test
    void a_second_reply_of_the_same_peer_is_a_bug() {
        assertThatThrownBy(() -> waiting().receives(REPLY, n(1)).receives(REPLY, n(1)))
                .isInstanceOf(ProtocolBug.class)
                .hasMessageContaining("Reply from n1 cannot happen");
    }

    @Test
    void a_campaign_is_a_bug() {
        assertThatThrownBy(() -> idle().campaigns()).isInstanceOf(ProtocolBug.class);
    }
}
