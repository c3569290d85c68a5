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

/** The rules, as n2 of three nodes follows them. Its clock starts at 4 where that matters, so it asks at 5. */
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
    void starts_idle_with_its_clock_at_zero() {
        var n2 = node(2, 3, new RicartAgrawala(false, List.of()));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(0, new Idle(), NONE));
    }

    @Test
    void starts_its_clock_where_the_option_says() {
        assertThat(idle().effects()).isEmpty();
        assertThat(idle().state()).isEqualTo(n2(4, new Idle(), NONE));
    }

    @Test
    void starts_its_clock_at_zero_if_the_option_does_not_reach_it() {
        assertThat(node(2, 3, new RicartAgrawala(false, List.of(7L))).state()).isEqualTo(n2(0, new Idle(), NONE));
    }

    @Test
    void asks_everybody_with_a_stamp_one_later_than_its_clock() {
        var n2 = idle().acquires();
        assertThat(n2.effects()).containsExactly(sendAll(nodes(1, 3), request(5, 2)));
        assertThat(n2.state()).isEqualTo(n2(5, WAITING, NONE));
    }

    @Test
    void enters_at_once_if_nobody_else_is_there() {
        var n1 = node(1, 1, new RicartAgrawala(false, List.of())).acquires();
        assertThat(n1.effects()).containsExactly(grant(stamp(1, 1)));
        assertThat(n1.state()).isEqualTo(new State(n(1), NONE, 1, new Holding(stamp(1, 1)), NONE));
    }

    @Test
    void answers_at_once_when_idle() {
        var n2 = idle().receives(request(1, 3), n(3));
        assertThat(n2.effects()).containsExactly(send(3, REPLY));
        assertThat(n2.state()).isEqualTo(n2(4, new Idle(), NONE));
    }

    @Test
    void moves_its_clock_to_the_time_of_a_request_from_its_future() {
        var n2 = idle().receives(request(9, 3), n(3));
        assertThat(n2.effects()).containsExactly(send(3, REPLY));
        assertThat(n2.state()).isEqualTo(n2(9, new Idle(), NONE));
    }

    @Test
    void answers_if_theirs_is_older() {
        var n2 = waiting().receives(request(4, 3), n(3));
        assertThat(n2.effects()).containsExactly(send(3, REPLY));
        assertThat(n2.state()).isEqualTo(n2(5, WAITING, NONE));
    }

    @Test
    void waits_if_ours_is_older() {
        var n2 = waiting().receives(request(6, 1), n(1));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(6, WAITING, nodes(1)));
    }

    @Test
    void waits_if_ours_is_as_old_and_our_number_is_lower() {
        var n2 = waiting().receives(request(5, 3), n(3));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(5, WAITING, nodes(3)));
    }

    @Test
    void answers_if_ours_is_as_old_and_our_number_is_higher() {
        var n2 = waiting().receives(request(5, 1), n(1));
        assertThat(n2.effects()).containsExactly(send(1, REPLY));
        assertThat(n2.state()).isEqualTo(n2(5, WAITING, NONE));
    }

    @Test
    void goes_on_waiting_until_everybody_has_answered() {
        var n2 = waiting().receives(REPLY, n(3));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(5, new Waiting(stamp(5, 2), nodes(1)), NONE));
    }

    @Test
    void enters_with_the_last_answer_and_its_stamp_is_the_fence() {
        var n2 = waiting().receives(REPLY, n(3)).receives(REPLY, n(1));
        assertThat(n2.effects()).containsExactly(grant(stamp(5, 2)));
        assertThat(n2.state()).isEqualTo(n2(5, new Holding(stamp(5, 2)), NONE));
    }

    @Test
    void enters_with_those_still_deferred_that_asked_while_it_waited() {
        var n2 = waiting().receives(request(6, 1), n(1)).receives(REPLY, n(1)).receives(REPLY, n(3));
        assertThat(n2.effects()).containsExactly(grant(stamp(5, 2)));
        assertThat(n2.state()).isEqualTo(n2(6, new Holding(stamp(5, 2)), nodes(1)));
    }

    @Test
    void lets_nobody_else_in_while_it_is_inside() {
        var n2 = holding().receives(request(6, 1), n(1));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(6, new Holding(stamp(5, 2)), nodes(1)));
    }

    @Test
    void answers_everybody_who_waited_when_it_leaves_and_forgets_them() {
        var n2 = holding()
                .receives(request(6, 3), n(3))
                .receives(request(7, 1), n(1))
                .releases();
        assertThat(n2.effects()).containsExactly(sendAll(nodes(1, 3), REPLY));
        assertThat(n2.state()).isEqualTo(n2(7, new Idle(), NONE));
    }

    @Test
    void says_nothing_when_it_leaves_if_nobody_waited() {
        var n2 = holding().releases();
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(5, new Idle(), NONE));
    }

    @Test
    void asks_again_later_than_all_that_it_has_seen() {
        var n2 = holding().receives(request(8, 1), n(1)).releases().acquires();
        assertThat(n2.effects()).containsExactly(sendAll(nodes(1, 3), request(9, 2)));
        assertThat(n2.state()).isEqualTo(n2(9, new Waiting(stamp(9, 2), nodes(1, 3)), NONE));
    }

    @Test
    void tells_the_time_with_its_answer_if_replies_are_clocked() {
        var n2 = clocked().receives(request(9, 3), n(3));
        assertThat(n2.effects()).containsExactly(send(3, new Reply(9)));
        assertThat(n2.state()).isEqualTo(n2(9, new Idle(), NONE));
    }

    @Test
    void tells_the_time_to_those_who_waited_if_replies_are_clocked() {
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
    void moves_its_clock_to_the_time_of_a_clocked_reply() {
        var n2 = clocked().acquires().receives(new Reply(11), n(3));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(11, new Waiting(stamp(5, 2), nodes(1)), NONE));
    }

    @Test
    void cannot_be_asked_to_enter_while_it_waits_or_is_inside() {
        assertThatThrownBy(() -> waiting().acquires()).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> holding().acquires()).isInstanceOf(ProtocolBug.class);
    }

    @Test
    void cannot_leave_if_it_is_not_inside() {
        assertThatThrownBy(() -> idle().releases()).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> waiting().releases()).isInstanceOf(ProtocolBug.class);
    }

    @Test
    void cannot_be_answered_without_having_asked() {
        assertThatThrownBy(() -> idle().receives(REPLY, n(1))).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> holding().receives(REPLY, n(1))).isInstanceOf(ProtocolBug.class);
    }

    @Test
    void cannot_be_answered_twice_by_the_same_node() {
        assertThatThrownBy(() -> waiting().receives(REPLY, n(1)).receives(REPLY, n(1)))
                .isInstanceOf(ProtocolBug.class)
                .hasMessageContaining("Reply from n1 cannot happen");
    }

    @Test
    void cannot_be_asked_for_an_election() {
        assertThatThrownBy(() -> idle().campaigns()).isInstanceOf(ProtocolBug.class);
    }
}
