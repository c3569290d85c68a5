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
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.protocol.LockServer.State;
import habemus.lockservice.protocol.LockServer.Timer;
import habemus.protocol.Effect;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeSet;
import habemus.protocol.Step;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of a node of the service, one by one: it is n2, the log is n1, clients are n4 and n5. */
class LockServerTest {

    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration GATHERING = Duration.ofMillis(20);
    private static final Duration LEASE = Duration.ofMillis(300);
    private static final ClientInfo PERSON = new ClientInfo("ann", "here", 1);
    private static final LockServer DESK = new LockServer(TICK, GATHERING);
    private static final Command OPEN = new Command.OpenSession(70, PERSON, LEASE);
    private static final Operation ORDERS = Operation.Acquire.of(ResourceShare.exclusive("orders"));
    private static final Message.Submit ASK = new Message.Submit(1, 1, 0, ORDERS);

    private static Step<State, Message> started() {
        return DESK.start(new Neighbourhood(n(2), List.of(n(1), n(3), n(4), n(5))));
    }

    /** n4 has session 1. */
    private static Step<State, Message> open() {
        return applies(hears(started(), 4, new Message.OpenSession(70, PERSON, LEASE)), OPEN);
    }

    private static Step<State, Message> leading() {
        return hears(open(), 1, new Message.LeadershipChanged(true));
    }

    private static Step<State, Message> hears(Step<State, Message> before, int from, Message message) {
        return DESK.receive(before.state(), n(from), message);
    }

    private static Step<State, Message> applies(Step<State, Message> before, Command... commands) {
        return hears(before, 1, new Message.Committed(CommandBatch.of(0, commands)));
    }

    private static Step<State, Message> ticks(Step<State, Message> before, int times) {
        var step = before;
        for (int i = 0; i < times; i++) {
            step = DESK.timeout(step.state(), Timer.TICK);
        }
        return step;
    }

    private static Effect<Message> proposes(Command... commands) {
        return send(1, new Message.Propose(List.of(commands)));
    }

    private static Command beat(long session, long number) {
        return new Command.RenewSessions(List.of(new Command.Renewal(session, number)));
    }

    @Test
    void a_session_is_open_when_the_log_says_so() {
        assertThat(hears(started(), 4, new Message.OpenSession(70, PERSON, LEASE))
                        .effects())
                .containsExactly(proposes(OPEN));
        assertThat(open().effects()).containsExactly(send(4, new Message.SessionOpened(70, 1)));
        assertThat(applies(started(), OPEN).effects()).isEmpty();
    }

    @Test
    void renewals_are_gathered_and_acknowledged_when_they_are_in_the_log() {
        var one = hears(open(), 4, new Message.Renew(1, 5));
        assertThat(one.effects()).containsExactly(setTimer(Timer.FLUSH_RENEWALS, GATHERING));
        var late = hears(one, 4, new Message.Renew(1, 4));
        assertThat(late.effects()).isEmpty();
        var beaten = DESK.timeout(late.state(), Timer.FLUSH_RENEWALS);
        assertThat(beaten.effects()).containsExactly(proposes(beat(1, 5)));
        assertThat(applies(beaten, beat(1, 5)).effects()).containsExactly(send(4, new Message.Renewed(1, 5)));
    }

    @Test
    void renewals_ride_along_with_what_goes_to_the_log_anyway() {
        var asked = hears(hears(open(), 4, new Message.Renew(1, 5)), 4, ASK);
        assertThat(asked.effects()).containsExactly(proposes(new Command.Submit(1, 1, 0, ORDERS), beat(1, 5)));
        assertThat(DESK.timeout(asked.state(), Timer.FLUSH_RENEWALS).effects()).isEmpty();
    }

    @Test
    void what_was_answered_before_does_not_go_into_the_log_again() {
        var granted = applies(open(), new Command.Submit(1, 1, 0, ORDERS));
        assertThat(granted.effects()).contains(send(4, new Message.Result(1, 1, new OperationResult.Granted(2))));
        assertThat(hears(granted, 4, ASK).effects())
                .containsExactly(send(4, new Message.Result(1, 1, new OperationResult.Granted(2))));
    }

    @Test
    void nobody_speaks_for_a_session_who_is_not_attached_to_it() {
        assertThat(hears(open(), 5, ASK).effects()).isEmpty();
        assertThat(hears(open(), 5, new Message.Renew(1, 1)).effects()).isEmpty();
        assertThat(hears(open(), 5, new Message.Attach(1, 71)).effects())
                .containsExactly(send(5, new Message.SessionExpired(1)));
        var attached = hears(open(), 5, new Message.Attach(1, 70));
        assertThat(hears(attached, 5, ASK).effects()).containsExactly(proposes(new Command.Submit(1, 1, 0, ORDERS)));
    }

    @Test
    void a_session_that_is_yet_to_come_is_waited_for_and_one_that_is_over_is_gone() {
        var knocking = hears(started(), 4, new Message.Attach(1, 70));
        assertThat(knocking.effects()).containsExactly(proposes(beat(1, 0)));
        var known = applies(applies(knocking, OPEN), beat(1, 0));
        assertThat(hears(known, 4, ASK).effects()).containsExactly(proposes(new Command.Submit(1, 1, 0, ORDERS)));
        var over = applies(open(), new Command.ExpireSession(1, 1));
        assertThat(over.effects()).containsExactly(send(4, new Message.SessionExpired(1)));
        assertThat(hears(over, 5, new Message.Attach(1, 70)).effects())
                .containsExactly(send(5, new Message.SessionExpired(1)));
    }

    @Test
    void who_leads_proposes_the_end_of_a_session_after_more_than_its_lease_as_of_what_it_heard() {
        assertThat(leading().effects()).containsExactly(setTimer(Timer.TICK, TICK));
        assertThat(ticks(leading(), 3).effects()).containsExactly(setTimer(Timer.TICK, TICK));
        assertThat(ticks(leading(), 4).effects())
                .containsExactly(setTimer(Timer.TICK, TICK), proposes(new Command.ExpireSession(1, 1)));
        var heard = applies(ticks(leading(), 3), beat(1, 1));
        assertThat(ticks(heard, 3).effects()).containsExactly(setTimer(Timer.TICK, TICK));
        assertThat(ticks(heard, 4).effects())
                .containsExactly(setTimer(Timer.TICK, TICK), proposes(new Command.ExpireSession(1, 2)));
    }

    @Test
    void what_was_proposed_is_proposed_again_only_after_a_while() {
        var proposed = ticks(leading(), 4);
        assertThat(ticks(proposed, 1).effects()).containsExactly(setTimer(Timer.TICK, TICK));
        assertThat(ticks(proposed, 3).effects()).containsExactly(setTimer(Timer.TICK, TICK));
        assertThat(ticks(proposed, 4).effects())
                .containsExactly(setTimer(Timer.TICK, TICK), proposes(new Command.ExpireSession(1, 1)));
    }

    @Test
    void a_request_is_heard_as_a_renewal_is() {
        var heard = applies(ticks(leading(), 3), new Command.Submit(1, 1, 0, ORDERS));
        assertThat(ticks(heard, 3).effects()).containsExactly(setTimer(Timer.TICK, TICK));
        assertThat(ticks(heard, 4).effects())
                .containsExactly(setTimer(Timer.TICK, TICK), proposes(new Command.ExpireSession(1, 2)));
    }

    @Test
    void a_new_leader_begins_all_leases_anew() {
        var deposed = hears(ticks(leading(), 3), 1, new Message.LeadershipChanged(false));
        var again = hears(deposed, 1, new Message.LeadershipChanged(true));
        assertThat(again.effects()).containsExactly(setTimer(Timer.TICK, TICK));
        assertThat(ticks(again, 3).effects()).containsExactly(setTimer(Timer.TICK, TICK));
    }

    @Test
    void after_a_gap_those_who_are_attached_are_told_how_it_stands() {
        var lockTable = open().state().lockTable();
        var granted = lockTable
                .apply(CommandBatch.of(0, new Command.Submit(1, 1, 0, ORDERS)))
                .lockTable();
        assertThat(hears(open(), 1, new Message.SnapshotInstalled(granted)).effects())
                .containsExactly(send(4, new Message.Result(1, 1, new OperationResult.Granted(2))));
        var over = lockTable
                .apply(CommandBatch.of(0, new Command.ExpireSession(1, 1)))
                .lockTable();
        assertThat(hears(open(), 1, new Message.SnapshotInstalled(over)).effects())
                .containsExactly(send(4, new Message.SessionExpired(1)));
        var opening = hears(started(), 4, new Message.OpenSession(70, PERSON, LEASE));
        assertThat(hears(opening, 1, new Message.SnapshotInstalled(lockTable)).effects())
                .containsExactly(send(4, new Message.SessionOpened(70, 1)));
    }

    @Test
    void from_whom_something_was_taken_while_it_was_nowhere_is_told_when_it_attaches_and_with_every_renewal() {
        var granted = applies(open(), new Command.Submit(1, 1, 0, ORDERS), new Command.Submit(1, 2, 1, ORDERS));
        var nowhere = DESK.onDisconnected(granted.state(), NodeSet.of(n(4)));
        var order = new Command.AdminAction.Release(ResourceName.lock("orders"), 2);
        var taken = applies(nowhere, new Command.AdminCommand(order, "olga", "stuck"));
        assertThat(taken.effects()).isEmpty();
        Effect<Message> told = send(5, new Message.Result(1, 1, new OperationResult.Revoked("olga", "stuck")));
        var attached = hears(taken, 5, new Message.Attach(1, 70));
        assertThat(attached.effects()).containsExactly(told);
        assertThat(applies(attached, beat(1, 3)).effects()).containsExactly(told, send(5, new Message.Renewed(1, 3)));
        var known = applies(attached, new Command.Submit(1, 3, 2, new Operation.Release(1)));
        assertThat(applies(known, beat(1, 4)).effects()).containsExactly(send(5, new Message.Renewed(1, 4)));
    }

    @Test
    void who_has_left_is_told_nothing() {
        var left = DESK.onDisconnected(open().state(), NodeSet.of(n(4)));
        assertThat(applies(left, beat(1, 1)).effects()).isEmpty();
    }
}
