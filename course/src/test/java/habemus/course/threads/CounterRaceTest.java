package habemus.course.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class CounterRaceTest {

    private static final Duration ENOUGH = Duration.ofSeconds(30);

    @ParameterizedTest
    @EnumSource
    void a_cure_loses_no_update(ThreadKind kind) {
        var race = new CounterRace(kind, 4, 2_000);
        for (var variant : CounterVariant.values()) {
            if (variant.isCorrect()) {
                var result = race.runUntilLoss(variant, 3, ENOUGH);
                assertThat(result.lost()).as(variant.label()).isZero();
                assertThat(result.attempts()).isEqualTo(3);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void what_a_race_leaves_is_within_the_values_of_the_checker(ThreadKind kind) {
        var values = CounterBounds.check("race", 2, 2).values();
        var race = new CounterRace(kind, 2, 2);
        for (int i = 0; i < 20; i++) {
            assertThat(values)
                    .contains(race.runUntilLoss(CounterVariant.PLAIN, 1, ENOUGH).value());
        }
    }

    @Test
    void one_thread_loses_nothing() {
        var result = new CounterRace(ThreadKind.PLATFORM, 1, 1_000).runUntilLoss(CounterVariant.PLAIN, 2, ENOUGH);
        assertThat(result.value()).isEqualTo(1_000);
        assertThat(result.isWithin(CounterBounds.smallest(1, 1_000))).isTrue();
    }

    @Test
    void a_cure_must_be_exact_and_a_race_must_be_possible() {
        assertThat(result(CounterVariant.ATOMIC_LONG, 100).isWithin(2)).isTrue();
        assertThat(result(CounterVariant.ATOMIC_LONG, 99).isWithin(2)).isFalse();
        assertThat(result(CounterVariant.PLAIN, 2).isWithin(2)).isTrue();
        assertThat(result(CounterVariant.PLAIN, 1).isWithin(2)).isFalse();
        assertThat(result(CounterVariant.PLAIN, 101).isWithin(2)).isFalse();
    }

    private static CounterRace.Result result(CounterVariant variant, long value) {
        return new CounterRace.Result(variant, ThreadKind.PLATFORM, 100, value, 1);
    }

    @ParameterizedTest
    @CsvSource({"1, 3", "2, 1", "2, 2", "2, 3", "3, 1", "3, 2", "3, 3"})
    void the_checker_agrees_with_the_smallest_and_the_largest_value(int threads, int rounds) {
        var values = CounterBounds.check("race", threads, rounds).values();
        assertThat(values.getFirst()).isEqualTo(CounterBounds.smallest(threads, rounds));
        assertThat(values.getLast()).isEqualTo((long) threads * rounds);
    }

    @Test
    void the_checker_walks_a_smaller_program_if_there_are_many_threads() {
        var bounds = CounterBounds.check("race", 10, 20);
        assertThat(bounds.covers(10, 20)).isFalse();
        assertThat(bounds.covers(3, 3)).isTrue();
        assertThat(bounds.command()).isEqualTo("./habemus check shared-counter --threads 3 --rounds 3");
    }

    @ParameterizedTest
    @EnumSource
    void the_checker_says_the_same_of_a_variant(CounterVariant variant) {
        var values = CounterBounds.check(variant.checkedVariant(), 2, 2).values();
        assertThat(values.equals(List.of(4L))).isEqualTo(variant.isCorrect());
    }
}
