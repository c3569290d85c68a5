package habemus.check.liveness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The strongly connected components of a part of a graph: every state of a component reaches every other one without
 * leaving the part. No edge leads to a component with a higher number.
 */
final class StronglyConnectedComponents {

    private static final int NONE = -1;

    private final Digraph graph;
    private final int[] componentOf;
    private final int[] order;

    private StronglyConnectedComponents(Digraph graph, int[] componentOf, int[] order) {
        this.graph = graph;
        this.componentOf = componentOf;
        this.order = order;
    }

    /** @param part the states of the part; edges that leave it are ignored */
    static StronglyConnectedComponents of(Digraph graph, BitSet part) {
        var tarjan = new Tarjan(graph, part);
        part.stream().forEach(tarjan::searchFrom);
        return new StronglyConnectedComponents(graph, tarjan.componentOf, Arrays.copyOf(tarjan.order, tarjan.finished));
    }

    /**
     * In a graph without cycles every state is a component.
     *
     * @param order all states, each after its successors
     */
    static StronglyConnectedComponents ofAcyclic(Digraph graph, int[] order) {
        var componentOf = new int[graph.size()];
        Arrays.setAll(componentOf, state -> state);
        return new StronglyConnectedComponents(graph, componentOf, order);
    }

    boolean areTogether(int one, int other) {
        return componentOf[one] != NONE && componentOf[one] == componentOf[other];
    }

    /** All states: each edge leads to an earlier one, or to one in the same component. */
    int[] order() {
        return order;
    }

    /** The states of each component that has a cycle. */
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
        for (int edge = 0; edge < graph.degree(state); edge++) {
            if (graph.target(state, edge) == state) {
                return true;
            }
        }
        return false;
    }

    /** Tarjan's algorithm with an explicit stack: paths are longer than the stack of a thread. */
    private static final class Tarjan {

        private final Digraph graph;
        private final BitSet part;
        private final int[] componentOf;
        private final int[] order;
        private int finished;
        private int components;
        private final int[] discovery; // the order of discovery, from 1 on; zero if not discovered
        private final int[] lowLink; // the earliest reachable state on the stack
        private final int[] nextEdge; // the next edge to follow
        private final int[] stack; // discovered states whose component is not known yet
        private final int[] path; // from the first state to the current one
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
            nextEdge = new int[componentOf.length];
            stack = new int[order.length];
            path = new int[order.length];
        }

        void searchFrom(int first) {
            if (discovery[first] == 0) {
                discover(first);
            }
            while (pathLength > 0) {
                int state = path[pathLength - 1];
                if (nextEdge[state] < graph.degree(state)) {
                    follow(state, graph.target(state, nextEdge[state]++));
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
