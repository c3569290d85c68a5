package habemus.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.Catalogue;
import habemus.check.model.CheckOptions;
import habemus.cli.CliRunner;
import habemus.lab.matrix.CellFinding;
import habemus.lab.matrix.MatrixCell;
import habemus.lab.matrix.MatrixHtml;
import habemus.lab.matrix.MatrixRow;
import habemus.lab.matrix.MatrixRunner;
import habemus.lab.matrix.MatrixText;
import habemus.lab.matrix.TextbookClaim;
import habemus.simulate.RunResult;
import habemus.smallscope.SmallScopes;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The matrix in the documentation is the one that the checker finds today. */
class MatrixDocsTest {

    private static final String RENEW = "renew it with ./habemus matrix --write docs, and read the difference";
    private static final List<MatrixCell> CELLS = MatrixRunner.cells(Catalogue.ALL);
    private static final MatrixDocs DOCS = new MatrixDocs(CliRunner.root().resolve("docs"));
    private static final List<MatrixRow> ROWS = DOCS.rows(CELLS);

    /** Cells with at most so many states are worked out anew, all of them; of the others, some. */
    private static final int FEW = 20_000;

    private static final int ONE_IN = 97;

    @Test
    void it_has_every_cell_worked_out_from_the_sources_of_today() {
        var matrixRunner = new MatrixRunner();
        assertThat(ROWS.stream().map(matrixRow -> matrixRow.matrixCell().toString()))
                .as(RENEW)
                .containsExactlyElementsOf(
                        CELLS.stream().map(MatrixCell::toString).toList());
        assertThat(ROWS.stream()
                        .filter(matrixRow -> !matrixRunner.isCurrent(matrixRow))
                        .map(matrixRow -> matrixRow.matrixCell() + " is out of date"))
                .as(RENEW)
                .isEmpty();
    }

    @Test
    void its_tables_fit_into_120_columns() {
        var all = Catalogue.ALL.stream()
                .flatMap(each ->
                        SmallScopes.variants(each).stream().map(variant -> MatrixText.detail(each, variant, ROWS)));
        var problems = Stream.of(Problem.values())
                .map(problem -> MatrixText.summary(
                        problem,
                        ROWS.stream()
                                .filter(matrixRow ->
                                        matrixRow.matrixCell().algorithm().problem() == problem)
                                .toList()));
        assertThat(Stream.concat(all, problems).flatMap(String::lines))
                .isNotEmpty()
                .allSatisfy(line ->
                        assertThat(line.codePointCount(0, line.length())).isLessThanOrEqualTo(120));
    }

    @Test
    void the_pages_say_what_it_says() throws IOException {
        for (Map.Entry<Path, String> file : DOCS.files(ROWS).entrySet()) {
            var text = Files.readString(file.getKey());
            boolean same = MatrixHtml.unpack(text).equals(MatrixHtml.unpack(file.getValue()));
            assertThat(same).as(file.getKey() + ": " + RENEW).isTrue();
        }
    }

    /** Its command is what a reader would type. */
    @Test
    void whatever_is_violated_is_violated_by_the_run_that_is_given() {
        var runs = new LinkedHashMap<String, Set<String>>();
        ROWS.forEach(matrixRow -> matrixRow.cellFindings().stream()
                .filter(cellFinding -> cellFinding.cellVerdict().hasCounterexample()
                        && cellFinding.run().loop().isEmpty())
                .forEach(cellFinding -> runs.computeIfAbsent(line(matrixRow, cellFinding), line -> new TreeSet<>())
                        .add(cellFinding.property())));
        assertThat(runs).hasSizeGreaterThan(500);
        assertThat(runs.entrySet().parallelStream()
                        .flatMap(run -> unviolated(run.getKey(), run.getValue()).stream())
                        .toList())
                .isEmpty();
    }

    private static String line(MatrixRow matrixRow, CellFinding cellFinding) {
        return MatrixReplay.commandLine(
                matrixRow.matrixCell(),
                cellFinding.size(),
                cellFinding.run().schedule().toString());
    }

    private static List<String> unviolated(String line, Set<String> properties) {
        var runResult = play(line);
        return properties.stream()
                .filter(name -> Property.find(name)
                        .map(property -> runResult.verdicts().get(property) != Verdict.VIOLATED)
                        .orElse(runResult.bug() == null))
                .map(name -> name + " is not violated by " + line)
                .toList();
    }

    private static RunResult play(String line) {
        return CliRunner.experiment(line.replaceFirst("^\\./habemus run ", "")).run();
    }

    /** What comes after the beginning of the loop can be done again and again, as often as one likes. */
    @Test
    void a_run_without_end_can_go_on() {
        var loops = ROWS.stream()
                .flatMap(matrixRow -> matrixRow.cellFindings().stream()
                        .filter(cellFinding -> cellFinding.run().loop().isPresent())
                        .map(cellFinding -> MatrixReplay.commandLine(
                                matrixRow.matrixCell(), cellFinding.size(), thrice(cellFinding))))
                .distinct()
                .toList();
        assertThat(loops).isNotEmpty();
        assertThat(loops.parallelStream().map(MatrixDocsTest::play).map(RunResult::bug))
                .containsOnlyNulls();
    }

    private static String thrice(CellFinding cellFinding) {
        var moves = List.of(cellFinding.run().schedule().toString().split("\\.", -1));
        int starts = moves.size() - cellFinding.run().schedule().size();
        var again = moves.subList(starts + cellFinding.run().loop().orElseThrow(), moves.size());
        return Stream.of(moves, again, again).flatMap(List::stream).collect(Collectors.joining("."));
    }

    /** All that are small, and of the others some. */
    @Test
    void cells_come_out_again_as_they_are() {
        var again = ROWS.stream()
                .filter(matrixRow -> matrixRow.states() <= FEW
                        || Math.floorMod(matrixRow.matrixCell().toString().hashCode(), ONE_IN) == 0)
                .toList();
        assertThat(again).hasSizeGreaterThan(200);
        var matrixRunner = new MatrixRunner();
        var matrixCells = again.stream().map(MatrixRow::matrixCell).toList();
        matrixRunner.run(matrixCells, new MatrixRunner.Listener() {
            @Override
            public void onCellDone(MatrixRow matrixRow, int done, int all) {}

            @Override
            public boolean shouldContinue(CheckOptions.Progress progress) {
                return true;
            }
        });
        assertThat(matrixRunner.results(matrixCells)).as(RENEW).containsExactlyElementsOf(again);
    }

    static List<TextbookClaim> claims() {
        return TextbookClaim.all();
    }

    @ParameterizedTest
    @MethodSource("claims")
    void what_textbooks_say_stands_or_falls_as_is_said_of_it(TextbookClaim textbookClaim) {
        assertThat(textbookClaim.finding(ROWS))
                .as("a cell and a property that there is")
                .isPresent();
        assertThat(textbookClaim.isConsistentWith(ROWS))
                .as(textbookClaim + " " + textbookClaim.finding(ROWS))
                .isTrue();
    }

    @Test
    void nothing_holds_that_was_not_looked_at_wholly() {
        assertThat(ROWS.stream()
                        .filter(matrixRow -> matrixRow.largestComplete().isEmpty())
                        .flatMap(matrixRow -> matrixRow.cellFindings().stream())
                        .map(cellFinding -> cellFinding.cellVerdict().toString()))
                .isNotEmpty()
                .doesNotContain("holds");
    }
}
