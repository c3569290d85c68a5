package habemus.mutex;

import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.nodes;
import static habemus.ProtocolFixture.send;
import static habemus.ProtocolFixture.sendAll;
import static habemus.ProtocolFixture.stamp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.ProtocolFixture;
import habemus.mutex.MaekawaDeadlockFree.Ballot.Free;
import habemus.mutex.MaekawaDeadlockFree.Message;
import habemus.mutex.MaekawaDeadlockFree.Message.Failed;
import habemus.mutex.MaekawaDeadlockFree.Message.Inquire;
import habemus.mutex.MaekawaDeadlockFree.Message.Release;
import habemus.mutex.MaekawaDeadlockFree.Message.Request;
import habemus.mutex.MaekawaDeadlockFree.Message.Vote;
import habemus.mutex.MaekawaDeadlockFree.Message.Yield;
import habemus.mutex.MaekawaDeadlockFree.Phase;
import habemus.mutex.MaekawaDeadlockFree.Phase.Holding;
import habemus.mutex.MaekawaDeadlockFree.Phase.Idle;
import habemus.mutex.MaekawaDeadlockFree.Phase.Waiting;
import habemus.mutex.MaekawaDeadlockFree.State;
import habemus.protocol.Effect;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Stamp;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules, as n3 of seven nodes follows them, whose voters are n3, n4 and n6. */
class MaekawaDeadlockFreeTest {

    private static ProtocolFixture<State, Message> idle() {
        return node(3, 7, new MaekawaDeadlockFree(new VotingSets.PlaneLines()));
    }

    /** It has voted for n2, and n5 waits. */
    private static ProtocolFixture<State, Message> voted() {
        return idle().receives(new Request(stamp(5, 2)), n(2)).receives(new Request(stamp(6, 5)), n(5));
    }

    private static ProtocolFixture<State, Message> waiting() {
        return idle().acquires();
    }

    private static ProtocolFixture<State, Message> holding() {
        return waiting().receives(new Vote(0), n(3)).receives(new Vote(7), n(4)).receives(new Vote(2), n(6));
    }

    private static State voter(long clock, Stamp holder, boolean inquired, Stamp... line) {
        var given = new MaekawaDeadlockFree.Ballot.Given(holder, inquired);
        return new State(n(3), nodes(3, 4, 6), clock, new Idle(), given, List.of(line));
    }

    private static State asker(long clock, Phase phase) {
        return new State(n(3), nodes(3, 4, 6), clock, phase, new Free(), List.of());
    }

    private static Waiting missing(int... voters) {
        return new Waiting(stamp(1, 3), nodes(voters), nodes(), nodes());
    }

    @Test
    void starts_idle_with_its_vote_at_hand() {
        assertThat(idle().effects()).isEmpty();
        assertThat(idle().state()).isEqualTo(asker(0, new Idle()));
    }

    @Test
    void asks_its_voting_set_with_a_stamp() {
        assertThat(waiting().effects()).containsExactly(sendAll(nodes(3, 4, 6), new Request(stamp(1, 3))));
        assertThat(waiting().state()).isEqualTo(asker(1, missing(3, 4, 6)));
    }

    @Test
    void asks_later_than_all_that_it_heard_of() {
        assertThat(voted().acquires().effects()).containsExactly(sendAll(nodes(3, 4, 6), new Request(stamp(7, 3))));
    }

    @Test
    void votes_for_the_first_who_asks() {
        var n3 = idle().receives(new Request(stamp(5, 2)), n(2));
        assertThat(n3.effects()).containsExactly(send(2, new Vote(5)));
        assertThat(n3.state()).isEqualTo(voter(5, stamp(5, 2), false));
    }

    @Test
    void tells_a_younger_request_that_it_failed() {
        assertThat(voted().effects()).containsExactly(send(5, new Failed()));
        assertThat(voted().state()).isEqualTo(voter(6, stamp(5, 2), false, stamp(6, 5)));
    }

    @Test
    void asks_its_vote_back_for_an_older_request() {
        var n3 = voted().receives(new Request(stamp(4, 7)), n(7));
        assertThat(n3.effects()).containsExactly(send(2, new Inquire(stamp(5, 2))));
        assertThat(n3.state()).isEqualTo(voter(6, stamp(5, 2), true, stamp(4, 7), stamp(6, 5)));
    }

    @Test
    void tells_who_was_to_get_the_vote_that_it_failed_when_a_still_older_request_comes() {
        var n3 = voted().receives(new Request(stamp(4, 7)), n(7)).receives(new Request(stamp(3, 1)), n(1));
        assertThat(n3.effects()).containsExactly(send(7, new Failed()));
        assertThat(n3.state()).isEqualTo(voter(6, stamp(5, 2), true, stamp(3, 1), stamp(4, 7), stamp(6, 5)));
    }

    @Test
    void tells_who_is_older_than_the_holder_but_not_the_oldest_that_it_failed() {
        var n3 = voted().receives(new Request(stamp(3, 1)), n(1)).receives(new Request(stamp(4, 7)), n(7));
        assertThat(n3.effects()).containsExactly(send(7, new Failed()));
    }

    @Test
    void a_vote_that_is_yielded_goes_to_the_oldest_and_who_yielded_stands_in_line_again() {
        var n3 = voted().receives(new Request(stamp(4, 7)), n(7)).receives(new Yield(), n(2));
        assertThat(n3.effects()).containsExactly(send(7, new Vote(6)));
        assertThat(n3.state()).isEqualTo(voter(6, stamp(4, 7), false, stamp(5, 2), stamp(6, 5)));
    }

    @Test
    void a_vote_that_is_returned_goes_to_the_oldest_with_the_time_that_came_with_it() {
        var n3 = voted().receives(new Release(9), n(2));
        assertThat(n3.effects()).containsExactly(send(5, new Vote(9)));
        assertThat(n3.state()).isEqualTo(voter(9, stamp(6, 5), false));
        assertThat(n3.receives(new Release(8), n(5)).state()).isEqualTo(asker(9, new Idle()));
    }

    @Test
    void enters_with_the_last_vote_at_a_time_after_all_that_it_heard_of() {
        assertThat(holding().effects()).containsExactly(new Effect.Grant<>(8));
        assertThat(holding().state()).isEqualTo(asker(8, new Holding()));
    }

    @Test
    void does_not_yield_while_it_may_still_win() {
        var n3 = waiting().receives(new Vote(0), n(4)).receives(new Inquire(stamp(1, 3)), n(4));
        assertThat(n3.effects()).isEmpty();
        assertThat(n3.state()).isEqualTo(asker(1, new Waiting(stamp(1, 3), nodes(3, 6), nodes(), nodes(4))));
    }

    @Test
    void yields_when_it_has_failed_before_it_is_asked() {
        var n3 = waiting()
                .receives(new Failed(), n(6))
                .receives(new Vote(0), n(4))
                .receives(new Inquire(stamp(1, 3)), n(4));
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4), new Yield()));
        assertThat(n3.state()).isEqualTo(asker(1, new Waiting(stamp(1, 3), nodes(3, 4, 6), nodes(4, 6), nodes())));
    }

    @Test
    void yields_when_it_fails_after_it_was_asked() {
        var n3 = waiting()
                .receives(new Vote(0), n(4))
                .receives(new Inquire(stamp(1, 3)), n(4))
                .receives(new Failed(), n(6));
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4), new Yield()));
        assertThat(n3.state()).isEqualTo(asker(1, new Waiting(stamp(1, 3), nodes(3, 4, 6), nodes(4, 6), nodes())));
    }

    @Test
    void a_vote_ends_the_failure_that_went_before_it() {
        var n3 = waiting().receives(new Failed(), n(6)).receives(new Vote(0), n(6));
        assertThat(n3.state()).isEqualTo(asker(1, missing(3, 4)));
    }

    @Test
    void answers_an_inquiry_with_its_release_once_it_was_inside() {
        assertThat(holding().receives(new Inquire(stamp(1, 3)), n(4)).effects()).isEmpty();
        assertThat(holding()
                        .releases()
                        .acquires()
                        .receives(new Inquire(stamp(1, 3)), n(4))
                        .effects())
                .isEmpty();
    }

    @Test
    void returns_all_votes_with_the_time_when_it_leaves() {
        assertThat(holding().releases().effects()).containsExactly(sendAll(nodes(3, 4, 6), new Release(8)));
        assertThat(holding().releases().state()).isEqualTo(asker(8, new Idle()));
    }

    @Test
    void what_nobody_waits_for_is_a_bug() {
        assertThatThrownBy(() -> idle().receives(new Vote(0), n(4))).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> idle().receives(new Failed(), n(4))).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> idle().receives(new Yield(), n(4))).isInstanceOf(ProtocolBug.class);
    }

    @Test
    void asks_only_when_idle_and_leaves_only_when_inside() {
        assertThatThrownBy(() -> waiting().acquires()).isInstanceOf(ProtocolBug.class);
        assertThatThrownBy(() -> waiting().releases()).isInstanceOf(ProtocolBug.class);
    }
}
