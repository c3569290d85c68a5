package habemus.lab.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.check.Effort;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatrixTest {

    private static final Replays MOVES = (cell, size, moves) -> moves;

    /** Counts what is done; never has enough. */
    private static final class Count implements Matrix.Watch {
        private final List<Row> rows = new ArrayList<>();

        @Override
        public void done(Row row, int done, int all) {
            rows.add(row);
        }

        @Override
        public boolean goOn(Effort.Sofar sofar) {
            return true;
        }
    }

    private static Algorithm algorithm(String name) {
        return Catalogue.find(name).orElseThrow();
    }

    /** Those with links in order, under any timing but a synchronous one. */
    private static Cell cell(String name, Mishap mishap) {
        return Cell.of(algorithm(name)).stream()
                .filter(cell -> cell.mishap() == mishap && !cell.isSynchronous())
                .findFirst()
                .orElseThrow();
    }

    private static List<Row> workOut(Matrix matrix, List<Cell> cells) {
        matrix.workOut(cells, new Count());
        return matrix.known(cells);
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
    void a_cell_says_what_becomes_of_a_property(String name, Mishap mishap, String property, String outcome) {
        var cell = cell(name, mishap);
        assertThat(workOut(new Matrix(), List.of(cell))
                        .getFirst()
                        .find(property)
                        .orElseThrow()
                        .outcome())
                .hasToString(outcome);
    }

    @Test
    void a_cell_is_there_only_if_its_fault_can_happen() {
        assertThat(Cell.of(algorithm("lamport")).stream().map(Cell::mishap))
                .doesNotContain(Mishap.COORDINATOR, Mishap.RETURN, Mishap.SUSPICION, Mishap.PAUSE);
        assertThat(Cell.of(algorithm("perfect")).stream().map(Cell::mishap))
                .contains(Mishap.BYSTANDER, Mishap.PAUSE)
                .doesNotContain(Mishap.HOLDER, Mishap.WAITER);
    }

    @Test
    void what_is_known_is_not_worked_out_again() {
        var cells = List.of(cell("central", Mishap.LOSS), cell("central", Mishap.NOTHING));
        var matrix = new Matrix();
        var rows = workOut(matrix, cells);
        var count = new Count();
        matrix.workOut(cells, count);
        assertThat(count.rows).isEmpty();
        var other = new Matrix();
        other.recall(rows);
        other.workOut(cells, count);
        assertThat(count.rows).isEmpty();
        assertThat(other.known(cells)).isEqualTo(rows);
    }

    @Test
    void what_was_worked_out_from_other_sources_is_not_recalled() {
        var cells = List.of(cell("max-alive", Mishap.NOTHING));
        var row = workOut(new Matrix(), cells).getFirst();
        var matrix = new Matrix();
        matrix.recall(List.of(new Row(row.cell(), "other", row.states(), row.whole(), row.findings())));
        assertThat(matrix.known(cells)).isEmpty();
    }

    @Test
    void a_cell_that_was_interrupted_is_not_known() {
        var cells = List.of(cell("raymond", Mishap.LOSS));
        var matrix = new Matrix();
        matrix.workOut(cells, new Matrix.Watch() {
            @Override
            public void done(Row row, int done, int all) {}

            @Override
            public boolean goOn(Effort.Sofar sofar) {
                return false;
            }
        });
        assertThat(matrix.known(cells)).isEmpty();
    }

    @Test
    void it_is_read_as_it_was_written() {
        var cells = List.of(cell("token-ring", Mishap.DUPLICATE), cell("gossip-large-group", Mishap.NOTHING));
        var rows = workOut(new Matrix(), List.of(cells.getFirst()));
        var text = MatrixJson.write(rows, MOVES);
        assertThat(MatrixJson.read(text, cells)).isEqualTo(rows);
        assertThat(MatrixJson.read(text, List.of())).isEmpty();
        assertThatThrownBy(() -> MatrixJson.read(text.substring(0, text.length() / 2), cells))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_run_that_was_found_can_be_retold() {
        var cell = cell("central", Mishap.LOSS);
        var finding = workOut(new Matrix(), List.of(cell))
                .getFirst()
                .find("deadlock-freedom")
                .orElseThrow();
        var retold = Retold.of(cell, finding);
        assertThat(retold.text()).contains("n2 acquire", "deadlock-freedom violated");
        assertThat(retold.svg()).startsWith("<?xml");
    }

    @Test
    void a_page_without_a_place_is_refused() {
        var rows = workOut(new Matrix(), List.of(cell("max-alive", Mishap.NOTHING)));
        assertThat(SurvivalPart.renewed("a\n<!-- survives -->\nobsolete\n<!-- end -->\nb", rows))
                .startsWith("a\n<!-- survives -->\n|  | termination |")
                .endsWith("|\n<!-- end -->\nb")
                .doesNotContain("obsolete");
        assertThatThrownBy(() -> SurvivalPart.renewed("a page", rows))
                .hasMessage("there is no <!-- survives --> with an <!-- end -->");
    }

    @Test
    void a_packed_page_says_what_was_put_in() {
        var rows = workOut(new Matrix(), List.of(cell("max-alive", Mishap.SUSPICION)));
        var page = MatrixHtml.write(rows, (cell, size, moves) -> "play " + moves);
        assertThat(page).contains("data-cell=\"0\"").doesNotContain("play 1mistake2", "@DATA@", "@TABLES@");
        assertThat(MatrixHtml.unpacked(page))
                .contains("play 1mistake2", "max-alive: 2 nodes, once, fifo, asynchronous");
    }
}
