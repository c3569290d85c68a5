package habemus.lab.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.check.model.CheckOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatrixRunnerTest {

    private static final ReplayCommandWriter MOVES = (cell, size, moves) -> moves;

    /** Records the finished rows and never stops the run. */
    private static final class RecordingListener implements MatrixRunner.Listener {
        private final List<MatrixRow> matrixRows = new ArrayList<>();

        @Override
        public void onCellDone(MatrixRow row, int done, int all) {
            matrixRows.add(row);
        }

        @Override
        public boolean shouldContinue(CheckOptions.Progress progress) {
            return true;
        }
    }

    private static Algorithm algorithm(String name) {
        return Catalogue.find(name).orElseThrow();
    }

    /** The cell with ordered links and asynchronous timing. */
    private static MatrixCell cell(String name, FaultScenario scenario) {
        return MatrixCell.allOf(algorithm(name)).stream()
                .filter(cell -> cell.faultScenario() == scenario && !cell.isSynchronous())
                .findFirst()
                .orElseThrow();
    }

    private static List<MatrixRow> workOut(MatrixRunner matrixRunner, List<MatrixCell> cells) {
        matrixRunner.run(cells, new RecordingListener());
        return matrixRunner.results(cells);
    }

    @ParameterizedTest
    @CsvSource({
        "central, BYSTANDER, deadlock-freedom, holds",
        "central, HOLDER, deadlock-freedom, stuck",
        "central, COORDINATOR, deadlock-freedom, stuck",
        "central, LOSS, mutual-exclusion, holds",
        "token-ring, DUPLICATE, mutual-exclusion, violated",
        "max-alive, SUSPICION, uniqueness, violated",
    })
    void a_cell_has_the_expected_verdict(String name, FaultScenario scenario, String property, String outcome) {
        var cell = cell(name, scenario);
        assertThat(workOut(new MatrixRunner(), List.of(cell))
                        .getFirst()
                        .find(property)
                        .orElseThrow()
                        .verdict())
                .hasToString(outcome);
    }

    @Test
    void a_cell_exists_only_if_its_fault_can_happen() {
        assertThat(MatrixCell.allOf(algorithm("lamport")).stream().map(MatrixCell::faultScenario))
                .doesNotContain(
                        FaultScenario.COORDINATOR, FaultScenario.RESTART, FaultScenario.SUSPICION, FaultScenario.PAUSE);
        assertThat(MatrixCell.allOf(algorithm("perfect")).stream().map(MatrixCell::faultScenario))
                .contains(FaultScenario.BYSTANDER, FaultScenario.PAUSE)
                .doesNotContain(FaultScenario.HOLDER, FaultScenario.WAITER);
    }

    @Test
    void a_cell_with_a_result_is_not_checked_again() {
        var cells = List.of(cell("central", FaultScenario.LOSS), cell("central", FaultScenario.NOTHING));
        var matrixRunner = new MatrixRunner();
        var matrixRows = workOut(matrixRunner, cells);
        var recordingListener = new RecordingListener();
        matrixRunner.run(cells, recordingListener);
        assertThat(recordingListener.matrixRows).isEmpty();
        var other = new MatrixRunner();
        other.restore(matrixRows);
        other.run(cells, recordingListener);
        assertThat(recordingListener.matrixRows).isEmpty();
        assertThat(other.results(cells)).isEqualTo(matrixRows);
    }

    @Test
    void a_result_from_other_sources_is_not_restored() {
        var cells = List.of(cell("max-alive", FaultScenario.NOTHING));
        var row = workOut(new MatrixRunner(), cells).getFirst();
        var matrixRunner = new MatrixRunner();
        matrixRunner.restore(
                List.of(new MatrixRow(row.cell(), "other", row.states(), row.largestComplete(), row.findings())));
        assertThat(matrixRunner.results(cells)).isEmpty();
    }

    @Test
    void an_interrupted_cell_has_no_result() {
        var cells = List.of(cell("raymond", FaultScenario.LOSS));
        var matrixRunner = new MatrixRunner();
        matrixRunner.run(cells, new MatrixRunner.Listener() {
            @Override
            public void onCellDone(MatrixRow row, int done, int all) {}

            @Override
            public boolean shouldContinue(CheckOptions.Progress progress) {
                return false;
            }
        });
        assertThat(matrixRunner.results(cells)).isEmpty();
    }

    @Test
    void the_matrix_is_parsed_as_it_was_written() {
        var cells =
                List.of(cell("token-ring", FaultScenario.DUPLICATE), cell("gossip-large-group", FaultScenario.NOTHING));
        var matrixRows = workOut(new MatrixRunner(), List.of(cells.getFirst()));
        var text = MatrixJson.write(matrixRows, MOVES);
        assertThat(MatrixJson.read(text, cells)).isEqualTo(matrixRows);
        assertThat(MatrixJson.read(text, List.of())).isEmpty();
        assertThatThrownBy(() -> MatrixJson.read(text.substring(0, text.length() / 2), cells))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_counterexample_can_be_replayed() {
        var cell = cell("central", FaultScenario.LOSS);
        var finding = workOut(new MatrixRunner(), List.of(cell))
                .getFirst()
                .find("deadlock-freedom")
                .orElseThrow();
        var replayedFinding = ReplayedFinding.of(cell, finding);
        assertThat(replayedFinding.text()).contains("n2 acquire", "deadlock-freedom violated");
        assertThat(replayedFinding.svg()).startsWith("<?xml");
    }

    @Test
    void a_page_without_markers_is_rejected() {
        var matrixRows = workOut(new MatrixRunner(), List.of(cell("max-alive", FaultScenario.NOTHING)));
        assertThat(SurvivalSection.update("a\n<!-- survives -->\nobsolete\n<!-- end -->\nb", matrixRows))
                .startsWith("a\n<!-- survives -->\n|  | termination |")
                .endsWith("|\n<!-- end -->\nb")
                .doesNotContain("obsolete");
        assertThatThrownBy(() -> SurvivalSection.update("a page", matrixRows))
                .hasMessage("marker must be on the page, with <!-- end --> after it: <!-- survives -->");
    }

    @Test
    void an_unpacked_page_contains_the_packed_data() {
        var matrixRows = workOut(new MatrixRunner(), List.of(cell("max-alive", FaultScenario.SUSPICION)));
        var page = MatrixHtml.write(matrixRows, (cell, size, moves) -> "play " + moves);
        assertThat(page).contains("data-cell=\"0\"").doesNotContain("play 1mistake2", "@DATA@", "@TABLES@");
        assertThat(MatrixHtml.unpack(page)).contains("play 1mistake2", "max-alive: 2 nodes, once, fifo, asynchronous");
    }
}
