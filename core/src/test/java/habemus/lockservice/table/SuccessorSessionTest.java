package habemus.lockservice.table;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.Operation;
import habemus.lockservice.Quotas;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.SessionOrigin;
import habemus.lockservice.Usage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A client that opens a new session ends its old one. */
class SuccessorSessionTest {

    private static final ResourceName A = ResourceName.lock("a");
    private static final ResourceName B = ResourceName.lock("b");
    private static final ResourceShare ALL_A = ResourceShare.exclusive("a");
    private static final ResourceShare ALL_B = ResourceShare.exclusive("b");

    private final LockTableFixture fixture = new LockTableFixture();
    private final long old = fixture.open("client");
    private final long other = fixture.open("other");

    private void replaceOld(long nonce, Long... known) {
        fixture.apply(new Command.OpenSession(
                nonce + 1,
                new ClientInfo("client", "host", 1),
                LockTableFixture.LEASE,
                new SessionOrigin.Successor(old, nonce, List.of(known))));
    }

    private List<Notification> late(long number, ResourceShare share) {
        return fixture.apply(new Command.Submit(old, number, 0, Operation.Acquire.of(share)));
    }

    @Test
    void a_late_command_of_the_old_session_takes_no_effect() {
        replaceOld("client".hashCode());
        assertThat(late(1, ALL_A)).containsExactly(new Notification.SessionExpired(old));
        assertThat(fixture.isEmpty()).isTrue();
    }

    @Test
    void a_grant_that_the_client_does_not_know_is_released() {
        fixture.acquire(old, 1, ALL_A);
        fixture.acquire(other, 1, ALL_A);
        replaceOld("client".hashCode());
        assertThat(fixture.granted()).containsExactly(new RequestId(other, 1));
    }

    @Test
    void a_grant_that_the_client_knew_stays_until_its_lease_ends() {
        fixture.acquire(old, 1, ALL_A);
        fixture.acquire(old, 2, ALL_B);
        fixture.acquire(other, 1, ALL_A);
        replaceOld("client".hashCode(), 1L);
        assertThat(fixture.holders(A)).containsExactly(new RequestId(old, 1));
        assertThat(fixture.holders(B)).isEmpty();
        assertThat(late(3, ALL_B)).containsExactly(new Notification.SessionExpired(old));
        fixture.expire(old);
        assertThat(fixture.granted()).containsExactly(new RequestId(other, 1));
    }

    @Test
    void a_late_renewal_does_not_prolong_the_old_session() {
        fixture.acquire(old, 1, ALL_A);
        replaceOld("client".hashCode(), 1L);
        var before = fixture.table().sessions().get(old);
        assertThat(fixture.apply(new Command.RenewSessions(List.of(new Command.Renewal(old, 9)))))
                .containsExactly(new Notification.SessionExpired(old));
        assertThat(fixture.table().sessions().get(old)).isEqualTo(before);
    }

    @Test
    void only_the_owner_of_a_session_can_replace_it() {
        fixture.acquire(old, 1, ALL_A);
        replaceOld(1);
        assertThat(fixture.holders(A)).containsExactly(new RequestId(old, 1));
    }

    private void allowTwoSessions() {
        var two = new Usage(2, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
        fixture.apply(new Command.SetQuotas(new Quotas(two, Usage.UNLIMITED)));
    }

    @Test
    void with_a_full_quota_a_client_may_still_replace_its_session() {
        fixture.acquire(old, 1, ALL_A);
        allowTwoSessions();
        replaceOld("client".hashCode());
        assertThat(fixture.table().sessions().keys())
                .containsExactly(other, fixture.table().index());
    }

    @Test
    void a_successor_that_a_quota_refuses_leaves_the_old_session_as_it_is() {
        fixture.acquire(old, 1, ALL_A);
        fixture.acquire(old, 2, ALL_B);
        allowTwoSessions();
        replaceOld("client".hashCode(), 1L);
        assertThat(fixture.notifications()).singleElement().isInstanceOf(Notification.SessionRefused.class);
        assertThat(fixture.holders(B)).containsExactly(new RequestId(old, 2));
    }

    @Test
    void a_release_with_the_fence_of_another_grant_has_no_effect() {
        fixture.acquire(old, 1, ALL_A);
        long fence = fixture.table().index();
        fixture.submit(old, 2, new Operation.Release(1, fence - 1));
        assertThat(fixture.holders(A)).isNotEmpty();
        fixture.submit(old, 3, new Operation.Release(1, fence));
        assertThat(fixture.isEmpty()).isTrue();
    }
}
