package habemus.check;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** Walks once more along states of which only the numbers are known, because they were compacted. */
final class Trail {

    private final Expander expander;
    private final ToIntFunction<int[]> find;

    /** @param find the number of a state that was met */
    Trail(Expander expander, ToIntFunction<int[]> find) {
        this.expander = expander;
        this.find = find;
    }

    /** @param numbers of states, each the one after the other, from a beginning on */
    List<int[]> states(List<Integer> numbers) {
        var states = new ArrayList<int[]>();
        states.add(expander.begin().stream()
                .map(Expander.Beginning::state)
                .peek(expander::reduce)
                .filter(state -> find.applyAsInt(state) == numbers.getFirst())
                .findFirst()
                .orElseThrow());
        for (int number : numbers.subList(1, numbers.size())) {
            states.add(next(states.getLast(), number));
        }
        return states;
    }

    private int[] next(int[] from, int number) {
        var found = new ArrayList<int[]>();
        expander.expand(from, new Expander.Sink() {
            @Override
            public void next(int node, Turn turn, int[] state) {
                if (found.isEmpty() && find.applyAsInt(state) == number) {
                    found.add(state.clone());
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
