package habemus.lab.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A claim of a textbook or paper about an algorithm, and the cell of the matrix that tests it.
 *
 * @param name the algorithm, with its option if it has one
 * @param claimsHolds whether the claim is that the property holds, or that it fails
 * @param confirmed whether the checker agrees
 * @param link a link into the documentation; may be empty
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

    /** All claims, one for each line of {@code claims.txt}. */
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
            throw new IllegalArgumentException("a claim must have ten columns: " + line);
        }
        return new TextbookClaim(
                parts.get(0),
                new Location(parts.get(1), parts.get(2), parts.get(3), parts.get(4)),
                parseFlag(parts.get(5), "holds", "fails"),
                parseFlag(parts.get(6), "confirmed", "refuted"),
                parts.get(7),
                parts.get(8),
                parts.get(9));
    }

    private static boolean parseFlag(String word, String first, String second) {
        if (!word.equals(first) && !word.equals(second)) {
            throw new IllegalArgumentException("flag must be " + first + " or " + second + ", was '" + word + "'");
        }
        return word.equals(first);
    }

    /** The result of the cell that tests the claim. */
    public Optional<MatrixRow> row(List<MatrixRow> rows) {
        return rows.stream()
                .filter(row -> MatrixText.name(row.cell()).equals(name)
                        && row.cell().network().toString().equals(location.network)
                        && row.cell().timingName().equals(location.timing)
                        && row.cell().faultScenario().toString().equals(location.fault))
                .findFirst();
    }

    /** The checker's finding on the claimed property. */
    public Optional<CellFinding> finding(List<MatrixRow> rows) {
        return row(rows).flatMap(row -> row.find(location.property));
    }

    /** Whether the finding confirms or refutes the claim as recorded here. */
    public boolean isConsistentWith(List<MatrixRow> rows) {
        return finding(rows)
                .filter(finding ->
                        finding.verdict() != CellVerdict.INCOMPLETE && finding.verdict() != CellVerdict.MEASURED)
                .filter(finding -> ((finding.verdict() == CellVerdict.HOLDS) == claimsHolds) == confirmed)
                .isPresent();
    }
}
