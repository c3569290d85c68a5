package habemus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.Catalogue;
import habemus.check.Effort;
import habemus.lab.matrix.Cell;
import habemus.lab.matrix.Claim;
import habemus.lab.matrix.Finding;
import habemus.lab.matrix.Matrix;
import habemus.lab.matrix.MatrixHtml;
import habemus.lab.matrix.MatrixText;
import habemus.lab.matrix.Row;
import habemus.simulate.Outcome;
import habemus.small.SmallWorlds;
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
    private static final List<Cell> CELLS = Matrix.cells(Catalogue.ALL);
    private static final MatrixDocs DOCS = new MatrixDocs(Cli.root().resolve("docs"));
    private static final List<Row> ROWS = DOCS.rows(CELLS);

    /** Cells with at most so many states are worked out anew, all of them; of the others, some. */
    private static final int FEW = 20_000;

    private static final int ONE_IN = 97;

    @Test
    void it_has_every_cell_worked_out_from_the_sources_of_today() {
        var matrix = new Matrix();
        assertThat(ROWS.stream().map(row -> row.cell().toString()))
                .as(RENEW)
                .containsExactlyElementsOf(CELLS.stream().map(Cell::toString).toList());
        assertThat(ROWS.stream().filter(row -> !matrix.isOfToday(row)).map(row -> row.cell() + " is out of date"))
                .as(RENEW)
                .isEmpty();
    }

    @Test
    void its_tables_fit_into_120_columns() {
        var all = Catalogue.ALL.stream()
                .flatMap(each ->
                        SmallWorlds.variants(each).stream().map(variant -> MatrixText.detail(each, variant, ROWS)));
        var problems = Stream.of(Problem.values())
                .map(problem -> MatrixText.summary(
                        problem,
                        ROWS.stream()
                                .filter(row -> row.cell().algorithm().problem() == problem)
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
            boolean same = MatrixHtml.unpacked(text).equals(MatrixHtml.unpacked(file.getValue()));
            assertThat(same).as(file.getKey() + ": " + RENEW).isTrue();
        }
    }

    /** Its command is what a reader would type. */
    @Test
    void whatever_is_violated_is_violated_by_the_run_that_is_given() {
        var runs = new LinkedHashMap<String, Set<String>>();
        ROWS.forEach(row -> row.findings().stream()
                .filter(finding ->
                        finding.outcome().isShown() && finding.run().loop().isEmpty())
                .forEach(finding -> runs.computeIfAbsent(line(row, finding), line -> new TreeSet<>())
                        .add(finding.property())));
        assertThat(runs).hasSizeGreaterThan(500);
        assertThat(runs.entrySet().parallelStream()
                        .flatMap(run -> unviolated(run.getKey(), run.getValue()).stream())
                        .toList())
                .isEmpty();
    }

    private static String line(Row row, Finding finding) {
        return MatrixReplay.line(
                row.cell(), finding.size(), finding.run().schedule().toString());
    }

    private static List<String> unviolated(String line, Set<String> properties) {
        var outcome = play(line);
        return properties.stream()
                .filter(name -> Property.find(name)
                        .map(property -> outcome.verdicts().get(property) != Verdict.VIOLATED)
                        .orElse(outcome.bug() == null))
                .map(name -> name + " is not violated by " + line)
                .toList();
    }

    private static Outcome play(String line) {
        return Cli.experiment(line.replaceFirst("^\\./habemus run ", "")).run();
    }

    /** What comes after the beginning of the loop can be done again and again, as often as one likes. */
    @Test
    void a_run_without_end_can_go_on() {
        var loops = ROWS.stream()
                .flatMap(row -> row.findings().stream()
                        .filter(finding -> finding.run().loop().isPresent())
                        .map(finding -> MatrixReplay.line(row.cell(), finding.size(), thrice(finding))))
                .distinct()
                .toList();
        assertThat(loops).isNotEmpty();
        assertThat(loops.parallelStream().map(MatrixDocsTest::play).map(Outcome::bug))
                .containsOnlyNulls();
    }

    private static String thrice(Finding finding) {
        var moves = List.of(finding.run().schedule().toString().split("\\.", -1));
        int starts = moves.size() - finding.run().schedule().size();
        var again = moves.subList(starts + finding.run().loop().orElseThrow(), moves.size());
        return Stream.of(moves, again, again).flatMap(List::stream).collect(Collectors.joining("."));
    }

    /** All that are small, and of the others some. */
    @Test
    void cells_come_out_again_as_they_are() {
        var again = ROWS.stream()
                .filter(row -> row.states() <= FEW
                        || Math.floorMod(row.cell().toString().hashCode(), ONE_IN) == 0)
                .toList();
        assertThat(again).hasSizeGreaterThan(200);
        var matrix = new Matrix();
        var cells = again.stream().map(Row::cell).toList();
        matrix.workOut(cells, new Matrix.Watch() {
            @Override
            public void done(Row row, int done, int all) {}

            @Override
            public boolean goOn(Effort.Sofar sofar) {
                return true;
            }
        });
        assertThat(matrix.known(cells)).as(RENEW).containsExactlyElementsOf(again);
    }

    static List<Claim> claims() {
        return Claim.all();
    }

    @ParameterizedTest
    @MethodSource("claims")
    void what_textbooks_say_stands_or_falls_as_is_said_of_it(Claim claim) {
        assertThat(claim.finding(ROWS))
                .as("a cell and a property that there is")
                .isPresent();
        assertThat(claim.isJudgedRightly(ROWS))
                .as(claim + " " + claim.finding(ROWS))
                .isTrue();
    }

    @Test
    void nothing_holds_that_was_not_looked_at_wholly() {
        assertThat(ROWS.stream()
                        .filter(row -> row.whole().isEmpty())
                        .flatMap(row -> row.findings().stream())
                        .map(finding -> finding.outcome().toString()))
                .isNotEmpty()
                .doesNotContain("holds");
    }
}
