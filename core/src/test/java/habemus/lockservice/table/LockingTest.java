package habemus.lockservice.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Holder;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockingTest {

    private static final ResourceName A = ResourceName.lock("a");
    private static final ResourceShare ALL_A = ResourceShare.exclusive("a");
    private static final ResourceShare ALL_B = ResourceShare.exclusive("b");
    private static final ResourceShare ALL_C = ResourceShare.exclusive("c");
    private static final ResourceShare SOME_A = ResourceShare.shared("a");

    private final LockTableFixture fixture = new LockTableFixture();
    private final long one = fixture.open("one");
    private final long two = fixture.open("two");
    private final long three = fixture.open("three");
    private final long four = fixture.open("four");

    @Test
    void a_free_lock_is_granted_at_once_and_its_fence_is_the_command_index() {
        assertThat(fixture.acquire(one, 1, ALL_A)).isEqualTo(new OperationResult.Granted(5));
        assertThat(fixture.table().index()).isEqualTo(5);
        assertThat(fixture.notifications()).contains(new Notification.ResourceChanged(A));
    }

    @Test
    void an_exclusive_holder_excludes_all_others_until_it_releases() {
        fixture.acquire(one, 1, ALL_A);
        assertThat(fixture.acquire(two, 1, ALL_A)).isEqualTo(new OperationResult.Waiting());
        assertThat(fixture.acquire(three, 1, SOME_A)).isEqualTo(new OperationResult.Waiting());
        assertThat(fixture.release(one, 2, 1)).isEqualTo(new OperationResult.Released());
        assertThat(fixture.granted()).containsExactly(new RequestId(two, 1));
    }

    @Test
    void readers_hold_the_lock_together() {
        fixture.acquire(one, 1, SOME_A);
        assertThat(fixture.acquire(two, 1, SOME_A)).isInstanceOf(OperationResult.Granted.class);
        assertThat(fixture.acquire(three, 1, ALL_A)).isEqualTo(new OperationResult.Waiting());
        fixture.release(one, 2, 1);
        assertThat(fixture.granted()).isEmpty();
        fixture.release(two, 2, 1);
        assertThat(fixture.granted()).containsExactly(new RequestId(three, 1));
    }

    @Test
    void readers_granted_by_the_same_command_have_the_same_fence() {
        fixture.acquire(one, 1, ALL_A);
        fixture.acquire(two, 1, SOME_A);
        fixture.acquire(three, 1, SOME_A);
        fixture.release(one, 2, 1);
        assertThat(fixture.table().holders(A)).extracting(Holder::fence).containsExactly(8L, 8L);
    }

    @Test
    void a_reader_does_not_overtake_a_waiting_writer() {
        fixture.acquire(one, 1, SOME_A);
        fixture.acquire(two, 1, ALL_A);
        assertThat(fixture.acquire(three, 1, SOME_A)).isEqualTo(new OperationResult.Waiting());
        assertThat(fixture.tryAcquire(four, 1, SOME_A)).isInstanceOf(OperationResult.Busy.class);
        fixture.release(one, 2, 1);
        assertThat(fixture.granted()).containsExactly(new RequestId(two, 1));
    }

    @Test
    void a_semaphore_grants_at_most_its_size_in_permits() {
        assertThat(fixture.acquire(one, 1, ResourceShare.permits("s", 2, 3)))
                .isInstanceOf(OperationResult.Granted.class);
        assertThat(fixture.acquire(two, 1, ResourceShare.permits("s", 2, 3))).isEqualTo(new OperationResult.Waiting());
        fixture.release(one, 2, 1);
        assertThat(fixture.granted()).containsExactly(new RequestId(two, 1));
    }

    @Test
    void a_request_for_few_permits_does_not_overtake_one_for_many() {
        fixture.acquire(one, 1, ResourceShare.permits("s", 2, 3));
        fixture.acquire(two, 1, ResourceShare.permits("s", 3, 3));
        assertThat(fixture.acquire(three, 1, ResourceShare.permits("s", 1, 3)))
                .isEqualTo(new OperationResult.Waiting());
        fixture.release(one, 2, 1);
        assertThat(fixture.granted()).containsExactly(new RequestId(two, 1));
    }

    @Test
    void released_permits_grant_as_many_waiters_as_fit() {
        fixture.acquire(one, 1, ResourceShare.permits("s", 3, 3));
        fixture.acquire(two, 1, ResourceShare.permits("s", 1, 3));
        fixture.acquire(three, 1, ResourceShare.permits("s", 2, 3));
        fixture.acquire(four, 1, ResourceShare.permits("s", 1, 3));
        fixture.release(one, 2, 1);
        assertThat(fixture.granted()).containsExactly(new RequestId(two, 1), new RequestId(three, 1));
    }

    @Test
    void a_different_size_is_rejected_while_the_semaphore_is_in_use() {
        fixture.acquire(one, 1, ResourceShare.permits("s", 1, 3));
        assertThat(fixture.acquire(two, 1, ResourceShare.permits("s", 1, 4)))
                .isEqualTo(new OperationResult.Rejected(OperationResult.RejectionReason.SIZE_MISMATCH));
        fixture.release(one, 2, 1);
        assertThat(fixture.acquire(two, 2, ResourceShare.permits("s", 1, 4)))
                .isInstanceOf(OperationResult.Granted.class);
    }

    @Test
    void a_share_must_fit_its_resource() {
        assertThatThrownBy(() -> ResourceShare.permits("s", 4, 3))
                .hasMessageContaining("units of semaphore s must be from 1 to 3, was 4");
        assertThatThrownBy(() -> ResourceShare.permits("s", 0, 3)).hasMessageContaining("was 0");
        assertThatThrownBy(() -> new ResourceShare(A, 1, 2)).hasMessageContaining("only semaphores have a size");
        assertThatThrownBy(() -> new ResourceShare(ResourceName.election("e"), 1, Integer.MAX_VALUE))
                .hasMessageContaining("leadership is exclusive");
    }

    @Test
    void resources_of_different_kinds_may_have_the_same_name() {
        fixture.acquire(one, 1, ALL_A);
        assertThat(fixture.acquire(two, 1, ResourceShare.permits("a", 1, 1)))
                .isInstanceOf(OperationResult.Granted.class);
        assertThat(fixture.campaign(three, 1, "a", 0)).isInstanceOf(OperationResult.Granted.class);
    }

    @Test
    void several_resources_are_granted_all_at_once_or_not_at_all() {
        fixture.acquire(one, 1, ALL_B);
        assertThat(fixture.acquire(two, 1, ALL_A, ALL_B)).isEqualTo(new OperationResult.Waiting());
        assertThat(fixture.holders(A)).isEmpty();
        fixture.release(one, 2, 1);
        assertThat(fixture.results()).contains(new Notification.Result(two, 1, new OperationResult.Granted(7)));
        assertThat(fixture.holders(A)).containsExactly(new RequestId(two, 1));
        fixture.release(two, 2, 1);
        assertThat(fixture.isEmpty()).isTrue();
    }

    @Test
    void a_request_does_not_overtake_a_multi_lock_even_if_the_resource_is_free() {
        fixture.acquire(one, 1, ALL_B);
        fixture.acquire(two, 1, ALL_A, ALL_B);
        assertThat(fixture.acquire(three, 1, ALL_A)).isEqualTo(new OperationResult.Waiting());
        assertThat(fixture.tryAcquire(four, 1, ALL_A)).isEqualTo(new OperationResult.Busy(List.of()));
        fixture.release(one, 2, 1);
        assertThat(fixture.granted()).containsExactly(new RequestId(two, 1));
        fixture.release(two, 2, 1);
        assertThat(fixture.granted()).containsExactly(new RequestId(three, 1));
    }

    @Test
    void multi_locks_never_deadlock() {
        fixture.acquire(four, 1, ALL_A, ALL_B, ALL_C);
        fixture.acquire(one, 1, ALL_A, ALL_B);
        fixture.acquire(two, 1, ALL_B, ALL_C);
        fixture.acquire(three, 1, ALL_C, ALL_A);
        fixture.release(four, 2, 1);
        assertThat(fixture.granted()).containsExactly(new RequestId(one, 1));
        fixture.release(one, 2, 1);
        assertThat(fixture.granted()).containsExactly(new RequestId(two, 1));
        fixture.release(two, 2, 1);
        assertThat(fixture.granted()).containsExactly(new RequestId(three, 1));
    }

    @Test
    void a_cancelled_multi_lock_frees_all_its_queues() {
        fixture.acquire(one, 1, ALL_A);
        fixture.acquire(two, 1, ALL_A, ALL_B, ALL_C);
        fixture.acquire(three, 1, ALL_B);
        fixture.acquire(four, 1, ALL_C);
        fixture.release(two, 2, 1);
        assertThat(fixture.granted()).containsExactly(new RequestId(three, 1), new RequestId(four, 1));
    }

    @Test
    void an_invalid_combination_is_rejected() {
        var rejected = new OperationResult.Rejected(OperationResult.RejectionReason.INVALID_COMBINATION);
        assertThat(fixture.acquire(one, 1)).isEqualTo(rejected);
        assertThat(fixture.acquire(one, 2, ALL_A, SOME_A)).isEqualTo(rejected);
        assertThat(fixture.acquire(one, 3, ALL_A, ResourceShare.leadership("e")))
                .isEqualTo(rejected);
        assertThat(fixture.isEmpty()).isTrue();
    }

    @Test
    void a_try_returns_the_holders_and_does_not_join_the_queue() {
        fixture.acquire(one, 1, ALL_A);
        var busy = (OperationResult.Busy) fixture.tryAcquire(two, 1, ALL_A, ALL_B);
        assertThat(busy.holders())
                .containsExactly(
                        new Holder(new RequestId(one, 1), new ClientInfo("one", "host", 1), Integer.MAX_VALUE, 5, 5));
        assertThat(fixture.waiters(A)).isEmpty();
        fixture.release(one, 2, 1);
        assertThat(fixture.granted()).isEmpty();
        assertThat(fixture.tryAcquire(two, 2, ALL_A, ALL_B)).isInstanceOf(OperationResult.Granted.class);
    }

    @Test
    void the_table_forgets_unused_resources_and_fences_still_grow() {
        fixture.acquire(one, 1, ALL_A);
        fixture.release(one, 2, 1);
        assertThat(fixture.isEmpty()).isTrue();
        assertThat(fixture.acquire(two, 1, ALL_B)).isEqualTo(new OperationResult.Granted(7));
        assertThat(fixture.acquire(two, 2, ALL_A)).isEqualTo(new OperationResult.Granted(8));
    }

    @Test
    void every_command_of_a_batch_has_its_own_index() {
        var acquire = Operation.Acquire.of(ALL_A);
        var batch = CommandBatch.of(
                0,
                new Command.Submit(one, 1, 0, acquire),
                new Command.Submit(one, 2, 1, new Operation.Release(1)),
                new Command.Submit(two, 1, 0, acquire));
        var applied = fixture.table().apply(batch);
        assertThat(applied.table().index()).isEqualTo(7);
        assertThat(applied.notifications())
                .contains(
                        new Notification.Result(one, 1, new OperationResult.Granted(5)),
                        new Notification.Result(two, 1, new OperationResult.Granted(7)));
    }

    @Test
    void rank_is_ignored_outside_elections() {
        fixture.acquire(one, 1, ALL_A);
        fixture.acquire(two, 1, ALL_A);
        fixture.submit(three, 1, new Operation.Acquire(List.of(ALL_A), true, 9));
        assertThat(fixture.waiters(A)).containsExactly(new RequestId(two, 1), new RequestId(three, 1));
    }
}
