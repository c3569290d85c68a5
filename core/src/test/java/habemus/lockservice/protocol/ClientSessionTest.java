package habemus.lockservice.protocol;

import static habemus.ProtocolFixture.cancelTimer;
import static habemus.ProtocolFixture.lost;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.send;
import static habemus.ProtocolFixture.setTimer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.protocol.ClientSession.EndReason;
import habemus.lockservice.protocol.ClientSession.Phase;
import habemus.lockservice.protocol.ClientSession.State;
import habemus.lockservice.protocol.ClientSession.Timer;
import habemus.protocol.Effect;
import habemus.protocol.Neighbourhood;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of a client's session, one by one, with the nodes n2 and n3. */
class ClientSessionTest {

    private static final Duration LEASE = Duration.ofMillis(800);
    private static final Duration DEADLINE = Duration.ofMillis(720);
    private static final Duration BEAT = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofMillis(100);
    private static final ClientInfo PERSON = new ClientInfo("ann", "here", 1);
    private static final ClientSession SESSION = new ClientSession(PERSON, LEASE, 70);
    private static final Operation.Acquire ORDERS = Operation.Acquire.of(ResourceShare.exclusive("orders"));

    private static Step<State, Message> opening() {
        return SESSION.start(new Neighbourhood(n(4), List.of(n(2), n(3))));
    }

    private static Step<State, Message> live() {
        return hears(opening(), 2, new Message.SessionOpened(70, 9));
    }

    private static Step<State, Message> waiting() {
        return hears(
                SESSION.submit(live().state(), ORDERS), 2, new Message.Result(9, 1, new OperationResult.Waiting()));
    }

    private static Step<State, Message> holding() {
        return hears(
                SESSION.submit(live().state(), ORDERS), 2, new Message.Result(9, 1, new OperationResult.Granted(12)));
    }

    private static Step<State, Message> renewing() {
        return rings(live(), Timer.RENEW);
    }

    private static Step<State, Message> hears(Step<State, Message> before, int from, Message message) {
        return SESSION.receive(before.state(), n(from), message);
    }

    private static Step<State, Message> rings(Step<State, Message> before, Timer timer) {
        return SESSION.timeout(before.state(), timer);
    }

    private static Effect<Message> asks(int node, long number, long settled, Operation operation) {
        return send(node, new Message.Submit(9, number, settled, operation));
    }

    @Test
    void opens_at_the_first_node_and_counts_from_sending() {
        assertThat(opening().effects())
                .containsExactly(
                        send(2, new Message.OpenSession(70, PERSON, LEASE)),
                        setTimer(Timer.DEADLINE, DEADLINE),
                        setTimer(Timer.RETRY, PATIENCE));
    }

    @Test
    void tries_another_node_with_another_nonce_if_the_first_is_silent() {
        assertThat(rings(opening(), Timer.RETRY).effects())
                .containsExactly(
                        send(3, new Message.OpenSession(71, PERSON, LEASE)),
                        setTimer(Timer.DEADLINE, DEADLINE),
                        setTimer(Timer.RETRY, PATIENCE));
    }

    @Test
    void goes_on_with_whoever_opened_it_even_late() {
        var late = hears(rings(opening(), Timer.RETRY), 2, new Message.SessionOpened(70, 9));
        assertThat(late.state().phase()).isEqualTo(new Phase.Live(9, 70));
        assertThat(late.state().node()).isEqualTo(n(2));
        assertThat(hears(opening(), 2, new Message.SessionOpened(71, 9)).state())
                .isEqualTo(opening().state());
    }

    @Test
    void what_is_wanted_before_it_is_open_is_asked_for_then() {
        var asked = SESSION.submit(opening().state(), ORDERS);
        assertThat(asked.effects()).isEmpty();
        assertThat(hears(asked, 2, new Message.SessionOpened(70, 9)).effects())
                .containsExactly(
                        cancelTimer(Timer.RETRY),
                        setTimer(Timer.RENEW, BEAT),
                        asks(2, 1, 0, ORDERS),
                        setTimer(Timer.RETRY, PATIENCE));
    }

    @Test
    void a_renewal_sets_the_other_deadline_and_its_acknowledgement_calms_the_first() {
        assertThat(renewing().effects())
                .containsExactly(
                        send(2, new Message.Renew(9, 1)),
                        setTimer(Timer.RENEW, BEAT),
                        setTimer(Timer.OTHER_DEADLINE, DEADLINE),
                        setTimer(Timer.RETRY, PATIENCE));
        var paid = hears(renewing(), 2, new Message.Renewed(9, 1));
        assertThat(paid.effects()).containsExactly(cancelTimer(Timer.RETRY), cancelTimer(Timer.DEADLINE));
        assertThat(rings(paid, Timer.RENEW).effects())
                .contains(send(2, new Message.Renew(9, 2)), setTimer(Timer.DEADLINE, DEADLINE));
    }

    @Test
    void a_renewal_that_is_repeated_sets_no_deadline_and_is_followed_by_another() {
        var again = rings(renewing(), Timer.RENEW);
        assertThat(again.effects()).containsExactly(send(2, new Message.Renew(9, 1)), setTimer(Timer.RENEW, BEAT));
        assertThat(again.state().isInJeopardy()).isTrue();
        assertThat(hears(again, 2, new Message.Renewed(9, 1)).effects())
                .contains(
                        cancelTimer(Timer.DEADLINE),
                        send(2, new Message.Renew(9, 2)),
                        setTimer(Timer.DEADLINE, DEADLINE));
    }

    @Test
    void the_acknowledgement_of_another_renewal_or_session_means_nothing() {
        assertThat(hears(renewing(), 2, new Message.Renewed(9, 0)).effects()).isEmpty();
        assertThat(hears(renewing(), 2, new Message.Renewed(8, 1)).effects()).isEmpty();
    }

    @Test
    void all_is_lost_when_the_deadline_rings_or_the_service_says_so() {
        var overdue = rings(holding(), Timer.DEADLINE);
        assertThat(overdue.state().phase()).isEqualTo(new Phase.Ended(EndReason.LEASE_EXPIRED));
        assertThat(overdue.state().heldFences().isEmpty()).isTrue();
        assertThat(overdue.effects()).endsWith(lost());
        assertThat(hears(holding(), 3, new Message.SessionExpired(9)).state().phase())
                .isEqualTo(new Phase.Ended(EndReason.SESSION_UNKNOWN));
        assertThat(hears(holding(), 3, new Message.SessionExpired(8)).state().isEnded())
                .isFalse();
    }

    @Test
    void only_deadlines_are_urgent() {
        assertThat(SESSION.isUrgent(Timer.DEADLINE)).isTrue();
        assertThat(SESSION.isUrgent(Timer.OTHER_DEADLINE)).isTrue();
        assertThat(SESSION.isUrgent(Timer.RENEW)).isFalse();
        assertThat(SESSION.isUrgent(Timer.RETRY)).isFalse();
    }

    @Test
    void what_is_granted_is_held_until_it_is_given_back() {
        assertThat(holding().state().heldFences().get(1L)).contains(12L);
        var released = SESSION.submit(holding().state(), new Operation.Release(1));
        assertThat(released.state().heldFences().isEmpty()).isTrue();
        assertThat(released.effects())
                .containsExactly(asks(2, 2, 1, new Operation.Release(1)), setTimer(Timer.RETRY, PATIENCE));
    }

    @Test
    void a_claim_that_was_taken_back_is_not_held_when_it_is_granted_late() {
        var cancelled = SESSION.submit(waiting().state(), new Operation.Release(1));
        var late = hears(cancelled, 2, new Message.Result(9, 1, new OperationResult.Granted(12)));
        assertThat(late.state().heldFences().isEmpty()).isTrue();
        assertThat(hears(late, 2, new Message.Result(9, 2, new OperationResult.Released()))
                        .effects())
                .containsExactly(cancelTimer(Timer.RETRY));
    }

    @Test
    void turns_to_another_node_if_the_first_is_silent_or_its_connection_breaks() {
        var asked = SESSION.submit(live().state(), ORDERS);
        assertThat(rings(asked, Timer.RETRY).effects())
                .containsExactly(
                        send(3, new Message.Attach(9, 70)),
                        send(3, new Message.Renew(9, 1)),
                        setTimer(Timer.RENEW, BEAT),
                        setTimer(Timer.OTHER_DEADLINE, DEADLINE),
                        asks(3, 1, 0, ORDERS),
                        setTimer(Timer.RETRY, PATIENCE));
        assertThat(SESSION.suspect(asked.state(), n(2))).isEqualTo(rings(asked, Timer.RETRY));
        assertThat(SESSION.suspect(asked.state(), n(3)).effects()).isEmpty();
    }

    @Test
    void a_node_that_answers_others_is_asked_again_what_it_did_not_answer() {
        var first = SESSION.submit(live().state(), ORDERS);
        var second = SESSION.submit(first.state(), Operation.Acquire.of(ResourceShare.exclusive("bills")));
        var answered = hears(second, 2, new Message.Result(9, 2, new OperationResult.Granted(12)));
        var older = rings(answered, Timer.RETRY);
        assertThat(older.effects()).containsExactly(setTimer(Timer.RETRY, PATIENCE));
        var talking = hears(older, 2, new Message.Result(9, 2, new OperationResult.Granted(12)));
        assertThat(rings(talking, Timer.RETRY).effects())
                .containsExactly(asks(2, 1, 0, ORDERS), setTimer(Timer.RETRY, PATIENCE));
    }

    @Test
    void patience_is_not_put_off_by_further_requests() {
        var asked = SESSION.submit(live().state(), ORDERS);
        assertThat(SESSION.submit(asked.state(), ORDERS).effects()).containsExactly(asks(2, 2, 0, ORDERS));
    }

    @Test
    void who_waits_in_line_asks_again_with_every_renewal() {
        assertThat(waiting().effects()).containsExactly(cancelTimer(Timer.RETRY));
        assertThat(rings(waiting(), Timer.RENEW).effects()).endsWith(asks(2, 1, 1, ORDERS));
    }

    @Test
    void who_closes_holds_nothing_and_asks_for_nothing_more() {
        var closing = SESSION.submit(holding().state(), new Operation.Close());
        assertThat(closing.state().heldFences().isEmpty()).isTrue();
        assertThatThrownBy(() -> SESSION.submit(closing.state(), ORDERS)).isInstanceOf(ProtocolBug.class);
        var closed = hears(closing, 2, new Message.Result(9, 2, new OperationResult.Closed()));
        assertThat(closed.state().phase()).isEqualTo(new Phase.Ended(EndReason.CLOSED));
    }
}
