package habemus.bench.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BenchmarkStepTest {

    static Stream<BenchmarkStep> steps() {
        return Stream.of(
                new BenchmarkStep.WarmUp(64, 15),
                new BenchmarkStep.Load(false, 1, 0.5),
                new BenchmarkStep.Load(true, 64, 5),
                new BenchmarkStep.CountSyncs(8, 2),
                new BenchmarkStep.KillLeader(8),
                new BenchmarkStep.IdleSessions(10_000, 60),
                new BenchmarkStep.MeasureFloor(2));
    }

    @ParameterizedTest
    @MethodSource("steps")
    void a_result_is_parsed_as_it_was_formatted(BenchmarkStep step) {
        var result =
                new StepResult(step, Map.of(StepResult.CYCLES_PER_SECOND, 1234.5, StepResult.CYCLE_P50_MICROS, 0.25));
        assertThat(StepResult.parse(result.format())).isEqualTo(result);
        assertThat(StepResult.parse(new StepResult(step, Map.of()).format()).values())
                .isEmpty();
    }
}
