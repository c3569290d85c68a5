package habemus.check.model;

import java.util.List;

/**
 * The moves that are possible after a schedule. Crashes in the middle of a step are left out.
 *
 * @param quiescent whether the run may end here: no move must happen any more
 */
public record PossibleMoves(List<PossibleMove> moves, boolean quiescent) {

    public PossibleMoves {
        moves = List.copyOf(moves);
    }
}
