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
import habemus.lab.table.TextTable;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The matrix in the documentation is up to date with the sources. */
@Tag("slow")
class MatrixDocsTest {

    private static final String RENEW = "update it with ./habemus matrix --write docs, and review the diff";
    private static final List<MatrixCell> CELLS = MatrixRunner.cells(Catalogue.ALL);
    private static final MatrixDocs DOCS = new MatrixDocs(CliRunner.root().resolve("docs"));
    private static final List<MatrixRow> ROWS = DOCS.rows(CELLS);

    /** Cells up to this number of states are all checked again; of the larger cells a sample. */
    private static final int FEW = 20_000;

    private static final int ONE_IN = 97;

    @Test
    void every_cell_is_up_to_date_with_the_sources() {
        var matrixRunner = new MatrixRunner();
        assertThat(ROWS.stream().map(row -> row.cell().toString()))
                .as(RENEW)
                .containsExactlyElementsOf(
                        CELLS.stream().map(MatrixCell::toString).toList());
        assertThat(ROWS.stream().filter(row -> !matrixRunner.isCurrent(row)).map(row -> row.cell() + " is out of date"))
                .as(RENEW)
                .isEmpty();
    }

    @Test
    void the_tables_fit_120_columns() {
        var all = Catalogue.ALL.stream()
                .flatMap(each ->
                        SmallScopes.variants(each).stream().map(variant -> MatrixText.detail(each, variant, ROWS)));
        var problems = Stream.of(Problem.values())
                .map(problem -> MatrixText.summary(
                        problem,
                        ROWS.stream()
                                .filter(row -> row.cell().algorithm().problem() == problem)
                                .toList()));
        assertThat(Stream.concat(all, problems).map(TextTable::text).flatMap(String::lines))
                .isNotEmpty()
                .allSatisfy(line ->
                        assertThat(line.codePointCount(0, line.length())).isLessThanOrEqualTo(120));
    }

    @Test
    void the_pages_show_the_matrix() throws IOException {
        for (Map.Entry<Path, String> file : DOCS.files(ROWS).entrySet()) {
            var text = Files.readString(file.getKey());
            boolean same = MatrixHtml.unpack(text).equals(MatrixHtml.unpack(file.getValue()));
            assertThat(same).as(file.getKey() + ": " + RENEW).isTrue();
        }
    }

    /** Plays the replay command as a reader would type it. */
    @Test
    void every_violation_is_reproduced_by_its_run() {
        var runs = new LinkedHashMap<String, Set<String>>();
        ROWS.forEach(row -> row.findings().stream()
                .filter(finding -> finding.verdict().hasCounterexample()
                        && finding.run().loop().isEmpty())
                .forEach(finding -> runs.computeIfAbsent(line(row, finding), line -> new TreeSet<>())
                        .add(finding.property())));
        assertThat(runs).hasSizeGreaterThan(500);
        assertThat(runs.entrySet().parallelStream()
                        .flatMap(run -> unviolated(run.getKey(), run.getValue()).stream())
                        .toList())
                .isEmpty();
    }

    private static String line(MatrixRow row, CellFinding finding) {
        return MatrixReplay.commandLine(
                row.cell(), finding, finding.run().schedule().toString());
    }

    private static List<String> unviolated(String line, Set<String> properties) {
        var result = play(line);
        return properties.stream()
                .filter(name -> Property.find(name)
                        .map(property -> result.verdicts().get(property) != Verdict.VIOLATED)
                        .orElse(result.bug() == null))
                .map(name -> name + " is not violated by " + line)
                .toList();
    }

    private static RunResult play(String line) {
        return CliRunner.experiment(line.replaceFirst("^\\./habemus run ", "")).run();
    }

    /** Plays the moves of the loop three times. */
    @Test
    void the_loop_of_an_infinite_run_can_be_repeated() {
        var loops = ROWS.stream()
                .flatMap(row -> row.findings().stream()
                        .filter(finding -> finding.run().loop().isPresent())
                        .map(finding -> MatrixReplay.commandLine(row.cell(), finding, withLoopThreeTimes(finding))))
                .distinct()
                .toList();
        assertThat(loops).isNotEmpty();
        assertThat(loops.parallelStream().map(MatrixDocsTest::play).map(RunResult::bug))
                .containsOnlyNulls();
    }

    private static String withLoopThreeTimes(CellFinding finding) {
        var moves = List.of(finding.run().schedule().toString().split("\\.", -1));
        int starts = moves.size() - finding.run().schedule().size();
        var again = moves.subList(starts + finding.run().loop().orElseThrow(), moves.size());
        return Stream.of(moves, again, again).flatMap(List::stream).collect(Collectors.joining("."));
    }

    /** All small cells, and a sample of the large ones. */
    @Test
    void checking_a_cell_again_gives_the_same_result() {
        var again = ROWS.stream()
                .filter(row -> row.states() <= FEW
                        || Math.floorMod(row.cell().toString().hashCode(), ONE_IN) == 0)
                .toList();
        assertThat(again).hasSizeGreaterThan(200);
        var matrixRunner = new MatrixRunner();
        var cells = again.stream().map(MatrixRow::cell).toList();
        matrixRunner.run(cells, new MatrixRunner.Listener() {
            @Override
            public void onCellDone(MatrixRow row, int done, int all) {}

            @Override
            public boolean shouldContinue(CheckOptions.Progress progress) {
                return true;
            }
        });
        assertThat(matrixRunner.results(cells)).as(RENEW).containsExactlyElementsOf(again);
    }

    static List<TextbookClaim> claims() {
        return TextbookClaim.all();
    }

    @ParameterizedTest
    @MethodSource("claims")
    void a_textbook_claim_is_confirmed_or_refuted_as_documented(TextbookClaim claim) {
        assertThat(claim.finding(ROWS)).as("an existing cell and property").isPresent();
        assertThat(claim.isConsistentWith(ROWS))
                .as(claim + " " + claim.finding(ROWS))
                .isTrue();
    }

    @Test
    void a_property_holds_only_after_a_complete_search() {
        assertThat(ROWS.stream()
                        .filter(row -> row.largestComplete().isEmpty())
                        .flatMap(row -> row.findings().stream())
                        .map(finding -> finding.verdict().toString()))
                .isNotEmpty()
                .doesNotContain("holds");
    }
}
