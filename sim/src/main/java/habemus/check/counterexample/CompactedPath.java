package habemus.check.counterexample;

import habemus.check.search.SuccessorGenerator;
import habemus.check.store.Transition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** Expands the states of a path again that hash compaction released: only their numbers are known. */
final class CompactedPath {

    private final SuccessorGenerator generator;
    private final ToIntFunction<int[]> find;

    /** @param find the number of a visited state */
    CompactedPath(SuccessorGenerator generator, ToIntFunction<int[]> find) {
        this.generator = generator;
        this.find = find;
    }

    /** @param numbers of the states, from an initial state on */
    List<int[]> states(List<Integer> numbers) {
        var states = new ArrayList<int[]>();
        states.add(generator.initialStates().stream()
                .map(SuccessorGenerator.InitialState::state)
                .peek(generator::reduce)
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
        generator.expand(from, new SuccessorGenerator.SuccessorVisitor() {
            @Override
            public void onSuccessor(int node, Transition transition, int[] state) {
                if (found.isEmpty() && find.applyAsInt(state) == number) {
                    found.add(state.clone());
                }
            }

            @Override
            public void onFailure(int node, Transition transition) {
                // not on the path
            }
        });
        return found.getFirst();
    }
}
