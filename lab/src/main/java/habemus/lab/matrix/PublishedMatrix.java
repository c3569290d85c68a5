package habemus.lab.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.catalogue.Algorithm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** The matrix of the documentation, {@code docs/matrix.json}, which is shipped with the build. */
public final class PublishedMatrix {

    private PublishedMatrix() {}

    /** The results of all cells of these algorithms, with every option. */
    public static List<MatrixRow> rows(Collection<Algorithm> algorithms) {
        try (var file = Objects.requireNonNull(PublishedMatrix.class.getResourceAsStream("matrix.json"))) {
            return MatrixJson.read(
                    new String(file.readAllBytes(), UTF_8),
                    algorithms.stream()
                            .filter(algorithm -> MatrixRow.PROBLEMS.contains(algorithm.problem()))
                            .flatMap(algorithm -> MatrixCell.allOf(algorithm).stream())
                            .toList());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
