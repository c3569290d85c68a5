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
 * Reconstructs the transitions of a path from its visited states, which are representatives. It undoes the permutations
 * of node ids, and adds the eager deliveries between two of them.
 */
final class PathReconstruction {

    private final SuccessorGenerator generator;
    private final EagerDelivery eagerDelivery;
    private final SymmetryCanonicalizer canonicalizer;
    private final List<NodeTransition> nodeTransitions = new ArrayList<>();
    private List<Transition> starts = List.of();
    private int[] canonical = {};
    private int[] actual = {};
    private NodePermutation toActual; // from the node ids of the representative to the actual ones

    /** @param generator one without reductions */
    PathReconstruction(SuccessorGenerator generator, EagerDelivery eagerDelivery, SymmetryCanonicalizer canonicalizer) {
        this.generator = generator;
        this.eagerDelivery = eagerDelivery;
        this.canonicalizer = canonicalizer;
        toActual = canonicalizer.permutation(0);
    }

    /** @param representatives the visited states of the path, from an initial state on */
    void follow(List<int[]> representatives) {
        var initialState = generator.initialStates().stream()
                .filter(initial -> reducesTo(initial.state(), representatives.getFirst()))
                .findFirst()
                .orElseThrow();
        starts = initialState.starts();
        actual = initialState.state();
        advance(initialState.state());
        for (int[] next : representatives.subList(1, representatives.size())) {
            var state = findSuccessor(canonical, (nodeTransition, after) -> reducesTo(after, next)).state;
            addTransitionTo(canonicalizer.permuted(toActual, state));
            advance(state);
        }
    }

    /** The start of each node. */
    List<Transition> starts() {
        return starts;
    }

    List<NodeTransition> nodeTransitions() {
        return nodeTransitions;
    }

    /** The violation at the end of the path, with the actual node ids. */
    ViolationCollector.Violation actualViolation(ViolationCollector.Violation violation) {
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
        var after = canonicalizer.permuted(
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
        generator.expand(actual, new SuccessorGenerator.SuccessorVisitor() {
            @Override
            public void onSuccessor(int other, Transition transition, int[] state) {
                // not a failure
            }

            @Override
            public void onFailure(int other, Transition transition) {
                if (other == node && transition.action().equals(action)) {
                    found.add(transition);
                }
            }
        });
        return found.getFirst();
    }

    private boolean reducesTo(int[] state, int[] wanted) {
        var copy = state.clone();
        eagerDelivery.deliverAll(copy);
        canonicalizer.canonicalize(copy);
        return Arrays.equals(copy, wanted);
    }

    /** Reduces a successor of the representative, and adds the eager deliveries to the path. */
    private void advance(int[] state) {
        eagerDelivery.deliverAll(state, after -> addTransitionTo(canonicalizer.permuted(toActual, after)));
        toActual = toActual.after(
                canonicalizer.permutation(canonicalizer.canonicalize(state)).inverse());
        canonical = state;
    }

    private void addTransitionTo(int[] next) {
        nodeTransitions.add(
                findSuccessor(actual, (nodeTransition, state) -> Arrays.equals(state, next)).nodeTransition);
        actual = next;
    }

    private Successor findSuccessor(int[] from, BiPredicate<NodeTransition, int[]> wanted) {
        var found = new ArrayList<Successor>();
        generator.expand(from, new SuccessorGenerator.SuccessorVisitor() {
            @Override
            public void onSuccessor(int node, Transition transition, int[] state) {
                var nodeTransition = new NodeTransition(node, transition);
                if (found.isEmpty() && wanted.test(nodeTransition, state)) {
                    found.add(new Successor(nodeTransition, state.clone()));
                }
            }

            @Override
            public void onFailure(int node, Transition transition) {
                // not on the path
            }
        });
        return found.getFirst();
    }

    /** A transition, and the state after it. */
    private static final class Successor {
        private final NodeTransition nodeTransition;
        private final int[] state;

        private Successor(NodeTransition nodeTransition, int[] state) {
            this.nodeTransition = nodeTransition;
            this.state = state;
        }
    }
}
