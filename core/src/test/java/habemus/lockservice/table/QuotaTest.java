package habemus.lockservice.table;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.OperationResult.RejectionReason;
import habemus.lockservice.Quotas;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QuotaTest {

    private static final long MANY = 1_000_000;
    private static final Usage MUCH = new Usage(MANY, MANY, MANY, MANY);

    private final LockTableFixture fixture = new LockTableFixture();

    private void limit(Usage total, Usage perPrincipal) {
        fixture.apply(new Command.SetQuotas(new Quotas(total, perPrincipal)));
    }

    private void limit(Usage total) {
        limit(total, MUCH);
    }

    private long open(String principal) {
        var client = new ClientInfo("client", "host", 1).withPrincipal(principal);
        fixture.apply(new Command.OpenSession(1, client, LockTableFixture.LEASE));
        return fixture.table().index();
    }

    private OperationResult lock(long session, long number, String name) {
        return fixture.acquire(session, number, ResourceShare.exclusive(name));
    }

    private static OperationResult full(RejectionReason quota) {
        return new OperationResult.Rejected(quota);
    }

    private long granted(OperationResult result) {
        assertThat(result).isInstanceOf(OperationResult.Granted.class);
        return ((OperationResult.Granted) result).fence();
    }

    @Test
    void a_session_is_refused_if_the_table_has_as_many_as_it_may_have_whether_or_not_they_are_connected() {
        limit(new Usage(2, MANY, MANY, MANY));
        open("a");
        open("b");
        open("c");
        assertThat(fixture.notifications())
                .containsExactly(new Notification.SessionRefused(1, RejectionReason.SESSIONS_FULL));
        assertThat(fixture.table().sessions().size()).isEqualTo(2);
    }

    @Test
    void a_principal_has_quotas_of_its_own() {
        limit(MUCH, new Usage(1, 1, 1, MANY));
        long a = open("a");
        open("a");
        assertThat(fixture.notifications())
                .containsExactly(new Notification.SessionRefused(1, RejectionReason.PRINCIPAL_SESSIONS_FULL));
        long b = open("b");
        granted(lock(a, 1, "x"));
        assertThat(lock(a, 2, "y")).isEqualTo(full(RejectionReason.PRINCIPAL_NAMES_FULL));
        granted(lock(b, 1, "y"));
    }

    @Test
    void a_new_name_is_refused_and_a_name_in_use_is_not() {
        limit(new Usage(MANY, 1, MANY, MANY));
        long session = open("a");
        granted(lock(session, 1, "x"));
        assertThat(lock(session, 2, "y")).isEqualTo(full(RejectionReason.NAMES_FULL));
        assertThat(lock(session, 3, "x")).isEqualTo(new OperationResult.Waiting());
        assertThat(fixture.tryAcquire(session, 4, ResourceShare.exclusive("x")))
                .isInstanceOf(OperationResult.Busy.class);
    }

    @Test
    void a_name_counts_for_every_principal_that_holds_it_or_waits_for_it_once() {
        limit(MUCH, new Usage(MANY, 1, MANY, MANY));
        long a = open("a");
        long b = open("b");
        granted(lock(a, 1, "x"));
        lock(a, 2, "x");
        lock(b, 1, "x");
        assertThat(lock(b, 2, "y")).isEqualTo(full(RejectionReason.PRINCIPAL_NAMES_FULL));
        assertThat(fixture.table().usage().of("a").names()).isOne();
        assertThat(fixture.table().usage().total().names()).isOne();
        fixture.release(a, 3, 1);
        fixture.release(a, 4, 2);
        assertThat(fixture.table().usage().of("a").names()).isZero();
        assertThat(fixture.table().usage().of("b").names()).isOne();
    }

    @Test
    void a_waiter_is_refused_if_as_many_wait_and_a_grant_is_not() {
        limit(new Usage(MANY, MANY, 1, MANY));
        long session = open("a");
        granted(lock(session, 1, "x"));
        lock(session, 2, "x");
        assertThat(lock(session, 3, "x")).isEqualTo(full(RejectionReason.WAITERS_FULL));
        granted(lock(session, 4, "y"));
    }

    @Test
    void a_request_is_refused_if_its_bytes_do_not_fit() {
        limit(new Usage(MANY, MANY, MANY, 2_000));
        long session = open("a");
        granted(lock(session, 1, "x"));
        assertThat(lock(session, 2, "y".repeat(400))).isEqualTo(full(RejectionReason.BYTES_FULL));
        assertThat(fixture.table().usage().total().bytes()).isLessThanOrEqualTo(2_000);
    }

    @Test
    void full_quotas_touch_nothing_that_exists() {
        long holder = open("a");
        long waiter = open("b");
        granted(lock(holder, 1, "x"));
        lock(waiter, 1, "x");
        limit(Usage.NONE, Usage.NONE);
        assertThat(lock(waiter, 2, "y")).isEqualTo(full(RejectionReason.PRINCIPAL_NAMES_FULL));
        assertThat(fixture.apply(new Command.RenewSessions(List.of(new Command.Renewal(holder, 1)))))
                .containsExactly(new Notification.SessionRenewed(holder, 1));
        fixture.release(holder, 2, 1);
        assertThat(fixture.granted()).containsExactly(new RequestId(waiter, 1));
        assertThat(fixture.submit(holder, 3, 2, new Operation.Close())).isEqualTo(new OperationResult.Closed());
    }

    @Test
    void a_refused_request_stays_refused_when_there_is_room_again() {
        limit(new Usage(MANY, 1, MANY, MANY));
        long session = open("a");
        granted(lock(session, 1, "x"));
        lock(session, 2, "y");
        fixture.release(session, 3, 1);
        assertThat(lock(session, 2, "y")).isEqualTo(full(RejectionReason.NAMES_FULL));
        granted(lock(session, 4, "y"));
    }

    @Test
    void the_results_of_refused_requests_cannot_fill_the_memory() {
        limit(new Usage(MANY, MANY, MANY, 1_800));
        long session = open("a");
        granted(lock(session, 1, "x"));
        for (int number = 2; number < 1_000; number++) {
            fixture.apply(new Command.Submit(session, number, 0, Operation.Acquire.of(ResourceShare.exclusive("y"))));
        }
        assertThat(fixture.notifications()).as("as if the request were lost").isEmpty();
        assertThat(fixture.table().usage().total().bytes()).isLessThan(2_500);
        fixture.release(session, 1_000, 1);
        assertThat(fixture.holders(ResourceName.lock("x"))).isEmpty();
        granted(fixture.submit(session, 1_001, 1_000, Operation.Acquire.of(ResourceShare.exclusive("y"))));
    }

    @Test
    void a_busy_result_names_a_limited_number_of_holders() {
        long session = open("a");
        int size = LockTable.HOLDERS_IN_RESULT + 1;
        for (int i = 1; i <= size; i++) {
            granted(fixture.acquire(session, i, ResourceShare.permits("s", 1, size)));
        }
        var busy = (OperationResult.Busy) fixture.tryAcquire(session, size + 1, ResourceShare.permits("s", 1, size));
        assertThat(busy.holders()).hasSize(LockTable.HOLDERS_IN_RESULT);
    }

    @Test
    void an_empty_table_uses_nothing() {
        long session = open("a");
        IntStream.rangeClosed(1, 9).forEach(i -> lock(session, i, "name " + i % 3));
        fixture.submit(session, 10, new Operation.Close());
        assertThat(fixture.table().usage()).isEqualTo(TableUsage.NONE);
    }

    /** The usage is computed step by step; that of a snapshot is computed from its content. */
    @Test
    void random_requests_with_small_quotas_keep_the_usage_right_and_change_nothing_when_they_are_refused() {
        int refused = 0;
        for (int seed = 0; seed < 30; seed++) {
            var random = new SplittableRandom(seed);
            var quotas = new Quotas(new Usage(4, 3, 4, 6_000), new Usage(3, 2, 3, 4_000));
            var table = LockTable.EMPTY
                    .apply(CommandBatch.of(0, new Command.SetQuotas(quotas)))
                    .table();
            for (int i = 0; i < 150; i++) {
                var next = table.apply(CommandBatch.of(i, command(random, table)));
                assertThat(next.table().snapshot().toTable()).isEqualTo(next.table());
                if (next.notifications().stream().anyMatch(QuotaTest::isRefusal)) {
                    assertThat(next.table().resources()).isEqualTo(table.resources());
                    assertThat(next.table().sessions().keys())
                            .isEqualTo(table.sessions().keys());
                    refused++;
                }
                table = next.table();
            }
        }
        assertThat(refused).isGreaterThan(100);
    }

    private static boolean isRefusal(Notification notification) {
        return switch (notification) {
            case Notification.SessionRefused refused -> true;
            case Notification.Result(var session, var number, OperationResult.Rejected(var reason)) ->
                !reason.quota().isEmpty();
            case Notification other -> false;
        };
    }

    private static Command command(SplittableRandom random, LockTable table) {
        var sessions = table.sessions().keys();
        if (sessions.isEmpty() || random.nextInt(15) == 0) {
            var client = new ClientInfo("c", "h", 1).withPrincipal("p" + random.nextInt(3));
            return new Command.OpenSession(random.nextLong(), client, LockTableFixture.LEASE);
        }
        long session = sessions.get(random.nextInt(sessions.size()));
        var entry = table.sessions().get(session).orElseThrow();
        var numbers = new ArrayList<>(entry.acquires().keys());
        numbers.addAll(entry.results().keys());
        numbers.add(entry.acknowledgedUpTo());
        long number = 1 + numbers.stream().mapToLong(Long::longValue).max().orElse(0);
        long acknowledged = random.nextInt(3) == 0 ? number - 1 : entry.acknowledgedUpTo();
        return switch (random.nextInt(12)) {
            case 0 -> new Command.ExpireSession(session, entry.lastRenewedAt());
            case 1 ->
                new Command.AdminCommand(
                        new Command.AdminAction.Release(ResourceName.lock("l0"), table.index()),
                        "operator",
                        "host:1",
                        "reason");
            case 2, 3, 4 ->
                new Command.Submit(session, number, acknowledged, new Operation.Release(1 + random.nextLong(number)));
            default ->
                new Command.Submit(
                        session,
                        number,
                        acknowledged,
                        new Operation.Acquire(
                                List.of(
                                        ResourceShare.exclusive("l" + random.nextInt(4)),
                                        ResourceShare.permits("s" + random.nextInt(2), 1, 2)),
                                random.nextBoolean(),
                                0));
        };
    }
}
