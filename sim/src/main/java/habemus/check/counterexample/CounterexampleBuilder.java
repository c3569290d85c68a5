package habemus.check.counterexample;

import habemus.check.model.Schedule;
import habemus.check.search.SearchResult;
import habemus.check.search.ViolationCollector;
import habemus.check.store.NodeTransition;
import java.util.ArrayList;
import java.util.List;

/** Builds the schedule of a run from the visited states of a search. */
public final class CounterexampleBuilder {

    private final SearchResult result;

    public CounterexampleBuilder(SearchResult result) {
        this.result = result;
    }

    /**
     * The schedule of a shortest path to a violation.
     *
     * @param continuation what happens after the path, before the transition of the violation
     */
    public Schedule schedule(ViolationCollector.Violation violation, List<NodeTransition> continuation) {
        var stateSpace = result.stateSpace();
        var path =
                new PathReconstruction(stateSpace.successors(), stateSpace.eagerDelivery(), stateSpace.canonicalizer());
        path.follow(statesTo(violation.parent()));
        var nodeTransitions = new ArrayList<>(path.nodeTransitions());
        nodeTransitions.addAll(continuation);
        var actual = path.actualViolation(violation);
        if (actual.transition() != null) {
            nodeTransitions.add(new NodeTransition(actual.node(), actual.transition()));
        }
        return new InFlightLedger(stateSpace.nodeSemantics(), stateSpace.localStates())
                .scheduleOf(path.starts(), nodeTransitions);
    }

    private List<int[]> statesTo(int last) {
        var numbers = result.pathTo(last);
        return result.stateSpace().scope().options().hashCompaction()
                ? new CompactedPath(result.stateSpace().reducedSuccessors(), result::find).states(numbers)
                : numbers.stream().map(result::read).toList();
    }
}
