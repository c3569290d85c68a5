package habemus.mutex;

import static habemus.ProtocolFixture.grant;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.nodes;
import static habemus.ProtocolFixture.send;
import static habemus.ProtocolFixture.stamp;
import static habemus.protocol.NodeSet.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.ProtocolFixture;
import habemus.mutex.RicartAgrawala.Message;
import habemus.mutex.RicartAgrawala.Message.Reply;
import habemus.mutex.RicartAgrawala.Message.Request;
import habemus.mutex.RicartAgrawala.Phase;
import habemus.mutex.RicartAgrawala.Phase.Holding;
import habemus.mutex.RicartAgrawala.Phase.Waiting;
import habemus.mutex.RicartAgrawala.State;
import habemus.protocol.NodeSet;
import org.junit.jupiter.api.Test;

/** How the broken twin differs, at n2 of three nodes, and how it violates mutual exclusion. */
class RicartAgrawalaByPriorityTest {

    private static final Reply REPLY = new Reply(0);

    private static ProtocolFixture<State, Message> idle(int number) {
        return node(number, 3, new RicartAgrawalaByPriority());
    }

    private static Request request(long time, int node) {
        return new Request(stamp(time, node));
    }

    private static State n2(long clock, Phase phase, NodeSet deferred) {
        return new State(n(2), nodes(1, 3), clock, phase, deferred);
    }

    @Test
    void a_waiting_node_replies_to_a_higher_number_with_a_younger_request() {
        var n2 = idle(2).acquires().receives(request(9, 3), n(3));
        assertThat(n2.effects()).containsExactly(send(3, REPLY));
        assertThat(n2.state()).isEqualTo(n2(9, new Waiting(stamp(1, 2), nodes(1, 3)), NONE));
    }

    @Test
    void a_waiting_node_defers_a_lower_number_with_an_older_request() {
        var n2 = idle(2).receives(request(5, 3), n(3)).acquires().receives(request(1, 1), n(1));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(6, new Waiting(stamp(6, 2), nodes(1, 3)), nodes(1)));
    }

    @Test
    void a_holder_defers_a_higher_number() {
        var n2 = idle(2).acquires().receives(REPLY, n(1)).receives(REPLY, n(3)).receives(request(2, 3), n(3));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(2, new Holding(stamp(1, 2)), nodes(3)));
    }

    @Test
    void two_nodes_enter_if_the_higher_number_requests_after_its_reply() {
        var n2 = idle(2).acquires();
        var n1 = idle(1).receives(request(1, 2), n(2)); // its reply is still in flight
        var n3 = idle(3).receives(request(1, 2), n(2)).acquires();
        n1 = n1.receives(request(2, 3), n(3));
        n2 = n2.receives(REPLY, n(3)).receives(request(2, 3), n(3));
        assertThat(n1.effects()).containsExactly(send(3, REPLY));
        assertThat(n2.effects()).containsExactly(send(3, REPLY));

        n3 = n3.receives(REPLY, n(1)).receives(REPLY, n(2));
        n2 = n2.receives(REPLY, n(1));

        assertThat(n3.effects()).containsExactly(grant(stamp(2, 3)));
        assertThat(n3.state().phase()).isEqualTo(new Holding(stamp(2, 3)));
        assertThat(n2.effects()).containsExactly(grant(stamp(1, 2)));
        assertThat(n2.state().phase()).isEqualTo(new Holding(stamp(1, 2)));
    }
}
