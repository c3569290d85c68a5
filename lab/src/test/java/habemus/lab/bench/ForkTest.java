package habemus.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ForkTest {

    /** Pretends to find as many states as it is told, in so many rounds. */
    static final class Pretender {

        public static void main(String... args) {
            var order = Fork.Order.of(args);
            int states = order.number(0);
            Rounds.of(order.started(), order.number(1), () -> found(states)).write(order.answer());
        }

        private static Rounds.Size found(int states) {
            long end = System.nanoTime() + 50_000_000;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            return new Rounds.Size(states, 2, 3);
        }
    }

    @Test
    void a_fork_answers_with_what_it_found_and_what_it_took() {
        var rounds = Fork.run(Pretender.class, "7", "3");
        assertThat(rounds.size()).isEqualTo(new Rounds.Size(7, 2, 3));
        assertThat(rounds.laps()).hasSize(3).allMatch(lap -> lap.seconds() >= 0.05 && lap.cpuSeconds() > 0);
        assertThat(rounds.cold()).isEqualTo(rounds.laps().getFirst());
    }

    @Test
    void a_fork_that_fails_says_why() {
        assertThatThrownBy(() -> Fork.run(Pretender.class, "seven", "3"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("seven");
    }

    @Test
    void rounds_that_find_different_things_are_no_measurement() {
        var states = new AtomicLong();
        assertThatThrownBy(() -> Rounds.timed(Instant.now(), 2, () -> new Rounds.Size(states.incrementAndGet(), 0, 0)))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void warm_is_the_best_of_the_later_rounds_and_the_median_lies_in_their_middle() {
        var laps = DoubleStream.of(9, 3, 1, 2)
                .mapToObj(seconds -> new Lap(seconds, seconds))
                .toList();
        var rounds = new Rounds(new Rounds.Size(10, 0, 0), laps, 0);
        assertThat(rounds.cold().cpuSeconds()).isEqualTo(9);
        assertThat(rounds.warm().cpuSeconds()).isEqualTo(1);
        assertThat(rounds.median().cpuSeconds()).isEqualTo(2);
        assertThat(rounds.perCpuSecond(rounds.median())).isEqualTo(5);
    }
}
