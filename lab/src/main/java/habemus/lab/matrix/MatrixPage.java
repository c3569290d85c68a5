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
            message is in flight. A symbol shows the worst finding among the properties that define the problem (mutual
            exclusion and no starvation; at most one leader and termination; completeness of detectors) and those that
            the algorithm guarantees under some conditions. [The page of the algorithm](algorithms/README.md) and the
            interactive page show each property.
            """;

    private static final String NUMBERS = """
            A number is the length of a shortest counterexample in steps. *incomplete*: no counterexample was found, but
            even the smallest scope has more than @STATES@ states; or the property is about the end of runs, and timers
            keep all runs infinite.

            """;

    private final List<MatrixRow> matrixRows;
    private final ReplayCommandWriter replayCommandWriter;

    private MatrixPage(List<MatrixRow> matrixRows, ReplayCommandWriter replayCommandWriter) {
        this.matrixRows = matrixRows;
        this.replayCommandWriter = replayCommandWriter;
    }

    public static String write(List<MatrixRow> matrixRows, ReplayCommandWriter replayCommandWriter) {
        return new MatrixPage(matrixRows, replayCommandWriter).page();
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
        claims(false).forEach(textbookClaim -> parts.add(contradiction(textbookClaim)));
        parts.add("## Where it agrees\n");
        parts.add(agreements());
        return String.join("\n", parts);
    }

    private static String title(Problem problem) {
        return switch (problem) {
            case MUTEX -> "Mutual exclusion";
            case ELECTION -> "Elections";
            case DETECTOR -> "Failure detectors";
            case LOG -> throw new IllegalArgumentException("the matrix has no cells of a " + problem);
        };
    }

    private static String legend() {
        var outcomes = Arrays.stream(CellVerdict.values())
                .map(cellVerdict -> cellVerdict.symbol() + " " + cellVerdict)
                .collect(Collectors.joining(", "));
        var textTable = new TextTable("column", "fault");
        MatrixText.COLUMNS.forEach(
                faultScenario -> textTable.row(faultScenario.heading(), faultScenario.description()));
        return outcomes + ", " + MatrixText.NOT_APPLICABLE + " does not apply. "
                + NUMBERS.replace("@STATES@", Long.toString(CellChecker.MAX_STATES)) + textTable.markdown();
    }

    private String table(Problem problem) {
        var heading = new ArrayList<>(List.of(""));
        MatrixText.COLUMNS.forEach(faultScenario -> heading.add(faultScenario.heading()));
        var textTable = new TextTable(heading);
        var rows = matrixRows.stream()
                .filter(matrixRow -> matrixRow.cell().algorithm().problem() == problem)
                .toList();
        for (var line : MatrixText.groupByLine(rows).values()) {
            var cells = new ArrayList<String>();
            cells.add(link(line.getFirst().cell()));
            MatrixText.COLUMNS.forEach(faultScenario -> cells.add(MatrixText.findRow(line, faultScenario)
                    .map(MatrixText::symbol)
                    .orElse(MatrixText.NOT_APPLICABLE)));
            textTable.row(cells);
        }
        return textTable.markdown();
    }

    private static String link(MatrixCell matrixCell) {
        var label = MatrixText.label(matrixCell);
        return label.startsWith(" ")
                ? "*" + label.strip() + "*"
                : "[" + label + "](" + page(matrixCell.algorithm()) + ")";
    }

    private static String page(Algorithm algorithm) {
        return "algorithms/" + algorithm.name() + ".md";
    }

    private List<TextbookClaim> claims(boolean stands) {
        return TextbookClaim.all().stream()
                .filter(textbookClaim -> textbookClaim.confirmed() == stands)
                .toList();
    }

    private String contradiction(TextbookClaim textbookClaim) {
        var matrixRow = textbookClaim.row(matrixRows).orElseThrow();
        var cellFinding = textbookClaim.finding(matrixRows).orElseThrow();
        var text = new StringBuilder();
        text.append("### `")
                .append(textbookClaim.name())
                .append("`: ")
                .append(textbookClaim.statement())
                .append("\n\n");
        text.append("Claimed by ")
                .append(textbookClaim.source())
                .append(". ")
                .append(describeLocation(textbookClaim, matrixRow))
                .append(": `");
        text.append(textbookClaim.location().property())
                .append("` ")
                .append(describeVerdict(cellFinding))
                .append('.');
        text.append(textbookClaim.link().isEmpty() ? "\n" : " [More](" + textbookClaim.link() + ").\n");
        if (cellFinding.verdict().hasCounterexample()) {
            var moves = cellFinding.run().schedule().toString();
            text.append("\n```\n$ ")
                    .append(replayCommandWriter.commandLine(matrixRow.cell(), cellFinding.size(), moves))
                    .append('\n');
            text.append(ReplayedFinding.of(matrixRow.cell(), cellFinding).text())
                    .append("\n```\n");
        }
        return text.toString();
    }

    private static String describeVerdict(CellFinding cellFinding) {
        return cellFinding.verdict().hasCounterexample()
                ? cellFinding.verdict() + " after " + cellFinding.run().steps() + " steps, with " + cellFinding.size()
                : cellFinding.verdict() + " in every run, with " + cellFinding.size();
    }

    private static String describeLocation(TextbookClaim textbookClaim, MatrixRow matrixRow) {
        return "Fault: " + matrixRow.cell().faultScenario().description() + " ("
                + (textbookClaim.location().network().equals("fifo") ? "ordered links" : "unordered links") + ", "
                + textbookClaim.location().timing() + ")";
    }

    private String agreements() {
        var textTable = new TextTable("algorithm", "claim", "source", "cell", "verdict");
        claims(true).forEach(textbookClaim -> {
            var matrixCell = textbookClaim.row(matrixRows).orElseThrow().cell();
            var cellFinding = textbookClaim.finding(matrixRows).orElseThrow();
            textTable.row(
                    "[" + textbookClaim.name() + "](" + page(matrixCell.algorithm()) + ")",
                    textbookClaim.link().isEmpty()
                            ? textbookClaim.statement()
                            : textbookClaim.statement() + " ([more](" + textbookClaim.link() + "))",
                    textbookClaim.source(),
                    matrixCell.faultScenario() + ", " + matrixCell.network() + ", " + matrixCell.timingName() + ", "
                            + cellFinding.size(),
                    textbookClaim.location().property() + " " + MatrixText.describe(cellFinding));
        });
        return textTable.markdown();
    }
}
