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

/** What the broken twin does otherwise, as n2 of three nodes does it, and what comes of it. */
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
    void answers_a_higher_number_although_ours_is_older() {
        var n2 = idle(2).acquires().receives(request(9, 3), n(3));
        assertThat(n2.effects()).containsExactly(send(3, REPLY));
        assertThat(n2.state()).isEqualTo(n2(9, new Waiting(stamp(1, 2), nodes(1, 3)), NONE));
    }

    @Test
    void lets_a_lower_number_wait_although_theirs_is_older() {
        var n2 = idle(2).receives(request(5, 3), n(3)).acquires().receives(request(1, 1), n(1));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(6, new Waiting(stamp(6, 2), nodes(1, 3)), nodes(1)));
    }

    @Test
    void lets_a_higher_number_wait_while_it_is_inside() {
        var n2 = idle(2).acquires().receives(REPLY, n(1)).receives(REPLY, n(3)).receives(request(2, 3), n(3));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(2, new Holding(stamp(1, 2)), nodes(3)));
    }

    @Test
    void lets_two_in_if_a_higher_number_asks_after_it_has_answered() {
        var n2 = idle(2).acquires();
        var n1 = idle(1).receives(request(1, 2), n(2)); // whose answer takes its time
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
