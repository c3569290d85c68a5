package habemus.service.trace;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.mutex.Central;
import habemus.protocol.NodeId;
import habemus.service.algorithm.AlgorithmNode;
import habemus.service.algorithm.TestClusters;
import habemus.service.storage.CorruptFileException;
import habemus.world.ObservableEvent;
import habemus.world.Property;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The traces of real nodes conform to the pure protocol, and are checked like a simulated run. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class RecordedRunTest {

    private static final int ENTRIES = 5;

    @TempDir
    private Path folder;

    private List<RecordedRun> record(String locks, String elections) throws Exception {
        var nodes = TestClusters.start(3, locks, elections, config -> config.withTraceFolder(folder));
        for (int i = 0; i < ENTRIES; i++) {
            for (AlgorithmNode node : nodes) {
                var ticket = node.acquire("orders", "test");
                ticket.granted().get(20, SECONDS);
                node.release("orders", ticket);
            }
        }
        nodes.forEach(AlgorithmNode::close);
        return RecordedRun.read(List.of(folder), false);
    }

    @Test
    void a_recorded_run_is_replayed_and_checked() throws Exception {
        var run = record("ricart-agrawala", "bully").getFirst();
        assertThat(run.differences()).isEmpty();
        assertThat(run.notes()).isEmpty();
        assertThat(run.traceCount()).isEqualTo(3);
        assertThat(run.runResult().entries()).isEqualTo(3 * ENTRIES);
        assertThat(run.runResult().messages()).isEqualTo(3L * ENTRIES * 2 * (3 - 1)); // 2(n-1) an entry
        assertThat(run.runResult().verdicts())
                .containsEntry(Property.MUTUAL_EXCLUSION, Verdict.HOLDS)
                .containsEntry(Property.FENCES_GROW, Verdict.HOLDS)
                .containsEntry(Property.NO_STARVATION, Verdict.OPEN);
    }

    @Test
    void a_truncated_trace_is_a_crash_and_a_damaged_trace_is_rejected() throws Exception {
        record("central", "bully");
        var file = trace("n2");
        var whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 3));
        var truncated = RecordedRun.read(List.of(folder), false).getFirst();
        assertThat(truncated.notes())
                .singleElement()
                .asString()
                .startsWith("n2#")
                .endsWith("ends with an incomplete step");
        assertThat(truncated.events())
                .anySatisfy(event -> assertThat(event)
                        .isInstanceOfSatisfying(
                                TraceEvent.Observed.class,
                                observed -> assertThat(observed.event())
                                        .isEqualTo(new ObservableEvent.Crashed(new NodeId(2), false))));
        Files.write(file, Arrays.copyOf(whole, 5));
        assertThat(RecordedRun.read(List.of(folder), false).getFirst().traceCount())
                .isEqualTo(2); // the node had not started
        whole[whole.length / 2] ^= 1;
        Files.write(file, whole);
        assertThatThrownBy(() -> RecordedRun.read(List.of(folder), false))
                .isInstanceOf(CorruptFileException.class)
                .hasMessageContaining(file.toString());
    }

    private Path trace(String node) throws IOException {
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.toString().contains("." + node + "."))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void a_trace_with_a_missing_step_does_not_conform() throws Exception {
        record("central", "bully");
        var file = trace("n1");
        var trace = read(file);
        Files.delete(file);
        var protocol = new Central(Duration.ZERO, false);
        try (var writer = new TraceWriter<>(file, trace.header(), protocol)) {
            int toSkip = 1;
            for (var step : trace.steps()) {
                boolean skipped = step instanceof RecordedStep.Stepped && toSkip-- > 0;
                if (!skipped) {
                    writer.write(step);
                }
            }
        }
        var differences = RecordedRun.read(List.of(folder), false).getFirst().differences();
        assertThat(differences).singleElement().asString().startsWith("n1#").contains(", step ");
    }

    private static NodeTrace<Central.State, Central.Message> read(Path file) {
        return NodeTrace.read(file, new Central(Duration.ZERO, false));
    }
}
