package habemus.service.session;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.fenced.Answer.Fault;
import habemus.fenced.Table;
import habemus.fenced.Talk;
import habemus.fenced.Want;
import habemus.fenced.Wish;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused before anybody is bothered with it, and what never is. */
class ScreenTest {

    private static final Limits LIMITS = Limits.STANDARD.claims(100).waiters(0);
    private static final Wish ACQUIRE = Wish.Acquire.of(Want.exclusive("orders"));

    private final Screen screen = new Screen(LIMITS);

    private Optional<Fault> asking(long number, Wish wish) {
        return screen.asking(new Talk.Ask(1, number, 0, wish), Visitor.ANYBODY);
    }

    @Test
    void who_takes_no_answers_gets_no_more() {
        assertThat(asking(LIMITS.window(), ACQUIRE)).isEmpty();
        assertThat(asking(LIMITS.window() + 1, ACQUIRE)).contains(Fault.TOO_MANY);
        assertThat(asking(LIMITS.window() + 1, new Wish.Transfer(1, "other"))).contains(Fault.TOO_MANY);
    }

    /** After the last request that is served, all that it can have is given back, and then the session. */
    @ParameterizedTest
    @ValueSource(ints = {1, 50, 100})
    void whatever_somebody_has_can_be_given_back(int released) {
        assertThat(asking(LIMITS.window() + released, new Wish.Release(released)))
                .isEmpty();
        assertThat(asking(LIMITS.window() + released + 1, new Wish.Close())).isEmpty();
        assertThat(asking(Long.MAX_VALUE, new Wish.Close())).isEmpty();
    }

    @Test
    void nothing_is_kept_for_who_only_gives_back_what_he_never_had() {
        assertThat(asking(LIMITS.window() + 101, new Wish.Release(1))).contains(Fault.TOO_MANY);
    }

    @Test
    void a_full_line_is_none_for_who_gives_back() {
        for (Wish wish : new Wish[] {new Wish.Release(1), new Wish.Close(), new Wish.Transfer(1, "other")}) {
            assertThat(screen.isTooMuch(new Talk.Ask(1, 2, 0, wish), Table.EMPTY))
                    .isFalse();
        }
    }
}
