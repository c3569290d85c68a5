package habemus.lockservice.protocol;

import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.send;
import static habemus.ProtocolFixture.setTimer;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.OperationResult.RejectionReason;
import habemus.lockservice.Quotas;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.SessionOrigin;
import habemus.lockservice.TicketId;
import habemus.lockservice.Usage;
import habemus.lockservice.protocol.LockServer.State;
import habemus.lockservice.protocol.LockServer.Timer;
import habemus.protocol.Effect;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeSet;
import habemus.protocol.Step;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The lock server, rule by rule: it is n2, the log is n1, clients are n4 and n5. */
class LockServerTest {

    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration FLUSH_INTERVAL = Duration.ofMillis(20);
    private static final Duration LEASE = Duration.ofMillis(300);
    private static final ClientInfo CLIENT = new ClientInfo("ann", "here", 1);
    private static final LockServer SERVER = new LockServer(TICK, FLUSH_INTERVAL, Quotas.UNLIMITED);
    private static final Command OPEN = new Command.OpenSession(70, CLIENT, LEASE);
    private static final Operation ORDERS = Operation.Acquire.of(ResourceShare.exclusive("orders"));
    private static final Message.Submit SUBMIT = new Message.Submit(1, 1, 0, ORDERS);

    private static Step<State, Message> started() {
        return SERVER.start(new Neighbourhood(n(2), List.of(n(1), n(3), n(4), n(5))));
    }

    /** Client n4 has session 1. */
    private static Step<State, Message> open() {
        return applies(receives(started(), 4, new Message.OpenSession(70, CLIENT, LEASE)), OPEN);
    }

    private static Step<State, Message> leading() {
        return receives(open(), 1, new Message.LeadershipChanged(true));
    }

    private static Step<State, Message> receives(Step<State, Message> before, int from, Message message) {
        return SERVER.receive(before.state(), n(from), message);
    }

    private static Step<State, Message> applies(Step<State, Message> before, Command... commands) {
        return receives(before, 1, new Message.Committed(CommandBatch.of(0, commands)));
    }

    private static Step<State, Message> ticks(Step<State, Message> before, int times) {
        var step = before;
        for (int i = 0; i < times; i++) {
            step = SERVER.timeout(step.state(), Timer.TICK);
        }
        return step;
    }

    private static Effect<Message> proposes(Command... commands) {
        return send(1, new Message.Propose(List.of(commands)));
    }

    private static Command renewal(long session, long number) {
        return new Command.RenewSessions(List.of(new Command.Renewal(session, number)));
    }

    @Test
    void a_session_is_open_when_its_command_is_committed() {
        assertThat(receives(started(), 4, new Message.OpenSession(70, CLIENT, LEASE))
                        .effects())
                .containsExactly(proposes(OPEN));
        assertThat(open().effects()).containsExactly(send(4, new Message.SessionOpened(70, 1)));
        assertThat(applies(started(), OPEN).effects()).isEmpty();
    }

    @Test
    void a_refused_session_is_reported_to_its_client() {
        var full = applies(started(), new Command.SetQuotas(new Quotas(Usage.NONE, Usage.NONE)));
        var opening = receives(full, 4, new Message.OpenSession(70, CLIENT, LEASE));
        var refused = applies(opening, OPEN);
        assertThat(refused.effects())
                .containsExactly(send(4, new Message.SessionRefused(70, RejectionReason.PRINCIPAL_SESSIONS_FULL)));
        assertThat(refused.state().connections().opening().isEmpty()).isTrue();
    }

    @Test
    void the_leader_proposes_its_quotas_until_the_table_has_them() {
        var quotas = new Quotas(new Usage(1, 2, 3, 4_000), new Usage(1, 2, 3, 4_000));
        var server = new LockServer(TICK, FLUSH_INTERVAL, quotas);
        var leading = server.receive(open().state(), n(1), new Message.LeadershipChanged(true));
        assertThat(leading.effects()).contains(proposes(new Command.SetQuotas(quotas)));
        var ticked = server.timeout(leading.state(), Timer.TICK);
        assertThat(ticked.effects()).contains(proposes(new Command.SetQuotas(quotas)));
        var set = applies(ticked, new Command.SetQuotas(quotas));
        assertThat(server.timeout(set.state(), Timer.TICK).effects()).containsExactly(setTimer(Timer.TICK, TICK));
    }

    @Test
    void renewals_are_batched_and_acknowledged_when_committed() {
        var first = receives(open(), 4, new Message.Renew(1, 5));
        assertThat(first.effects()).containsExactly(setTimer(Timer.FLUSH_RENEWALS, FLUSH_INTERVAL));
        var late = receives(first, 4, new Message.Renew(1, 4));
        assertThat(late.effects()).isEmpty();
        var flushed = SERVER.timeout(late.state(), Timer.FLUSH_RENEWALS);
        assertThat(flushed.effects()).containsExactly(proposes(renewal(1, 5)));
        assertThat(applies(flushed, renewal(1, 5)).effects()).containsExactly(send(4, new Message.Renewed(1, 5)));
    }

    @Test
    void pending_renewals_are_proposed_together_with_other_commands() {
        var submitted = receives(receives(open(), 4, new Message.Renew(1, 5)), 4, SUBMIT);
        assertThat(submitted.effects()).containsExactly(proposes(new Command.Submit(1, 1, 0, ORDERS), renewal(1, 5)));
        assertThat(SERVER.timeout(submitted.state(), Timer.FLUSH_RENEWALS).effects())
                .isEmpty();
    }

    @Test
    void a_request_with_a_known_result_is_not_proposed_again() {
        var granted = applies(open(), new Command.Submit(1, 1, 0, ORDERS));
        assertThat(granted.effects()).contains(send(4, new Message.Result(1, 1, new OperationResult.Granted(2))));
        assertThat(receives(granted, 4, SUBMIT).effects())
                .containsExactly(send(4, new Message.Result(1, 1, new OperationResult.Granted(2))));
    }

    @Test
    void requests_of_a_client_that_is_not_attached_are_ignored() {
        assertThat(receives(open(), 5, SUBMIT).effects()).isEmpty();
        assertThat(receives(open(), 5, new Message.Renew(1, 1)).effects()).isEmpty();
        assertThat(receives(open(), 5, new Message.Attach(1, 71)).effects())
                .containsExactly(send(5, new Message.SessionExpired(1)));
        var attached = receives(open(), 5, new Message.Attach(1, 70));
        assertThat(receives(attached, 5, SUBMIT).effects())
                .containsExactly(proposes(new Command.Submit(1, 1, 0, ORDERS)));
    }

    @Test
    void an_attach_waits_for_a_session_that_is_not_applied_yet_and_fails_for_an_expired_one() {
        var attaching = receives(started(), 4, new Message.Attach(1, 70));
        assertThat(attaching.effects()).containsExactly(proposes(renewal(1, 0)));
        var known = applies(applies(attaching, OPEN), renewal(1, 0));
        assertThat(receives(known, 4, SUBMIT).effects()).containsExactly(proposes(new Command.Submit(1, 1, 0, ORDERS)));
        var expired = applies(open(), new Command.ExpireSession(1, 1));
        assertThat(expired.effects()).containsExactly(send(4, new Message.SessionExpired(1)));
        assertThat(receives(expired, 5, new Message.Attach(1, 70)).effects())
                .containsExactly(send(5, new Message.SessionExpired(1)));
    }

    @Test
    void the_leader_proposes_to_expire_a_session_one_lease_after_its_last_renewal() {
        assertThat(leading().effects()).containsExactly(setTimer(Timer.TICK, TICK));
        assertThat(ticks(leading(), 3).effects()).containsExactly(setTimer(Timer.TICK, TICK));
        assertThat(ticks(leading(), 4).effects())
                .containsExactly(setTimer(Timer.TICK, TICK), proposes(new Command.ExpireSession(1, 1)));
        var renewed = applies(ticks(leading(), 3), renewal(1, 1));
        assertThat(ticks(renewed, 3).effects()).containsExactly(setTimer(Timer.TICK, TICK));
        assertThat(ticks(renewed, 4).effects())
                .containsExactly(setTimer(Timer.TICK, TICK), proposes(new Command.ExpireSession(1, 2)));
    }

    /** As fabric8#7160, where a candidate applied its own lease to the holder. */
    @Test
    void a_session_expires_by_its_own_lease_not_by_that_of_a_waiter() {
        var longer = new Command.OpenSession(71, CLIENT, LEASE.multipliedBy(3));
        var leading = receives(applies(started(), longer, OPEN), 1, new Message.LeadershipChanged(true));
        int lease = (int) LEASE.dividedBy(TICK);
        var ticked = ticks(leading, lease + 1);
        assertThat(ticked.effects()).contains(proposes(new Command.ExpireSession(2, 2)));
        assertThat(ticks(applies(ticked, renewal(2, 1)), 2 * lease).effects())
                .contains(proposes(new Command.ExpireSession(1, 1)));
    }

    @Test
    void a_request_with_a_ticket_that_has_ended_attaches_to_nothing() {
        var ticket = new SessionOrigin.TicketRequest(new TicketId(1, 2), 3, 0);
        var open = new Command.OpenSession(71, CLIENT, LEASE, ticket);
        var ended = applies(started(), open, new Command.Submit(1, 3, 0, new Operation.Close()));
        var asked = receives(ended, 5, new Message.OpenSession(72, CLIENT, LEASE, ticket));
        var told = applies(asked, new Command.OpenSession(72, CLIENT, LEASE, ticket));
        assertThat(told.effects()).containsExactly(send(5, new Message.SessionOpened(72, 1)));
        assertThat(receives(told, 5, SUBMIT).effects()).isEmpty();
    }

    @Test
    void an_expiry_is_proposed_again_only_after_several_ticks() {
        var proposed = ticks(leading(), 4);
        assertThat(ticks(proposed, 1).effects()).containsExactly(setTimer(Timer.TICK, TICK));
        assertThat(ticks(proposed, 3).effects()).containsExactly(setTimer(Timer.TICK, TICK));
        assertThat(ticks(proposed, 4).effects())
                .containsExactly(setTimer(Timer.TICK, TICK), proposes(new Command.ExpireSession(1, 1)));
    }

    @Test
    void a_request_renews_the_session() {
        var renewed = applies(ticks(leading(), 3), new Command.Submit(1, 1, 0, ORDERS));
        assertThat(ticks(renewed, 3).effects()).containsExactly(setTimer(Timer.TICK, TICK));
        assertThat(ticks(renewed, 4).effects())
                .containsExactly(setTimer(Timer.TICK, TICK), proposes(new Command.ExpireSession(1, 2)));
    }

    @Test
    void a_new_leader_restarts_all_leases() {
        var deposed = receives(ticks(leading(), 3), 1, new Message.LeadershipChanged(false));
        var elected = receives(deposed, 1, new Message.LeadershipChanged(true));
        assertThat(elected.effects()).containsExactly(setTimer(Timer.TICK, TICK));
        assertThat(ticks(elected, 3).effects()).containsExactly(setTimer(Timer.TICK, TICK));
    }

    @Test
    void after_a_snapshot_attached_clients_get_their_current_results() {
        var table = open().state().table();
        var granted = table.apply(CommandBatch.of(0, new Command.Submit(1, 1, 0, ORDERS)))
                .table();
        assertThat(receives(open(), 1, new Message.SnapshotInstalled(granted)).effects())
                .containsExactly(send(4, new Message.Result(1, 1, new OperationResult.Granted(2))));
        var expired =
                table.apply(CommandBatch.of(0, new Command.ExpireSession(1, 1))).table();
        assertThat(receives(open(), 1, new Message.SnapshotInstalled(expired)).effects())
                .containsExactly(send(4, new Message.SessionExpired(1)));
        var opening = receives(started(), 4, new Message.OpenSession(70, CLIENT, LEASE));
        assertThat(receives(opening, 1, new Message.SnapshotInstalled(table)).effects())
                .containsExactly(send(4, new Message.SessionOpened(70, 1)));
    }

    @Test
    void a_revocation_is_sent_when_the_client_attaches_and_with_every_renewal_until_it_releases() {
        var granted = applies(open(), new Command.Submit(1, 1, 0, ORDERS), new Command.Submit(1, 2, 1, ORDERS));
        var disconnected = SERVER.onDisconnected(granted.state(), NodeSet.of(n(4)));
        var action = new Command.AdminAction.Release(ResourceName.lock("orders"), 2);
        var revoked = applies(disconnected, new Command.AdminCommand(action, "olga", "host:1", "stuck"));
        assertThat(revoked.effects()).isEmpty();
        Effect<Message> revocation = send(5, new Message.Result(1, 1, new OperationResult.Revoked("olga", "stuck")));
        var attached = receives(revoked, 5, new Message.Attach(1, 70));
        assertThat(attached.effects()).containsExactly(revocation);
        assertThat(applies(attached, renewal(1, 3)).effects())
                .containsExactly(revocation, send(5, new Message.Renewed(1, 3)));
        var known = applies(attached, new Command.Submit(1, 3, 2, new Operation.Release(1)));
        assertThat(applies(known, renewal(1, 4)).effects()).containsExactly(send(5, new Message.Renewed(1, 4)));
    }

    @Test
    void a_disconnected_client_gets_no_replies() {
        var disconnected = SERVER.onDisconnected(open().state(), NodeSet.of(n(4)));
        assertThat(applies(disconnected, renewal(1, 1)).effects()).isEmpty();
    }
}
