package habemus.lab.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What is said of an algorithm in textbooks, and where the matrix tells whether it is so.
 *
 * @param name of the algorithm, with its option if it has one
 * @param claimsHolds whether it is said that the property holds there, rather than that it does not
 * @param confirmed whether the checker says so too
 * @param link a place in the documentation that says more; may be empty
 */
public record TextbookClaim(
        String name,
        Location location,
        boolean claimsHolds,
        boolean confirmed,
        String statement,
        String source,
        String link) {

    /** A property in a cell of an algorithm. */
    public record Location(String network, String timing, String fault, String property) {}

    /** All of them: a line each in {@code claims.txt}. */
    public static List<TextbookClaim> all() {
        try (var file = Objects.requireNonNull(TextbookClaim.class.getResourceAsStream("claims.txt"))) {
            return new String(file.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(TextbookClaim::of)
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static TextbookClaim of(String line) {
        var parts = List.of(line.split("\\|", -1)).stream().map(String::strip).toList();
        if (parts.size() != 10) {
            throw new IllegalArgumentException("a claim has ten parts: " + line);
        }
        return new TextbookClaim(
                parts.get(0),
                new Location(parts.get(1), parts.get(2), parts.get(3), parts.get(4)),
                parseFlag(parts.get(5), "holds", "fails"),
                parseFlag(parts.get(6), "stands", "falls"),
                parts.get(7),
                parts.get(8),
                parts.get(9));
    }

    private static boolean parseFlag(String word, String first, String second) {
        if (!word.equals(first) && !word.equals(second)) {
            throw new IllegalArgumentException("'" + word + "' is neither " + first + " nor " + second);
        }
        return word.equals(first);
    }

    /** The cell that it is about. */
    public Optional<MatrixRow> row(List<MatrixRow> matrixRows) {
        return matrixRows.stream()
                .filter(matrixRow -> MatrixText.name(matrixRow.matrixCell()).equals(name)
                        && matrixRow.matrixCell().networkModel().toString().equals(location.network)
                        && matrixRow.matrixCell().timingName().equals(location.timing)
                        && matrixRow.matrixCell().faultScenario().toString().equals(location.fault))
                .findFirst();
    }

    /** What the checker found there. */
    public Optional<CellFinding> finding(List<MatrixRow> matrixRows) {
        return row(matrixRows).flatMap(matrixRow -> matrixRow.find(location.property));
    }

    /** Whether the checker says what is said here of it: that the claim stands, or that it falls. */
    public boolean isConsistentWith(List<MatrixRow> matrixRows) {
        return finding(matrixRows)
                .filter(cellFinding -> cellFinding.cellVerdict() != CellVerdict.INCOMPLETE)
                .filter(cellFinding -> ((cellFinding.cellVerdict() == CellVerdict.HOLDS) == claimsHolds) == confirmed)
                .isPresent();
    }
}
