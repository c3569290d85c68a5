package habemus.lockservice.table;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import org.junit.jupiter.api.Test;

class ExactlyOnceTest {

    private static final ResourceName A = ResourceName.lock("a");
    private static final ResourceShare ALL_A = ResourceShare.exclusive("a");

    private final LockTableFixture fixture = new LockTableFixture();
    private final long one = fixture.open("one");
    private final long two = fixture.open("two");

    private SessionEntry session(long id) {
        return fixture.table().sessions().get(id).orElseThrow();
    }

    @Test
    void a_repeated_acquire_is_granted_once() {
        var granted = fixture.acquire(one, 1, ALL_A);
        assertThat(fixture.acquire(one, 1, ALL_A)).isEqualTo(granted);
        assertThat(fixture.table().holders(A)).hasSize(1);
        fixture.release(one, 2, 1);
        assertThat(fixture.isEmpty()).isTrue();
    }

    @Test
    void a_waiter_that_repeats_its_request_keeps_its_position_and_learns_of_its_grant() {
        fixture.acquire(one, 1, ALL_A);
        fixture.acquire(two, 1, ALL_A);
        var queue = fixture.table().waiters(A);
        assertThat(fixture.acquire(two, 1, ALL_A)).isEqualTo(new OperationResult.Waiting());
        assertThat(fixture.table().waiters(A)).isEqualTo(queue);
        fixture.release(one, 2, 1);
        assertThat(fixture.acquire(two, 1, ALL_A)).isEqualTo(new OperationResult.Granted(6));
    }

    @Test
    void an_acquire_repeated_after_its_release_is_not_granted_again() {
        fixture.acquire(one, 1, ALL_A);
        fixture.release(one, 2, 1);
        assertThat(fixture.acquire(one, 1, ALL_A)).isEqualTo(new OperationResult.Released());
        assertThat(fixture.isEmpty()).isTrue();
    }

    @Test
    void a_repeated_release_does_not_release_a_later_hold() {
        fixture.acquire(one, 1, ALL_A);
        fixture.release(one, 2, 1);
        fixture.acquire(one, 3, ALL_A);
        assertThat(fixture.release(one, 2, 1)).isEqualTo(new OperationResult.Released());
        assertThat(fixture.holders(A)).containsExactly(new RequestId(one, 3));
    }

    @Test
    void an_acquire_that_arrives_after_its_release_is_cancelled() {
        assertThat(fixture.release(one, 2, 1)).isEqualTo(new OperationResult.Released());
        assertThat(fixture.acquire(one, 1, ALL_A)).isEqualTo(new OperationResult.Cancelled());
        assertThat(fixture.isEmpty()).isTrue();
    }

    @Test
    void an_acknowledged_acquire_that_arrives_again_does_nothing() {
        fixture.release(one, 2, 1);
        fixture.submit(one, 3, 2, new Operation.Release(99));
        assertThat(fixture.acquire(one, 1, ALL_A)).isEqualTo(new OperationResult.Released());
        assertThat(fixture.isEmpty()).isTrue();
    }

    @Test
    void a_cancelled_waiter_is_not_granted_later() {
        fixture.acquire(one, 1, ALL_A);
        fixture.acquire(two, 1, ALL_A);
        fixture.release(two, 2, 1);
        fixture.release(one, 2, 1);
        assertThat(fixture.granted()).isEmpty();
        assertThat(fixture.acquire(two, 1, ALL_A)).isEqualTo(new OperationResult.Cancelled());
    }

    @Test
    void a_busy_result_is_repeated_even_if_the_lock_is_free_now() {
        fixture.acquire(one, 1, ALL_A);
        var busy = fixture.tryAcquire(two, 1, ALL_A);
        fixture.release(one, 2, 1);
        assertThat(fixture.tryAcquire(two, 1, ALL_A)).isEqualTo(busy);
        assertThat(fixture.isEmpty()).isTrue();
    }

    @Test
    void a_repeated_acquire_gets_its_revocation_again() {
        fixture.acquire(one, 1, ALL_A);
        fixture.release(A);
        assertThat(fixture.acquire(one, 1, ALL_A)).isEqualTo(new OperationResult.Revoked("olga", "stuck"));
    }

    @Test
    void a_revocation_of_an_acknowledged_acquire_is_kept_until_it_is_released() {
        fixture.acquire(one, 1, ALL_A);
        fixture.submit(one, 2, 1, Operation.Acquire.of(ResourceShare.exclusive("b")));
        fixture.release(A);
        assertThat(session(one).revoked().keys()).containsExactly(1L);
        assertThat(fixture.submit(one, 1, 2, Operation.Acquire.of(ALL_A)))
                .isEqualTo(new OperationResult.Revoked("olga", "stuck"));
        assertThat(fixture.table().snapshot().toTable()).isEqualTo(fixture.table());
        fixture.release(one, 3, 1);
        assertThat(session(one).revoked().isEmpty()).isTrue();
        assertThat(fixture.submit(one, 1, 2, Operation.Acquire.of(ALL_A))).isEqualTo(new OperationResult.Released());
    }

    @Test
    void an_acknowledgement_drops_the_results_up_to_its_number_only() {
        fixture.acquire(one, 1, ALL_A);
        fixture.release(one, 2, 1);
        fixture.tryAcquire(one, 3, ALL_A);
        fixture.release(one, 4, 3);
        assertThat(session(one).results().keys()).containsExactly(1L, 2L, 3L, 4L);
        fixture.submit(one, 5, 2, new Operation.Release(3));
        assertThat(session(one).results().keys()).containsExactly(3L, 4L, 5L);
        fixture.submit(one, 6, 1, new Operation.Release(3));
        assertThat(session(one).acknowledgedUpTo()).isEqualTo(2);
    }

    @Test
    void an_acknowledged_acquire_reports_its_state_until_it_ends() {
        fixture.acquire(one, 1, ALL_A);
        fixture.submit(two, 1, Operation.Acquire.of(ALL_A));
        fixture.submit(two, 2, 1, new Operation.Release(77));
        assertThat(fixture.acquire(two, 1, ALL_A)).isEqualTo(new OperationResult.Waiting());
        fixture.release(one, 2, 1);
        assertThat(fixture.acquire(two, 1, ALL_A)).isEqualTo(new OperationResult.Granted(7));
        fixture.submit(two, 3, 2, new Operation.Release(1));
        assertThat(fixture.acquire(two, 1, ALL_A)).isEqualTo(new OperationResult.Released());
        assertThat(fixture.isEmpty()).isTrue();
    }

    @Test
    void a_session_does_not_grow_while_it_waits_in_a_queue() {
        fixture.acquire(one, 1, ALL_A);
        fixture.acquire(two, 1, ALL_A);
        for (long number = 2; number < 1_000; number += 2) {
            fixture.submit(two, number, number - 1, Operation.Acquire.of(ResourceShare.exclusive("b")));
            fixture.submit(two, number + 1, number, new Operation.Release(number));
        }
        assertThat(session(two).acquires().size()).isEqualTo(1);
        assertThat(session(two).results().size()).isEqualTo(1);
    }

    @Test
    void requests_of_different_sessions_are_independent() {
        fixture.acquire(one, 1, ALL_A);
        fixture.release(two, 2, 1);
        assertThat(fixture.holders(A)).containsExactly(new RequestId(one, 1));
        assertThat(fixture.acquire(two, 1, ResourceShare.exclusive("b"))).isEqualTo(new OperationResult.Cancelled());
    }
}
