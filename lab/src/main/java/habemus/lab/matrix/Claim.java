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
 * @param holds whether it is said that the property holds there, rather than that it does not
 * @param stands whether the checker says so too
 * @param more a place in the documentation that says more; may be empty
 */
public record Claim(String name, Place place, boolean holds, boolean stands, String words, String source, String more) {

    /** A property in a cell of an algorithm. */
    public record Place(String network, String timing, String fault, String property) {}

    /** All of them: a line each in {@code claims.txt}. */
    public static List<Claim> all() {
        try (var file = Objects.requireNonNull(Claim.class.getResourceAsStream("claims.txt"))) {
            return new String(file.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Claim::of)
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Claim of(String line) {
        var parts = List.of(line.split("\\|", -1)).stream().map(String::strip).toList();
        if (parts.size() != 10) {
            throw new IllegalArgumentException("a claim has ten parts: " + line);
        }
        return new Claim(
                parts.get(0),
                new Place(parts.get(1), parts.get(2), parts.get(3), parts.get(4)),
                isFirst(parts.get(5), "holds", "fails"),
                isFirst(parts.get(6), "stands", "falls"),
                parts.get(7),
                parts.get(8),
                parts.get(9));
    }

    private static boolean isFirst(String word, String first, String second) {
        if (!word.equals(first) && !word.equals(second)) {
            throw new IllegalArgumentException("'" + word + "' is neither " + first + " nor " + second);
        }
        return word.equals(first);
    }

    /** The cell that it is about. */
    public Optional<Row> row(List<Row> rows) {
        return rows.stream()
                .filter(row -> MatrixText.name(row.cell()).equals(name)
                        && row.cell().network().toString().equals(place.network)
                        && row.cell().timingText().equals(place.timing)
                        && row.cell().mishap().toString().equals(place.fault))
                .findFirst();
    }

    /** What the checker found there. */
    public Optional<Finding> finding(List<Row> rows) {
        return row(rows).flatMap(row -> row.find(place.property));
    }

    /** Whether the checker says what is said here of it: that the claim stands, or that it falls. */
    public boolean isJudgedRightly(List<Row> rows) {
        return finding(rows)
                .filter(finding -> finding.outcome() != Outcome.INCOMPLETE)
                .filter(finding -> ((finding.outcome() == Outcome.HOLDS) == holds) == stands)
                .isPresent();
    }
}
