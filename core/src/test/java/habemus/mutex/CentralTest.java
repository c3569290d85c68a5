package habemus.mutex;

import static habemus.ProtocolFixture.cancelTimer;
import static habemus.ProtocolFixture.grant;
import static habemus.ProtocolFixture.lost;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.send;
import static habemus.ProtocolFixture.setTimer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.ProtocolFixture;
import habemus.mutex.Central.Coordinator;
import habemus.mutex.Central.Message;
import habemus.mutex.Central.Message.Ack;
import habemus.mutex.Central.Message.Grant;
import habemus.mutex.Central.Message.Release;
import habemus.mutex.Central.Message.Request;
import habemus.mutex.Central.Phase.Holding;
import habemus.mutex.Central.Phase.Idle;
import habemus.mutex.Central.Phase.Waiting;
import habemus.mutex.Central.State;
import habemus.mutex.Central.Timer;
import habemus.protocol.ProtocolBug;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of the coordinator and of those who ask it, one by one, of three nodes. */
class CentralTest {

    private static final Duration LEASE = Duration.ofMillis(100);
    private static final Central PLAIN = new Central(Duration.ZERO, false);
    private static final Central LEASED = new Central(LEASE, false);

    private static ProtocolFixture<State, Message> coordinator() {
        return node(1, 3, PLAIN);
    }

    private static ProtocolFixture<State, Message> waiting() {
        return node(2, 3, PLAIN).acquires();
    }

    private static ProtocolFixture<State, Message> holding() {
        return waiting().receives(new Grant(7), n(1));
    }

    private static ProtocolFixture<State, Message> busy() {
        return coordinator().receives(new Request(), n(3)).receives(new Request(), n(2));
    }

    @Test
    void asks_the_coordinator() {
        assertThat(waiting().effects()).containsExactly(send(1, new Request()));
        assertThat(waiting().state().phase()).isEqualTo(new Waiting());
    }

    @Test
    void the_coordinator_asks_itself() {
        assertThat(coordinator().acquires().effects()).containsExactly(send(1, new Request()));
    }

    @Test
    void lets_in_at_once_if_nobody_has_the_lock() {
        var n1 = coordinator().receives(new Request(), n(3));
        assertThat(n1.effects()).containsExactly(send(3, new Grant(1)));
        assertThat(n1.state().coordinator()).isEqualTo(new Coordinator(List.of(n(3)), 1));
    }

    @Test
    void lets_others_wait_in_the_order_of_their_requests() {
        assertThat(busy().effects()).isEmpty();
        assertThat(busy().state().coordinator()).isEqualTo(new Coordinator(List.of(n(3), n(2)), 1));
    }

    @Test
    void lets_in_the_next_one_with_a_higher_fence() {
        var n1 = busy().receives(new Release(1), n(3));
        assertThat(n1.effects()).containsExactly(send(2, new Grant(2)));
        assertThat(n1.state().coordinator()).isEqualTo(new Coordinator(List.of(n(2)), 2));
    }

    @Test
    void waits_for_requests_if_nobody_is_in_line() {
        var n1 = coordinator().receives(new Request(), n(3)).receives(new Release(1), n(3));
        assertThat(n1.effects()).isEmpty();
        assertThat(n1.state().coordinator()).isEqualTo(new Coordinator(List.of(), 1));
    }

    @Test
    void does_not_mind_a_release_that_comes_twice() {
        var n1 = busy().receives(new Release(1), n(3)).receives(new Release(1), n(3));
        assertThat(n1.effects()).isEmpty();
        assertThat(n1.state().coordinator()).isEqualTo(new Coordinator(List.of(n(2)), 2));
    }

    @Test
    void enters_with_the_grant_and_its_fence() {
        assertThat(holding().effects()).containsExactly(grant(7));
        assertThat(holding().state().phase()).isEqualTo(new Holding(7));
    }

    @Test
    void gives_the_lock_back_when_it_leaves() {
        var n2 = holding().releases();
        assertThat(n2.effects()).containsExactly(send(1, new Release(7)));
        assertThat(n2.state().phase()).isEqualTo(new Idle());
    }

    @Test
    void gives_back_a_grant_that_it_does_not_wait_for() {
        var n2 = holding().releases().receives(new Grant(8), n(1));
        assertThat(n2.effects()).containsExactly(send(1, new Release(8)));
        assertThat(n2.state().phase()).isEqualTo(new Idle());
    }

    @Test
    void does_not_take_an_echo_of_an_old_grant_for_a_new_one() {
        var n2 = holding().releases().acquires().receives(new Grant(7), n(1));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state().phase()).isEqualTo(new Waiting());
    }

    @Test
    void answers_a_release_if_it_is_to_be_acknowledged() {
        var n1 = node(1, 3, new Central(Duration.ZERO, true))
                .receives(new Request(), n(3))
                .receives(new Release(1), n(3));
        assertThat(n1.effects()).containsExactly(send(3, new Ack()));
    }

    @Test
    void learns_nothing_from_an_acknowledgement() {
        assertThat(holding().releases().receives(new Ack(), n(1)).effects()).isEmpty();
    }

    @Test
    void with_a_lease_the_coordinator_sets_its_alarm_when_it_lets_in() {
        var n1 = node(1, 3, LEASED).receives(new Request(), n(3));
        assertThat(n1.effects()).containsExactly(send(3, new Grant(1)), setTimer(Timer.LEASE_EXPIRY, LEASE));
    }

    @Test
    void with_a_lease_the_coordinator_lets_in_the_next_one_when_it_is_over() {
        var n1 = node(1, 3, LEASED)
                .receives(new Request(), n(3))
                .receives(new Request(), n(2))
                .timesOut(Timer.LEASE_EXPIRY);
        assertThat(n1.effects()).containsExactly(send(2, new Grant(2)), setTimer(Timer.LEASE_EXPIRY, LEASE));
    }

    @Test
    void with_a_lease_the_coordinator_calms_its_alarm_when_nobody_has_the_lock() {
        var n1 = node(1, 3, LEASED).receives(new Request(), n(3)).receives(new Release(1), n(3));
        assertThat(n1.effects()).containsExactly(cancelTimer(Timer.LEASE_EXPIRY));
    }

    @Test
    void with_a_lease_the_holder_sets_an_alarm_to_half_of_it() {
        var n2 = node(2, 3, LEASED).acquires().receives(new Grant(1), n(1));
        assertThat(n2.effects()).containsExactly(grant(1), setTimer(Timer.HOLDER_EXPIRY, LEASE.dividedBy(2)));
    }

    @Test
    void with_a_lease_the_holder_gives_up_when_its_half_is_over() {
        var n2 = node(2, 3, LEASED).acquires().receives(new Grant(1), n(1)).timesOut(Timer.HOLDER_EXPIRY);
        assertThat(n2.effects()).containsExactly(send(1, new Release(1)), lost());
        assertThat(n2.state().phase()).isEqualTo(new Idle());
    }

    @Test
    void with_a_lease_the_holder_calms_its_alarm_when_it_leaves() {
        var n2 = node(2, 3, LEASED).acquires().receives(new Grant(1), n(1)).releases();
        assertThat(n2.effects()).containsExactly(send(1, new Release(1)), cancelTimer(Timer.HOLDER_EXPIRY));
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
