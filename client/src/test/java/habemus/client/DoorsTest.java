package habemus.client;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.fenced.Parcel;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which node a client tries next. */
class DoorsTest {

    private static final Door A = Door.of("a:1");
    private static final Door B = Door.of("b:1");
    private static final Door C = Door.of("c:1");

    private final Doors doors = new Doors(List.of("a:1", "b:1", "c:1"));

    private Door next(Door but) {
        return doors.next(Optional.of(but));
    }

    @Test
    void whose_trouble_is_the_oldest_is_next() {
        doors.failed(A, false, "no answer in time");
        doors.failed(B, false, "no answer in time");
        assertThat(next(B)).isEqualTo(C);
        doors.failed(C, false, "no answer in time");
        assertThat(next(C)).isEqualTo(A);
    }

    @Test
    void one_that_was_mute_comes_after_those_that_only_had_no_answer() {
        doors.failed(A, true, "no answer in time");
        doors.failed(B, false, "no answer in time");
        doors.failed(C, false, "no answer in time");
        assertThat(next(C)).isEqualTo(B);
        doors.failed(B, false, "no answer in time");
        assertThat(next(B)).isEqualTo(C);
        doors.failed(C, true, "Connection refused");
        assertThat(next(B)).as("nobody else is left").isEqualTo(A);
    }

    @Test
    void the_leader_is_first_unless_it_had_trouble() {
        doors.learn(new Parcel.Welcome(Parcel.VERSION, "n1", List.of("a:1", "c:1", "b:1"), true));
        assertThat(next(A)).isEqualTo(C);
        doors.failed(C, true, "no answer in time");
        assertThat(next(A)).isEqualTo(B);
        doors.served(C);
        assertThat(next(A)).isEqualTo(C);
    }
}
