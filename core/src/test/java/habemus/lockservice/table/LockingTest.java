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

    private final LockTableFixture lockTableFixture = new LockTableFixture();
    private final long one = lockTableFixture.open("one");
    private final long two = lockTableFixture.open("two");
    private final long three = lockTableFixture.open("three");
    private final long four = lockTableFixture.open("four");

    @Test
    void what_is_free_is_had_at_once_and_the_fence_is_the_index_of_the_command() {
        assertThat(lockTableFixture.acquire(one, 1, ALL_A)).isEqualTo(new OperationResult.Granted(5));
        assertThat(lockTableFixture.table().index()).isEqualTo(5);
        assertThat(lockTableFixture.notifications()).contains(new Notification.ResourceChanged(A));
    }

    @Test
    void whoever_is_alone_lets_nobody_in_until_it_goes() {
        lockTableFixture.acquire(one, 1, ALL_A);
        assertThat(lockTableFixture.acquire(two, 1, ALL_A)).isEqualTo(new OperationResult.Waiting());
        assertThat(lockTableFixture.acquire(three, 1, SOME_A)).isEqualTo(new OperationResult.Waiting());
        assertThat(lockTableFixture.release(one, 2, 1)).isEqualTo(new OperationResult.Released());
        assertThat(lockTableFixture.granted()).containsExactly(new RequestId(two, 1));
    }

    @Test
    void those_who_share_are_inside_together() {
        lockTableFixture.acquire(one, 1, SOME_A);
        assertThat(lockTableFixture.acquire(two, 1, SOME_A)).isInstanceOf(OperationResult.Granted.class);
        assertThat(lockTableFixture.acquire(three, 1, ALL_A)).isEqualTo(new OperationResult.Waiting());
        lockTableFixture.release(one, 2, 1);
        assertThat(lockTableFixture.granted()).isEmpty();
        lockTableFixture.release(two, 2, 1);
        assertThat(lockTableFixture.granted()).containsExactly(new RequestId(three, 1));
    }

    @Test
    void those_who_share_and_are_let_in_by_the_same_command_have_the_same_fence() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.acquire(two, 1, SOME_A);
        lockTableFixture.acquire(three, 1, SOME_A);
        lockTableFixture.release(one, 2, 1);
        assertThat(lockTableFixture.table().holders(A))
                .extracting(Holder::fence)
                .containsExactly(8L, 8L);
    }

    @Test
    void whoever_wants_to_share_does_not_overtake_one_who_wants_to_be_alone() {
        lockTableFixture.acquire(one, 1, SOME_A);
        lockTableFixture.acquire(two, 1, ALL_A);
        assertThat(lockTableFixture.acquire(three, 1, SOME_A)).isEqualTo(new OperationResult.Waiting());
        assertThat(lockTableFixture.tryAcquire(four, 1, SOME_A)).isInstanceOf(OperationResult.Busy.class);
        lockTableFixture.release(one, 2, 1);
        assertThat(lockTableFixture.granted()).containsExactly(new RequestId(two, 1));
    }

    @Test
    void a_semaphore_has_so_many_permits_and_no_more() {
        assertThat(lockTableFixture.acquire(one, 1, ResourceShare.permits("s", 2, 3)))
                .isInstanceOf(OperationResult.Granted.class);
        assertThat(lockTableFixture.acquire(two, 1, ResourceShare.permits("s", 2, 3)))
                .isEqualTo(new OperationResult.Waiting());
        lockTableFixture.release(one, 2, 1);
        assertThat(lockTableFixture.granted()).containsExactly(new RequestId(two, 1));
    }

    @Test
    void whoever_wants_few_permits_does_not_overtake_one_who_wants_many() {
        lockTableFixture.acquire(one, 1, ResourceShare.permits("s", 2, 3));
        lockTableFixture.acquire(two, 1, ResourceShare.permits("s", 3, 3));
        assertThat(lockTableFixture.acquire(three, 1, ResourceShare.permits("s", 1, 3)))
                .isEqualTo(new OperationResult.Waiting());
        lockTableFixture.release(one, 2, 1);
        assertThat(lockTableFixture.granted()).containsExactly(new RequestId(two, 1));
    }

    @Test
    void when_many_permits_come_back_as_many_are_let_in_as_find_room() {
        lockTableFixture.acquire(one, 1, ResourceShare.permits("s", 3, 3));
        lockTableFixture.acquire(two, 1, ResourceShare.permits("s", 1, 3));
        lockTableFixture.acquire(three, 1, ResourceShare.permits("s", 2, 3));
        lockTableFixture.acquire(four, 1, ResourceShare.permits("s", 1, 3));
        lockTableFixture.release(one, 2, 1);
        assertThat(lockTableFixture.granted()).containsExactly(new RequestId(two, 1), new RequestId(three, 1));
    }

    @Test
    void sizes_that_disagree_are_refused_while_somebody_uses_it() {
        lockTableFixture.acquire(one, 1, ResourceShare.permits("s", 1, 3));
        assertThat(lockTableFixture.acquire(two, 1, ResourceShare.permits("s", 1, 4)))
                .isEqualTo(new OperationResult.Rejected(OperationResult.RejectionReason.SIZE_MISMATCH));
        lockTableFixture.release(one, 2, 1);
        assertThat(lockTableFixture.acquire(two, 2, ResourceShare.permits("s", 1, 4)))
                .isInstanceOf(OperationResult.Granted.class);
    }

    @Test
    void more_than_there_is_cannot_be_wanted() {
        assertThatThrownBy(() -> ResourceShare.permits("s", 4, 3))
                .hasMessageContaining("from 1 to 3 units of semaphore s");
        assertThatThrownBy(() -> ResourceShare.permits("s", 0, 3)).hasMessageContaining("not 0");
        assertThatThrownBy(() -> new ResourceShare(A, 1, 2))
                .hasMessageContaining("only a semaphore has a size of its own");
        assertThatThrownBy(() -> new ResourceShare(ResourceName.election("e"), 1, Integer.MAX_VALUE))
                .hasMessageContaining("nobody shares the lead");
    }

    @Test
    void equal_names_of_different_kinds_are_strangers() {
        lockTableFixture.acquire(one, 1, ALL_A);
        assertThat(lockTableFixture.acquire(two, 1, ResourceShare.permits("a", 1, 1)))
                .isInstanceOf(OperationResult.Granted.class);
        assertThat(lockTableFixture.campaign(three, 1, "a", 0)).isInstanceOf(OperationResult.Granted.class);
    }

    @Test
    void several_are_had_all_at_once_or_none() {
        lockTableFixture.acquire(one, 1, ALL_B);
        assertThat(lockTableFixture.acquire(two, 1, ALL_A, ALL_B)).isEqualTo(new OperationResult.Waiting());
        assertThat(lockTableFixture.holders(A)).isEmpty();
        lockTableFixture.release(one, 2, 1);
        assertThat(lockTableFixture.results())
                .contains(new Notification.Result(two, 1, new OperationResult.Granted(7)));
        assertThat(lockTableFixture.holders(A)).containsExactly(new RequestId(two, 1));
        lockTableFixture.release(two, 2, 1);
        assertThat(lockTableFixture.isEmpty()).isTrue();
    }

    @Test
    void nobody_overtakes_one_who_waits_for_several_even_where_there_is_room() {
        lockTableFixture.acquire(one, 1, ALL_B);
        lockTableFixture.acquire(two, 1, ALL_A, ALL_B);
        assertThat(lockTableFixture.acquire(three, 1, ALL_A)).isEqualTo(new OperationResult.Waiting());
        assertThat(lockTableFixture.tryAcquire(four, 1, ALL_A)).isEqualTo(new OperationResult.Busy(List.of()));
        lockTableFixture.release(one, 2, 1);
        assertThat(lockTableFixture.granted()).containsExactly(new RequestId(two, 1));
        lockTableFixture.release(two, 2, 1);
        assertThat(lockTableFixture.granted()).containsExactly(new RequestId(three, 1));
    }

    @Test
    void claims_of_several_never_wait_for_each_other_in_a_circle() {
        lockTableFixture.acquire(four, 1, ALL_A, ALL_B, ALL_C);
        lockTableFixture.acquire(one, 1, ALL_A, ALL_B);
        lockTableFixture.acquire(two, 1, ALL_B, ALL_C);
        lockTableFixture.acquire(three, 1, ALL_C, ALL_A);
        lockTableFixture.release(four, 2, 1);
        assertThat(lockTableFixture.granted()).containsExactly(new RequestId(one, 1));
        lockTableFixture.release(one, 2, 1);
        assertThat(lockTableFixture.granted()).containsExactly(new RequestId(two, 1));
        lockTableFixture.release(two, 2, 1);
        assertThat(lockTableFixture.granted()).containsExactly(new RequestId(three, 1));
    }

    @Test
    void one_who_leaves_makes_way_in_all_its_lines() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.acquire(two, 1, ALL_A, ALL_B, ALL_C);
        lockTableFixture.acquire(three, 1, ALL_B);
        lockTableFixture.acquire(four, 1, ALL_C);
        lockTableFixture.release(two, 2, 1);
        assertThat(lockTableFixture.granted()).containsExactly(new RequestId(three, 1), new RequestId(four, 1));
    }

    @Test
    void what_does_not_go_together_is_refused() {
        var rejected = new OperationResult.Rejected(OperationResult.RejectionReason.INVALID_COMBINATION);
        assertThat(lockTableFixture.acquire(one, 1)).isEqualTo(rejected);
        assertThat(lockTableFixture.acquire(one, 2, ALL_A, SOME_A)).isEqualTo(rejected);
        assertThat(lockTableFixture.acquire(one, 3, ALL_A, ResourceShare.leadership("e")))
                .isEqualTo(rejected);
        assertThat(lockTableFixture.isEmpty()).isTrue();
    }

    @Test
    void whoever_only_tries_is_told_who_is_inside_and_leaves_nothing() {
        lockTableFixture.acquire(one, 1, ALL_A);
        var busy = (OperationResult.Busy) lockTableFixture.tryAcquire(two, 1, ALL_A, ALL_B);
        assertThat(busy.holders())
                .containsExactly(
                        new Holder(new RequestId(one, 1), new ClientInfo("one", "host", 1), Integer.MAX_VALUE, 5, 5));
        assertThat(lockTableFixture.waiters(A)).isEmpty();
        lockTableFixture.release(one, 2, 1);
        assertThat(lockTableFixture.granted()).isEmpty();
        assertThat(lockTableFixture.tryAcquire(two, 2, ALL_A, ALL_B)).isInstanceOf(OperationResult.Granted.class);
    }

    @Test
    void of_what_nobody_uses_nothing_is_left_and_yet_the_fence_grows() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.release(one, 2, 1);
        assertThat(lockTableFixture.isEmpty()).isTrue();
        assertThat(lockTableFixture.acquire(two, 1, ALL_B)).isEqualTo(new OperationResult.Granted(7));
        assertThat(lockTableFixture.acquire(two, 2, ALL_A)).isEqualTo(new OperationResult.Granted(8));
    }

    @Test
    void commands_of_one_entry_are_numbered_one_by_one() {
        var acquire = Operation.Acquire.of(ALL_A);
        var commandBatch = CommandBatch.of(
                0,
                new Command.Submit(one, 1, 0, acquire),
                new Command.Submit(one, 2, 1, new Operation.Release(1)),
                new Command.Submit(two, 1, 0, acquire));
        var applyResult = lockTableFixture.table().apply(commandBatch);
        assertThat(applyResult.lockTable().index()).isEqualTo(7);
        assertThat(applyResult.notifications())
                .contains(
                        new Notification.Result(one, 1, new OperationResult.Granted(5)),
                        new Notification.Result(two, 1, new OperationResult.Granted(7)));
    }

    @Test
    void rank_counts_for_nothing_where_nobody_is_elected() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.acquire(two, 1, ALL_A);
        lockTableFixture.submit(three, 1, new Operation.Acquire(List.of(ALL_A), true, 9));
        assertThat(lockTableFixture.waiters(A)).containsExactly(new RequestId(two, 1), new RequestId(three, 1));
    }
}
