package habemus.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StepTest {

    static Stream<Step> steps() {
        return Stream.of(
                new Step.Warm(64, 15),
                new Step.Load(false, 1, 0.5),
                new Step.Load(true, 64, 5),
                new Step.Syncs(8, 2),
                new Step.Kill(8),
                new Step.Idle(10_000, 60),
                new Step.Floor(2));
    }

    @ParameterizedTest
    @MethodSource("steps")
    void an_answer_is_read_as_it_was_written(Step step) {
        var answer = new Answer(step, Map.of(Answer.PER_SECOND, 1234.5, Answer.MEDIAN, 0.25));
        assertThat(Answer.parse(answer.line())).isEqualTo(answer);
        assertThat(Answer.parse(new Answer(step, Map.of()).line()).figures()).isEmpty();
    }
}
