package habemus.fenced;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DeadlockTest {

    private static final Want ALL_A = Want.exclusive("a");
    private static final Want ALL_B = Want.exclusive("b");
    private static final Want ALL_C = Want.exclusive("c");

    private final Hall hall = new Hall();
    private final long one = hall.open("one");
    private final long two = hall.open("two");
    private final long three = hall.open("three");
    private final long four = hall.open("four");

    /** Each circle as {@code who>whom by what}. */
    private List<String> circles() {
        return hall.table().deadlocks().stream()
                .map(deadlock -> String.join(
                        ", ",
                        deadlock.circle().stream()
                                .map(wait -> wait.person().name() + " waits for "
                                        + wait.wanted().text() + " of "
                                        + wait.holder().name())
                                .toList()))
                .toList();
    }

    private static Want permit() {
        return Want.permits("s", 1, 2);
    }

    @Test
    void two_who_take_two_locks_in_different_order_wait_for_each_other() {
        hall.acquire(one, 1, ALL_A);
        hall.acquire(two, 1, ALL_B);
        hall.acquire(one, 2, ALL_B);
        assertThat(circles()).isEmpty();
        hall.acquire(two, 2, ALL_A);
        assertThat(circles()).containsExactly("one waits for b of two, two waits for a of one");
        var wait = hall.table().deadlocks().getFirst().circle().getFirst();
        assertThat(wait.claim()).isEqualTo(new Claim(one, 2));
        assertThat(wait.heldBy()).isEqualTo(new Claim(two, 1));
    }

    @Test
    void whoever_waits_behind_a_circle_is_not_in_it() {
        hall.acquire(one, 1, ALL_A);
        hall.acquire(two, 1, ALL_B);
        hall.acquire(one, 2, ALL_B);
        hall.acquire(three, 1, ALL_C);
        hall.acquire(three, 2, ALL_A);
        hall.acquire(four, 1, ALL_C);
        hall.acquire(two, 2, ALL_A);
        assertThat(circles()).containsExactly("one waits for b of two, two waits for a of one");
    }

    @Test
    void three_in_a_circle_are_reported_once() {
        hall.acquire(one, 1, ALL_A);
        hall.acquire(two, 1, ALL_B);
        hall.acquire(three, 1, ALL_C);
        hall.acquire(one, 2, ALL_B);
        hall.acquire(two, 2, ALL_C);
        hall.acquire(three, 2, ALL_A);
        assertThat(circles())
                .containsExactly("one waits for b of two, two waits for c of three, three waits for a of one");
    }

    @Test
    void two_circles_are_reported_both_even_if_they_have_one_in_common() {
        hall.acquire(one, 1, ALL_A);
        hall.acquire(two, 1, ALL_B);
        hall.acquire(three, 1, ALL_C);
        hall.acquire(one, 2, ALL_B, ALL_C);
        hall.acquire(two, 2, ALL_A);
        hall.acquire(three, 2, ALL_A);
        assertThat(circles())
                .containsExactly(
                        "one waits for b of two, two waits for a of one",
                        "three waits for a of one, one waits for c of three");
    }

    @Test
    void two_who_share_and_both_want_to_be_alone_wait_for_each_other() {
        hall.acquire(one, 1, Want.shared("a"));
        hall.acquire(two, 1, Want.shared("a"));
        hall.acquire(one, 2, ALL_A);
        assertThat(circles()).isEmpty();
        hall.acquire(two, 2, ALL_A);
        assertThat(circles()).containsExactly("one waits for a of two, two waits for a of one");
    }

    @Test
    void there_is_no_deadlock_as_long_as_another_can_give_back_a_permit() {
        hall.acquire(one, 1, permit());
        hall.acquire(two, 1, permit());
        hall.acquire(three, 1, ALL_A);
        hall.acquire(three, 2, permit());
        hall.acquire(one, 2, ALL_A);
        assertThat(circles()).isEmpty();
        hall.acquire(two, 2, ALL_A);
        assertThat(circles())
                .containsExactly(
                        "one waits for a of three, three waits for s of one",
                        "two waits for a of three, three waits for s of two");
    }

    @Test
    void a_line_can_be_part_of_a_circle() {
        hall.acquire(one, 1, ALL_A);
        hall.acquire(two, 1, ALL_A, ALL_B);
        hall.acquire(three, 1, ALL_C);
        hall.acquire(three, 2, ALL_B);
        assertThat(circles()).isEmpty();
        hall.acquire(one, 2, ALL_C);
        assertThat(circles())
                .containsExactly("one waits for c of three, three waits for b of two, two waits for a of one");
    }

    @Test
    void whoever_is_before_it_and_waits_for_something_of_its_own_is_in_the_way() {
        hall.acquire(one, 1, ALL_A);
        hall.acquire(two, 1, ALL_B);
        hall.acquire(three, 1, ALL_A, ALL_B);
        hall.acquire(two, 2, ALL_A);
        assertThat(circles()).containsExactly("two waits for a of three, three waits for b of two");
        hall.acquire(four, 1, ALL_C);
        hall.acquire(one, 2, ALL_C);
        hall.acquire(four, 2, ALL_A);
        assertThat(circles())
                .containsExactly(
                        "one waits for c of four, four waits for a of one",
                        "two waits for a of three, three waits for b of two");
    }

    @Test
    void a_session_that_waits_for_itself_may_do_several_things_at_a_time() {
        hall.acquire(one, 1, ALL_A);
        hall.acquire(one, 2, ALL_A);
        hall.acquire(two, 1, ALL_A);
        assertThat(circles()).isEmpty();
    }

    @Test
    void a_circle_is_gone_when_one_of_it_gives_up() {
        hall.acquire(one, 1, ALL_A);
        hall.acquire(two, 1, ALL_B);
        hall.acquire(one, 2, ALL_B);
        hall.acquire(two, 2, ALL_A);
        hall.release(two, 3, 2);
        assertThat(circles()).isEmpty();
    }

    @Test
    void many_who_wait_behind_a_circle_are_soon_looked_through() {
        hall.acquire(one, 1, ALL_A);
        hall.acquire(two, 1, ALL_B);
        hall.acquire(one, 2, ALL_B);
        hall.acquire(two, 2, ALL_A);
        for (int i = 0; i < 2_000; i++) {
            hall.acquire(hall.open("waiter " + i), 1, ALL_A);
        }
        assertThat(circles()).hasSize(1);
    }
}
