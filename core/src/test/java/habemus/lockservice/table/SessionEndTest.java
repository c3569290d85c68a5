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

    private final LockTableFixture lockTableFixture = new LockTableFixture();
    private final long one = lockTableFixture.open("one");
    private final long two = lockTableFixture.open("two");
    private final long three = lockTableFixture.open("three");

    /** One is inside where two waits, and also in line before three. */
    private void oneIsBeforeTheOthers() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.acquire(one, 2, ALL_A, ALL_B);
        lockTableFixture.acquire(two, 1, ALL_A);
        lockTableFixture.acquire(three, 1, ALL_B);
    }

    private void oneIsGoneAndThenTheOthersAreLetIn() {
        var gone = lockTableFixture.notifications().indexOf(new Notification.SessionExpired(one));
        var first = lockTableFixture
                .notifications()
                .indexOf(new Notification.Result(
                        two,
                        1,
                        new OperationResult.Granted(lockTableFixture.table().index())));
        assertThat(gone).isNotNegative().isLessThan(first);
        assertThat(lockTableFixture.granted()).containsExactly(new RequestId(two, 1), new RequestId(three, 1));
        assertThat(lockTableFixture.table().sessions().contains(one)).isFalse();
    }

    @Test
    void who_closes_is_gone_before_anybody_is_let_in() {
        oneIsBeforeTheOthers();
        assertThat(lockTableFixture.submit(one, 3, new Operation.Close())).isEqualTo(new OperationResult.Closed());
        oneIsGoneAndThenTheOthersAreLetIn();
    }

    @Test
    void who_expires_is_gone_before_anybody_is_let_in() {
        oneIsBeforeTheOthers();
        lockTableFixture.expire(one);
        oneIsGoneAndThenTheOthersAreLetIn();
        assertThat(lockTableFixture.table().describe(A).history())
                .extracting(PastHold::endReason)
                .containsExactly(PastHold.EndReason.EXPIRED);
    }

    @Test
    void who_is_expired_by_force_is_gone_before_anybody_is_let_in() {
        oneIsBeforeTheOthers();
        lockTableFixture.administer(new Command.AdminAction.Expire(one));
        oneIsGoneAndThenTheOthersAreLetIn();
        assertThat(lockTableFixture.table().describe(A).history())
                .extracting(PastHold::endReason)
                .containsExactly(PastHold.EndReason.REVOKED);
    }

    @Test
    void who_expired_in_line_is_never_let_in() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.acquire(two, 1, ALL_A);
        lockTableFixture.acquire(three, 1, ALL_A);
        lockTableFixture.expire(two);
        lockTableFixture.release(one, 2, 1);
        assertThat(lockTableFixture.granted()).containsExactly(new RequestId(three, 1));
    }

    @Test
    void who_was_heard_of_since_does_not_expire() {
        lockTableFixture.acquire(one, 1, ALL_A);
        long asOf = lockTableFixture.table().index();
        lockTableFixture.apply(new Command.RenewSessions(List.of(new Command.Renewal(one, 8))));
        assertThat(lockTableFixture.notifications()).containsExactly(new Notification.SessionRenewed(one, 8));
        assertThat(lockTableFixture.apply(new Command.ExpireSession(one, asOf))).isEmpty();
        assertThat(lockTableFixture.holders(A)).hasSize(1);
        lockTableFixture.expire(one);
        assertThat(lockTableFixture.isEmpty()).isTrue();
    }

    @Test
    void whoever_asks_for_something_is_heard_of_too_even_if_it_repeats() {
        lockTableFixture.acquire(one, 1, ALL_A);
        long asOf = lockTableFixture.table().index();
        lockTableFixture.acquire(one, 1, ALL_A);
        assertThat(lockTableFixture.apply(new Command.ExpireSession(one, asOf))).isEmpty();
    }

    @Test
    void whoever_is_gone_is_told_so_and_gets_nothing() {
        lockTableFixture.expire(one);
        assertThat(lockTableFixture.apply(new Command.Submit(one, 1, 0, Operation.Acquire.of(ALL_A))))
                .containsExactly(new Notification.SessionExpired(one));
        assertThat(lockTableFixture.apply(
                        new Command.RenewSessions(List.of(new Command.Renewal(one, 1), new Command.Renewal(two, 4)))))
                .containsExactly(new Notification.SessionExpired(one), new Notification.SessionRenewed(two, 4));
        assertThat(lockTableFixture.expire(one)).isEmpty();
        assertThat(lockTableFixture.isEmpty()).isTrue();
    }

    @Test
    void a_session_is_known_by_the_index_of_its_opening() {
        var clientInfo = new ClientInfo("four", "host", 4);
        assertThat(lockTableFixture.apply(new Command.OpenSession(77, clientInfo, LockTableFixture.LEASE)))
                .containsExactly(new Notification.SessionOpened(77, 4));
        var sessionEntry = lockTableFixture.table().sessions().get(4L).orElseThrow();
        assertThat(sessionEntry.client()).isEqualTo(clientInfo);
        assertThat(sessionEntry.lease()).isEqualTo(LockTableFixture.LEASE);
        assertThat(sessionEntry.lastRenewedAt()).isEqualTo(4);
    }
}
