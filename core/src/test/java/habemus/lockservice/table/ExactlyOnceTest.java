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

    private final LockTableFixture lockTableFixture = new LockTableFixture();
    private final long one = lockTableFixture.open("one");
    private final long two = lockTableFixture.open("two");

    private SessionEntry guest(long session) {
        return lockTableFixture.table().sessions().get(session).orElseThrow();
    }

    @Test
    void a_repeated_acquire_is_granted_once() {
        var granted = lockTableFixture.acquire(one, 1, ALL_A);
        assertThat(lockTableFixture.acquire(one, 1, ALL_A)).isEqualTo(granted);
        assertThat(lockTableFixture.table().holders(A)).hasSize(1);
        lockTableFixture.release(one, 2, 1);
        assertThat(lockTableFixture.isEmpty()).isTrue();
    }

    @Test
    void whoever_asks_again_in_line_keeps_its_place_and_is_told_when_it_is_inside() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.acquire(two, 1, ALL_A);
        var line = lockTableFixture.table().waiters(A);
        assertThat(lockTableFixture.acquire(two, 1, ALL_A)).isEqualTo(new OperationResult.Waiting());
        assertThat(lockTableFixture.table().waiters(A)).isEqualTo(line);
        lockTableFixture.release(one, 2, 1);
        assertThat(lockTableFixture.acquire(two, 1, ALL_A)).isEqualTo(new OperationResult.Granted(6));
    }

    @Test
    void an_acquire_that_is_repeated_after_its_release_is_not_granted_again() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.release(one, 2, 1);
        assertThat(lockTableFixture.acquire(one, 1, ALL_A)).isEqualTo(new OperationResult.Released());
        assertThat(lockTableFixture.isEmpty()).isTrue();
    }

    @Test
    void a_repeated_release_releases_nothing_that_came_later() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.release(one, 2, 1);
        lockTableFixture.acquire(one, 3, ALL_A);
        assertThat(lockTableFixture.release(one, 2, 1)).isEqualTo(new OperationResult.Released());
        assertThat(lockTableFixture.holders(A)).containsExactly(new RequestId(one, 3));
    }

    @Test
    void an_acquire_that_comes_later_than_its_release_is_cancelled() {
        assertThat(lockTableFixture.release(one, 2, 1)).isEqualTo(new OperationResult.Released());
        assertThat(lockTableFixture.acquire(one, 1, ALL_A)).isEqualTo(new OperationResult.Cancelled());
        assertThat(lockTableFixture.isEmpty()).isTrue();
    }

    @Test
    void an_acquire_that_comes_after_all_was_settled_does_nothing() {
        lockTableFixture.release(one, 2, 1);
        lockTableFixture.submit(one, 3, 2, new Operation.Release(99));
        assertThat(lockTableFixture.acquire(one, 1, ALL_A)).isEqualTo(new OperationResult.Released());
        assertThat(lockTableFixture.isEmpty()).isTrue();
    }

    @Test
    void whoever_cancels_in_line_is_not_let_in_later() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.acquire(two, 1, ALL_A);
        lockTableFixture.release(two, 2, 1);
        lockTableFixture.release(one, 2, 1);
        assertThat(lockTableFixture.granted()).isEmpty();
        assertThat(lockTableFixture.acquire(two, 1, ALL_A)).isEqualTo(new OperationResult.Cancelled());
    }

    @Test
    void a_refusal_is_repeated_though_it_could_be_granted_now() {
        lockTableFixture.acquire(one, 1, ALL_A);
        var busy = lockTableFixture.tryAcquire(two, 1, ALL_A);
        lockTableFixture.release(one, 2, 1);
        assertThat(lockTableFixture.tryAcquire(two, 1, ALL_A)).isEqualTo(busy);
        assertThat(lockTableFixture.isEmpty()).isTrue();
    }

    @Test
    void whoever_was_put_out_by_force_hears_it_again() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.release(A);
        assertThat(lockTableFixture.acquire(one, 1, ALL_A)).isEqualTo(new OperationResult.Revoked("olga", "stuck"));
    }

    @Test
    void whoever_was_put_out_by_force_hears_it_though_it_was_settled_until_it_gives_it_back() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.submit(one, 2, 1, Operation.Acquire.of(ResourceShare.exclusive("b")));
        lockTableFixture.release(A);
        assertThat(guest(one).revoked().keys()).containsExactly(1L);
        assertThat(lockTableFixture.submit(one, 1, 2, Operation.Acquire.of(ALL_A)))
                .isEqualTo(new OperationResult.Revoked("olga", "stuck"));
        assertThat(lockTableFixture.table().snapshot().toTable()).isEqualTo(lockTableFixture.table());
        lockTableFixture.release(one, 3, 1);
        assertThat(guest(one).revoked().isEmpty()).isTrue();
        assertThat(lockTableFixture.submit(one, 1, 2, Operation.Acquire.of(ALL_A)))
                .isEqualTo(new OperationResult.Released());
    }

    @Test
    void settling_drops_answers_and_only_those() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.release(one, 2, 1);
        lockTableFixture.tryAcquire(one, 3, ALL_A);
        lockTableFixture.release(one, 4, 3);
        assertThat(guest(one).results().keys()).containsExactly(1L, 2L, 3L, 4L);
        lockTableFixture.submit(one, 5, 2, new Operation.Release(3));
        assertThat(guest(one).results().keys()).containsExactly(3L, 4L, 5L);
        lockTableFixture.submit(one, 6, 1, new Operation.Release(3));
        assertThat(guest(one).acknowledgedUpTo()).isEqualTo(2);
    }

    @Test
    void a_claim_that_is_settled_answers_for_itself_until_it_is_over() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.submit(two, 1, Operation.Acquire.of(ALL_A));
        lockTableFixture.submit(two, 2, 1, new Operation.Release(77));
        assertThat(lockTableFixture.acquire(two, 1, ALL_A)).isEqualTo(new OperationResult.Waiting());
        lockTableFixture.release(one, 2, 1);
        assertThat(lockTableFixture.acquire(two, 1, ALL_A)).isEqualTo(new OperationResult.Granted(7));
        lockTableFixture.submit(two, 3, 2, new Operation.Release(1));
        assertThat(lockTableFixture.acquire(two, 1, ALL_A)).isEqualTo(new OperationResult.Released());
        assertThat(lockTableFixture.isEmpty()).isTrue();
    }

    @Test
    void the_memory_of_a_session_does_not_grow_while_it_stands_in_a_line() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.acquire(two, 1, ALL_A);
        for (long number = 2; number < 1_000; number += 2) {
            lockTableFixture.submit(two, number, number - 1, Operation.Acquire.of(ResourceShare.exclusive("b")));
            lockTableFixture.submit(two, number + 1, number, new Operation.Release(number));
        }
        assertThat(guest(two).acquires().size()).isEqualTo(1);
        assertThat(guest(two).results().size()).isEqualTo(1);
    }

    @Test
    void requests_of_different_sessions_have_nothing_to_do_with_each_other() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.release(two, 2, 1);
        assertThat(lockTableFixture.holders(A)).containsExactly(new RequestId(one, 1));
        assertThat(lockTableFixture.acquire(two, 1, ResourceShare.exclusive("b")))
                .isEqualTo(new OperationResult.Cancelled());
    }
}
