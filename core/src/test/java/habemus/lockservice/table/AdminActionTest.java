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

    private final LockTableFixture fixture = new LockTableFixture();
    private final long one = fixture.open("one");
    private final long two = fixture.open("two");
    private final long three = fixture.open("three");

    @Test
    void a_forced_release_revokes_all_holds_before_a_waiter_is_granted() {
        fixture.acquire(one, 1, SOME_A);
        fixture.acquire(two, 1, SOME_A, ResourceShare.exclusive("b"));
        fixture.acquire(three, 1, ALL_A, ResourceShare.exclusive("b"));
        fixture.release(A);
        var revoked = new OperationResult.Revoked("olga", "stuck");
        assertThat(fixture.results())
                .containsExactly(
                        new Notification.Result(one, 1, revoked),
                        new Notification.Result(two, 1, revoked),
                        new Notification.Result(three, 1, new OperationResult.Granted(7)));
        assertThat(fixture.table().describe(A).history())
                .extracting(PastHold::endReason)
                .containsExactly(PastHold.EndReason.REVOKED, PastHold.EndReason.REVOKED);
    }

    @Test
    void a_revoked_holder_keeps_its_session() {
        fixture.acquire(one, 1, ALL_A);
        fixture.release(A);
        assertThat(fixture.acquire(one, 2, ALL_A)).isInstanceOf(OperationResult.Granted.class);
    }

    @Test
    void a_late_or_repeated_release_does_not_revoke_the_next_hold() {
        fixture.acquire(one, 1, ALL_A);
        fixture.acquire(two, 1, ALL_A);
        fixture.administer(new Command.AdminAction.Release(A, 4));
        assertThat(fixture.holders(A)).containsExactly(new RequestId(two, 1));
        fixture.administer(new Command.AdminAction.Release(A, 4));
        assertThat(fixture.results()).isEmpty();
        assertThat(fixture.holders(A)).containsExactly(new RequestId(two, 1));
        assertThat(fixture.table().audit().values())
                .extracting(AuditRecord::effect)
                .containsExactly(
                        "taken from one@host/1", "no holder; granted later, and kept: two@host/1 with fence 6");
    }

    @Test
    void a_shared_hold_that_was_granted_later_is_not_revoked() {
        fixture.acquire(one, 1, SOME_A);
        fixture.acquire(two, 1, SOME_A);
        fixture.acquire(three, 1, SOME_A);
        fixture.administer(new Command.AdminAction.Release(A, 5));
        assertThat(fixture.holders(A)).containsExactly(new RequestId(three, 1));
        assertThat(fixture.table().audit().firstValue().orElseThrow().effect())
                .isEqualTo("taken from one@host/1, two@host/1; granted later, and kept: three@host/1 with fence 6");
    }

    @Test
    void the_audit_keeps_operator_reason_and_effect() {
        fixture.acquire(one, 1, ALL_A);
        fixture.release(A);
        fixture.release(A);
        fixture.administer(new Command.AdminAction.Expire(two));
        fixture.administer(new Command.AdminAction.Expire(99));
        assertThat(fixture.table().audit().values())
                .extracting(AuditRecord::effect)
                .containsExactly(
                        "taken from one@host/1", "no holder", "ended the session of two@host/1", "no such session");
        assertThat(fixture.table().audit().firstValue())
                .contains(new AuditRecord(
                        5,
                        new Command.AdminCommand(new Command.AdminAction.Release(A, 4), "olga", "host:1", "stuck"),
                        "taken from one@host/1",
                        5));
    }

    @Test
    void an_action_outside_the_table_is_only_kept() {
        fixture.acquire(one, 1, ALL_A);
        fixture.administer(new Command.AdminAction.Performed("backup", "done"));
        assertThat(fixture.notifications()).isEmpty();
        assertThat(fixture.holders(A)).containsExactly(new RequestId(one, 1));
        assertThat(fixture.table().audit().firstValue().orElseThrow().effect()).isEqualTo("done");
    }

    @Test
    void a_holder_learns_why_an_operator_ended_its_session() {
        fixture.acquire(one, 1, ALL_A);
        fixture.acquire(one, 2, ResourceShare.exclusive("b"));
        fixture.acquire(two, 1, ALL_A);
        fixture.acquire(one, 3, ALL_A);
        fixture.administer(new Command.AdminAction.Expire(one));
        var revoked = new OperationResult.Revoked("olga", "stuck");
        assertThat(fixture.notifications())
                .containsSubsequence(
                        new Notification.Result(one, 1, revoked),
                        new Notification.Result(one, 2, revoked),
                        new Notification.SessionExpired(one));
        assertThat(fixture.results()).doesNotContain(new Notification.Result(one, 3, revoked));
    }

    @Test
    void a_flood_of_denied_requests_displaces_no_action() {
        fixture.administer(new Command.AdminAction.Expire(99));
        for (int i = 0; i < LockTable.DENIAL_LIMIT + 5; i++) {
            fixture.apply(new Command.RecordDenial("billing", "host", "acquire lock a", i));
        }
        assertThat(fixture.table().audit().size()).isEqualTo(1);
        assertThat(fixture.table().denials().size()).isEqualTo(LockTable.DENIAL_LIMIT);
        assertThat(fixture.table().denials().firstValue().orElseThrow().denial().count())
                .isEqualTo(5);
    }

    @Test
    void the_audit_keeps_the_latest_actions() {
        for (int i = 0; i < LockTable.AUDIT_LIMIT + 5; i++) {
            fixture.administer(new Command.AdminAction.Expire(99));
        }
        assertThat(fixture.table().audit().size()).isEqualTo(LockTable.AUDIT_LIMIT);
        assertThat(fixture.table().audit().firstKey()).contains(3 + 5 + 1L);
    }

    @Test
    void the_history_keeps_the_last_thousand_holds_latest_first() {
        for (long number = 1; number <= 2_010; number += 2) {
            fixture.submit(one, number, number - 1, Operation.Acquire.of(ALL_A));
            fixture.submit(one, number + 1, number, new Operation.Release(number));
        }
        var history = fixture.table().describe(A).history();
        assertThat(history).hasSize(1_000);
        assertThat(fixture.table().endedHolds()).isEqualTo(1_005);
        assertThat(history.getFirst())
                .isEqualTo(new PastHold(
                        A, new ClientInfo("one", "host", 1), 2_012, 2_012, 2_013, PastHold.EndReason.RELEASED));
        assertThat(history.getLast().fence()).isEqualTo(2_012 - 2 * 999);
    }

    @Test
    void the_status_shows_holders_and_waiters() {
        fixture.acquire(one, 1, ResourceShare.permits("s", 2, 3));
        fixture.acquire(two, 1, ResourceShare.permits("s", 3, 3));
        assertThat(fixture.table().describe(ResourceName.semaphore("s")))
                .hasToString("ResourceStatus[name=semaphore s, size=3,"
                        + " holders=[Holder[request=1:1, client=one@host/1, units=2, fence=4, since=4]],"
                        + " waiters=[Waiter[request=2:1, client=two@host/1, units=3, rank=0, since=5]], history=[]]");
        assertThat(fixture.table().describe(A).size()).isZero();
    }

    @Test
    void names_in_use_are_found_by_prefix() {
        fixture.acquire(
                one,
                1,
                ResourceShare.exclusive("shop/b"),
                ResourceShare.exclusive("shop/a"),
                ResourceShare.exclusive("sho"));
        fixture.campaign(two, 1, "shop/a", 0);
        assertThat(fixture.table().names("shop/", ""))
                .containsExactly(
                        ResourceName.lock("shop/a"), ResourceName.election("shop/a"), ResourceName.lock("shop/b"));
        assertThat(fixture.table().names("", "")).hasSize(4);
        assertThat(fixture.table().names("x", "")).isEmpty();
        assertThat(fixture.table().names("shop/", "shop/a")).containsExactly(ResourceName.lock("shop/b"));
        assertThat(fixture.table().names("", "sho")).hasSize(3);
        assertThat(fixture.table().names("shop/", "shop/b")).isEmpty();
        assertThat(fixture.table().names("sho", "z")).isEmpty();
    }
}
