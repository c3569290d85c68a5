package habemus.check.counterexample;

import habemus.check.search.SuccessorGenerator;
import habemus.check.store.Transition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** Walks once more along states of which only the numbers are known, because they were compacted. */
public final class CompactedPath {

    private final SuccessorGenerator successorGenerator;
    private final ToIntFunction<int[]> find;

    /** @param find the number of a state that was met */
    public CompactedPath(SuccessorGenerator successorGenerator, ToIntFunction<int[]> find) {
        this.successorGenerator = successorGenerator;
        this.find = find;
    }

    /** @param numbers of states, each the one after the other, from a beginning on */
    public List<int[]> states(List<Integer> numbers) {
        var states = new ArrayList<int[]>();
        states.add(successorGenerator.initialStates().stream()
                .map(SuccessorGenerator.InitialState::state)
                .peek(successorGenerator::reduce)
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
        successorGenerator.expand(from, new SuccessorGenerator.SuccessorVisitor() {
            @Override
            public void onSuccessor(int node, Transition transition, int[] state) {
                if (found.isEmpty() && find.applyAsInt(state) == number) {
                    found.add(state.clone());
                }
            }

            @Override
            public void onFailure(int node, Transition transition) {
                // a run that goes on did not come this way
            }
        });
        return found.getFirst();
    }
}
