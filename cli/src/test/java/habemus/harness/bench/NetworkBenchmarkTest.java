package habemus.harness.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import habemus.cli.CliRunner;
import habemus.cli.serve.EmbeddedLoad;
import habemus.cli.terminal.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That it measures the right thing; how fast anything is, no test can say. */
class NetworkBenchmarkTest {

    /** Nothing else is counted than what the algorithm says: no opening, no asking, no news. */
    @Test
    @Timeout(180)
    void the_messages_on_the_wire_are_those_of_theory() {
        var commandOutput = CliRunner.line("bench network -n 2 --algorithm ricart-agrawala --seconds 0.2 --json");
        assertThat(commandOutput.code())
                .as(commandOutput.out() + commandOutput.err())
                .isEqualTo(ExitCode.OK);
        var rows = commandOutput.json().getAsJsonArray("network");
        assertThat(rows).hasSize(2);
        for (var each : rows) {
            var row = each.getAsJsonObject();
            assertThat(row.get("cycles").getAsLong()).isPositive();
            assertThat(row.get("stuck").getAsLong()).isZero();
            assertThat(row.get("messagesPerEntry").getAsDouble()).isCloseTo(2, within(0.01));
            assertThat(row.get("theory").getAsString()).isEqualTo("2(n-1) = 2");
            assertThat(row.get("p99Millis").getAsDouble())
                    .isGreaterThanOrEqualTo(row.get("p50Millis").getAsDouble());
        }
    }

    @Test
    void what_a_node_answers_arrives_as_it_was() {
        var times = EmbeddedLoad.histogram();
        times.recordValue(1_000);
        times.recordValue(2_000_000);
        var loadResult = EmbeddedLoad.LoadResult.parse(new EmbeddedLoad.LoadResult(times, 7, 1).format());
        assertThat(loadResult.latencies()).isEqualTo(times);
        assertThat(loadResult.messages()).isEqualTo(7);
        assertThat(loadResult.timedOut()).isEqualTo(1);
    }

    @Test
    void an_order_arrives_as_it_was() {
        var loadRequest = new EmbeddedLoad.LoadRequest("bench", 3, Long.MAX_VALUE, 500);
        assertThat(EmbeddedLoad.LoadRequest.parse(loadRequest.toString())).isEqualTo(loadRequest);
    }
}
