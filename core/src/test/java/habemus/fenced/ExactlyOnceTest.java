package habemus.fenced;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExactlyOnceTest {

    private static final Name A = Name.lock("a");
    private static final Want ALL_A = Want.exclusive("a");

    private final Hall hall = new Hall();
    private final long one = hall.open("one");
    private final long two = hall.open("two");

    private Guest guest(long session) {
        return hall.table().sessions().get(session).orElseThrow();
    }

    @Test
    void a_repeated_acquire_is_granted_once() {
        var granted = hall.acquire(one, 1, ALL_A);
        assertThat(hall.acquire(one, 1, ALL_A)).isEqualTo(granted);
        assertThat(hall.table().holders(A)).hasSize(1);
        hall.release(one, 2, 1);
        assertThat(hall.isEmpty()).isTrue();
    }

    @Test
    void whoever_asks_again_in_line_keeps_its_place_and_is_told_when_it_is_inside() {
        hall.acquire(one, 1, ALL_A);
        hall.acquire(two, 1, ALL_A);
        var line = hall.table().waiters(A);
        assertThat(hall.acquire(two, 1, ALL_A)).isEqualTo(new Answer.Waiting());
        assertThat(hall.table().waiters(A)).isEqualTo(line);
        hall.release(one, 2, 1);
        assertThat(hall.acquire(two, 1, ALL_A)).isEqualTo(new Answer.Granted(6));
    }

    @Test
    void an_acquire_that_is_repeated_after_its_release_is_not_granted_again() {
        hall.acquire(one, 1, ALL_A);
        hall.release(one, 2, 1);
        assertThat(hall.acquire(one, 1, ALL_A)).isEqualTo(new Answer.Released());
        assertThat(hall.isEmpty()).isTrue();
    }

    @Test
    void a_repeated_release_releases_nothing_that_came_later() {
        hall.acquire(one, 1, ALL_A);
        hall.release(one, 2, 1);
        hall.acquire(one, 3, ALL_A);
        assertThat(hall.release(one, 2, 1)).isEqualTo(new Answer.Released());
        assertThat(hall.holders(A)).containsExactly(new Claim(one, 3));
    }

    @Test
    void an_acquire_that_comes_later_than_its_release_is_cancelled() {
        assertThat(hall.release(one, 2, 1)).isEqualTo(new Answer.Released());
        assertThat(hall.acquire(one, 1, ALL_A)).isEqualTo(new Answer.Cancelled());
        assertThat(hall.isEmpty()).isTrue();
    }

    @Test
    void an_acquire_that_comes_after_all_was_settled_does_nothing() {
        hall.release(one, 2, 1);
        hall.ask(one, 3, 2, new Wish.Release(99));
        assertThat(hall.acquire(one, 1, ALL_A)).isEqualTo(new Answer.Released());
        assertThat(hall.isEmpty()).isTrue();
    }

    @Test
    void whoever_cancels_in_line_is_not_let_in_later() {
        hall.acquire(one, 1, ALL_A);
        hall.acquire(two, 1, ALL_A);
        hall.release(two, 2, 1);
        hall.release(one, 2, 1);
        assertThat(hall.granted()).isEmpty();
        assertThat(hall.acquire(two, 1, ALL_A)).isEqualTo(new Answer.Cancelled());
    }

    @Test
    void a_refusal_is_repeated_though_it_could_be_granted_now() {
        hall.acquire(one, 1, ALL_A);
        var busy = hall.tryAcquire(two, 1, ALL_A);
        hall.release(one, 2, 1);
        assertThat(hall.tryAcquire(two, 1, ALL_A)).isEqualTo(busy);
        assertThat(hall.isEmpty()).isTrue();
    }

    @Test
    void whoever_was_put_out_by_force_hears_it_again() {
        hall.acquire(one, 1, ALL_A);
        hall.release(A);
        assertThat(hall.acquire(one, 1, ALL_A)).isEqualTo(new Answer.Revoked("olga", "stuck"));
    }

    @Test
    void whoever_was_put_out_by_force_hears_it_though_it_was_settled_until_it_gives_it_back() {
        hall.acquire(one, 1, ALL_A);
        hall.ask(one, 2, 1, Wish.Acquire.of(Want.exclusive("b")));
        hall.release(A);
        assertThat(guest(one).taken().keys()).containsExactly(1L);
        assertThat(hall.ask(one, 1, 2, Wish.Acquire.of(ALL_A))).isEqualTo(new Answer.Revoked("olga", "stuck"));
        assertThat(hall.table().snapshot().table()).isEqualTo(hall.table());
        hall.release(one, 3, 1);
        assertThat(guest(one).taken().isEmpty()).isTrue();
        assertThat(hall.ask(one, 1, 2, Wish.Acquire.of(ALL_A))).isEqualTo(new Answer.Released());
    }

    @Test
    void settling_drops_answers_and_only_those() {
        hall.acquire(one, 1, ALL_A);
        hall.release(one, 2, 1);
        hall.tryAcquire(one, 3, ALL_A);
        hall.release(one, 4, 3);
        assertThat(guest(one).answers().keys()).containsExactly(1L, 2L, 3L, 4L);
        hall.ask(one, 5, 2, new Wish.Release(3));
        assertThat(guest(one).answers().keys()).containsExactly(3L, 4L, 5L);
        hall.ask(one, 6, 1, new Wish.Release(3));
        assertThat(guest(one).settled()).isEqualTo(2);
    }

    @Test
    void a_claim_that_is_settled_answers_for_itself_until_it_is_over() {
        hall.acquire(one, 1, ALL_A);
        hall.ask(two, 1, Wish.Acquire.of(ALL_A));
        hall.ask(two, 2, 1, new Wish.Release(77));
        assertThat(hall.acquire(two, 1, ALL_A)).isEqualTo(new Answer.Waiting());
        hall.release(one, 2, 1);
        assertThat(hall.acquire(two, 1, ALL_A)).isEqualTo(new Answer.Granted(7));
        hall.ask(two, 3, 2, new Wish.Release(1));
        assertThat(hall.acquire(two, 1, ALL_A)).isEqualTo(new Answer.Released());
        assertThat(hall.isEmpty()).isTrue();
    }

    @Test
    void the_memory_of_a_session_does_not_grow_while_it_stands_in_a_line() {
        hall.acquire(one, 1, ALL_A);
        hall.acquire(two, 1, ALL_A);
        for (long number = 2; number < 1_000; number += 2) {
            hall.ask(two, number, number - 1, Wish.Acquire.of(Want.exclusive("b")));
            hall.ask(two, number + 1, number, new Wish.Release(number));
        }
        assertThat(guest(two).bids().size()).isEqualTo(1);
        assertThat(guest(two).answers().size()).isEqualTo(1);
    }

    @Test
    void requests_of_different_sessions_have_nothing_to_do_with_each_other() {
        hall.acquire(one, 1, ALL_A);
        hall.release(two, 2, 1);
        assertThat(hall.holders(A)).containsExactly(new Claim(one, 1));
        assertThat(hall.acquire(two, 1, Want.exclusive("b"))).isEqualTo(new Answer.Cancelled());
    }
}
