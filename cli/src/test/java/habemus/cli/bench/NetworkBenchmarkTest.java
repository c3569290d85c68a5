package habemus.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import habemus.cli.CliRunner;
import habemus.harness.bench.EmbeddedLoad;
import habemus.lab.command.ExitCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The benchmark measures the right thing; no test asserts a speed. */
@Tag("slow")
class NetworkBenchmarkTest {

    /** Only messages of the algorithm are counted: no opening of groups, no status, no notifications. */
    @Test
    @Timeout(180)
    void the_messages_on_the_network_are_those_of_the_theory() {
        var output = CliRunner.line("bench network -n 2 --algorithm ricart-agrawala --seconds 0.2 --json");
        assertThat(output.code()).as(output.out() + output.err()).isEqualTo(ExitCode.OK);
        var rows = output.json().getAsJsonArray("network");
        assertThat(rows).hasSize(2);
        for (var element : rows) {
            var row = element.getAsJsonObject();
            assertThat(row.get("cycles").getAsLong()).isPositive();
            assertThat(row.get("timedOut").getAsLong()).isZero();
            assertThat(row.get("messagesPerEntry").getAsDouble()).isCloseTo(2, within(0.01));
            assertThat(row.get("theory").getAsString()).isEqualTo("2(n-1) = 2");
            assertThat(row.get("p99Millis").getAsDouble())
                    .isGreaterThanOrEqualTo(row.get("p50Millis").getAsDouble());
        }
    }

    @Test
    void a_load_result_survives_formatting_and_parsing() {
        var latencies = EmbeddedLoad.histogram();
        latencies.recordValue(1_000);
        latencies.recordValue(2_000_000);
        var loadResult = EmbeddedLoad.LoadResult.parse(new EmbeddedLoad.LoadResult(latencies, 7, 1).format());
        assertThat(loadResult.latencies()).isEqualTo(latencies);
        assertThat(loadResult.messages()).isEqualTo(7);
        assertThat(loadResult.timedOut()).isEqualTo(1);
    }

    @Test
    void a_load_request_survives_formatting_and_parsing() {
        var loadRequest = new EmbeddedLoad.LoadRequest("bench", 3, Long.MAX_VALUE, 500);
        assertThat(EmbeddedLoad.LoadRequest.parse(loadRequest.toString())).isEqualTo(loadRequest);
    }
}
