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

    private final LockTableFixture lockTableFixture = new LockTableFixture();
    private final long one = lockTableFixture.open("one");
    private final long two = lockTableFixture.open("two");
    private final long three = lockTableFixture.open("three");
    private final long four = lockTableFixture.open("four");

    /** Each circle as {@code who>whom by what}. */
    private List<String> circles() {
        return lockTableFixture.table().deadlocks().stream()
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
    void two_who_take_two_locks_in_different_order_wait_for_each_other() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.acquire(two, 1, ALL_B);
        lockTableFixture.acquire(one, 2, ALL_B);
        assertThat(circles()).isEmpty();
        lockTableFixture.acquire(two, 2, ALL_A);
        assertThat(circles()).containsExactly("one waits for b of two, two waits for a of one");
        var wait = lockTableFixture.table().deadlocks().getFirst().cycle().getFirst();
        assertThat(wait.request()).isEqualTo(new RequestId(one, 2));
        assertThat(wait.blockingRequest()).isEqualTo(new RequestId(two, 1));
    }

    @Test
    void whoever_waits_behind_a_circle_is_not_in_it() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.acquire(two, 1, ALL_B);
        lockTableFixture.acquire(one, 2, ALL_B);
        lockTableFixture.acquire(three, 1, ALL_C);
        lockTableFixture.acquire(three, 2, ALL_A);
        lockTableFixture.acquire(four, 1, ALL_C);
        lockTableFixture.acquire(two, 2, ALL_A);
        assertThat(circles()).containsExactly("one waits for b of two, two waits for a of one");
    }

    @Test
    void three_in_a_circle_are_reported_once() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.acquire(two, 1, ALL_B);
        lockTableFixture.acquire(three, 1, ALL_C);
        lockTableFixture.acquire(one, 2, ALL_B);
        lockTableFixture.acquire(two, 2, ALL_C);
        lockTableFixture.acquire(three, 2, ALL_A);
        assertThat(circles())
                .containsExactly("one waits for b of two, two waits for c of three, three waits for a of one");
    }

    @Test
    void two_circles_are_reported_both_even_if_they_have_one_in_common() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.acquire(two, 1, ALL_B);
        lockTableFixture.acquire(three, 1, ALL_C);
        lockTableFixture.acquire(one, 2, ALL_B, ALL_C);
        lockTableFixture.acquire(two, 2, ALL_A);
        lockTableFixture.acquire(three, 2, ALL_A);
        assertThat(circles())
                .containsExactly(
                        "one waits for b of two, two waits for a of one",
                        "three waits for a of one, one waits for c of three");
    }

    @Test
    void two_who_share_and_both_want_to_be_alone_wait_for_each_other() {
        lockTableFixture.acquire(one, 1, ResourceShare.shared("a"));
        lockTableFixture.acquire(two, 1, ResourceShare.shared("a"));
        lockTableFixture.acquire(one, 2, ALL_A);
        assertThat(circles()).isEmpty();
        lockTableFixture.acquire(two, 2, ALL_A);
        assertThat(circles()).containsExactly("one waits for a of two, two waits for a of one");
    }

    @Test
    void there_is_no_deadlock_as_long_as_another_can_give_back_a_permit() {
        lockTableFixture.acquire(one, 1, permit());
        lockTableFixture.acquire(two, 1, permit());
        lockTableFixture.acquire(three, 1, ALL_A);
        lockTableFixture.acquire(three, 2, permit());
        lockTableFixture.acquire(one, 2, ALL_A);
        assertThat(circles()).isEmpty();
        lockTableFixture.acquire(two, 2, ALL_A);
        assertThat(circles())
                .containsExactly(
                        "one waits for a of three, three waits for s of one",
                        "two waits for a of three, three waits for s of two");
    }

    @Test
    void a_line_can_be_part_of_a_circle() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.acquire(two, 1, ALL_A, ALL_B);
        lockTableFixture.acquire(three, 1, ALL_C);
        lockTableFixture.acquire(three, 2, ALL_B);
        assertThat(circles()).isEmpty();
        lockTableFixture.acquire(one, 2, ALL_C);
        assertThat(circles())
                .containsExactly("one waits for c of three, three waits for b of two, two waits for a of one");
    }

    @Test
    void whoever_is_before_it_and_waits_for_something_of_its_own_is_in_the_way() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.acquire(two, 1, ALL_B);
        lockTableFixture.acquire(three, 1, ALL_A, ALL_B);
        lockTableFixture.acquire(two, 2, ALL_A);
        assertThat(circles()).containsExactly("two waits for a of three, three waits for b of two");
        lockTableFixture.acquire(four, 1, ALL_C);
        lockTableFixture.acquire(one, 2, ALL_C);
        lockTableFixture.acquire(four, 2, ALL_A);
        assertThat(circles())
                .containsExactly(
                        "one waits for c of four, four waits for a of one",
                        "two waits for a of three, three waits for b of two");
    }

    @Test
    void a_session_that_waits_for_itself_may_do_several_things_at_a_time() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.acquire(one, 2, ALL_A);
        lockTableFixture.acquire(two, 1, ALL_A);
        assertThat(circles()).isEmpty();
    }

    @Test
    void a_circle_is_gone_when_one_of_it_gives_up() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.acquire(two, 1, ALL_B);
        lockTableFixture.acquire(one, 2, ALL_B);
        lockTableFixture.acquire(two, 2, ALL_A);
        lockTableFixture.release(two, 3, 2);
        assertThat(circles()).isEmpty();
    }

    @Test
    void many_who_wait_behind_a_circle_are_soon_looked_through() {
        lockTableFixture.acquire(one, 1, ALL_A);
        lockTableFixture.acquire(two, 1, ALL_B);
        lockTableFixture.acquire(one, 2, ALL_B);
        lockTableFixture.acquire(two, 2, ALL_A);
        for (int i = 0; i < 2_000; i++) {
            lockTableFixture.acquire(lockTableFixture.open("waiter " + i), 1, ALL_A);
        }
        assertThat(circles()).hasSize(1);
    }
}
