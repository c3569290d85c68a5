package habemus.check.counterexample;

import habemus.check.model.Action;
import habemus.check.model.NodePermutation;
import habemus.check.reduction.EagerDelivery;
import habemus.check.reduction.SymmetryCanonicalizer;
import habemus.check.search.SuccessorGenerator;
import habemus.check.search.ViolationCollector;
import habemus.check.store.NodeTransition;
import habemus.check.store.Transition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * Works out again what happened along a way, of which only the states that were met are kept: the letters that hurried
 * in between, and everybody under the name that it had in the beginning.
 */
public final class PathReconstruction {

    private final SuccessorGenerator successorGenerator;
    private final EagerDelivery eagerDelivery;
    private final SymmetryCanonicalizer symmetryCanonicalizer;
    private final List<NodeTransition> nodeTransitions = new ArrayList<>();
    private List<Transition> starts = List.of();
    private int[] canonical = {};
    private int[] actual = {};
    private NodePermutation toActual; // from the names in what was met to the real ones

    /** @param successorGenerator one that tells every state as it is */
    public PathReconstruction(
            SuccessorGenerator successorGenerator,
            EagerDelivery eagerDelivery,
            SymmetryCanonicalizer symmetryCanonicalizer) {
        this.successorGenerator = successorGenerator;
        this.eagerDelivery = eagerDelivery;
        this.symmetryCanonicalizer = symmetryCanonicalizer;
        toActual = symmetryCanonicalizer.permutation(0);
    }

    /** @param all that were met, each the one after the other */
    public void follow(List<int[]> all) {
        var initialState = successorGenerator.initialStates().stream()
                .filter(each -> reducesTo(each.state(), all.getFirst()))
                .findFirst()
                .orElseThrow();
        starts = initialState.starts();
        actual = initialState.state();
        advance(initialState.state());
        for (int[] next : all.subList(1, all.size())) {
            var state = findSuccessor(canonical, (nodeTransition, each) -> reducesTo(each, next)).state;
            addTransitionTo(symmetryCanonicalizer.permuted(toActual, state));
            advance(state);
        }
    }

    /** How everybody came up. */
    public List<Transition> starts() {
        return starts;
    }

    public List<NodeTransition> nodeTransitions() {
        return nodeTransitions;
    }

    /** What was found at the end of the way, under the real names. */
    public ViolationCollector.Violation actualViolation(ViolationCollector.Violation violation) {
        var transition = violation.transition();
        if (transition == null || toActual.isIdentity()) {
            return violation;
        }
        int node = toActual.node(violation.node());
        var same = transition.failure() == null
                ? actualTransition(violation.node(), transition)
                : failingTransition(node, toActual.permuted(transition.action()));
        return new ViolationCollector.Violation(
                violation.name(), violation.description(), violation.parent(), node, same);
    }

    private Transition actualTransition(int node, Transition transition) {
        var after = symmetryCanonicalizer.permuted(
                toActual,
                findSuccessor(
                                canonical,
                                (nodeTransition, state) -> nodeTransition.equals(new NodeTransition(node, transition)))
                        .state);
        return findSuccessor(actual, (nodeTransition, state) -> Arrays.equals(state, after))
                .nodeTransition
                .transition();
    }

    private Transition failingTransition(int node, Action action) {
        var found = new ArrayList<Transition>();
        successorGenerator.expand(actual, new SuccessorGenerator.SuccessorVisitor() {
            @Override
            public void onSuccessor(int who, Transition transition, int[] state) {
                // it went well
            }

            @Override
            public void onFailure(int who, Transition transition) {
                if (who == node && transition.action().equals(action)) {
                    found.add(transition);
                }
            }
        });
        return found.getFirst();
    }

    private boolean reducesTo(int[] state, int[] wanted) {
        var copy = state.clone();
        eagerDelivery.deliverAll(copy);
        symmetryCanonicalizer.canonicalize(copy);
        return Arrays.equals(copy, wanted);
    }

    /** Goes on to a state, under the names in what was met, and lets hurry what hurried then. */
    private void advance(int[] state) {
        eagerDelivery.deliverAll(state, each -> addTransitionTo(symmetryCanonicalizer.permuted(toActual, each)));
        toActual = toActual.after(symmetryCanonicalizer
                .permutation(symmetryCanonicalizer.canonicalize(state))
                .inverse());
        canonical = state;
    }

    private void addTransitionTo(int[] next) {
        nodeTransitions.add(
                findSuccessor(actual, (nodeTransition, state) -> Arrays.equals(state, next)).nodeTransition);
        actual = next;
    }

    private Successor findSuccessor(int[] from, BiPredicate<NodeTransition, int[]> wanted) {
        var found = new ArrayList<Successor>();
        successorGenerator.expand(from, new SuccessorGenerator.SuccessorVisitor() {
            @Override
            public void onSuccessor(int node, Transition transition, int[] state) {
                var nodeTransition = new NodeTransition(node, transition);
                if (found.isEmpty() && wanted.test(nodeTransition, state)) {
                    found.add(new Successor(nodeTransition, state.clone()));
                }
            }

            @Override
            public void onFailure(int node, Transition transition) {
                // a run that goes on did not come this way
            }
        });
        return found.getFirst();
    }

    /** A move, and the state after it. */
    private static final class Successor {
        private final NodeTransition nodeTransition;
        private final int[] state;

        private Successor(NodeTransition nodeTransition, int[] state) {
            this.nodeTransition = nodeTransition;
            this.state = state;
        }
    }
}
