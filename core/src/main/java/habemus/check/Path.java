package habemus.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Works out again what happened between the states along a way, of which only the states are kept. */
final class Path {

    private final Expander expander;

    Path(Expander expander) {
        this.expander = expander;
    }

    /** How everybody came up, if the way begins with this state. */
    List<Turn> starts(int[] first) {
        return expander.begin().stream()
                .filter(each -> Arrays.equals(each.state(), first))
                .findFirst()
                .orElseThrow()
                .starts();
    }

    /** @param states each the one after the other */
    List<Move> moves(List<int[]> states) {
        var moves = new ArrayList<Move>();
        for (int i = 1; i < states.size(); i++) {
            moves.add(between(states.get(i - 1), states.get(i)));
        }
        return moves;
    }

    private Move between(int[] from, int[] to) {
        var moves = new ArrayList<Move>();
        expander.expand(from, new Expander.Sink() {
            @Override
            public void next(int node, Turn turn, int[] state) {
                if (Arrays.equals(state, to)) {
                    moves.add(new Move(node, turn));
                }
            }

            @Override
            public void failed(int node, Turn turn) {
                // a run that goes on did not come this way
            }
        });
        return moves.getFirst();
    }
}
