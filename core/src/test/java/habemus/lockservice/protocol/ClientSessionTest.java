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
import habemus.lockservice.OperationResult.RejectionReason;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.SessionOrigin;
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

/** The client session with the nodes n2 and n3, rule by rule. */
class ClientSessionTest {

    private static final Duration LEASE = Duration.ofMillis(800);
    private static final Duration DEADLINE = Duration.ofMillis(720);
    private static final Duration RENEW_INTERVAL = Duration.ofMillis(200);
    private static final Duration RETRY_TIMEOUT = Duration.ofMillis(100);
    private static final ClientInfo CLIENT = new ClientInfo("ann", "here", 1);
    private static final ClientSession SESSION = new ClientSession(CLIENT, LEASE, 70);
    private static final Operation.Acquire ORDERS = Operation.Acquire.of(ResourceShare.exclusive("orders"));

    private static Step<State, Message> opening() {
        return SESSION.start(new Neighbourhood(n(4), List.of(n(2), n(3))));
    }

    private static Step<State, Message> live() {
        return receives(opening(), 2, new Message.SessionOpened(70, 9));
    }

    private static Step<State, Message> waiting() {
        return receives(
                SESSION.submit(live().state(), ORDERS), 2, new Message.Result(9, 1, new OperationResult.Waiting()));
    }

    private static Step<State, Message> holding() {
        return receives(
                SESSION.submit(live().state(), ORDERS), 2, new Message.Result(9, 1, new OperationResult.Granted(12)));
    }

    private static Step<State, Message> renewing() {
        return fires(live(), Timer.RENEW);
    }

    private static Step<State, Message> receives(Step<State, Message> before, int from, Message message) {
        return SESSION.receive(before.state(), n(from), message);
    }

    private static Step<State, Message> fires(Step<State, Message> before, Timer timer) {
        return SESSION.timeout(before.state(), timer);
    }

    private static Effect<Message> submits(int node, long number, long acknowledgedUpTo, Operation operation) {
        return send(node, new Message.Submit(9, number, acknowledgedUpTo, operation));
    }

    @Test
    void a_refused_session_ends_without_a_loss() {
        var refused = receives(opening(), 2, new Message.SessionRefused(70, RejectionReason.SESSIONS_FULL));
        assertThat(refused.state().isEnded()).isTrue();
        assertThat(refused.effects())
                .containsExactly(
                        new Effect.CancelTimer<>(Timer.RENEW),
                        new Effect.CancelTimer<>(Timer.RETRY),
                        new Effect.CancelTimer<>(Timer.DEADLINE),
                        new Effect.CancelTimer<>(Timer.OTHER_DEADLINE));
    }

    @Test
    void the_session_opens_at_the_first_node_and_sets_its_deadline_when_sending() {
        assertThat(opening().effects())
                .containsExactly(
                        send(2, new Message.OpenSession(70, CLIENT, LEASE)),
                        setTimer(Timer.DEADLINE, DEADLINE),
                        setTimer(Timer.RETRY, RETRY_TIMEOUT));
    }

    @Test
    void the_session_opens_at_another_node_with_a_new_nonce_if_the_first_is_silent() {
        assertThat(fires(opening(), Timer.RETRY).effects())
                .containsExactly(
                        send(3, new Message.OpenSession(71, CLIENT, LEASE)),
                        setTimer(Timer.DEADLINE, DEADLINE),
                        setTimer(Timer.RETRY, RETRY_TIMEOUT));
    }

    @Test
    void the_session_stays_with_the_node_that_opened_it_even_late() {
        var late = receives(fires(opening(), Timer.RETRY), 2, new Message.SessionOpened(70, 9));
        assertThat(late.state().phase()).isEqualTo(new Phase.Live(9, 70));
        assertThat(late.state().node()).isEqualTo(n(2));
        assertThat(receives(opening(), 2, new Message.SessionOpened(71, 9)).state())
                .isEqualTo(opening().state());
    }

    @Test
    void requests_before_the_session_is_open_are_sent_when_it_opens() {
        var submitted = SESSION.submit(opening().state(), ORDERS);
        assertThat(submitted.effects()).isEmpty();
        assertThat(receives(submitted, 2, new Message.SessionOpened(70, 9)).effects())
                .containsExactly(
                        cancelTimer(Timer.RETRY),
                        setTimer(Timer.RENEW, RENEW_INTERVAL),
                        submits(2, 1, 0, ORDERS),
                        setTimer(Timer.RETRY, RETRY_TIMEOUT));
    }

    @Test
    void a_renewal_sets_the_other_deadline_and_its_acknowledgement_cancels_the_first() {
        assertThat(renewing().effects())
                .containsExactly(
                        send(2, new Message.Renew(9, 1)),
                        setTimer(Timer.RENEW, RENEW_INTERVAL),
                        setTimer(Timer.OTHER_DEADLINE, DEADLINE),
                        setTimer(Timer.RETRY, RETRY_TIMEOUT));
        var renewed = receives(renewing(), 2, new Message.Renewed(9, 1));
        assertThat(renewed.effects()).containsExactly(cancelTimer(Timer.RETRY), cancelTimer(Timer.DEADLINE));
        assertThat(fires(renewed, Timer.RENEW).effects())
                .contains(send(2, new Message.Renew(9, 2)), setTimer(Timer.DEADLINE, DEADLINE));
    }

    @Test
    void a_repeated_renewal_sets_no_deadline_and_is_followed_by_another() {
        var repeated = fires(renewing(), Timer.RENEW);
        assertThat(repeated.effects())
                .containsExactly(send(2, new Message.Renew(9, 1)), setTimer(Timer.RENEW, RENEW_INTERVAL));
        assertThat(receives(repeated, 2, new Message.Renewed(9, 1)).effects())
                .contains(
                        cancelTimer(Timer.DEADLINE),
                        send(2, new Message.Renew(9, 2)),
                        setTimer(Timer.DEADLINE, DEADLINE));
    }

    @Test
    void the_acknowledgement_of_another_renewal_or_session_is_ignored() {
        assertThat(receives(renewing(), 2, new Message.Renewed(9, 0)).effects()).isEmpty();
        assertThat(receives(renewing(), 2, new Message.Renewed(8, 1)).effects()).isEmpty();
    }

    @Test
    void the_session_ends_when_the_deadline_passes_or_the_service_has_expired_it() {
        var expired = fires(holding(), Timer.DEADLINE);
        assertThat(expired.state().phase())
                .isEqualTo(new Phase.Ended(EndReason.LEASE_EXPIRED, new SessionOrigin.Successor(9, 70, List.of(1L))));
        assertThat(expired.state().requests().fences().isEmpty()).isTrue();
        assertThat(expired.effects()).endsWith(lost());
        assertThat(receives(holding(), 3, new Message.SessionExpired(9)).state().phase())
                .isEqualTo(new Phase.Ended(EndReason.SESSION_UNKNOWN, new SessionOrigin.FirstSession()));
        assertThat(receives(holding(), 3, new Message.SessionExpired(8)).state().isEnded())
                .isFalse();
    }

    @Test
    void only_deadline_timers_are_urgent() {
        assertThat(SESSION.isUrgent(Timer.DEADLINE)).isTrue();
        assertThat(SESSION.isUrgent(Timer.OTHER_DEADLINE)).isTrue();
        assertThat(SESSION.isUrgent(Timer.RENEW)).isFalse();
        assertThat(SESSION.isUrgent(Timer.RETRY)).isFalse();
    }

    @Test
    void a_granted_request_is_held_until_it_is_released() {
        assertThat(holding().state().requests().fences().get(1L)).contains(12L);
        var released = SESSION.submit(holding().state(), new Operation.Release(1));
        assertThat(released.state().requests().fences().isEmpty()).isTrue();
        assertThat(released.effects())
                .containsExactly(submits(2, 2, 1, new Operation.Release(1)), setTimer(Timer.RETRY, RETRY_TIMEOUT));
    }

    @Test
    void a_cancelled_request_is_not_held_when_it_is_granted_late() {
        var cancelled = SESSION.submit(waiting().state(), new Operation.Release(1));
        var late = receives(cancelled, 2, new Message.Result(9, 1, new OperationResult.Granted(12)));
        assertThat(late.state().requests().fences().isEmpty()).isTrue();
        assertThat(receives(late, 2, new Message.Result(9, 2, new OperationResult.Released()))
                        .effects())
                .containsExactly(cancelTimer(Timer.RETRY));
    }

    @Test
    void the_session_switches_nodes_if_the_node_is_silent_or_its_connection_breaks() {
        var submitted = SESSION.submit(live().state(), ORDERS);
        assertThat(fires(submitted, Timer.RETRY).effects())
                .containsExactly(
                        send(3, new Message.Attach(9, 70)),
                        send(3, new Message.Renew(9, 1)),
                        setTimer(Timer.RENEW, RENEW_INTERVAL),
                        setTimer(Timer.OTHER_DEADLINE, DEADLINE),
                        submits(3, 1, 0, ORDERS),
                        setTimer(Timer.RETRY, RETRY_TIMEOUT));
        assertThat(SESSION.suspect(submitted.state(), n(2))).isEqualTo(fires(submitted, Timer.RETRY));
        assertThat(SESSION.suspect(submitted.state(), n(3)).effects()).isEmpty();
    }

    @Test
    void an_unanswered_request_is_sent_again_if_the_node_answers_others() {
        var first = SESSION.submit(live().state(), ORDERS);
        var second = SESSION.submit(first.state(), Operation.Acquire.of(ResourceShare.exclusive("bills")));
        var answered = receives(second, 2, new Message.Result(9, 2, new OperationResult.Granted(12)));
        var older = fires(answered, Timer.RETRY);
        assertThat(older.effects()).containsExactly(setTimer(Timer.RETRY, RETRY_TIMEOUT));
        var answering = receives(older, 2, new Message.Result(9, 2, new OperationResult.Granted(12)));
        assertThat(fires(answering, Timer.RETRY).effects())
                .containsExactly(submits(2, 1, 0, ORDERS), setTimer(Timer.RETRY, RETRY_TIMEOUT));
    }

    @Test
    void further_requests_do_not_postpone_the_retry_timer() {
        var submitted = SESSION.submit(live().state(), ORDERS);
        assertThat(SESSION.submit(submitted.state(), ORDERS).effects()).containsExactly(submits(2, 2, 0, ORDERS));
    }

    @Test
    void a_queued_request_is_sent_again_with_every_renewal() {
        assertThat(waiting().effects()).containsExactly(cancelTimer(Timer.RETRY));
        assertThat(fires(waiting(), Timer.RENEW).effects()).endsWith(submits(2, 1, 1, ORDERS));
    }

    @Test
    void a_closing_session_holds_nothing_and_accepts_no_requests() {
        var closing = SESSION.submit(holding().state(), new Operation.Close());
        assertThat(closing.state().requests().fences().isEmpty()).isTrue();
        assertThatThrownBy(() -> SESSION.submit(closing.state(), ORDERS)).isInstanceOf(ProtocolBug.class);
        var closed = receives(closing, 2, new Message.Result(9, 2, new OperationResult.Closed()));
        assertThat(closed.state().phase())
                .isEqualTo(new Phase.Ended(EndReason.CLOSED, new SessionOrigin.FirstSession()));
    }
}
