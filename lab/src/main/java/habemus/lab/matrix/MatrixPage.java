package habemus.lab.matrix;

import habemus.catalogue.Algorithm;
import habemus.lab.table.Table;
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

    private final List<Row> rows;
    private final Replays replays;

    private MatrixPage(List<Row> rows, Replays replays) {
        this.rows = rows;
        this.replays = replays;
    }

    public static String write(List<Row> rows, Replays replays) {
        return new MatrixPage(rows, replays).page();
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
        };
    }

    private static String legend() {
        var outcomes = Arrays.stream(Outcome.values())
                .map(outcome -> outcome.sign() + " " + outcome)
                .collect(Collectors.joining(", "));
        var table = new Table("column", "what goes wrong");
        MatrixText.COLUMNS.forEach(mishap -> table.row(mishap.heading(), mishap.words()));
        return outcomes + ", " + MatrixText.NONE + " does not apply. "
                + NUMBERS.replace("@STATES@", Long.toString(Look.STATES)) + table.markdown();
    }

    private String table(Problem problem) {
        var heading = new ArrayList<>(List.of(""));
        MatrixText.COLUMNS.forEach(mishap -> heading.add(mishap.heading()));
        var table = new Table(heading);
        var mine = rows.stream()
                .filter(row -> row.cell().algorithm().problem() == problem)
                .toList();
        for (var line : MatrixText.lines(mine).values()) {
            var cells = new ArrayList<String>();
            cells.add(link(line.getFirst().cell()));
            MatrixText.COLUMNS.forEach(mishap ->
                    cells.add(MatrixText.at(line, mishap).map(MatrixText::sign).orElse(MatrixText.NONE)));
            table.row(cells);
        }
        return table.markdown();
    }

    private static String link(Cell cell) {
        var label = MatrixText.label(cell);
        return label.startsWith(" ") ? "*" + label.strip() + "*" : "[" + label + "](" + page(cell.algorithm()) + ")";
    }

    private static String page(Algorithm algorithm) {
        return "algorithms/" + algorithm.name() + ".md";
    }

    private List<Claim> claims(boolean stands) {
        return Claim.all().stream().filter(claim -> claim.stands() == stands).toList();
    }

    private String contradiction(Claim claim) {
        var row = claim.row(rows).orElseThrow();
        var finding = claim.finding(rows).orElseThrow();
        var text = new StringBuilder();
        text.append("### `")
                .append(claim.name())
                .append("`: ")
                .append(claim.words())
                .append("\n\n");
        text.append("Said by ")
                .append(claim.source())
                .append(". ")
                .append(place(claim, row))
                .append(": `");
        text.append(claim.place().property())
                .append("` ")
                .append(judgement(finding))
                .append('.');
        text.append(claim.more().isEmpty() ? "\n" : " [More](" + claim.more() + ").\n");
        if (finding.outcome().isShown()) {
            var moves = finding.run().schedule().toString();
            text.append("\n```\n$ ")
                    .append(replays.line(row.cell(), finding.size(), moves))
                    .append('\n');
            text.append(Retold.of(row.cell(), finding).text()).append("\n```\n");
        }
        return text.toString();
    }

    private static String judgement(Finding finding) {
        return finding.outcome().isShown()
                ? finding.outcome() + " after " + finding.run().steps() + " steps, with " + finding.size()
                : finding.outcome() + " in every run, with " + finding.size();
    }

    private static String place(Claim claim, Row row) {
        return "Where " + row.cell().mishap().words() + " ("
                + (claim.place().network().equals("fifo") ? "links in order" : "links without order") + ", "
                + claim.place().timing() + ")";
    }

    private String agreements() {
        var table = new Table("algorithm", "what is said", "by", "where it was looked at", "and so it is");
        claims(true).forEach(claim -> {
            var cell = claim.row(rows).orElseThrow().cell();
            var finding = claim.finding(rows).orElseThrow();
            table.row(
                    "[" + claim.name() + "](" + page(cell.algorithm()) + ")",
                    claim.more().isEmpty() ? claim.words() : claim.words() + " ([more](" + claim.more() + "))",
                    claim.source(),
                    cell.mishap() + ", " + cell.network() + ", " + cell.timingText() + ", " + finding.size(),
                    claim.place().property() + " " + MatrixText.words(finding));
        });
        return table.markdown();
    }
}
