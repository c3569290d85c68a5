package habemus.mutex;

import static habemus.ProtocolFixture.grant;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.nodes;
import static habemus.ProtocolFixture.send;
import static habemus.ProtocolFixture.sendAll;
import static habemus.ProtocolFixture.stamp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.ProtocolFixture;
import habemus.mutex.Lamport.Message;
import habemus.mutex.Lamport.Message.Ack;
import habemus.mutex.Lamport.Message.Release;
import habemus.mutex.Lamport.Message.Request;
import habemus.mutex.Lamport.Phase;
import habemus.mutex.Lamport.Phase.Holding;
import habemus.mutex.Lamport.Phase.Idle;
import habemus.mutex.Lamport.Phase.Waiting;
import habemus.mutex.Lamport.State;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Stamp;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules, at n2 of three nodes. Its first request has time 1. */
class LamportTest {

    private static ProtocolFixture<State, Message> idle() {
        return node(2, 3, new Lamport());
    }

    private static ProtocolFixture<State, Message> waiting() {
        return idle().acquires();
    }

    private static ProtocolFixture<State, Message> holding() {
        return waiting().receives(new Ack(2), n(1)).receives(new Ack(2), n(3));
    }

    private static State n2(long clock, Phase phase, Stamp... queue) {
        return new State(n(2), nodes(1, 3), clock, List.of(queue), phase);
    }

    private static Waiting unacknowledgedBy(int... silent) {
        return new Waiting(stamp(1, 2), nodes(silent));
    }

    @Test
    void a_node_starts_idle_with_an_empty_queue() {
        assertThat(idle().effects()).isEmpty();
        assertThat(idle().state()).isEqualTo(n2(0, new Idle()));
    }

    @Test
    void a_node_sends_its_request_to_all_peers_and_queues_it() {
        assertThat(waiting().effects()).containsExactly(sendAll(nodes(1, 3), new Request(stamp(1, 2))));
        assertThat(waiting().state()).isEqualTo(n2(1, unacknowledgedBy(1, 3), stamp(1, 2)));
    }

    @Test
    void a_node_without_peers_enters_at_once() {
        var n1 = node(1, 1, new Lamport()).acquires();
        assertThat(n1.effects()).containsExactly(grant(stamp(1, 1)));
        assertThat(n1.state())
                .isEqualTo(new State(n(1), NodeSet.NONE, 1, List.of(stamp(1, 1)), new Holding(stamp(1, 1))));
    }

    @Test
    void a_node_queues_a_request_and_acknowledges_it_with_a_later_clock() {
        var n2 = idle().receives(new Request(stamp(7, 3)), n(3));
        assertThat(n2.effects()).containsExactly(send(3, new Ack(8)));
        assertThat(n2.state()).isEqualTo(n2(8, new Idle(), stamp(7, 3)));
    }

    @Test
    void the_queue_is_ordered_by_timestamp_and_not_by_arrival() {
        var n2 = waiting().receives(new Request(stamp(1, 3)), n(3)).receives(new Request(stamp(1, 1)), n(1));
        assertThat(n2.effects()).containsExactly(send(1, new Ack(3)));
        assertThat(n2.state()).isEqualTo(n2(3, unacknowledgedBy(1, 3), stamp(1, 1), stamp(1, 2), stamp(1, 3)));
    }

    @Test
    void a_node_waits_for_every_acknowledgement() {
        var n2 = waiting().receives(new Ack(2), n(1));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(3, unacknowledgedBy(3), stamp(1, 2)));
    }

    @Test
    void the_oldest_request_enters_with_the_last_acknowledgement() {
        assertThat(holding().effects()).containsExactly(grant(stamp(1, 2)));
        assertThat(holding().state()).isEqualTo(n2(4, new Holding(stamp(1, 2)), stamp(1, 2)));
    }

    @Test
    void a_node_waits_for_the_release_of_an_older_request() {
        var n2 = waiting()
                .receives(new Request(stamp(1, 1)), n(1))
                .receives(new Ack(3), n(1))
                .receives(new Ack(2), n(3));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.receives(new Release(9), n(1)).effects()).containsExactly(grant(stamp(1, 2)));
        assertThat(n2.receives(new Release(9), n(1)).state()).isEqualTo(n2(10, new Holding(stamp(1, 2)), stamp(1, 2)));
    }

    @Test
    void a_holder_acknowledges_requests() {
        var n2 = holding().receives(new Request(stamp(3, 1)), n(1));
        assertThat(n2.effects()).containsExactly(send(1, new Ack(5)));
        assertThat(n2.state()).isEqualTo(n2(5, new Holding(stamp(1, 2)), stamp(1, 2), stamp(3, 1)));
    }

    @Test
    void a_holder_sends_its_release_to_all_peers() {
        var n2 = holding().releases();
        assertThat(n2.effects()).containsExactly(sendAll(nodes(1, 3), new Release(5)));
        assertThat(n2.state()).isEqualTo(n2(5, new Idle()));
    }

    @Test
    void an_unexpected_acknowledgement_is_a_bug() {
        assertThatThrownBy(() -> idle().receives(new Ack(1), n(1))).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> waiting().receives(new Ack(2), n(1)).receives(new Ack(3), n(1)))
                .isInstanceOf(ProtocolBug.class);
    }

    @Test
    void an_acquire_while_waiting_and_a_release_while_idle_are_bugs() {
        assertThatThrownBy(() -> waiting().acquires()).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> idle().releases()).isInstanceOf(ProtocolBug.class);
    }
}
