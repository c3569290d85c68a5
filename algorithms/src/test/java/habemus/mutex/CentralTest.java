package habemus.mutex;

import static habemus.ProtocolFixture.cancelTimer;
import static habemus.ProtocolFixture.grant;
import static habemus.ProtocolFixture.joining;
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

/** The rules of the coordinator, n1, and of the other nodes, in a cluster of three. */
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
    void a_node_sends_its_request_to_the_coordinator() {
        assertThat(waiting().effects()).containsExactly(send(1, new Request()));
        assertThat(waiting().state().phase()).isEqualTo(new Waiting());
    }

    @Test
    void the_coordinator_sends_its_own_request_to_itself() {
        assertThat(coordinator().acquires().effects()).containsExactly(send(1, new Request()));
    }

    @Test
    void the_coordinator_grants_a_free_lock_at_once() {
        var n1 = coordinator().receives(new Request(), n(3));
        assertThat(n1.effects()).containsExactly(send(3, new Grant(1)));
        assertThat(n1.state().coordinator()).isEqualTo(new Coordinator(List.of(n(3)), 1));
    }

    @Test
    void the_coordinator_queues_requests_for_a_held_lock() {
        assertThat(busy().effects()).isEmpty();
        assertThat(busy().state().coordinator()).isEqualTo(new Coordinator(List.of(n(3), n(2)), 1));
    }

    @Test
    void the_coordinator_grants_a_released_lock_to_the_next_node_with_a_higher_fence() {
        var n1 = busy().receives(new Release(1), n(3));
        assertThat(n1.effects()).containsExactly(send(2, new Grant(2)));
        assertThat(n1.state().coordinator()).isEqualTo(new Coordinator(List.of(n(2)), 2));
    }

    @Test
    void a_released_lock_without_waiters_is_free() {
        var n1 = coordinator().receives(new Request(), n(3)).receives(new Release(1), n(3));
        assertThat(n1.effects()).isEmpty();
        assertThat(n1.state().coordinator()).isEqualTo(new Coordinator(List.of(), 1));
    }

    @Test
    void only_the_coordinator_notes_its_grant_and_its_queue() {
        assertThat(coordinator().state().note(n(1))).isEqualTo("free, queue []");
        assertThat(busy().state().note(n(1))).isEqualTo("granted to n3, queue [n2]");
        assertThat(holding().state().note(n(2))).isEmpty();
    }

    @Test
    void the_coordinator_ignores_a_duplicated_release() {
        var n1 = busy().receives(new Release(1), n(3)).receives(new Release(1), n(3));
        assertThat(n1.effects()).isEmpty();
        assertThat(n1.state().coordinator()).isEqualTo(new Coordinator(List.of(n(2)), 2));
    }

    @Test
    void a_waiting_node_holds_the_lock_with_the_fence_of_the_grant() {
        assertThat(holding().effects()).containsExactly(grant(7));
        assertThat(holding().state().phase()).isEqualTo(new Holding(7));
    }

    @Test
    void a_holder_sends_a_release_with_its_fence() {
        var n2 = holding().releases();
        assertThat(n2.effects()).containsExactly(send(1, new Release(7)));
        assertThat(n2.state().phase()).isEqualTo(new Idle());
    }

    @Test
    void a_node_that_does_not_wait_returns_a_grant() {
        var n2 = holding().releases().receives(new Grant(8), n(1));
        assertThat(n2.effects()).containsExactly(send(1, new Release(8)));
        assertThat(n2.state().phase()).isEqualTo(new Idle());
    }

    @Test
    void a_waiting_node_ignores_a_duplicated_older_grant() {
        var n2 = holding().releases().acquires().receives(new Grant(7), n(1));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state().phase()).isEqualTo(new Waiting());
    }

    @Test
    void the_coordinator_acknowledges_a_release_if_the_option_is_on() {
        var n1 = node(1, 3, new Central(Duration.ZERO, true))
                .receives(new Request(), n(3))
                .receives(new Release(1), n(3));
        assertThat(n1.effects()).containsExactly(send(3, new Ack()));
    }

    @Test
    void a_node_ignores_an_acknowledgement() {
        assertThat(holding().releases().receives(new Ack(), n(1)).effects()).isEmpty();
    }

    @Test
    void with_a_lease_the_coordinator_sets_a_timer_at_a_grant() {
        var n1 = node(1, 3, LEASED).receives(new Request(), n(3));
        assertThat(n1.effects()).containsExactly(send(3, new Grant(1)), setTimer(Timer.LEASE_EXPIRY, LEASE));
    }

    @Test
    void with_a_lease_the_coordinator_grants_to_the_next_node_when_the_lease_expires() {
        var n1 = node(1, 3, LEASED)
                .receives(new Request(), n(3))
                .receives(new Request(), n(2))
                .timesOut(Timer.LEASE_EXPIRY);
        assertThat(n1.effects()).containsExactly(send(2, new Grant(2)), setTimer(Timer.LEASE_EXPIRY, LEASE));
    }

    @Test
    void with_a_lease_the_coordinator_cancels_its_timer_when_the_lock_is_free() {
        var n1 = node(1, 3, LEASED).receives(new Request(), n(3)).receives(new Release(1), n(3));
        assertThat(n1.effects()).containsExactly(cancelTimer(Timer.LEASE_EXPIRY));
    }

    @Test
    void with_a_lease_the_holder_sets_a_timer_to_half_of_it() {
        var n2 = node(2, 3, LEASED).acquires().receives(new Grant(1), n(1));
        assertThat(n2.effects()).containsExactly(grant(1), setTimer(Timer.HOLDER_EXPIRY, LEASE.dividedBy(2)));
    }

    @Test
    void with_a_lease_the_holder_releases_the_lock_after_half_of_it() {
        var n2 = node(2, 3, LEASED).acquires().receives(new Grant(1), n(1)).timesOut(Timer.HOLDER_EXPIRY);
        assertThat(n2.effects()).containsExactly(send(1, new Release(1)), lost());
        assertThat(n2.state().phase()).isEqualTo(new Idle());
    }

    @Test
    void with_a_lease_the_holder_cancels_its_timer_at_its_release() {
        var n2 = node(2, 3, LEASED).acquires().receives(new Grant(1), n(1)).releases();
        assertThat(n2.effects()).containsExactly(send(1, new Release(1)), cancelTimer(Timer.HOLDER_EXPIRY));
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
    void the_coordinator_grants_the_lock_of_a_holder_that_has_left_to_the_next() {
        var n1 = busy().learnsThatLeft(3, 1);
        assertThat(n1.effects()).containsExactly(send(2, new Grant(2)));
        assertThat(n1.state().coordinator()).isEqualTo(new Coordinator(List.of(n(2)), 2));
    }

    @Test
    void the_coordinator_removes_a_waiter_that_has_left() {
        var n1 = busy().learnsThatLeft(2, 1);
        assertThat(n1.effects()).isEmpty();
        assertThat(n1.state().coordinator()).isEqualTo(new Coordinator(List.of(n(3)), 1));
    }

    @Test
    void the_lock_is_free_if_the_only_holder_has_left() {
        var n1 = coordinator().receives(new Request(), n(3)).learnsThatLeft(3, 1);
        assertThat(n1.effects()).isEmpty();
        assertThat(n1.receives(new Request(), n(2)).effects()).containsExactly(send(2, new Grant(2)));
    }

    @Test
    void the_coordinator_cannot_leave() {
        assertThat(PLAIN.mayLeave(n(1))).isFalse();
        assertThat(PLAIN.mayLeave(n(2))).isTrue();
    }

    @Test
    void a_new_member_requests_as_any_other() {
        assertThat(joining(4, 4, 1, PLAIN).acquires().effects()).containsExactly(send(1, new Request()));
    }
}
