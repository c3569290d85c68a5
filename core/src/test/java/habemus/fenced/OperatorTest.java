package habemus.fenced;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OperatorTest {

    private static final Name A = Name.lock("a");
    private static final Want ALL_A = Want.exclusive("a");
    private static final Want SOME_A = Want.shared("a");

    private final Hall hall = new Hall();
    private final long one = hall.open("one");
    private final long two = hall.open("two");
    private final long three = hall.open("three");

    @Test
    void what_is_released_by_force_is_taken_from_all_who_hold_it_before_anybody_is_let_in() {
        hall.acquire(one, 1, SOME_A);
        hall.acquire(two, 1, SOME_A, Want.exclusive("b"));
        hall.acquire(three, 1, ALL_A, Want.exclusive("b"));
        hall.release(A);
        var revoked = new Answer.Revoked("olga", "stuck");
        assertThat(hall.answers())
                .containsExactly(
                        new News.Answered(one, 1, revoked),
                        new News.Answered(two, 1, revoked),
                        new News.Answered(three, 1, new Answer.Granted(7)));
        assertThat(hall.table().describe(A).history())
                .extracting(Past::how)
                .containsExactly(Past.How.REVOKED, Past.How.REVOKED);
    }

    @Test
    void whoever_is_put_out_keeps_its_session() {
        hall.acquire(one, 1, ALL_A);
        hall.release(A);
        assertThat(hall.acquire(one, 2, ALL_A)).isInstanceOf(Answer.Granted.class);
    }

    @Test
    void an_order_that_comes_late_or_twice_does_not_meet_the_next_one() {
        hall.acquire(one, 1, ALL_A);
        hall.acquire(two, 1, ALL_A);
        hall.force(new Command.Order.Release(A, 4));
        assertThat(hall.holders(A)).containsExactly(new Claim(two, 1));
        hall.force(new Command.Order.Release(A, 4));
        assertThat(hall.answers()).isEmpty();
        assertThat(hall.holders(A)).containsExactly(new Claim(two, 1));
        assertThat(hall.table().audit().values())
                .extracting(Audit::effect)
                .containsExactly(
                        "taken from one@host/1",
                        "nobody held it; let in later, and not put out: two@host/1 by fence 6");
    }

    @Test
    void of_those_who_share_it_whoever_was_let_in_later_stays() {
        hall.acquire(one, 1, SOME_A);
        hall.acquire(two, 1, SOME_A);
        hall.acquire(three, 1, SOME_A);
        hall.force(new Command.Order.Release(A, 5));
        assertThat(hall.holders(A)).containsExactly(new Claim(three, 1));
        assertThat(hall.table().audit().first().orElseThrow().effect())
                .isEqualTo("taken from one@host/1, two@host/1; let in later, and not put out: three@host/1 by fence 6");
    }

    @Test
    void it_is_kept_who_interfered_and_why_and_what_came_of_it() {
        hall.acquire(one, 1, ALL_A);
        hall.release(A);
        hall.release(A);
        hall.force(new Command.Order.Expire(two));
        hall.force(new Command.Order.Expire(99));
        assertThat(hall.table().audit().values())
                .extracting(Audit::effect)
                .containsExactly(
                        "taken from one@host/1",
                        "nobody held it",
                        "the session of two@host/1 is over",
                        "there was no such session");
        assertThat(hall.table().audit().first())
                .contains(new Audit(
                        5,
                        new Command.Force(new Command.Order.Release(A, 4), "olga", "stuck"),
                        "taken from one@host/1",
                        5));
    }

    @Test
    void the_last_interferences_are_kept() {
        for (int i = 0; i < Table.AUDITED + 5; i++) {
            hall.force(new Command.Order.Expire(99));
        }
        assertThat(hall.table().audit().size()).isEqualTo(Table.AUDITED);
        assertThat(hall.table().audit().firstKey()).contains(3 + 5 + 1L);
    }

    @Test
    void the_last_thousand_holdings_are_remembered_the_latest_first() {
        for (long number = 1; number <= 2_010; number += 2) {
            hall.ask(one, number, number - 1, Wish.Acquire.of(ALL_A));
            hall.ask(one, number + 1, number, new Wish.Release(number));
        }
        var history = hall.table().describe(A).history();
        assertThat(history).hasSize(1_000);
        assertThat(hall.table().ended()).isEqualTo(1_005);
        assertThat(history.getFirst())
                .isEqualTo(new Past(A, new Person("one", "host", 1), 2_012, 2_012, 2_013, Past.How.RELEASED));
        assertThat(history.getLast().fence()).isEqualTo(2_012 - 2 * 999);
    }

    @Test
    void it_can_be_seen_who_is_inside_and_who_waits() {
        hall.acquire(one, 1, Want.permits("s", 2, 3));
        hall.acquire(two, 1, Want.permits("s", 3, 3));
        assertThat(hall.table().describe(Name.semaphore("s")))
                .hasToString("Description[name=semaphore s, size=3,"
                        + " holders=[Holder[claim=1:1, person=one@host/1, units=2, fence=4, since=4]],"
                        + " waiters=[Waiter[claim=2:1, person=two@host/1, units=3, rank=0, since=5]], history=[]]");
        assertThat(hall.table().describe(A).size()).isZero();
    }

    @Test
    void names_in_use_are_found_by_their_beginning() {
        hall.acquire(one, 1, Want.exclusive("shop/b"), Want.exclusive("shop/a"), Want.exclusive("sho"));
        hall.campaign(two, 1, "shop/a", 0);
        assertThat(hall.table().names("shop/"))
                .containsExactly(Name.lock("shop/a"), Name.election("shop/a"), Name.lock("shop/b"));
        assertThat(hall.table().names("")).hasSize(4);
        assertThat(hall.table().names("x")).isEmpty();
    }
}
