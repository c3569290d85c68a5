package habemus.mutex;

import static habemus.ProtocolFixture.cancelTimer;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.nodes;
import static habemus.ProtocolFixture.restarted;
import static habemus.ProtocolFixture.send;
import static habemus.ProtocolFixture.sendAll;
import static habemus.ProtocolFixture.setTimer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.ProtocolFixture;
import habemus.mutex.GrantQueue.GrantRequest;
import habemus.mutex.Quorum.DurableState;
import habemus.mutex.Quorum.Message;
import habemus.mutex.Quorum.Message.Grant;
import habemus.mutex.Quorum.Message.Release;
import habemus.mutex.Quorum.Message.Request;
import habemus.mutex.Quorum.Phase;
import habemus.mutex.Quorum.Phase.Asking;
import habemus.mutex.Quorum.Phase.BackingOff;
import habemus.mutex.Quorum.Phase.Holding;
import habemus.mutex.Quorum.Phase.Idle;
import habemus.mutex.Quorum.State;
import habemus.mutex.Quorum.Timer;
import habemus.protocol.Effect;
import habemus.protocol.ProtocolBug;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules, at n2 of four nodes. The first three nodes are coordinators. */
class QuorumTest {

    private static final Duration RETRY_TIMEOUT = Duration.ofMillis(100);
    private static final Duration DELAYED_RESTART = Duration.ofMillis(700);
    private static final Quorum NOT_DURABLE = quorum(3, 2, false, Duration.ZERO);
    private static final Quorum DURABLE = quorum(3, 2, true, Duration.ZERO);
    private static final Quorum WITH_DELAYED_RESTART = quorum(3, 2, false, DELAYED_RESTART);

    private static Quorum quorum(int coordinators, int quorumSize, boolean durable, Duration delayedRestart) {
        return new Quorum(
                new MajorityQuorum(coordinators, quorumSize),
                new RequestNumbers(0),
                durable,
                RETRY_TIMEOUT,
                delayedRestart);
    }

    private static ProtocolFixture<State, Message> idle() {
        return node(2, 4, NOT_DURABLE);
    }

    private static ProtocolFixture<State, Message> asking() {
        return idle().acquires();
    }

    private static ProtocolFixture<State, Message> holding() {
        return asking().receives(new Grant(1, 6), n(3)).receives(new Grant(1, 4), n(1));
    }

    /** The node has granted the third request of n1; the first request of n4 waits. */
    private static ProtocolFixture<State, Message> granting() {
        return idle().receives(new Request(3, 0), n(1)).receives(new Request(1, 0), n(4));
    }

    private static State n2(Phase phase, long number, long fence, GrantRequest... queue) {
        return new State(nodes(1, 2, 3), phase, new DurableState(number, fence, new GrantQueue(List.of(queue))));
    }

    private static GrantRequest grantRequest(int node, long number) {
        return new GrantRequest(n(node), number);
    }

    @Test
    void only_a_coordinator_notes_its_grant_and_its_queue() {
        assertThat(idle().state().note(n(2))).isEqualTo("free, queue []");
        assertThat(granting().state().note(n(2))).isEqualTo("granted to n1, queue [n4]");
        assertThat(idle().state().note(n(4))).isEmpty();
    }

    @Test
    void a_coordinator_with_a_delayed_restart_notes_that_it_grants_nothing_yet() {
        var queue = GrantQueue.blockedBy(n(2)).with(n(1), 1, new RequestNumbers(0));
        assertThat(n2(new Idle(), 0, 0, queue.requests().toArray(GrantRequest[]::new))
                        .note(n(2)))
                .isEqualTo("grants nothing yet, queue [n1]");
    }

    @Test
    void a_node_starts_idle_with_an_empty_queue() {
        assertThat(idle().effects()).isEmpty();
        assertThat(idle().state()).isEqualTo(n2(new Idle(), 0, 0));
    }

    @Test
    void by_default_all_nodes_are_coordinators() {
        assertThat(node(2, 4, quorum(0, 0, false, Duration.ZERO)).acquires().effects())
                .contains(sendAll(nodes(1, 2, 3, 4), new Request(1, 0)));
    }

    @Test
    void a_node_sends_its_request_to_all_coordinators_and_sets_a_timer() {
        assertThat(asking().effects())
                .containsExactly(setTimer(Timer.RETRY, RETRY_TIMEOUT), sendAll(nodes(1, 2, 3), new Request(1, 0)));
        assertThat(asking().state()).isEqualTo(n2(new Asking(nodes()), 1, 0));
    }

    @Test
    void a_node_waits_for_the_grants_of_a_majority() {
        var n2 = asking().receives(new Grant(1, 6), n(3));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(new Asking(nodes(3)), 1, 6));
    }

    @Test
    void a_node_enters_with_a_majority_and_a_fence_above_all_received_ones() {
        assertThat(holding().effects()).containsExactly(cancelTimer(Timer.RETRY), new Effect.Grant<>(7));
        assertThat(holding().state()).isEqualTo(n2(new Holding(), 1, 7));
    }

    @Test
    void a_duplicated_grant_counts_once() {
        var n2 = asking().receives(new Grant(1, 0), n(3)).receives(new Grant(1, 0), n(3));
        assertThat(n2.state()).isEqualTo(n2(new Asking(nodes(3)), 1, 0));
    }

    @Test
    void a_node_waits_for_the_configured_quorum() {
        var n2 = node(2, 4, quorum(3, 3, false, Duration.ZERO)).acquires();
        var two = n2.receives(new Grant(1, 0), n(1)).receives(new Grant(1, 0), n(3));
        assertThat(two.effects()).isEmpty();
        assertThat(two.receives(new Grant(1, 0), n(2)).effects()).contains(new Effect.Grant<>(1));
    }

    @Test
    void a_holder_keeps_an_extra_grant_until_its_release() {
        assertThat(holding().receives(new Grant(1, 0), n(2)).effects()).isEmpty();
    }

    @Test
    void a_holder_sends_a_release_with_its_fence_to_all_coordinators() {
        var n2 = holding().releases();
        assertThat(n2.effects()).containsExactly(sendAll(nodes(1, 2, 3), new Release(1, 7)));
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 1, 7));
    }

    @Test
    void a_node_returns_a_late_grant() {
        assertThat(holding().releases().receives(new Grant(1, 0), n(2)).effects())
                .containsExactly(send(2, new Release(1, 7)));
        assertThat(holding()
                        .releases()
                        .acquires()
                        .receives(new Grant(1, 0), n(2))
                        .effects())
                .containsExactly(send(2, new Release(1, 7)));
    }

    @Test
    void after_the_timeout_a_node_returns_its_grants_and_backs_off_for_a_random_time() {
        var n2 = asking().receives(new Grant(1, 6), n(3)).timesOut(Timer.RETRY);
        assertThat(n2.effects())
                .containsExactly(
                        sendAll(nodes(1, 2, 3), new Release(1, 6)),
                        new Effect.SetTimer<>(Timer.RETRY, Duration.ZERO, RETRY_TIMEOUT.multipliedBy(4)));
        assertThat(n2.state()).isEqualTo(n2(new BackingOff(), 1, 6));
    }

    @Test
    void after_the_back_off_a_node_sends_a_request_with_a_new_number() {
        var n2 = asking().timesOut(Timer.RETRY).timesOut(Timer.RETRY);
        assertThat(n2.effects())
                .containsExactly(setTimer(Timer.RETRY, RETRY_TIMEOUT), sendAll(nodes(1, 2, 3), new Request(2, 0)));
        assertThat(n2.state()).isEqualTo(n2(new Asking(nodes()), 2, 0));
    }

    @Test
    void a_coordinator_grants_the_first_request_and_queues_the_others() {
        var n2 = idle().receives(new Request(3, 0), n(1));
        assertThat(n2.effects()).containsExactly(send(1, new Grant(3, 0)));
        assertThat(granting().effects()).isEmpty();
        assertThat(granting().state()).isEqualTo(n2(new Idle(), 0, 0, grantRequest(1, 3), grantRequest(4, 1)));
    }

    @Test
    void a_coordinator_grants_the_next_request_with_the_fence_of_the_release() {
        var n2 = granting().receives(new Release(3, 8), n(1));
        assertThat(n2.effects()).containsExactly(send(4, new Grant(1, 8)));
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 0, 8, grantRequest(4, 1)));
    }

    @Test
    void a_release_of_a_waiting_request_removes_it_from_the_queue() {
        var n2 = granting().receives(new Release(1, 0), n(4));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 0, 0, grantRequest(1, 3)));
    }

    @Test
    void a_release_of_an_older_request_changes_only_the_fence() {
        var n2 = granting().receives(new Release(2, 5), n(1));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 0, 5, grantRequest(1, 3), grantRequest(4, 1)));
    }

    @Test
    void a_new_request_replaces_the_older_one_of_its_node_at_the_end_of_the_queue() {
        var n2 = granting().receives(new Request(4, 9), n(1));
        assertThat(n2.effects()).containsExactly(send(4, new Grant(1, 9)));
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 0, 9, grantRequest(4, 1), grantRequest(1, 4)));
    }

    @Test
    void a_duplicated_or_older_request_changes_nothing() {
        assertThat(granting().receives(new Request(3, 0), n(1)).state())
                .isEqualTo(granting().state());
        assertThat(granting().receives(new Request(2, 0), n(1)).state())
                .isEqualTo(granting().state());
    }

    @Test
    void a_node_stores_the_number_of_its_last_request_but_no_grant() {
        var n2 = holding().receives(new Request(3, 0), n(1));
        assertThat(NOT_DURABLE.durableState(n2.state())).isEqualTo(new DurableState(1, 0, GrantQueue.EMPTY));
    }

    @Test
    void a_durable_node_stores_its_queue_and_fence_too() {
        assertThat(DURABLE.durableState(granting().state()))
                .isEqualTo(granting().state().stored());
    }

    @Test
    void a_restarted_node_returns_the_grants_of_its_last_request() {
        var n2 = restarted(2, 4, NOT_DURABLE, new DurableState(5, 0, GrantQueue.EMPTY));
        assertThat(n2.effects()).containsExactly(sendAll(nodes(1, 2, 3), new Release(5, 0)));
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 5, 0));
    }

    @Test
    void a_restarted_durable_coordinator_sends_its_grant_again() {
        var n2 = restarted(2, 4, DURABLE, new DurableState(0, 8, new GrantQueue(List.of(grantRequest(1, 3)))));
        assertThat(n2.effects()).containsExactly(sendAll(nodes(1, 2, 3), new Release(0, 8)), send(1, new Grant(3, 8)));
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 0, 8, grantRequest(1, 3)));
    }

    @Test
    void a_restarted_coordinator_grants_nothing_during_its_delayed_restart() {
        var silent = restarted(2, 4, WITH_DELAYED_RESTART, new DurableState(5, 0, GrantQueue.EMPTY));
        assertThat(silent.effects())
                .containsExactly(
                        sendAll(nodes(1, 2, 3), new Release(5, 0)), setTimer(Timer.RESUME_GRANTING, DELAYED_RESTART));
        var asked = silent.receives(new Request(3, 0), n(1));
        assertThat(asked.effects()).isEmpty();
        assertThat(asked.timesOut(Timer.RESUME_GRANTING).effects()).containsExactly(send(1, new Grant(3, 0)));
        assertThat(asked.timesOut(Timer.RESUME_GRANTING).state()).isEqualTo(n2(new Idle(), 5, 0, grantRequest(1, 3)));
    }

    @Test
    void a_quorum_that_is_no_majority_of_the_coordinators_is_rejected() {
        assertThatThrownBy(() -> node(1, 4, quorum(4, 2, false, Duration.ZERO)))
                .hasMessage("the quorum must be a majority of the 4 coordinators, was 2");
        assertThatThrownBy(() -> node(1, 4, quorum(3, 4, false, Duration.ZERO)))
                .hasMessage("the quorum must be a majority of the 3 coordinators, was 4");
        assertThatThrownBy(() -> node(1, 4, quorum(5, 3, false, Duration.ZERO)))
                .hasMessage("the number of coordinators must be at most 4, was 5");
        assertThatThrownBy(() -> new MajorityQuorum(-1, 0))
                .hasMessage("coordinators and quorum size must be at least 0, were -1 and 0");
    }

    @Test
    void an_acquire_or_a_release_while_asking_is_a_bug() {
        assertThatThrownBy(() -> asking().acquires()).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> asking().releases()).isInstanceOf(ProtocolBug.class);
    }
}
