package habemus.lab.matrix;

import habemus.catalogue.Algorithm;
import habemus.lab.table.TextTable;
import habemus.world.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The matrix as a page of Markdown: a sign a cell, and what textbooks say beside what the checker says. */
public final class MatrixPage {

    private static final String HEAD = """
            # The matrix: what each algorithm survives

            Every algorithm, with each of its options, in small worlds in which one thing goes wrong once, looked at
            by the checker in all runs. Whoever wants to see a run opens [the same as a page to click
            on](matrix.html), where every cell that is not green has its space-time diagram, or asks `./habemus matrix
            central` for the commands that play them. Everything on this page is written by

            ```
            ./habemus matrix --write docs
            ```

            which works out what has changed since the last time: a cell is known by a hash of the text of the
            algorithm and of the checker. A test compares the page with `matrix.json`, plays every run in it again,
            and works out many of the cells anew.
            """;

    private static final String READING = """
            ## How to read it

            A line is an algorithm, first on links that keep the order of messages, alarms and detectors at any time
            they like. *bag*: messages overtake each other. *synchronous*: alarms ring, and crashes are noticed, only
            when no message is under way. A sign says the worst that was found, of what the problem is about (mutual
            exclusion, and that everybody gets in; that one leads in the end, and never two; that crashes are noticed)
            and of what the algorithm promises besides, under whatever conditions. [Its page](algorithms/README.md)
            and the page to click on tell of each property by itself.
            """;

    private static final String NUMBERS = """
            A number is how many steps the shortest run takes that shows it. *incomplete*: nothing was found, but not
            even the smallest world was looked at wholly, with at most @STATES@ states; or it is about how runs end, and
            alarms that ring again and again leave them no end.

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
        for (Problem problem : Problem.values()) {
            parts.add("## " + title(problem) + "\n");
            parts.add(table(problem));
        }
        parts.add("## Where the checker contradicts the textbook\n");
        parts.add("What is said, and the shortest run in which it is not so; time in steps. "
                + "[Findings](findings.md) tells more of some of them.\n");
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
        };
    }

    private static String legend() {
        var outcomes = Arrays.stream(CellVerdict.values())
                .map(cellVerdict -> cellVerdict.symbol() + " " + cellVerdict)
                .collect(Collectors.joining(", "));
        var textTable = new TextTable("column", "what goes wrong");
        MatrixText.COLUMNS.forEach(
                faultScenario -> textTable.row(faultScenario.heading(), faultScenario.description()));
        return outcomes + ", " + MatrixText.NOT_APPLICABLE + " does not apply. "
                + NUMBERS.replace("@STATES@", Long.toString(CellChecker.MAX_STATES)) + textTable.markdown();
    }

    private String table(Problem problem) {
        var heading = new ArrayList<>(List.of(""));
        MatrixText.COLUMNS.forEach(faultScenario -> heading.add(faultScenario.heading()));
        var textTable = new TextTable(heading);
        var mine = matrixRows.stream()
                .filter(matrixRow -> matrixRow.matrixCell().algorithm().problem() == problem)
                .toList();
        for (var line : MatrixText.groupByLine(mine).values()) {
            var cells = new ArrayList<String>();
            cells.add(link(line.getFirst().matrixCell()));
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
        text.append("Said by ")
                .append(textbookClaim.source())
                .append(". ")
                .append(describeLocation(textbookClaim, matrixRow))
                .append(": `");
        text.append(textbookClaim.location().property())
                .append("` ")
                .append(describeVerdict(cellFinding))
                .append('.');
        text.append(textbookClaim.link().isEmpty() ? "\n" : " [More](" + textbookClaim.link() + ").\n");
        if (cellFinding.cellVerdict().hasCounterexample()) {
            var moves = cellFinding.run().schedule().toString();
            text.append("\n```\n$ ")
                    .append(replayCommandWriter.commandLine(matrixRow.matrixCell(), cellFinding.size(), moves))
                    .append('\n');
            text.append(ReplayedFinding.of(matrixRow.matrixCell(), cellFinding).text())
                    .append("\n```\n");
        }
        return text.toString();
    }

    private static String describeVerdict(CellFinding cellFinding) {
        return cellFinding.cellVerdict().hasCounterexample()
                ? cellFinding.cellVerdict() + " after " + cellFinding.run().steps() + " steps, with "
                        + cellFinding.size()
                : cellFinding.cellVerdict() + " in every run, with " + cellFinding.size();
    }

    private static String describeLocation(TextbookClaim textbookClaim, MatrixRow matrixRow) {
        return "Where " + matrixRow.matrixCell().faultScenario().description() + " ("
                + (textbookClaim.location().network().equals("fifo") ? "links in order" : "links without order") + ", "
                + textbookClaim.location().timing() + ")";
    }

    private String agreements() {
        var textTable = new TextTable("algorithm", "what is said", "by", "where it was looked at", "and so it is");
        claims(true).forEach(textbookClaim -> {
            var matrixCell = textbookClaim.row(matrixRows).orElseThrow().matrixCell();
            var cellFinding = textbookClaim.finding(matrixRows).orElseThrow();
            textTable.row(
                    "[" + textbookClaim.name() + "](" + page(matrixCell.algorithm()) + ")",
                    textbookClaim.link().isEmpty()
                            ? textbookClaim.statement()
                            : textbookClaim.statement() + " ([more](" + textbookClaim.link() + "))",
                    textbookClaim.source(),
                    matrixCell.faultScenario() + ", " + matrixCell.networkModel() + ", " + matrixCell.timingName()
                            + ", " + cellFinding.size(),
                    textbookClaim.location().property() + " " + MatrixText.describe(cellFinding));
        });
        return textTable.markdown();
    }
}
