package habemus.fenced;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class EndOfSessionTest {

    private static final Name A = Name.lock("a");
    private static final Want ALL_A = Want.exclusive("a");
    private static final Want ALL_B = Want.exclusive("b");

    private final Hall hall = new Hall();
    private final long one = hall.open("one");
    private final long two = hall.open("two");
    private final long three = hall.open("three");

    /** One is inside where two waits, and also in line before three. */
    private void oneIsBeforeTheOthers() {
        hall.acquire(one, 1, ALL_A);
        hall.acquire(one, 2, ALL_A, ALL_B);
        hall.acquire(two, 1, ALL_A);
        hall.acquire(three, 1, ALL_B);
    }

    private void oneIsGoneAndThenTheOthersAreLetIn() {
        var gone = hall.news().indexOf(new News.Gone(one));
        var first = hall.news()
                .indexOf(new News.Answered(
                        two, 1, new Answer.Granted(hall.table().index())));
        assertThat(gone).isNotNegative().isLessThan(first);
        assertThat(hall.granted()).containsExactly(new Claim(two, 1), new Claim(three, 1));
        assertThat(hall.table().sessions().contains(one)).isFalse();
    }

    @Test
    void who_closes_is_gone_before_anybody_is_let_in() {
        oneIsBeforeTheOthers();
        assertThat(hall.ask(one, 3, new Wish.Close())).isEqualTo(new Answer.Closed());
        oneIsGoneAndThenTheOthersAreLetIn();
    }

    @Test
    void who_expires_is_gone_before_anybody_is_let_in() {
        oneIsBeforeTheOthers();
        hall.expire(one);
        oneIsGoneAndThenTheOthersAreLetIn();
        assertThat(hall.table().describe(A).history()).extracting(Past::how).containsExactly(Past.How.EXPIRED);
    }

    @Test
    void who_is_expired_by_force_is_gone_before_anybody_is_let_in() {
        oneIsBeforeTheOthers();
        hall.force(new Command.Order.Expire(one));
        oneIsGoneAndThenTheOthersAreLetIn();
        assertThat(hall.table().describe(A).history()).extracting(Past::how).containsExactly(Past.How.REVOKED);
    }

    @Test
    void who_expired_in_line_is_never_let_in() {
        hall.acquire(one, 1, ALL_A);
        hall.acquire(two, 1, ALL_A);
        hall.acquire(three, 1, ALL_A);
        hall.expire(two);
        hall.release(one, 2, 1);
        assertThat(hall.granted()).containsExactly(new Claim(three, 1));
    }

    @Test
    void who_was_heard_of_since_does_not_expire() {
        hall.acquire(one, 1, ALL_A);
        long asOf = hall.table().index();
        hall.take(new Command.Beat(List.of(new Command.Renewal(one, 8))));
        assertThat(hall.news()).containsExactly(new News.Heard(one, 8));
        assertThat(hall.take(new Command.Expire(one, asOf))).isEmpty();
        assertThat(hall.holders(A)).hasSize(1);
        hall.expire(one);
        assertThat(hall.isEmpty()).isTrue();
    }

    @Test
    void whoever_asks_for_something_is_heard_of_too_even_if_it_repeats() {
        hall.acquire(one, 1, ALL_A);
        long asOf = hall.table().index();
        hall.acquire(one, 1, ALL_A);
        assertThat(hall.take(new Command.Expire(one, asOf))).isEmpty();
    }

    @Test
    void whoever_is_gone_is_told_so_and_gets_nothing() {
        hall.expire(one);
        assertThat(hall.take(new Command.Ask(one, 1, 0, Wish.Acquire.of(ALL_A))))
                .containsExactly(new News.Gone(one));
        assertThat(hall.take(new Command.Beat(List.of(new Command.Renewal(one, 1), new Command.Renewal(two, 4)))))
                .containsExactly(new News.Gone(one), new News.Heard(two, 4));
        assertThat(hall.expire(one)).isEmpty();
        assertThat(hall.isEmpty()).isTrue();
    }

    @Test
    void a_session_is_known_by_the_index_of_its_opening() {
        var person = new Person("four", "host", 4);
        assertThat(hall.take(new Command.Open(77, person, Hall.LEASE))).containsExactly(new News.Opened(77, 4));
        var guest = hall.table().sessions().get(4L).orElseThrow();
        assertThat(guest.person()).isEqualTo(person);
        assertThat(guest.lease()).isEqualTo(Hall.LEASE);
        assertThat(guest.heard()).isEqualTo(4);
    }
}
