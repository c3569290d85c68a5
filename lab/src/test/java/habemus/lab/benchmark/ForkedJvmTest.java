package habemus.lab.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ForkedJvmTest {

    /** A fake search that reports the number of states given as its first argument. */
    static final class FakeSearch {

        public static void main(String... args) {
            var arguments = ForkedJvm.Arguments.of(args);
            int states = arguments.intAt(0);
            BenchmarkRounds.measureTimeAndHeap(arguments.jvmStart(), arguments.intAt(1), () -> found(states))
                    .write(arguments.resultFile());
        }

        private static BenchmarkRounds.SearchSize found(int states) {
            long end = System.nanoTime() + 50_000_000;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            return new BenchmarkRounds.SearchSize(states, 2, 3);
        }
    }

    @Test
    void a_forked_jvm_returns_size_and_times_of_its_rounds() {
        var benchmarkRounds = ForkedJvm.run(FakeSearch.class, "7", "3");
        assertThat(benchmarkRounds.searchSize()).isEqualTo(new BenchmarkRounds.SearchSize(7, 2, 3));
        assertThat(benchmarkRounds.laps()).hasSize(3).allMatch(lap -> lap.seconds() >= 0.05 && lap.cpuSeconds() > 0);
        assertThat(benchmarkRounds.cold()).isEqualTo(benchmarkRounds.laps().getFirst());
    }

    @Test
    void the_error_of_a_failed_jvm_contains_its_output() {
        assertThatThrownBy(() -> ForkedJvm.run(FakeSearch.class, "seven", "3"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("seven");
    }

    @Test
    void rounds_that_find_different_graphs_are_rejected() {
        var states = new AtomicLong();
        assertThatThrownBy(() -> BenchmarkRounds.measureTime(
                        Instant.now(), 2, () -> new BenchmarkRounds.SearchSize(states.incrementAndGet(), 0, 0)))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void warm_is_the_best_of_the_later_rounds_and_median_their_median() {
        var laps = DoubleStream.of(9, 3, 1, 2)
                .mapToObj(seconds -> new Lap(seconds, seconds))
                .toList();
        var benchmarkRounds = new BenchmarkRounds(new BenchmarkRounds.SearchSize(10, 0, 0), laps, 0);
        assertThat(benchmarkRounds.cold().cpuSeconds()).isEqualTo(9);
        assertThat(benchmarkRounds.warm().cpuSeconds()).isEqualTo(1);
        assertThat(benchmarkRounds.median().cpuSeconds()).isEqualTo(2);
        assertThat(benchmarkRounds.statesPerCpuSecond(benchmarkRounds.median())).isEqualTo(5);
    }
}
