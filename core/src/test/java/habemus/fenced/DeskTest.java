package habemus.fenced;

import static habemus.Given.n;
import static habemus.Given.send;
import static habemus.Given.wake;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.fenced.Desk.Alarm;
import habemus.fenced.Desk.State;
import habemus.protocol.Effect;
import habemus.protocol.NodeSet;
import habemus.protocol.Place;
import habemus.protocol.Step;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of a node of the service, one by one: it is n2, the log is n1, clients are n4 and n5. */
class DeskTest {

    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration GATHERING = Duration.ofMillis(20);
    private static final Duration LEASE = Duration.ofMillis(300);
    private static final Person PERSON = new Person("ann", "here", 1);
    private static final Desk DESK = new Desk(TICK, GATHERING);
    private static final Command OPEN = new Command.Open(70, PERSON, LEASE);
    private static final Wish ORDERS = Wish.Acquire.of(Want.exclusive("orders"));
    private static final Talk.Ask ASK = new Talk.Ask(1, 1, 0, ORDERS);

    private static Step<State, Talk> started() {
        return DESK.start(new Place(n(2), List.of(n(1), n(3), n(4), n(5))));
    }

    /** n4 has session 1. */
    private static Step<State, Talk> open() {
        return applies(hears(started(), 4, new Talk.Open(70, PERSON, LEASE)), OPEN);
    }

    private static Step<State, Talk> leading() {
        return hears(open(), 1, new Talk.Leading(true));
    }

    private static Step<State, Talk> hears(Step<State, Talk> before, int from, Talk message) {
        return DESK.receive(before.state(), n(from), message);
    }

    private static Step<State, Talk> applies(Step<State, Talk> before, Command... commands) {
        return hears(before, 1, new Talk.Committed(Entry.of(0, commands)));
    }

    private static Step<State, Talk> ticks(Step<State, Talk> before, int times) {
        var step = before;
        for (int i = 0; i < times; i++) {
            step = DESK.elapsed(step.state(), Alarm.TICK);
        }
        return step;
    }

    private static Effect<Talk> proposes(Command... commands) {
        return send(1, new Talk.Propose(List.of(commands)));
    }

    private static Command beat(long session, long number) {
        return new Command.Beat(List.of(new Command.Renewal(session, number)));
    }

    @Test
    void a_session_is_open_when_the_log_says_so() {
        assertThat(hears(started(), 4, new Talk.Open(70, PERSON, LEASE)).effects())
                .containsExactly(proposes(OPEN));
        assertThat(open().effects()).containsExactly(send(4, new Talk.Opened(70, 1)));
        assertThat(applies(started(), OPEN).effects()).isEmpty();
    }

    @Test
    void renewals_are_gathered_and_acknowledged_when_they_are_in_the_log() {
        var one = hears(open(), 4, new Talk.Renew(1, 5));
        assertThat(one.effects()).containsExactly(wake(Alarm.BEAT, GATHERING));
        var late = hears(one, 4, new Talk.Renew(1, 4));
        assertThat(late.effects()).isEmpty();
        var beaten = DESK.elapsed(late.state(), Alarm.BEAT);
        assertThat(beaten.effects()).containsExactly(proposes(beat(1, 5)));
        assertThat(applies(beaten, beat(1, 5)).effects()).containsExactly(send(4, new Talk.Renewed(1, 5)));
    }

    @Test
    void renewals_ride_along_with_what_goes_to_the_log_anyway() {
        var asked = hears(hears(open(), 4, new Talk.Renew(1, 5)), 4, ASK);
        assertThat(asked.effects()).containsExactly(proposes(new Command.Ask(1, 1, 0, ORDERS), beat(1, 5)));
        assertThat(DESK.elapsed(asked.state(), Alarm.BEAT).effects()).isEmpty();
    }

    @Test
    void what_was_answered_before_does_not_go_into_the_log_again() {
        var granted = applies(open(), new Command.Ask(1, 1, 0, ORDERS));
        assertThat(granted.effects()).contains(send(4, new Talk.Answered(1, 1, new Answer.Granted(2))));
        assertThat(hears(granted, 4, ASK).effects())
                .containsExactly(send(4, new Talk.Answered(1, 1, new Answer.Granted(2))));
    }

    @Test
    void nobody_speaks_for_a_session_who_is_not_attached_to_it() {
        assertThat(hears(open(), 5, ASK).effects()).isEmpty();
        assertThat(hears(open(), 5, new Talk.Renew(1, 1)).effects()).isEmpty();
        assertThat(hears(open(), 5, new Talk.Attach(1, 71)).effects()).containsExactly(send(5, new Talk.Gone(1)));
        var attached = hears(open(), 5, new Talk.Attach(1, 70));
        assertThat(hears(attached, 5, ASK).effects()).containsExactly(proposes(new Command.Ask(1, 1, 0, ORDERS)));
    }

    @Test
    void a_session_that_is_yet_to_come_is_waited_for_and_one_that_is_over_is_gone() {
        var knocking = hears(started(), 4, new Talk.Attach(1, 70));
        assertThat(knocking.effects()).containsExactly(proposes(beat(1, 0)));
        var known = applies(applies(knocking, OPEN), beat(1, 0));
        assertThat(hears(known, 4, ASK).effects()).containsExactly(proposes(new Command.Ask(1, 1, 0, ORDERS)));
        var over = applies(open(), new Command.Expire(1, 1));
        assertThat(over.effects()).containsExactly(send(4, new Talk.Gone(1)));
        assertThat(hears(over, 5, new Talk.Attach(1, 70)).effects()).containsExactly(send(5, new Talk.Gone(1)));
    }

    @Test
    void who_leads_proposes_the_end_of_a_session_after_more_than_its_lease_as_of_what_it_heard() {
        assertThat(leading().effects()).containsExactly(wake(Alarm.TICK, TICK));
        assertThat(ticks(leading(), 3).effects()).containsExactly(wake(Alarm.TICK, TICK));
        assertThat(ticks(leading(), 4).effects())
                .containsExactly(wake(Alarm.TICK, TICK), proposes(new Command.Expire(1, 1)));
        var heard = applies(ticks(leading(), 3), beat(1, 1));
        assertThat(ticks(heard, 3).effects()).containsExactly(wake(Alarm.TICK, TICK));
        assertThat(ticks(heard, 4).effects())
                .containsExactly(wake(Alarm.TICK, TICK), proposes(new Command.Expire(1, 2)));
    }

    @Test
    void what_was_proposed_is_proposed_again_only_after_a_while() {
        var proposed = ticks(leading(), 4);
        assertThat(ticks(proposed, 1).effects()).containsExactly(wake(Alarm.TICK, TICK));
        assertThat(ticks(proposed, 3).effects()).containsExactly(wake(Alarm.TICK, TICK));
        assertThat(ticks(proposed, 4).effects())
                .containsExactly(wake(Alarm.TICK, TICK), proposes(new Command.Expire(1, 1)));
    }

    @Test
    void a_request_is_heard_as_a_renewal_is() {
        var heard = applies(ticks(leading(), 3), new Command.Ask(1, 1, 0, ORDERS));
        assertThat(ticks(heard, 3).effects()).containsExactly(wake(Alarm.TICK, TICK));
        assertThat(ticks(heard, 4).effects())
                .containsExactly(wake(Alarm.TICK, TICK), proposes(new Command.Expire(1, 2)));
    }

    @Test
    void a_new_leader_begins_all_leases_anew() {
        var deposed = hears(ticks(leading(), 3), 1, new Talk.Leading(false));
        var again = hears(deposed, 1, new Talk.Leading(true));
        assertThat(again.effects()).containsExactly(wake(Alarm.TICK, TICK));
        assertThat(ticks(again, 3).effects()).containsExactly(wake(Alarm.TICK, TICK));
    }

    @Test
    void after_a_gap_those_who_are_attached_are_told_how_it_stands() {
        var table = open().state().table();
        var granted = table.apply(Entry.of(0, new Command.Ask(1, 1, 0, ORDERS))).table();
        assertThat(hears(open(), 1, new Talk.Installed(granted)).effects())
                .containsExactly(send(4, new Talk.Answered(1, 1, new Answer.Granted(2))));
        var over = table.apply(Entry.of(0, new Command.Expire(1, 1))).table();
        assertThat(hears(open(), 1, new Talk.Installed(over)).effects()).containsExactly(send(4, new Talk.Gone(1)));
        var opening = hears(started(), 4, new Talk.Open(70, PERSON, LEASE));
        assertThat(hears(opening, 1, new Talk.Installed(table)).effects())
                .containsExactly(send(4, new Talk.Opened(70, 1)));
    }

    @Test
    void from_whom_something_was_taken_while_it_was_nowhere_is_told_when_it_attaches_and_with_every_renewal() {
        var granted = applies(open(), new Command.Ask(1, 1, 0, ORDERS), new Command.Ask(1, 2, 1, ORDERS));
        var nowhere = DESK.left(granted.state(), NodeSet.of(n(4)));
        var order = new Command.Order.Release(Name.lock("orders"), 2);
        var taken = applies(nowhere, new Command.Force(order, "olga", "stuck"));
        assertThat(taken.effects()).isEmpty();
        Effect<Talk> told = send(5, new Talk.Answered(1, 1, new Answer.Revoked("olga", "stuck")));
        var attached = hears(taken, 5, new Talk.Attach(1, 70));
        assertThat(attached.effects()).containsExactly(told);
        assertThat(applies(attached, beat(1, 3)).effects()).containsExactly(told, send(5, new Talk.Renewed(1, 3)));
        var known = applies(attached, new Command.Ask(1, 3, 2, new Wish.Release(1)));
        assertThat(applies(known, beat(1, 4)).effects()).containsExactly(send(5, new Talk.Renewed(1, 4)));
    }

    @Test
    void who_has_left_is_told_nothing() {
        var left = DESK.left(open().state(), NodeSet.of(n(4)));
        assertThat(applies(left, beat(1, 1)).effects()).isEmpty();
    }
}
