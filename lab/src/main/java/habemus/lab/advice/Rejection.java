package habemus.lab.advice;

import habemus.lab.matrix.CellFinding;
import habemus.lab.matrix.MatrixRow;
import java.util.Optional;

/**
 * An algorithm that does not fit.
 *
 * @param evidence a run of the matrix that shows it, if there is one
 */
public record Rejection(AlgorithmForm form, String reason, Optional<Evidence> evidence) {

    /** A cell of the matrix, and what was found there. */
    public record Evidence(MatrixRow row, CellFinding finding) {}
}
