package habemus.lab.matrix;

import habemus.catalogue.Algorithm;
import habemus.lab.table.TextTable;
import habemus.world.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The matrix as a Markdown page: a symbol for each cell, and textbook claims beside the checker's findings. */
public final class MatrixPage {

    private static final String HEAD = """
            # The matrix: what each algorithm survives

            The model checker explores all runs of every algorithm, with each of its options, in small scopes with one
            injected fault. To see a run, open [the interactive page](matrix.html): each failing cell has its
            space-time diagram. Or run `./habemus matrix central` for the commands that replay the runs. This page is
            written by

            ```
            ./habemus matrix --write docs
            ```

            The command checks only the cells whose sources have changed: a cell is keyed by a hash of the algorithm and
            of the checker. A test compares the page with `matrix.json`, replays every run in it, and checks many of the
            cells again.
            """;

    private static final String READING = """
            ## How to read it

            A line is an algorithm. The first line of each has ordered links, and timers and detectors that fire at any
            time. *bag*: messages are reordered. *synchronous*: timers fire, and crashes are detected, only when no
            message is in flight. A symbol shows the worst finding among the properties that define the problem, and
            those that the algorithm guarantees under some conditions. The first are mutual exclusion and no
            starvation for locks, at most one leader and termination for elections, completeness for detectors.
            [The page of the algorithm](algorithms/README.md) and the interactive page show each property.
            """;

    private static final String NUMBERS = """
            A number is the length of a shortest counterexample in steps. *incomplete*: no counterexample was found, but
            even the smallest scope has more than @STATES@ states. Or the property is about the end of runs, and timers
            keep all runs infinite. *measured*: the algorithm states no bound of bypasses. The number is then
            the largest bypass. The pages show whether it grows with the number of entries.
            *untimed*: no timer fires.

            """;

    private final List<MatrixRow> matrixRows;
    private final ReplayCommandWriter commands;

    private MatrixPage(List<MatrixRow> matrixRows, ReplayCommandWriter commands) {
        this.matrixRows = matrixRows;
        this.commands = commands;
    }

    public static String write(List<MatrixRow> matrixRows, ReplayCommandWriter commands) {
        return new MatrixPage(matrixRows, commands).page();
    }

    private String page() {
        var parts = new ArrayList<String>();
        parts.add(HEAD);
        parts.add(READING);
        parts.add(legend());
        for (Problem problem : MatrixRow.PROBLEMS) {
            parts.add("## " + title(problem) + "\n");
            parts.add(table(problem));
        }
        parts.add("## Where the checker contradicts the textbook\n");
        parts.add("Each claim with a shortest run that contradicts it; times are steps. "
                + "[Findings](findings.md) explains some of them.\n");
        claims(false).forEach(claim -> parts.add(contradiction(claim)));
        parts.add("## Where it agrees\n");
        parts.add(agreements());
        return String.join("\n", parts);
    }

    private static String title(Problem problem) {
        return switch (problem) {
            case MUTEX -> "Mutual exclusion";
            case ELECTION -> "Elections";
            case DETECTOR -> "Failure detectors";
            case LOG, THREADS -> throw new IllegalArgumentException("the matrix has no cells of a " + problem);
        };
    }

    private static String legend() {
        var outcomes = Arrays.stream(CellVerdict.values())
                .map(verdict -> verdict.symbol() + " " + verdict)
                .collect(Collectors.joining(", "));
        var table = new TextTable("column", "fault");
        MatrixText.COLUMNS.forEach(scenario -> table.row(scenario.heading(), scenario.description()));
        return outcomes + ", " + MatrixText.NOT_APPLICABLE + " does not apply. "
                + NUMBERS.replace("@STATES@", Long.toString(CellChecker.MAX_STATES)) + table.markdown();
    }

    private String table(Problem problem) {
        var heading = new ArrayList<>(List.of(""));
        MatrixText.COLUMNS.forEach(scenario -> heading.add(scenario.heading()));
        var table = new TextTable(heading);
        var rows = matrixRows.stream()
                .filter(row -> row.cell().algorithm().problem() == problem)
                .toList();
        for (var line : MatrixText.groupByLine(rows).values()) {
            var cells = new ArrayList<String>();
            cells.add(link(line.getFirst().cell()));
            MatrixText.COLUMNS.forEach(scenario -> cells.add(
                    MatrixText.findRow(line, scenario).map(MatrixText::symbol).orElse(MatrixText.NOT_APPLICABLE)));
            table.row(cells);
        }
        return table.markdown();
    }

    private static String link(MatrixCell cell) {
        var label = MatrixText.label(cell);
        return label.startsWith(" ") ? "*" + label.strip() + "*" : "[" + label + "](" + page(cell.algorithm()) + ")";
    }

    private static String page(Algorithm algorithm) {
        return "algorithms/" + algorithm.name() + ".md";
    }

    private List<TextbookClaim> claims(boolean stands) {
        return TextbookClaim.all().stream()
                .filter(claim -> claim.confirmed() == stands)
                .toList();
    }

    private String contradiction(TextbookClaim claim) {
        var row = claim.row(matrixRows).orElseThrow();
        var finding = claim.finding(matrixRows).orElseThrow();
        var text = new StringBuilder();
        text.append("### `")
                .append(claim.name())
                .append("`: ")
                .append(claim.statement())
                .append("\n\n");
        text.append("Claimed by ")
                .append(claim.source())
                .append(". ")
                .append(describeLocation(claim, row))
                .append(": `");
        text.append(claim.location().property())
                .append("` ")
                .append(describeVerdict(finding))
                .append('.');
        text.append(claim.link().isEmpty() ? "\n" : " [More](" + claim.link() + ").\n");
        if (finding.verdict().hasCounterexample()) {
            var moves = finding.run().schedule().toString();
            text.append("\n```\n$ ")
                    .append(commands.commandLine(row.cell(), finding, moves))
                    .append('\n');
            text.append(ReplayedFinding.of(row.cell(), finding).text()).append("\n```\n");
        }
        return text.toString();
    }

    private static String describeVerdict(CellFinding finding) {
        return finding.verdict().hasCounterexample()
                ? finding.verdict() + " after " + finding.run().steps() + " steps, with " + finding.size()
                : finding.verdict() + " in every run, with " + finding.size();
    }

    private static String describeLocation(TextbookClaim claim, MatrixRow row) {
        return "Fault: " + row.cell().faultScenario().description() + " ("
                + (claim.location().network().equals("fifo") ? "ordered links" : "unordered links") + ", "
                + claim.location().timing() + ")";
    }

    private String agreements() {
        var table = new TextTable("algorithm", "claim", "source", "cell", "verdict");
        claims(true).forEach(claim -> {
            var cell = claim.row(matrixRows).orElseThrow().cell();
            var finding = claim.finding(matrixRows).orElseThrow();
            table.row(
                    "[" + claim.name() + "](" + page(cell.algorithm()) + ")",
                    claim.link().isEmpty() ? claim.statement() : claim.statement() + " ([more](" + claim.link() + "))",
                    claim.source(),
                    cell.faultScenario() + ", " + cell.network() + ", " + cell.timingName() + ", " + finding.size(),
                    claim.location().property() + " " + MatrixText.describe(finding));
        });
        return table.markdown();
    }
}
