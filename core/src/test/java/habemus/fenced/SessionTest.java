package habemus.fenced;

import static habemus.Given.calm;
import static habemus.Given.lost;
import static habemus.Given.n;
import static habemus.Given.send;
import static habemus.Given.wake;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.fenced.Session.Alarm;
import habemus.fenced.Session.Phase;
import habemus.fenced.Session.State;
import habemus.fenced.Session.Why;
import habemus.protocol.Effect;
import habemus.protocol.Place;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of a client's session, one by one, with the nodes n2 and n3. */
class SessionTest {

    private static final Duration LEASE = Duration.ofMillis(800);
    private static final Duration DEADLINE = Duration.ofMillis(720);
    private static final Duration BEAT = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofMillis(100);
    private static final Person PERSON = new Person("ann", "here", 1);
    private static final Session SESSION = new Session(PERSON, LEASE, 70);
    private static final Wish.Acquire ORDERS = Wish.Acquire.of(Want.exclusive("orders"));

    private static Step<State, Talk> opening() {
        return SESSION.start(new Place(n(4), List.of(n(2), n(3))));
    }

    private static Step<State, Talk> live() {
        return hears(opening(), 2, new Talk.Opened(70, 9));
    }

    private static Step<State, Talk> waiting() {
        return hears(SESSION.ask(live().state(), ORDERS), 2, new Talk.Answered(9, 1, new Answer.Waiting()));
    }

    private static Step<State, Talk> holding() {
        return hears(SESSION.ask(live().state(), ORDERS), 2, new Talk.Answered(9, 1, new Answer.Granted(12)));
    }

    private static Step<State, Talk> renewing() {
        return rings(live(), Alarm.RENEW);
    }

    private static Step<State, Talk> hears(Step<State, Talk> before, int from, Talk message) {
        return SESSION.receive(before.state(), n(from), message);
    }

    private static Step<State, Talk> rings(Step<State, Talk> before, Alarm alarm) {
        return SESSION.elapsed(before.state(), alarm);
    }

    private static Effect<Talk> asks(int node, long number, long settled, Wish wish) {
        return send(node, new Talk.Ask(9, number, settled, wish));
    }

    @Test
    void opens_at_the_first_node_and_counts_from_sending() {
        assertThat(opening().effects())
                .containsExactly(
                        send(2, new Talk.Open(70, PERSON, LEASE)),
                        wake(Alarm.DEADLINE, DEADLINE),
                        wake(Alarm.RETRY, PATIENCE));
    }

    @Test
    void tries_another_node_with_another_nonce_if_the_first_is_silent() {
        assertThat(rings(opening(), Alarm.RETRY).effects())
                .containsExactly(
                        send(3, new Talk.Open(71, PERSON, LEASE)),
                        wake(Alarm.DEADLINE, DEADLINE),
                        wake(Alarm.RETRY, PATIENCE));
    }

    @Test
    void goes_on_with_whoever_opened_it_even_late() {
        var late = hears(rings(opening(), Alarm.RETRY), 2, new Talk.Opened(70, 9));
        assertThat(late.state().phase()).isEqualTo(new Phase.Live(9, 70));
        assertThat(late.state().node()).isEqualTo(n(2));
        assertThat(hears(opening(), 2, new Talk.Opened(71, 9)).state())
                .isEqualTo(opening().state());
    }

    @Test
    void what_is_wanted_before_it_is_open_is_asked_for_then() {
        var asked = SESSION.ask(opening().state(), ORDERS);
        assertThat(asked.effects()).isEmpty();
        assertThat(hears(asked, 2, new Talk.Opened(70, 9)).effects())
                .containsExactly(
                        calm(Alarm.RETRY), wake(Alarm.RENEW, BEAT), asks(2, 1, 0, ORDERS), wake(Alarm.RETRY, PATIENCE));
    }

    @Test
    void a_renewal_sets_the_other_deadline_and_its_acknowledgement_calms_the_first() {
        assertThat(renewing().effects())
                .containsExactly(
                        send(2, new Talk.Renew(9, 1)),
                        wake(Alarm.RENEW, BEAT),
                        wake(Alarm.OTHER_DEADLINE, DEADLINE),
                        wake(Alarm.RETRY, PATIENCE));
        var paid = hears(renewing(), 2, new Talk.Renewed(9, 1));
        assertThat(paid.effects()).containsExactly(calm(Alarm.RETRY), calm(Alarm.DEADLINE));
        assertThat(rings(paid, Alarm.RENEW).effects())
                .contains(send(2, new Talk.Renew(9, 2)), wake(Alarm.DEADLINE, DEADLINE));
    }

    @Test
    void a_renewal_that_is_repeated_sets_no_deadline_and_is_followed_by_another() {
        var again = rings(renewing(), Alarm.RENEW);
        assertThat(again.effects()).containsExactly(send(2, new Talk.Renew(9, 1)), wake(Alarm.RENEW, BEAT));
        assertThat(again.state().isInJeopardy()).isTrue();
        assertThat(hears(again, 2, new Talk.Renewed(9, 1)).effects())
                .contains(calm(Alarm.DEADLINE), send(2, new Talk.Renew(9, 2)), wake(Alarm.DEADLINE, DEADLINE));
    }

    @Test
    void the_acknowledgement_of_another_renewal_or_session_means_nothing() {
        assertThat(hears(renewing(), 2, new Talk.Renewed(9, 0)).effects()).isEmpty();
        assertThat(hears(renewing(), 2, new Talk.Renewed(8, 1)).effects()).isEmpty();
    }

    @Test
    void all_is_lost_when_the_deadline_rings_or_the_service_says_so() {
        var overdue = rings(holding(), Alarm.DEADLINE);
        assertThat(overdue.state().phase()).isEqualTo(new Phase.Over(Why.OVERDUE));
        assertThat(overdue.state().held().isEmpty()).isTrue();
        assertThat(overdue.effects()).endsWith(lost());
        assertThat(hears(holding(), 3, new Talk.Gone(9)).state().phase()).isEqualTo(new Phase.Over(Why.GONE));
        assertThat(hears(holding(), 3, new Talk.Gone(8)).state().isOver()).isFalse();
    }

    @Test
    void only_deadlines_are_urgent() {
        assertThat(SESSION.isUrgent(Alarm.DEADLINE)).isTrue();
        assertThat(SESSION.isUrgent(Alarm.OTHER_DEADLINE)).isTrue();
        assertThat(SESSION.isUrgent(Alarm.RENEW)).isFalse();
        assertThat(SESSION.isUrgent(Alarm.RETRY)).isFalse();
    }

    @Test
    void what_is_granted_is_held_until_it_is_given_back() {
        assertThat(holding().state().held().get(1L)).contains(12L);
        var released = SESSION.ask(holding().state(), new Wish.Release(1));
        assertThat(released.state().held().isEmpty()).isTrue();
        assertThat(released.effects()).containsExactly(asks(2, 2, 1, new Wish.Release(1)), wake(Alarm.RETRY, PATIENCE));
    }

    @Test
    void a_claim_that_was_taken_back_is_not_held_when_it_is_granted_late() {
        var cancelled = SESSION.ask(waiting().state(), new Wish.Release(1));
        var late = hears(cancelled, 2, new Talk.Answered(9, 1, new Answer.Granted(12)));
        assertThat(late.state().held().isEmpty()).isTrue();
        assertThat(hears(late, 2, new Talk.Answered(9, 2, new Answer.Released()))
                        .effects())
                .containsExactly(calm(Alarm.RETRY));
    }

    @Test
    void turns_to_another_node_if_the_first_is_silent_or_its_connection_breaks() {
        var asked = SESSION.ask(live().state(), ORDERS);
        assertThat(rings(asked, Alarm.RETRY).effects())
                .containsExactly(
                        send(3, new Talk.Attach(9, 70)),
                        send(3, new Talk.Renew(9, 1)),
                        wake(Alarm.RENEW, BEAT),
                        wake(Alarm.OTHER_DEADLINE, DEADLINE),
                        asks(3, 1, 0, ORDERS),
                        wake(Alarm.RETRY, PATIENCE));
        assertThat(SESSION.suspect(asked.state(), n(2))).isEqualTo(rings(asked, Alarm.RETRY));
        assertThat(SESSION.suspect(asked.state(), n(3)).effects()).isEmpty();
    }

    @Test
    void a_node_that_answers_others_is_asked_again_what_it_did_not_answer() {
        var first = SESSION.ask(live().state(), ORDERS);
        var second = SESSION.ask(first.state(), Wish.Acquire.of(Want.exclusive("bills")));
        var answered = hears(second, 2, new Talk.Answered(9, 2, new Answer.Granted(12)));
        var older = rings(answered, Alarm.RETRY);
        assertThat(older.effects()).containsExactly(wake(Alarm.RETRY, PATIENCE));
        var talking = hears(older, 2, new Talk.Answered(9, 2, new Answer.Granted(12)));
        assertThat(rings(talking, Alarm.RETRY).effects())
                .containsExactly(asks(2, 1, 0, ORDERS), wake(Alarm.RETRY, PATIENCE));
    }

    @Test
    void patience_is_not_put_off_by_further_requests() {
        var asked = SESSION.ask(live().state(), ORDERS);
        assertThat(SESSION.ask(asked.state(), ORDERS).effects()).containsExactly(asks(2, 2, 0, ORDERS));
    }

    @Test
    void who_waits_in_line_asks_again_with_every_renewal() {
        assertThat(waiting().effects()).containsExactly(calm(Alarm.RETRY));
        assertThat(rings(waiting(), Alarm.RENEW).effects()).endsWith(asks(2, 1, 1, ORDERS));
    }

    @Test
    void who_closes_holds_nothing_and_asks_for_nothing_more() {
        var closing = SESSION.ask(holding().state(), new Wish.Close());
        assertThat(closing.state().held().isEmpty()).isTrue();
        assertThatThrownBy(() -> SESSION.ask(closing.state(), ORDERS)).isInstanceOf(ProtocolBug.class);
        var closed = hears(closing, 2, new Talk.Answered(9, 2, new Answer.Closed()));
        assertThat(closed.state().phase()).isEqualTo(new Phase.Over(Why.CLOSED));
    }
}
