package habemus.check.search;

import java.util.SortedMap;
import java.util.TreeMap;

/** The results with which the runs of a program of threads end, each with the first state that shows it. */
final class ResultCollector {

    private final StateSpace stateSpace;
    private final SortedMap<Long, Integer> nearestStates = new TreeMap<>();

    ResultCollector(StateSpace stateSpace) {
        this.stateSpace = stateSpace;
    }

    /** The search visits level after level, so the first state with a result is a nearest one. */
    void add(int[] state, int number) {
        stateSpace.programResult(state).ifPresent(result -> putIfAbsent(result, number));
    }

    private synchronized void putIfAbsent(long result, int number) {
        nearestStates.putIfAbsent(result, number);
    }

    synchronized SortedMap<Long, Integer> nearestStates() {
        return new TreeMap<>(nearestStates);
    }
}
