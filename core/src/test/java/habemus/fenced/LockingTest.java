package habemus.fenced;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class LockingTest {

    private static final Name A = Name.lock("a");
    private static final Want ALL_A = Want.exclusive("a");
    private static final Want ALL_B = Want.exclusive("b");
    private static final Want ALL_C = Want.exclusive("c");
    private static final Want SOME_A = Want.shared("a");

    private final Hall hall = new Hall();
    private final long one = hall.open("one");
    private final long two = hall.open("two");
    private final long three = hall.open("three");
    private final long four = hall.open("four");

    @Test
    void what_is_free_is_had_at_once_and_the_fence_is_the_index_of_the_command() {
        assertThat(hall.acquire(one, 1, ALL_A)).isEqualTo(new Answer.Granted(5));
        assertThat(hall.table().index()).isEqualTo(5);
        assertThat(hall.news()).contains(new News.Changed(A));
    }

    @Test
    void whoever_is_alone_lets_nobody_in_until_it_goes() {
        hall.acquire(one, 1, ALL_A);
        assertThat(hall.acquire(two, 1, ALL_A)).isEqualTo(new Answer.Waiting());
        assertThat(hall.acquire(three, 1, SOME_A)).isEqualTo(new Answer.Waiting());
        assertThat(hall.release(one, 2, 1)).isEqualTo(new Answer.Released());
        assertThat(hall.granted()).containsExactly(new Claim(two, 1));
    }

    @Test
    void those_who_share_are_inside_together() {
        hall.acquire(one, 1, SOME_A);
        assertThat(hall.acquire(two, 1, SOME_A)).isInstanceOf(Answer.Granted.class);
        assertThat(hall.acquire(three, 1, ALL_A)).isEqualTo(new Answer.Waiting());
        hall.release(one, 2, 1);
        assertThat(hall.granted()).isEmpty();
        hall.release(two, 2, 1);
        assertThat(hall.granted()).containsExactly(new Claim(three, 1));
    }

    @Test
    void those_who_share_and_are_let_in_by_the_same_command_have_the_same_fence() {
        hall.acquire(one, 1, ALL_A);
        hall.acquire(two, 1, SOME_A);
        hall.acquire(three, 1, SOME_A);
        hall.release(one, 2, 1);
        assertThat(hall.table().holders(A)).extracting(Holder::fence).containsExactly(8L, 8L);
    }

    @Test
    void whoever_wants_to_share_does_not_overtake_one_who_wants_to_be_alone() {
        hall.acquire(one, 1, SOME_A);
        hall.acquire(two, 1, ALL_A);
        assertThat(hall.acquire(three, 1, SOME_A)).isEqualTo(new Answer.Waiting());
        assertThat(hall.tryAcquire(four, 1, SOME_A)).isInstanceOf(Answer.Busy.class);
        hall.release(one, 2, 1);
        assertThat(hall.granted()).containsExactly(new Claim(two, 1));
    }

    @Test
    void a_semaphore_has_so_many_permits_and_no_more() {
        assertThat(hall.acquire(one, 1, Want.permits("s", 2, 3))).isInstanceOf(Answer.Granted.class);
        assertThat(hall.acquire(two, 1, Want.permits("s", 2, 3))).isEqualTo(new Answer.Waiting());
        hall.release(one, 2, 1);
        assertThat(hall.granted()).containsExactly(new Claim(two, 1));
    }

    @Test
    void whoever_wants_few_permits_does_not_overtake_one_who_wants_many() {
        hall.acquire(one, 1, Want.permits("s", 2, 3));
        hall.acquire(two, 1, Want.permits("s", 3, 3));
        assertThat(hall.acquire(three, 1, Want.permits("s", 1, 3))).isEqualTo(new Answer.Waiting());
        hall.release(one, 2, 1);
        assertThat(hall.granted()).containsExactly(new Claim(two, 1));
    }

    @Test
    void when_many_permits_come_back_as_many_are_let_in_as_find_room() {
        hall.acquire(one, 1, Want.permits("s", 3, 3));
        hall.acquire(two, 1, Want.permits("s", 1, 3));
        hall.acquire(three, 1, Want.permits("s", 2, 3));
        hall.acquire(four, 1, Want.permits("s", 1, 3));
        hall.release(one, 2, 1);
        assertThat(hall.granted()).containsExactly(new Claim(two, 1), new Claim(three, 1));
    }

    @Test
    void sizes_that_disagree_are_refused_while_somebody_uses_it() {
        hall.acquire(one, 1, Want.permits("s", 1, 3));
        assertThat(hall.acquire(two, 1, Want.permits("s", 1, 4)))
                .isEqualTo(new Answer.Refused(Answer.Fault.OTHER_SIZE));
        hall.release(one, 2, 1);
        assertThat(hall.acquire(two, 2, Want.permits("s", 1, 4))).isInstanceOf(Answer.Granted.class);
    }

    @Test
    void more_than_there_is_cannot_be_wanted() {
        assertThatThrownBy(() -> Want.permits("s", 4, 3)).hasMessageContaining("from 1 to 3 units of semaphore s");
        assertThatThrownBy(() -> Want.permits("s", 0, 3)).hasMessageContaining("not 0");
        assertThatThrownBy(() -> new Want(A, 1, 2)).hasMessageContaining("only a semaphore has a size of its own");
        assertThatThrownBy(() -> new Want(Name.election("e"), 1, Integer.MAX_VALUE))
                .hasMessageContaining("nobody shares the lead");
    }

    @Test
    void equal_names_of_different_kinds_are_strangers() {
        hall.acquire(one, 1, ALL_A);
        assertThat(hall.acquire(two, 1, Want.permits("a", 1, 1))).isInstanceOf(Answer.Granted.class);
        assertThat(hall.campaign(three, 1, "a", 0)).isInstanceOf(Answer.Granted.class);
    }

    @Test
    void several_are_had_all_at_once_or_none() {
        hall.acquire(one, 1, ALL_B);
        assertThat(hall.acquire(two, 1, ALL_A, ALL_B)).isEqualTo(new Answer.Waiting());
        assertThat(hall.holders(A)).isEmpty();
        hall.release(one, 2, 1);
        assertThat(hall.answers()).contains(new News.Answered(two, 1, new Answer.Granted(7)));
        assertThat(hall.holders(A)).containsExactly(new Claim(two, 1));
        hall.release(two, 2, 1);
        assertThat(hall.isEmpty()).isTrue();
    }

    @Test
    void nobody_overtakes_one_who_waits_for_several_even_where_there_is_room() {
        hall.acquire(one, 1, ALL_B);
        hall.acquire(two, 1, ALL_A, ALL_B);
        assertThat(hall.acquire(three, 1, ALL_A)).isEqualTo(new Answer.Waiting());
        assertThat(hall.tryAcquire(four, 1, ALL_A)).isEqualTo(new Answer.Busy(List.of()));
        hall.release(one, 2, 1);
        assertThat(hall.granted()).containsExactly(new Claim(two, 1));
        hall.release(two, 2, 1);
        assertThat(hall.granted()).containsExactly(new Claim(three, 1));
    }

    @Test
    void claims_of_several_never_wait_for_each_other_in_a_circle() {
        hall.acquire(four, 1, ALL_A, ALL_B, ALL_C);
        hall.acquire(one, 1, ALL_A, ALL_B);
        hall.acquire(two, 1, ALL_B, ALL_C);
        hall.acquire(three, 1, ALL_C, ALL_A);
        hall.release(four, 2, 1);
        assertThat(hall.granted()).containsExactly(new Claim(one, 1));
        hall.release(one, 2, 1);
        assertThat(hall.granted()).containsExactly(new Claim(two, 1));
        hall.release(two, 2, 1);
        assertThat(hall.granted()).containsExactly(new Claim(three, 1));
    }

    @Test
    void one_who_leaves_makes_way_in_all_its_lines() {
        hall.acquire(one, 1, ALL_A);
        hall.acquire(two, 1, ALL_A, ALL_B, ALL_C);
        hall.acquire(three, 1, ALL_B);
        hall.acquire(four, 1, ALL_C);
        hall.release(two, 2, 1);
        assertThat(hall.granted()).containsExactly(new Claim(three, 1), new Claim(four, 1));
    }

    @Test
    void what_does_not_go_together_is_refused() {
        var refused = new Answer.Refused(Answer.Fault.NOT_TOGETHER);
        assertThat(hall.acquire(one, 1)).isEqualTo(refused);
        assertThat(hall.acquire(one, 2, ALL_A, SOME_A)).isEqualTo(refused);
        assertThat(hall.acquire(one, 3, ALL_A, Want.leadership("e"))).isEqualTo(refused);
        assertThat(hall.isEmpty()).isTrue();
    }

    @Test
    void whoever_only_tries_is_told_who_is_inside_and_leaves_nothing() {
        hall.acquire(one, 1, ALL_A);
        var busy = (Answer.Busy) hall.tryAcquire(two, 1, ALL_A, ALL_B);
        assertThat(busy.holders())
                .containsExactly(new Holder(new Claim(one, 1), new Person("one", "host", 1), Integer.MAX_VALUE, 5, 5));
        assertThat(hall.waiters(A)).isEmpty();
        hall.release(one, 2, 1);
        assertThat(hall.granted()).isEmpty();
        assertThat(hall.tryAcquire(two, 2, ALL_A, ALL_B)).isInstanceOf(Answer.Granted.class);
    }

    @Test
    void of_what_nobody_uses_nothing_is_left_and_yet_the_fence_grows() {
        hall.acquire(one, 1, ALL_A);
        hall.release(one, 2, 1);
        assertThat(hall.isEmpty()).isTrue();
        assertThat(hall.acquire(two, 1, ALL_B)).isEqualTo(new Answer.Granted(7));
        assertThat(hall.acquire(two, 2, ALL_A)).isEqualTo(new Answer.Granted(8));
    }

    @Test
    void commands_of_one_entry_are_numbered_one_by_one() {
        var acquire = Wish.Acquire.of(ALL_A);
        var entry = Entry.of(
                0,
                new Command.Ask(one, 1, 0, acquire),
                new Command.Ask(one, 2, 1, new Wish.Release(1)),
                new Command.Ask(two, 1, 0, acquire));
        var applied = hall.table().apply(entry);
        assertThat(applied.table().index()).isEqualTo(7);
        assertThat(applied.news())
                .contains(
                        new News.Answered(one, 1, new Answer.Granted(5)),
                        new News.Answered(two, 1, new Answer.Granted(7)));
    }

    @Test
    void rank_counts_for_nothing_where_nobody_is_elected() {
        hall.acquire(one, 1, ALL_A);
        hall.acquire(two, 1, ALL_A);
        hall.ask(three, 1, new Wish.Acquire(List.of(ALL_A), true, 9));
        assertThat(hall.waiters(A)).containsExactly(new Claim(two, 1), new Claim(three, 1));
    }
}
