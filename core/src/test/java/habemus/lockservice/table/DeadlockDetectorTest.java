package habemus.lockservice.table;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceShare;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadlockDetectorTest {

    private static final ResourceShare ALL_A = ResourceShare.exclusive("a");
    private static final ResourceShare ALL_B = ResourceShare.exclusive("b");
    private static final ResourceShare ALL_C = ResourceShare.exclusive("c");

    private final LockTableFixture fixture = new LockTableFixture();
    private final long one = fixture.open("one");
    private final long two = fixture.open("two");
    private final long three = fixture.open("three");
    private final long four = fixture.open("four");

    /** Each deadlock as one line of text. */
    private List<String> deadlocks() {
        return fixture.table().deadlocks().stream()
                .map(deadlock -> String.join(
                        ", ",
                        deadlock.cycle().stream()
                                .map(wait -> wait.client().name() + " waits for "
                                        + wait.resource().text() + " of "
                                        + wait.blockingClient().name())
                                .toList()))
                .toList();
    }

    private static ResourceShare permit() {
        return ResourceShare.permits("s", 1, 2);
    }

    @Test
    void two_sessions_that_acquire_two_locks_in_different_order_deadlock() {
        fixture.acquire(one, 1, ALL_A);
        fixture.acquire(two, 1, ALL_B);
        fixture.acquire(one, 2, ALL_B);
        assertThat(deadlocks()).isEmpty();
        fixture.acquire(two, 2, ALL_A);
        assertThat(deadlocks()).containsExactly("one waits for b of two, two waits for a of one");
        var wait = fixture.table().deadlocks().getFirst().cycle().getFirst();
        assertThat(wait.request()).isEqualTo(new RequestId(one, 2));
        assertThat(wait.blockingRequest()).isEqualTo(new RequestId(two, 1));
    }

    @Test
    void a_session_that_waits_for_a_cycle_is_not_part_of_it() {
        fixture.acquire(one, 1, ALL_A);
        fixture.acquire(two, 1, ALL_B);
        fixture.acquire(one, 2, ALL_B);
        fixture.acquire(three, 1, ALL_C);
        fixture.acquire(three, 2, ALL_A);
        fixture.acquire(four, 1, ALL_C);
        fixture.acquire(two, 2, ALL_A);
        assertThat(deadlocks()).containsExactly("one waits for b of two, two waits for a of one");
    }

    @Test
    void a_cycle_of_three_sessions_is_reported_once() {
        fixture.acquire(one, 1, ALL_A);
        fixture.acquire(two, 1, ALL_B);
        fixture.acquire(three, 1, ALL_C);
        fixture.acquire(one, 2, ALL_B);
        fixture.acquire(two, 2, ALL_C);
        fixture.acquire(three, 2, ALL_A);
        assertThat(deadlocks())
                .containsExactly("one waits for b of two, two waits for c of three, three waits for a of one");
    }

    @Test
    void two_cycles_with_a_common_session_are_both_reported() {
        fixture.acquire(one, 1, ALL_A);
        fixture.acquire(two, 1, ALL_B);
        fixture.acquire(three, 1, ALL_C);
        fixture.acquire(one, 2, ALL_B, ALL_C);
        fixture.acquire(two, 2, ALL_A);
        fixture.acquire(three, 2, ALL_A);
        assertThat(deadlocks())
                .containsExactly(
                        "one waits for b of two, two waits for a of one",
                        "three waits for a of one, one waits for c of three");
    }

    @Test
    void two_readers_that_both_want_the_write_lock_deadlock() {
        fixture.acquire(one, 1, ResourceShare.shared("a"));
        fixture.acquire(two, 1, ResourceShare.shared("a"));
        fixture.acquire(one, 2, ALL_A);
        assertThat(deadlocks()).isEmpty();
        fixture.acquire(two, 2, ALL_A);
        assertThat(deadlocks()).containsExactly("one waits for a of two, two waits for a of one");
    }

    @Test
    void there_is_no_deadlock_while_another_session_can_release_a_permit() {
        fixture.acquire(one, 1, permit());
        fixture.acquire(two, 1, permit());
        fixture.acquire(three, 1, ALL_A);
        fixture.acquire(three, 2, permit());
        fixture.acquire(one, 2, ALL_A);
        assertThat(deadlocks()).isEmpty();
        fixture.acquire(two, 2, ALL_A);
        assertThat(deadlocks())
                .containsExactly(
                        "one waits for a of three, three waits for s of one",
                        "two waits for a of three, three waits for s of two");
    }

    @Test
    void a_queue_can_be_part_of_a_cycle() {
        fixture.acquire(one, 1, ALL_A);
        fixture.acquire(two, 1, ALL_A, ALL_B);
        fixture.acquire(three, 1, ALL_C);
        fixture.acquire(three, 2, ALL_B);
        assertThat(deadlocks()).isEmpty();
        fixture.acquire(one, 2, ALL_C);
        assertThat(deadlocks())
                .containsExactly("one waits for c of three, three waits for b of two, two waits for a of one");
    }

    @Test
    void a_request_ahead_in_the_queue_blocks_if_it_waits_for_another_resource_too() {
        fixture.acquire(one, 1, ALL_A);
        fixture.acquire(two, 1, ALL_B);
        fixture.acquire(three, 1, ALL_A, ALL_B);
        fixture.acquire(two, 2, ALL_A);
        assertThat(deadlocks()).containsExactly("two waits for a of three, three waits for b of two");
        fixture.acquire(four, 1, ALL_C);
        fixture.acquire(one, 2, ALL_C);
        fixture.acquire(four, 2, ALL_A);
        assertThat(deadlocks())
                .containsExactly(
                        "one waits for c of four, four waits for a of one",
                        "two waits for a of three, three waits for b of two");
    }

    @Test
    void a_session_that_waits_for_itself_is_no_deadlock() {
        fixture.acquire(one, 1, ALL_A);
        fixture.acquire(one, 2, ALL_A);
        fixture.acquire(two, 1, ALL_A);
        assertThat(deadlocks()).isEmpty();
    }

    @Test
    void sessions_of_the_same_owner_deadlock_together() {
        long outer = fixture.open("outer", "shell-1");
        long inner = fixture.open("inner", "shell-1");
        long otherOuter = fixture.open("other outer", "shell-2");
        long otherInner = fixture.open("other inner", "shell-2");
        fixture.acquire(outer, 1, ALL_A);
        fixture.acquire(otherOuter, 1, ALL_B);
        fixture.acquire(inner, 1, ALL_B);
        assertThat(deadlocks()).isEmpty();
        fixture.acquire(otherInner, 1, ALL_A);
        assertThat(deadlocks()).containsExactly("inner waits for b of other outer, other inner waits for a of outer");
    }

    @Test
    void an_owner_that_waits_for_itself_is_no_deadlock() {
        long outer = fixture.open("outer", "shell-1");
        long inner = fixture.open("inner", "shell-1");
        fixture.acquire(outer, 1, ALL_A);
        fixture.acquire(inner, 1, ALL_A);
        assertThat(deadlocks()).isEmpty();
    }

    @Test
    void a_cycle_is_resolved_when_one_request_is_cancelled() {
        fixture.acquire(one, 1, ALL_A);
        fixture.acquire(two, 1, ALL_B);
        fixture.acquire(one, 2, ALL_B);
        fixture.acquire(two, 2, ALL_A);
        fixture.release(two, 3, 2);
        assertThat(deadlocks()).isEmpty();
    }

    @Test
    void two_thousand_waiters_behind_a_cycle_are_searched_quickly() {
        fixture.acquire(one, 1, ALL_A);
        fixture.acquire(two, 1, ALL_B);
        fixture.acquire(one, 2, ALL_B);
        fixture.acquire(two, 2, ALL_A);
        for (int i = 0; i < 2_000; i++) {
            fixture.acquire(fixture.open("waiter " + i), 1, ALL_A);
        }
        assertThat(deadlocks()).hasSize(1);
    }
}
