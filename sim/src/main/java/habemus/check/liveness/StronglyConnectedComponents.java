package habemus.check.liveness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The strongly connected components of a part of a graph: from each state of a component one can get to each other
 * without leaving the part. No step leads from a component to one with a higher number.
 */
final class StronglyConnectedComponents {

    private static final int NONE = -1;

    private final Digraph graph;
    private final int[] componentOf;
    private final int[] order;

    private StronglyConnectedComponents(Digraph graph, int[] of, int[] order) {
        this.graph = graph;
        this.componentOf = of;
        this.order = order;
    }

    /** @param part the states that belong to it; steps that leave it do not */
    static StronglyConnectedComponents of(Digraph graph, BitSet part) {
        var tarjan = new Tarjan(graph, part);
        part.stream().forEach(tarjan::searchFrom);
        return new StronglyConnectedComponents(graph, tarjan.componentOf, Arrays.copyOf(tarjan.order, tarjan.finished));
    }

    /**
     * Of a graph without a cycle every state is one.
     *
     * @param order all states, each after those to which it leads
     */
    static StronglyConnectedComponents ofAcyclic(Digraph graph, int[] order) {
        var of = new int[graph.size()];
        Arrays.setAll(of, state -> state);
        return new StronglyConnectedComponents(graph, of, order);
    }

    boolean areTogether(int one, int other) {
        return componentOf[one] != NONE && componentOf[one] == componentOf[other];
    }

    /** All states: each step leads to an earlier one, or one in the same component. */
    int[] order() {
        return order;
    }

    /** The states of each component in which one can walk for ever. */
    List<int[]> cyclicComponents() {
        var cycles = new ArrayList<int[]>();
        for (int from = 0, to; from < order.length; from = to) {
            to = from + 1;
            while (to < order.length && areTogether(order[from], order[to])) {
                to++;
            }
            if (to > from + 1 || hasLoop(order[from])) {
                cycles.add(Arrays.copyOfRange(order, from, to));
            }
        }
        return cycles;
    }

    private boolean hasLoop(int state) {
        for (int step = 0; step < graph.degree(state); step++) {
            if (graph.target(state, step) == state) {
                return true;
            }
        }
        return false;
    }

    /** Tarjan's algorithm, on a stack of its own: ways are longer than the stack of a thread. */
    private static final class Tarjan {

        private final Digraph graph;
        private final BitSet part;
        private final int[] componentOf;
        private final int[] order;
        private int finished;
        private int components;
        private final int[] discovery; // when, from one on; zero if not yet
        private final int[] lowLink; // the first met of those that can be reached from it and are still open
        private final int[] nextStep; // the step to take next
        private final int[] stack; // met, in this order, and the component is not known yet
        private final int[] path; // from the first state to the one at hand
        private int discovered;
        private int stackSize;
        private int pathLength;

        Tarjan(Digraph graph, BitSet part) {
            this.graph = graph;
            this.part = part;
            componentOf = new int[graph.size()];
            Arrays.fill(componentOf, NONE);
            order = new int[part.cardinality()];
            discovery = new int[componentOf.length];
            lowLink = new int[componentOf.length];
            nextStep = new int[componentOf.length];
            stack = new int[order.length];
            path = new int[order.length];
        }

        void searchFrom(int first) {
            if (discovery[first] == 0) {
                discover(first);
            }
            while (pathLength > 0) {
                int state = path[pathLength - 1];
                if (nextStep[state] < graph.degree(state)) {
                    follow(state, graph.target(state, nextStep[state]++));
                } else {
                    finish(state);
                }
            }
        }

        private void discover(int state) {
            discovery[state] = ++discovered;
            lowLink[state] = discovered;
            stack[stackSize++] = state;
            path[pathLength++] = state;
        }

        private void follow(int state, int target) {
            if (!part.get(target)) {
                return;
            }
            if (discovery[target] == 0) {
                discover(target);
            } else if (componentOf[target] == NONE) {
                lowLink[state] = Math.min(lowLink[state], discovery[target]);
            }
        }

        private void finish(int state) {
            pathLength--;
            if (pathLength > 0) {
                int before = path[pathLength - 1];
                lowLink[before] = Math.min(lowLink[before], lowLink[state]);
            }
            if (lowLink[state] == discovery[state]) {
                closeComponent(state);
            }
        }

        private void closeComponent(int root) {
            int state;
            do {
                state = stack[--stackSize];
                componentOf[state] = components;
                order[finished++] = state;
            } while (state != root);
            components++;
        }
    }
}
