package habemus.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * Works out again what happened along a way, of which only the states that were met are kept: the letters that hurried
 * in between, and everybody under the name that it had in the beginning.
 */
final class Path {

    private final Expander expander;
    private final Settling settling;
    private final Mirrors mirrors;
    private final List<Move> moves = new ArrayList<>();
    private List<Turn> starts = List.of();
    private int[] met = {};
    private int[] real = {};
    private Renaming back; // from the names in what was met to the real ones

    /** @param expander one that tells every state as it is */
    Path(Expander expander, Settling settling, Mirrors mirrors) {
        this.expander = expander;
        this.settling = settling;
        this.mirrors = mirrors;
        back = mirrors.renaming(0);
    }

    /** @param all that were met, each the one after the other */
    void follow(List<int[]> all) {
        var beginning = expander.begin().stream()
                .filter(each -> becomes(each.state(), all.getFirst()))
                .findFirst()
                .orElseThrow();
        starts = beginning.starts();
        real = beginning.state();
        settle(beginning.state());
        for (int[] next : all.subList(1, all.size())) {
            var state = step(met, (move, each) -> becomes(each, next)).state;
            go(mirrors.renamed(back, state));
            settle(state);
        }
    }

    /** How everybody came up. */
    List<Turn> starts() {
        return starts;
    }

    List<Move> moves() {
        return moves;
    }

    /** What was found at the end of the way, under the real names. */
    Findings.Found last(Findings.Found found) {
        var turn = found.turn();
        if (turn == null || back.changesNothing()) {
            return found;
        }
        int node = back.node(found.node());
        var same = turn.failure() == null ? again(found.node(), turn) : failing(node, back.value(turn.choice()));
        return new Findings.Found(found.name(), found.words(), found.parent(), node, same);
    }

    private Turn again(int node, Turn turn) {
        var after = mirrors.renamed(back, step(met, (move, state) -> move.equals(new Move(node, turn))).state);
        return step(real, (move, state) -> Arrays.equals(state, after)).move.turn();
    }

    private Turn failing(int node, Choice choice) {
        var found = new ArrayList<Turn>();
        expander.expand(real, new Expander.Sink() {
            @Override
            public void next(int who, Turn turn, int[] state) {
                // it went well
            }

            @Override
            public void failed(int who, Turn turn) {
                if (who == node && turn.choice().equals(choice)) {
                    found.add(turn);
                }
            }
        });
        return found.getFirst();
    }

    private boolean becomes(int[] state, int[] wanted) {
        var copy = state.clone();
        settling.settle(copy);
        mirrors.turn(copy);
        return Arrays.equals(copy, wanted);
    }

    /** Goes on to a state, under the names in what was met, and lets hurry what hurried then. */
    private void settle(int[] state) {
        settling.settle(state, each -> go(mirrors.renamed(back, each)));
        back = back.after(mirrors.renaming(mirrors.turn(state)).inverse());
        met = state;
    }

    private void go(int[] next) {
        moves.add(step(real, (move, state) -> Arrays.equals(state, next)).move);
        real = next;
    }

    private Stop step(int[] from, BiPredicate<Move, int[]> wanted) {
        var found = new ArrayList<Stop>();
        expander.expand(from, new Expander.Sink() {
            @Override
            public void next(int node, Turn turn, int[] state) {
                var move = new Move(node, turn);
                if (found.isEmpty() && wanted.test(move, state)) {
                    found.add(new Stop(move, state.clone()));
                }
            }

            @Override
            public void failed(int node, Turn turn) {
                // a run that goes on did not come this way
            }
        });
        return found.getFirst();
    }

    /** A move, and the state after it. */
    private static final class Stop {
        private final Move move;
        private final int[] state;

        private Stop(Move move, int[] state) {
            this.move = move;
            this.state = state;
        }
    }
}
