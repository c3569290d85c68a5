package habemus.lockservice.table;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.AuditRecord;
import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.PastHold;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import org.junit.jupiter.api.Test;

class AdminActionTest {

    private static final ResourceName A = ResourceName.lock("a");
    private static final ResourceShare ALL_A = ResourceShare.exclusive("a");
    private static final ResourceShare SOME_A = ResourceShare.shared("a");

    private final LockTableFixture lockTableFixture = new LockTableFixture();
    private final long one = lockTableFixture.open("one");
    private final long two = lockTableFixture.open("two");
    private final long three = lockTableFixture.open("three");

    @Test
    void what_is_released_by_force_is_taken_from_all_who_hold_it_before_anybody_is_let_in() {
        lockTableFixture.acquire(one, 1, SOME_A);
        lockTableFixture.acquire(two, 1, SOME_A, ResourceShare.exclusive("b"));
        lockTableFixture.acquire(three, 1, ALL_A, ResourceShare.exclusive("b"));
        lockTableFixture.release(A);
        var revoked = new OperationResult.Revoked("olga", "stuck");
        assertThat(lockTableFixture.results())
                .containsExactly(
                        new Notification.Result(one, 1, revoked),
                        new Notification.Result(two, 1, revoked),
                        new Notification.Result(three, 1, new OperationResult.Granted(7)));
        assertThat(lockTableFixture.table().describe(A).history())
                .extracting(PastHold::endReason)
                .containsExactly(PastHold.EndReason.REVOKED, PastHold.EndReason.REVOKED);
    }

    @Test
    void whoever_is_put_out_keeps_its_session() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.release(A);
        assertThat(lockTableFixture.acquire(one, 2, ALL_A)).isInstanceOf(OperationResult.Granted.class);
    }

    @Test
    void an_order_that_comes_late_or_twice_does_not_meet_the_next_one() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.acquire(two, 1, ALL_A);
        lockTableFixture.administer(new Command.AdminAction.Release(A, 4));
        assertThat(lockTableFixture.holders(A)).containsExactly(new RequestId(two, 1));
        lockTableFixture.administer(new Command.AdminAction.Release(A, 4));
        assertThat(lockTableFixture.results()).isEmpty();
        assertThat(lockTableFixture.holders(A)).containsExactly(new RequestId(two, 1));
        assertThat(lockTableFixture.table().audit().values())
                .extracting(AuditRecord::effect)
                .containsExactly(
                        "taken from one@host/1",
                        "nobody held it; let in later, and not put out: two@host/1 by fence 6");
    }

    @Test
    void of_those_who_share_it_whoever_was_let_in_later_stays() {
        lockTableFixture.acquire(one, 1, SOME_A);
        lockTableFixture.acquire(two, 1, SOME_A);
        lockTableFixture.acquire(three, 1, SOME_A);
        lockTableFixture.administer(new Command.AdminAction.Release(A, 5));
        assertThat(lockTableFixture.holders(A)).containsExactly(new RequestId(three, 1));
        assertThat(lockTableFixture.table().audit().firstValue().orElseThrow().effect())
                .isEqualTo("taken from one@host/1, two@host/1; let in later, and not put out: three@host/1 by fence 6");
    }

    @Test
    void it_is_kept_who_interfered_and_why_and_what_came_of_it() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.release(A);
        lockTableFixture.release(A);
        lockTableFixture.administer(new Command.AdminAction.Expire(two));
        lockTableFixture.administer(new Command.AdminAction.Expire(99));
        assertThat(lockTableFixture.table().audit().values())
                .extracting(AuditRecord::effect)
                .containsExactly(
                        "taken from one@host/1",
                        "nobody held it",
                        "the session of two@host/1 is over",
                        "there was no such session");
        assertThat(lockTableFixture.table().audit().firstValue())
                .contains(new AuditRecord(
                        5,
                        new Command.AdminCommand(new Command.AdminAction.Release(A, 4), "olga", "stuck"),
                        "taken from one@host/1",
                        5));
    }

    @Test
    void the_last_interferences_are_kept() {
        for (int i = 0; i < LockTable.AUDIT_LIMIT + 5; i++) {
            lockTableFixture.administer(new Command.AdminAction.Expire(99));
        }
        assertThat(lockTableFixture.table().audit().size()).isEqualTo(LockTable.AUDIT_LIMIT);
        assertThat(lockTableFixture.table().audit().firstKey()).contains(3 + 5 + 1L);
    }

    @Test
    void the_last_thousand_holdings_are_remembered_the_latest_first() {
        for (long number = 1; number <= 2_010; number += 2) {
            lockTableFixture.submit(one, number, number - 1, Operation.Acquire.of(ALL_A));
            lockTableFixture.submit(one, number + 1, number, new Operation.Release(number));
        }
        var history = lockTableFixture.table().describe(A).history();
        assertThat(history).hasSize(1_000);
        assertThat(lockTableFixture.table().endedHolds()).isEqualTo(1_005);
        assertThat(history.getFirst())
                .isEqualTo(new PastHold(
                        A, new ClientInfo("one", "host", 1), 2_012, 2_012, 2_013, PastHold.EndReason.RELEASED));
        assertThat(history.getLast().fence()).isEqualTo(2_012 - 2 * 999);
    }

    @Test
    void it_can_be_seen_who_is_inside_and_who_waits() {
        lockTableFixture.acquire(one, 1, ResourceShare.permits("s", 2, 3));
        lockTableFixture.acquire(two, 1, ResourceShare.permits("s", 3, 3));
        assertThat(lockTableFixture.table().describe(ResourceName.semaphore("s")))
                .hasToString("Description[name=semaphore s, size=3,"
                        + " holders=[Holder[claim=1:1, person=one@host/1, units=2, fence=4, since=4]],"
                        + " waiters=[Waiter[claim=2:1, person=two@host/1, units=3, rank=0, since=5]], history=[]]");
        assertThat(lockTableFixture.table().describe(A).size()).isZero();
    }

    @Test
    void names_in_use_are_found_by_their_beginning() {
        lockTableFixture.acquire(
                one,
                1,
                ResourceShare.exclusive("shop/b"),
                ResourceShare.exclusive("shop/a"),
                ResourceShare.exclusive("sho"));
        lockTableFixture.campaign(two, 1, "shop/a", 0);
        assertThat(lockTableFixture.table().namesWithPrefix("shop/"))
                .containsExactly(
                        ResourceName.lock("shop/a"), ResourceName.election("shop/a"), ResourceName.lock("shop/b"));
        assertThat(lockTableFixture.table().namesWithPrefix("")).hasSize(4);
        assertThat(lockTableFixture.table().namesWithPrefix("x")).isEmpty();
    }
}
