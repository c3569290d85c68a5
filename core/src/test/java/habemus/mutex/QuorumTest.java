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

/** The rules, as n2 of four nodes follows them, of which the first three are coordinators. */
class QuorumTest {

    private static final Duration PATIENCE = Duration.ofMillis(100);
    private static final Duration SILENCE = Duration.ofMillis(700);
    private static final Quorum FORGETFUL = quorum(3, 2, false, Duration.ZERO);
    private static final Quorum DURABLE = quorum(3, 2, true, Duration.ZERO);
    private static final Quorum CAREFUL = quorum(3, 2, false, SILENCE);

    private static Quorum quorum(int coordinators, int least, boolean durable, Duration silence) {
        return new Quorum(new MajorityQuorum(coordinators, least), durable, PATIENCE, silence);
    }

    private static ProtocolFixture<State, Message> idle() {
        return node(2, 4, FORGETFUL);
    }

    private static ProtocolFixture<State, Message> asking() {
        return idle().acquires();
    }

    private static ProtocolFixture<State, Message> holding() {
        return asking().receives(new Grant(1, 6), n(3)).receives(new Grant(1, 4), n(1));
    }

    /** It has granted n1's third request; n4's first one waits. */
    private static ProtocolFixture<State, Message> granting() {
        return idle().receives(new Request(3, 0), n(1)).receives(new Request(1, 0), n(4));
    }

    private static State n2(Phase phase, long number, long fence, GrantRequest... line) {
        return new State(nodes(1, 2, 3), phase, new DurableState(number, fence, new GrantQueue(List.of(line))));
    }

    private static GrantRequest ticket(int node, long number) {
        return new GrantRequest(n(node), number);
    }

    @Test
    void starts_idle_with_its_grant_at_hand() {
        assertThat(idle().effects()).isEmpty();
        assertThat(idle().state()).isEqualTo(n2(new Idle(), 0, 0));
    }

    @Test
    void everybody_is_a_coordinator_if_nothing_is_said() {
        assertThat(node(2, 4, quorum(0, 0, false, Duration.ZERO)).acquires().effects())
                .contains(sendAll(nodes(1, 2, 3, 4), new Request(1, 0)));
    }

    @Test
    void asks_all_coordinators_and_not_for_ever() {
        assertThat(asking().effects())
                .containsExactly(setTimer(Timer.RETRY, PATIENCE), sendAll(nodes(1, 2, 3), new Request(1, 0)));
        assertThat(asking().state()).isEqualTo(n2(new Asking(nodes()), 1, 0));
    }

    @Test
    void waits_for_more_than_half() {
        var n2 = asking().receives(new Grant(1, 6), n(3));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(new Asking(nodes(3)), 1, 6));
    }

    @Test
    void enters_with_more_than_half_and_a_fence_above_all_that_it_heard_of() {
        assertThat(holding().effects()).containsExactly(cancelTimer(Timer.RETRY), new Effect.Grant<>(7));
        assertThat(holding().state()).isEqualTo(n2(new Holding(), 1, 7));
    }

    @Test
    void the_same_grant_counts_once() {
        var n2 = asking().receives(new Grant(1, 0), n(3)).receives(new Grant(1, 0), n(3));
        assertThat(n2.state()).isEqualTo(n2(new Asking(nodes(3)), 1, 0));
    }

    @Test
    void needs_as_many_as_it_is_told_to() {
        var n2 = node(2, 4, quorum(3, 3, false, Duration.ZERO)).acquires();
        var two = n2.receives(new Grant(1, 0), n(1)).receives(new Grant(1, 0), n(3));
        assertThat(two.effects()).isEmpty();
        assertThat(two.receives(new Grant(1, 0), n(2)).effects()).contains(new Effect.Grant<>(1));
    }

    @Test
    void one_grant_more_than_it_takes_is_kept_until_it_leaves() {
        assertThat(holding().receives(new Grant(1, 0), n(2)).effects()).isEmpty();
    }

    @Test
    void returns_all_grants_with_its_fence_when_it_leaves() {
        var n2 = holding().releases();
        assertThat(n2.effects()).containsExactly(sendAll(nodes(1, 2, 3), new Release(1, 7)));
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 1, 7));
    }

    @Test
    void returns_a_grant_that_comes_too_late() {
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
    void gives_back_what_it_has_when_it_takes_too_long_and_waits_for_a_random_time() {
        var n2 = asking().receives(new Grant(1, 6), n(3)).timesOut(Timer.RETRY);
        assertThat(n2.effects())
                .containsExactly(
                        sendAll(nodes(1, 2, 3), new Release(1, 6)),
                        new Effect.SetTimer<>(Timer.RETRY, Duration.ZERO, PATIENCE.multipliedBy(4)));
        assertThat(n2.state()).isEqualTo(n2(new BackingOff(), 1, 6));
    }

    @Test
    void asks_again_under_a_new_number() {
        var n2 = asking().timesOut(Timer.RETRY).timesOut(Timer.RETRY);
        assertThat(n2.effects())
                .containsExactly(setTimer(Timer.RETRY, PATIENCE), sendAll(nodes(1, 2, 3), new Request(2, 0)));
        assertThat(n2.state()).isEqualTo(n2(new Asking(nodes()), 2, 0));
    }

    @Test
    void grants_the_first_who_asks_and_lets_others_stand_in_line() {
        var n2 = idle().receives(new Request(3, 0), n(1));
        assertThat(n2.effects()).containsExactly(send(1, new Grant(3, 0)));
        assertThat(granting().effects()).isEmpty();
        assertThat(granting().state()).isEqualTo(n2(new Idle(), 0, 0, ticket(1, 3), ticket(4, 1)));
    }

    @Test
    void grants_the_next_when_the_holder_returns_it_and_tells_the_fence_that_came_with_it() {
        var n2 = granting().receives(new Release(3, 8), n(1));
        assertThat(n2.effects()).containsExactly(send(4, new Grant(1, 8)));
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 0, 8, ticket(4, 1)));
    }

    @Test
    void forgets_who_gives_up_while_it_stands_in_line() {
        var n2 = granting().receives(new Release(1, 0), n(4));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 0, 0, ticket(1, 3)));
    }

    @Test
    void a_release_of_an_older_request_changes_nothing_but_the_fence() {
        var n2 = granting().receives(new Release(2, 5), n(1));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 0, 5, ticket(1, 3), ticket(4, 1)));
    }

    @Test
    void who_asks_anew_has_given_up_what_it_had_and_stands_at_the_end_of_the_line() {
        var n2 = granting().receives(new Request(4, 9), n(1));
        assertThat(n2.effects()).containsExactly(send(4, new Grant(1, 9)));
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 0, 9, ticket(4, 1), ticket(1, 4)));
    }

    @Test
    void a_request_that_comes_twice_or_too_late_changes_nothing() {
        assertThat(granting().receives(new Request(3, 0), n(1)).state())
                .isEqualTo(granting().state());
        assertThat(granting().receives(new Request(2, 0), n(1)).state())
                .isEqualTo(granting().state());
    }

    @Test
    void remembers_the_number_of_its_last_request_and_no_grant() {
        var n2 = holding().receives(new Request(3, 0), n(1));
        assertThat(FORGETFUL.durableState(n2.state())).isEqualTo(new DurableState(1, 0, GrantQueue.EMPTY));
    }

    @Test
    void remembers_all_if_it_is_durable() {
        assertThat(DURABLE.durableState(granting().state()))
                .isEqualTo(granting().state().durableState());
    }

    @Test
    void gives_back_what_it_asked_for_when_it_comes_back() {
        var n2 = restarted(2, 4, FORGETFUL, new DurableState(5, 0, GrantQueue.EMPTY));
        assertThat(n2.effects()).containsExactly(sendAll(nodes(1, 2, 3), new Release(5, 0)));
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 5, 0));
    }

    @Test
    void tells_the_holder_of_its_grant_again_when_it_comes_back_durable() {
        var n2 = restarted(2, 4, DURABLE, new DurableState(0, 8, new GrantQueue(List.of(ticket(1, 3)))));
        assertThat(n2.effects()).containsExactly(sendAll(nodes(1, 2, 3), new Release(0, 8)), send(1, new Grant(3, 8)));
        assertThat(n2.state()).isEqualTo(n2(new Idle(), 0, 8, ticket(1, 3)));
    }

    @Test
    void is_silent_for_a_while_when_it_comes_back_and_is_told_to() {
        var silent = restarted(2, 4, CAREFUL, new DurableState(5, 0, GrantQueue.EMPTY));
        assertThat(silent.effects())
                .containsExactly(sendAll(nodes(1, 2, 3), new Release(5, 0)), setTimer(Timer.RESUME_GRANTING, SILENCE));
        var asked = silent.receives(new Request(3, 0), n(1));
        assertThat(asked.effects()).isEmpty();
        assertThat(asked.timesOut(Timer.RESUME_GRANTING).effects()).containsExactly(send(1, new Grant(3, 0)));
        assertThat(asked.timesOut(Timer.RESUME_GRANTING).state()).isEqualTo(n2(new Idle(), 5, 0, ticket(1, 3)));
    }

    @Test
    void half_of_the_coordinators_are_refused_and_so_are_more_than_there_are() {
        assertThatThrownBy(() -> node(1, 4, quorum(4, 2, false, Duration.ZERO)))
                .hasMessage("2 of 4 coordinators: it takes more than half, and no more than all");
        assertThatThrownBy(() -> node(1, 4, quorum(3, 4, false, Duration.ZERO)))
                .hasMessage("4 of 3 coordinators: it takes more than half, and no more than all");
        assertThatThrownBy(() -> node(1, 4, quorum(5, 3, false, Duration.ZERO)))
                .hasMessage("4 nodes cannot have 5 coordinators");
        assertThatThrownBy(() -> new MajorityQuorum(-1, 0)).hasMessage("there are no fewer than none");
    }

    @Test
    void asks_only_when_idle_and_leaves_only_when_inside() {
        assertThatThrownBy(() -> asking().acquires()).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> asking().releases()).isInstanceOf(ProtocolBug.class);
    }
}
