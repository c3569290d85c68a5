package habemus.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The strongly connected components of a part of a graph: from each state of a component one can get to each other
 * without leaving the part. No step leads from a component to one with a higher number.
 */
final class Components {

    private static final int NONE = -1;

    private final Digraph graph;
    private final int[] of;
    private final int[] order;

    private Components(Digraph graph, int[] of, int[] order) {
        this.graph = graph;
        this.of = of;
        this.order = order;
    }

    /** @param part the states that belong to it; steps that leave it do not */
    static Components of(Digraph graph, BitSet part) {
        var search = new Search(graph, part);
        part.stream().forEach(search::from);
        return new Components(graph, search.of, Arrays.copyOf(search.order, search.done));
    }

    /**
     * Of a graph without a cycle every state is one.
     *
     * @param order all states, each after those to which it leads
     */
    static Components ofAcyclic(Digraph graph, int[] order) {
        var of = new int[graph.size()];
        Arrays.setAll(of, state -> state);
        return new Components(graph, of, order);
    }

    boolean together(int one, int other) {
        return of[one] != NONE && of[one] == of[other];
    }

    /** All states: each step leads to an earlier one, or one in the same component. */
    int[] order() {
        return order;
    }

    /** The states of each component in which one can walk for ever. */
    List<int[]> cycles() {
        var cycles = new ArrayList<int[]>();
        for (int from = 0, to; from < order.length; from = to) {
            to = from + 1;
            while (to < order.length && together(order[from], order[to])) {
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
    private static final class Search {

        private final Digraph graph;
        private final BitSet part;
        private final int[] of;
        private final int[] order;
        private int done;
        private int components;
        private final int[] met; // when, from one on; zero if not yet
        private final int[] low; // the first met of those that can be reached from it and are still open
        private final int[] next; // the step to take next
        private final int[] open; // met, in this order, and the component is not known yet
        private final int[] way; // from the first state to the one at hand
        private int meetings;
        private int opened;
        private int length;

        Search(Digraph graph, BitSet part) {
            this.graph = graph;
            this.part = part;
            of = new int[graph.size()];
            Arrays.fill(of, NONE);
            order = new int[part.cardinality()];
            met = new int[of.length];
            low = new int[of.length];
            next = new int[of.length];
            open = new int[order.length];
            way = new int[order.length];
        }

        void from(int first) {
            if (met[first] == 0) {
                meet(first);
            }
            while (length > 0) {
                int state = way[length - 1];
                if (next[state] < graph.degree(state)) {
                    look(state, graph.target(state, next[state]++));
                } else {
                    leave(state);
                }
            }
        }

        private void meet(int state) {
            met[state] = ++meetings;
            low[state] = meetings;
            open[opened++] = state;
            way[length++] = state;
        }

        private void look(int state, int target) {
            if (!part.get(target)) {
                return;
            }
            if (met[target] == 0) {
                meet(target);
            } else if (of[target] == NONE) {
                low[state] = Math.min(low[state], met[target]);
            }
        }

        private void leave(int state) {
            length--;
            if (length > 0) {
                int before = way[length - 1];
                low[before] = Math.min(low[before], low[state]);
            }
            if (low[state] == met[state]) {
                close(state);
            }
        }

        private void close(int root) {
            int state;
            do {
                state = open[--opened];
                of[state] = components;
                order[done++] = state;
            } while (state != root);
            components++;
        }
    }
}
