package habemus.service.session;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import habemus.archive.Archive;
import habemus.fenced.Answer;
import habemus.fenced.Command;
import habemus.fenced.Entry;
import habemus.fenced.Name;
import habemus.fenced.Person;
import habemus.fenced.Table;
import habemus.fenced.Talk;
import habemus.fenced.Want;
import habemus.fenced.Wish;
import habemus.protocol.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The desk, driven: what is done together, what comes first, what is waited for. */
class ReceptionTest {

    private static final Duration LEASE = Duration.ofSeconds(4);
    private static final Person PERSON = new Person("worker", "here", 1);

    private final HeldLog log = new HeldLog();
    private final AtomicLong nanos = new AtomicLong();
    private final Reception reception = new Reception(
            new NodeId(1), log, Access.open(), Limits.STANDARD.waiters(1).claims(3), nanos::get);
    private final Client client = new Client();

    /** Whoever is told, and can keep the reception's thread busy meanwhile. */
    private final class Client implements Reception.Caller {
        private final BlockingQueue<Talk.Reply> replies = new LinkedBlockingQueue<>();
        private final BlockingQueue<Integer> together = new LinkedBlockingQueue<>();
        private final Connection connection =
                reception.connect(Visitor.ANYBODY, this).orElseThrow();
        private volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

        @Override
        public void told(List<Talk.Reply> news) {
            var closed = gate; // as it is before anybody knows of this
            together.add(news.size());
            replies.addAll(news);
            closed.join();
        }

        void say(Talk.Request request) {
            assertThat(connection.say(request)).isEmpty();
        }

        void acquire(long session, long number, String lock) {
            say(new Talk.Ask(session, number, 0, Wish.Acquire.of(Want.exclusive(lock))));
        }

        Talk.Reply next() throws InterruptedException {
            var reply = replies.poll(10, SECONDS);
            assertThat(reply).as("a reply").isNotNull();
            return reply;
        }

        long open(long nonce) throws InterruptedException {
            say(new Talk.Open(nonce, PERSON, LEASE));
            log.commit(log.next());
            return ((Talk.Opened) next()).session();
        }

        /** The reception stands still after it has told this client something. */
        CompletableFuture<Void> standStill() {
            gate = new CompletableFuture<>();
            return gate;
        }

        /** From now on the reception stands still. */
        CompletableFuture<Void> hold() throws InterruptedException {
            var held = standStill();
            assertThat(open(1_000)).isPositive();
            return held;
        }
    }

    @BeforeEach
    void start() {
        reception.start();
    }

    @AfterEach
    void stop() {
        client.gate.complete(null); // also of a test that failed
        reception.close();
    }

    @Test
    void what_comes_together_is_one_entry_and_is_answered_together() throws InterruptedException {
        long session = client.open(7);
        var gate = client.hold();
        for (int number = 1; number <= 3; number++) {
            client.acquire(session, number, "lock-" + number);
        }
        assertThat(log.hasNone()).isTrue();
        client.together.clear();
        gate.complete(null);
        var entry = log.next();
        assertThat(entry.commands()).hasSize(3).allMatch(command -> command instanceof Command.Ask);
        log.commit(entry);
        assertThat(client.together.poll(10, SECONDS)).isEqualTo(3);
        assertThat(reception.counts().entries()).isEqualTo(3);
    }

    /** Leads, and has a session that holds a lock. */
    private long holder(String lock) throws InterruptedException {
        log.leads(1);
        long session = client.open(7);
        client.acquire(session, 1, lock);
        log.commit(log.next());
        assertThat(client.next()).isEqualTo(new Talk.Answered(session, 1, new Answer.Granted(2)));
        return session;
    }

    @Test
    void who_can_only_stand_in_line_goes_into_the_log_with_who_leaves() throws InterruptedException {
        long session = holder("orders");
        client.acquire(session, 2, "orders");
        assertThat(log.hasNone()).isTrue();
        client.say(new Talk.Ask(session, 3, 0, new Wish.Release(1)));
        var entry = log.next();
        assertThat(entry.commands()).hasSize(2);
        log.commit(entry);
        assertThat(client.next()).isEqualTo(new Talk.Answered(session, 2, new Answer.Waiting()));
        assertThat(client.next()).isEqualTo(new Talk.Answered(session, 3, new Answer.Released()));
        assertThat(client.next()).isEqualTo(new Talk.Answered(session, 2, new Answer.Granted(4)));
    }

    @Test
    void who_can_only_stand_in_line_stands_there_soon_even_if_nobody_leaves() throws InterruptedException {
        long session = holder("orders");
        client.acquire(session, 2, "orders");
        log.snapshot().join(); // so it was heard before time goes on
        assertThat(log.hasNone()).isTrue();
        nanos.addAndGet(Duration.ofMillis(2).toNanos());
        assertThat(log.next().commands()).hasSize(1);
    }

    @Test
    void who_does_not_want_to_wait_is_told_at_once_that_it_is_taken() throws InterruptedException {
        long session = holder("orders");
        client.say(new Talk.Ask(session, 2, 0, new Wish.Acquire(List.of(Want.exclusive("orders")), false, 0)));
        assertThat(log.next().commands()).hasSize(1);
    }

    @Test
    void where_others_may_know_better_who_holds_it_nobody_waits_for_who_leaves() throws InterruptedException {
        long session = holder("orders");
        log.leads(2);
        client.acquire(session, 2, "orders");
        assertThat(log.next().commands()).hasSize(1);
    }

    @Test
    void a_request_is_proposed_once_and_forgotten() throws InterruptedException {
        long session = client.open(7);
        client.acquire(session, 1, "orders");
        assertThat(log.next().commands()).hasSize(1); // and is lost
        client.acquire(session, 1, "orders");
        log.commit(log.next());
        assertThat(client.next()).isEqualTo(new Talk.Answered(session, 1, new Answer.Granted(2)));
        assertThat(log.hasNone()).isTrue();
    }

    @Test
    void what_was_lost_with_a_leader_is_proposed_once_more() throws InterruptedException {
        long session = client.open(7);
        client.say(new Talk.Renew(session, 1));
        client.acquire(session, 1, "orders");
        assertThat(log.next().commands()).hasSize(2);
        log.lose();
        var again = log.next();
        assertThat(again.commands()).hasSize(1).allMatch(command -> command instanceof Command.Ask);
        log.lose();
        client.acquire(session, 2, "other");
        var next = log.next();
        assertThat(next.commands()).as("the third time it is forgotten").hasSize(1);
        log.commit(next);
        assertThat(client.next()).isEqualTo(new Talk.Answered(session, 2, new Answer.Granted(2)));
    }

    @Test
    void a_renewal_is_acknowledged_when_its_entry_is_applied_and_not_before() throws InterruptedException {
        long session = client.open(7);
        client.say(new Talk.Renew(session, 1));
        client.acquire(session, 1, "orders"); // takes the renewal along
        var entry = log.next();
        assertThat(entry.commands()).contains(new Command.Beat(List.of(new Command.Renewal(session, 1))));
        assertThat(client.replies).isEmpty();
        log.commit(entry);
        assertThat(List.of(client.next(), client.next())).contains(new Talk.Renewed(session, 1));
    }

    @Test
    void a_renewal_does_not_wait_for_company() throws InterruptedException {
        long session = client.open(7);
        client.say(new Talk.Renew(session, 1));
        pass(Duration.ZERO);
        pass(Duration.ofMillis(100));
        assertThat(log.next().commands()).containsExactly(new Command.Beat(List.of(new Command.Renewal(session, 1))));
    }

    @Test
    void an_alarm_that_is_due_comes_before_what_waits() throws InterruptedException {
        long session = client.open(7);
        var gate = client.standStill();
        client.say(new Talk.Renew(session, 1));
        log.commit(new Command.Ask(session, 50, 0, new Wish.Release(49)));
        client.next();
        client.acquire(session, 1, "orders");
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        gate.complete(null);
        assertThat(log.next().commands())
                .hasSize(2)
                .first()
                .isEqualTo(new Command.Beat(List.of(new Command.Renewal(session, 1))));
    }

    @Test
    void who_leads_gives_up_who_is_silent_for_a_whole_lease() throws InterruptedException {
        log.leads(1);
        long session = client.open(7);
        for (int tick = 0; tick < 17; tick++) {
            assertThat(log.hasNone()).isTrue();
            pass(Duration.ofMillis(250));
        }
        var entry = log.next();
        assertThat(entry.commands()).containsExactly(new Command.Expire(session, session));
        log.commit(entry);
        assertThat(client.next()).isEqualTo(new Talk.Gone(session));
        assertThat(reception.counts().expiries()).isEqualTo(1);
    }

    /** Time passes, and the reception has noticed. */
    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
        log.snapshot().join();
        log.snapshot().join();
    }

    @Test
    void who_has_left_is_not_told_and_attaches_again() throws InterruptedException {
        long session = client.open(7);
        client.acquire(session, 1, "orders");
        var entry = log.next();
        client.connection.close();
        var other = new Client();
        other.say(new Talk.Attach(session, 7));
        log.machine().snapshot(); // it has attached
        log.commit(entry);
        assertThat(other.next()).isEqualTo(new Talk.Answered(session, 1, new Answer.Granted(2)));
        assertThat(client.replies).isEmpty();
        assertThat(reception.counts().connections()).isEqualTo(1);
    }

    @Test
    void whom_there_is_no_room_for_in_line_is_told_so_and_never_let_in() throws InterruptedException {
        long session = client.open(7);
        for (int number = 1; number <= 2; number++) {
            client.acquire(session, number, "orders");
            log.commit(log.next());
            client.next();
        }
        client.acquire(session, 3, "orders");
        log.commit(log.next());
        assertThat(client.next()).isEqualTo(new Talk.Answered(session, 3, new Answer.Refused(Answer.Fault.TOO_MANY)));
        assertThat(reception.table().waiters(Name.lock("orders"))).hasSize(1);
    }

    /** It was asked for at another node, and the line became full behind it. */
    @Test
    void who_is_in_line_already_is_not_refused_when_it_asks_again_elsewhere() throws InterruptedException {
        long session = client.open(7);
        for (int number = 1; number <= 2; number++) {
            client.acquire(session, number, "orders");
            log.commit(log.next());
            client.next();
        }
        var late = new Command.Ask(session, 3, 0, Wish.Acquire.of(Want.exclusive("orders")));
        client.acquire(session, 3, "orders");
        var calledOff = log.next();
        log.commit(late);
        log.commit(calledOff);
        assertThat(client.next()).isEqualTo(new Talk.Answered(session, 3, new Answer.Waiting()));
        assertThat(client.next()).isEqualTo(new Talk.Answered(session, 3, new Answer.Waiting()));
    }

    @Test
    void too_many_claims_and_names_that_are_none_are_refused() throws InterruptedException {
        long session = client.open(7);
        for (int number = 1; number <= 3; number++) {
            client.acquire(session, number, "lock-" + number);
            log.commit(log.next());
            client.next();
        }
        client.acquire(session, 4, "lock-4");
        log.commit(log.next());
        assertThat(client.next()).isEqualTo(new Talk.Answered(session, 4, new Answer.Refused(Answer.Fault.TOO_MANY)));
        client.acquire(session, 5, "x".repeat(201));
        assertThat(client.next()).isEqualTo(new Talk.Answered(session, 5, new Answer.Refused(Answer.Fault.WRONG_NAME)));
        client.acquire(session, 6, " ");
        assertThat(client.next()).isEqualTo(new Talk.Answered(session, 6, new Answer.Refused(Answer.Fault.WRONG_NAME)));
        client.acquire(session, 10_001, "orders");
        assertThat(client.next())
                .isEqualTo(new Talk.Answered(session, 10_001, new Answer.Refused(Answer.Fault.TOO_MANY)));
        assertThat(reception.counts().refused()).isEqualTo(4);
    }

    @Test
    void a_lease_that_is_too_short_or_too_long_is_refused() {
        for (var lease : List.of(Duration.ofMillis(999), Duration.ofSeconds(601), Duration.ofSeconds(-5))) {
            assertThat(client.connection.say(new Talk.Open(1, PERSON, lease)))
                    .hasValueSatisfying(refused -> assertThat(refused.message()).contains("from 1 s to 600 s"));
        }
        assertThat(log.hasNone()).isTrue();
    }

    @Test
    void a_snapshot_is_of_all_that_was_applied_before() throws InterruptedException {
        var gate = client.hold();
        log.commit(new Command.Open(8, PERSON, LEASE));
        var snapshot = log.snapshot();
        gate.complete(null);
        var table = Archive.table(snapshot.join());
        assertThat(table.sessions().size()).isEqualTo(2);
        assertThat(table).isEqualTo(reception.table());
    }

    @Test
    void what_is_restored_is_there_and_who_is_attached_is_told() throws InterruptedException {
        long session = client.open(7);
        var table = Table.EMPTY
                .apply(Entry.of(
                        1,
                        new Command.Open(7, PERSON, LEASE),
                        new Command.Ask(session, 1, 0, Wish.Acquire.of(Want.exclusive("orders")))))
                .table();
        log.machine().restore(Archive.write(table));
        assertThat(client.next()).isEqualTo(new Talk.Answered(session, 1, new Answer.Granted(2)));
        assertThat(reception.table()).isEqualTo(table);
    }

    @Test
    void an_operator_is_told_when_it_is_done() throws Exception {
        long session = client.open(7);
        client.acquire(session, 1, "orders");
        log.commit(log.next());
        client.next();
        var order = new Command.Force(new Command.Order.Release(Name.lock("orders"), 2), "ann", "stuck");
        var done = reception.force(order);
        assertThat(log.next().commands()).containsExactly(order);
        assertThat(done).isNotDone();
    }

    @Test
    void what_is_no_entry_stops_the_log() {
        assertThat(catchThrowable(() -> log.machine().apply(1, new byte[] {1, 99, 99, 99})))
                .isNotNull();
    }

    @Test
    void a_machine_that_does_the_impossible_stops_the_node() throws Exception {
        reception.add(new Event.Committed((Entry) null));
        var failure = reception.failure().get(10, SECONDS);
        assertThat(failure.toString()).contains("state");
        assertThat(catchThrowable(() -> log.snapshot().join())).hasMessageContaining("stopped");
    }
}
