package habemus.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/** Works out again what happened along a way, of which only the states that were met are kept. */
final class Path {

    private final Expander expander;
    private final Settling settling;

    /** @param expander one that does not settle */
    Path(Expander expander, Settling settling) {
        this.expander = expander;
        this.settling = settling;
    }

    /** How everybody came up, if this is the first state that was met. */
    List<Turn> starts(int[] first) {
        return beginning(first).starts();
    }

    private Expander.Beginning beginning(int[] first) {
        return expander.begin().stream()
                .filter(each -> settlesTo(each.state(), first))
                .findFirst()
                .orElseThrow();
    }

    /** @param met each the one after the other */
    List<Move> moves(List<int[]> met) {
        var states = new ArrayList<>(settled(beginning(met.getFirst()).state()));
        for (int i = 1; i < met.size(); i++) {
            var to = met.get(i);
            states.addAll(settled(find(met.get(i - 1), state -> settlesTo(state, to)).state));
        }
        var moves = new ArrayList<Move>();
        for (int i = 1; i < states.size(); i++) {
            var to = states.get(i);
            moves.add(find(states.get(i - 1), state -> Arrays.equals(state, to)).move);
        }
        return moves;
    }

    private boolean settlesTo(int[] state, int[] to) {
        return Arrays.equals(settled(state).getLast(), to);
    }

    /** The state, and what becomes of it letter by letter. */
    private List<int[]> settled(int[] state) {
        var states = new ArrayList<>(List.of(state.clone()));
        settling.settle(state.clone(), each -> states.add(each.clone()));
        return states;
    }

    /** A move, and the state after it. */
    private static final class Found {
        private final Move move;
        private final int[] state;

        private Found(Move move, int[] state) {
            this.move = move;
            this.state = state;
        }
    }

    private Found find(int[] from, Predicate<int[]> wanted) {
        var found = new ArrayList<Found>();
        expander.expand(from, new Expander.Sink() {
            @Override
            public void next(int node, Turn turn, int[] state) {
                if (found.isEmpty() && wanted.test(state)) {
                    found.add(new Found(new Move(node, turn), state.clone()));
                }
            }

            @Override
            public void failed(int node, Turn turn) {
                // a run that goes on did not come this way
            }
        });
        return found.getFirst();
    }
}
