package habemus.lockservice.table;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.PastHold;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionEndTest {

    private static final ResourceName A = ResourceName.lock("a");
    private static final ResourceShare ALL_A = ResourceShare.exclusive("a");
    private static final ResourceShare ALL_B = ResourceShare.exclusive("b");

    private final LockTableFixture fixture = new LockTableFixture();
    private final long one = fixture.open("one");
    private final long two = fixture.open("two");
    private final long three = fixture.open("three");

    /** Session one holds the lock for which two waits, and is ahead of three in a queue. */
    private void oneIsAheadOfTheOthers() {
        fixture.acquire(one, 1, ALL_A);
        fixture.acquire(one, 2, ALL_A, ALL_B);
        fixture.acquire(two, 1, ALL_A);
        fixture.acquire(three, 1, ALL_B);
    }

    private void oneIsRemovedBeforeTheOthersAreGranted() {
        var gone = fixture.notifications().indexOf(new Notification.SessionExpired(one));
        var first = fixture.notifications()
                .indexOf(new Notification.Result(
                        two, 1, new OperationResult.Granted(fixture.table().index())));
        assertThat(gone).isNotNegative().isLessThan(first);
        assertThat(fixture.granted()).containsExactly(new RequestId(two, 1), new RequestId(three, 1));
        assertThat(fixture.table().sessions().contains(one)).isFalse();
    }

    @Test
    void a_closed_session_is_removed_before_waiters_are_granted() {
        oneIsAheadOfTheOthers();
        assertThat(fixture.submit(one, 3, new Operation.Close())).isEqualTo(new OperationResult.Closed());
        oneIsRemovedBeforeTheOthersAreGranted();
    }

    @Test
    void an_expired_session_is_removed_before_waiters_are_granted() {
        oneIsAheadOfTheOthers();
        fixture.expire(one);
        oneIsRemovedBeforeTheOthersAreGranted();
        assertThat(fixture.table().describe(A).history())
                .extracting(PastHold::endReason)
                .containsExactly(PastHold.EndReason.EXPIRED);
    }

    @Test
    void a_forcibly_expired_session_is_removed_before_waiters_are_granted() {
        oneIsAheadOfTheOthers();
        fixture.administer(new Command.AdminAction.Expire(one));
        oneIsRemovedBeforeTheOthersAreGranted();
        assertThat(fixture.table().describe(A).history())
                .extracting(PastHold::endReason)
                .containsExactly(PastHold.EndReason.REVOKED);
    }

    @Test
    void a_waiter_of_an_expired_session_is_never_granted() {
        fixture.acquire(one, 1, ALL_A);
        fixture.acquire(two, 1, ALL_A);
        fixture.acquire(three, 1, ALL_A);
        fixture.expire(two);
        fixture.release(one, 2, 1);
        assertThat(fixture.granted()).containsExactly(new RequestId(three, 1));
    }

    @Test
    void a_session_that_was_renewed_later_does_not_expire() {
        fixture.acquire(one, 1, ALL_A);
        long lastRenewedAt = fixture.table().index();
        fixture.apply(new Command.RenewSessions(List.of(new Command.Renewal(one, 8))));
        assertThat(fixture.notifications()).containsExactly(new Notification.SessionRenewed(one, 8));
        assertThat(fixture.apply(new Command.ExpireSession(one, lastRenewedAt))).isEmpty();
        assertThat(fixture.holders(A)).hasSize(1);
        fixture.expire(one);
        assertThat(fixture.isEmpty()).isTrue();
    }

    @Test
    void every_request_renews_the_session_even_a_repeated_one() {
        fixture.acquire(one, 1, ALL_A);
        long lastRenewedAt = fixture.table().index();
        fixture.acquire(one, 1, ALL_A);
        assertThat(fixture.apply(new Command.ExpireSession(one, lastRenewedAt))).isEmpty();
    }

    @Test
    void requests_and_renewals_of_an_ended_session_are_answered_with_its_end() {
        fixture.expire(one);
        assertThat(fixture.apply(new Command.Submit(one, 1, 0, Operation.Acquire.of(ALL_A))))
                .containsExactly(new Notification.SessionExpired(one));
        assertThat(fixture.apply(
                        new Command.RenewSessions(List.of(new Command.Renewal(one, 1), new Command.Renewal(two, 4)))))
                .containsExactly(new Notification.SessionExpired(one), new Notification.SessionRenewed(two, 4));
        assertThat(fixture.expire(one)).isEmpty();
        assertThat(fixture.isEmpty()).isTrue();
    }

    @Test
    void the_session_id_is_the_index_of_its_opening() {
        var client = new ClientInfo("four", "host", 4);
        assertThat(fixture.apply(new Command.OpenSession(77, client, LockTableFixture.LEASE)))
                .containsExactly(new Notification.SessionOpened(77, 4));
        var sessionEntry = fixture.table().sessions().get(4L).orElseThrow();
        assertThat(sessionEntry.client()).isEqualTo(client);
        assertThat(sessionEntry.lease()).isEqualTo(LockTableFixture.LEASE);
        assertThat(sessionEntry.lastRenewedAt()).isEqualTo(4);
    }
}
