package habemus.catalogue;

import java.util.function.IntToDoubleFunction;

/**
 * The theoretical cost of an algorithm.
 *
 * @param option the option that turns on the form of the algorithm with this cost; empty for the default form
 * @param parameters of that form
 * @param formula as text for tables, in the number of nodes n
 * @param function computes the formula for n nodes
 */
public record CostFormula(
        Measure measure, String option, AlgorithmParameters parameters, String formula, IntToDoubleFunction function) {

    /** What the formula computes, for tables. */
    public String label() {
        return option.isEmpty() ? measure.label : measure.label + ", " + option;
    }

    /** A cost that can be measured. Delays are in message delays, with every message taking exactly one. */
    public enum Measure {
        MESSAGES_PER_ENTRY("messages per entry"),
        MESSAGES_PER_ENTRY_BEST("messages per entry, no contention, at least"),
        MESSAGES_PER_ENTRY_WORST("messages per entry, no contention, at most"),
        MESSAGES_PER_ENTRY_BUSY("messages per entry, full contention"),
        CLIENT_DELAY("delay from request to entry, no contention"),
        HANDOVER_DELAY("delay from exit to the next entry"),
        MESSAGES_ONE_CANDIDATE_WORST("messages, one candidate, at most"),
        MESSAGES_ALL_CANDIDATES_BEST("messages, all candidates, at least"),
        MESSAGES_ALL_CANDIDATES_MEAN("messages, all candidates, on average"),
        MESSAGES_ALL_CANDIDATES_WORST("messages, all candidates, at most"),
        MESSAGES_ALL_CANDIDATES_BOUND("messages, all candidates, upper bound"),
        MESSAGES_FIRST_ROUND_TRIP("messages of the first round trip, all candidates"),
        MESSAGES_NOT_FORWARDED_BOUND("messages not forwarded, all candidates, upper bound"),
        MESSAGES_SECOND_BEST_KNOWS("messages, the best node is down, the second best knows and starts"),
        MESSAGES_LOWEST_STARTS("messages, the best node is down, the lowest does not know and starts"),
        MESSAGES_UNTIL_ALL_KNOW("messages until all nodes know the leader, one candidate"),
        MESSAGES_PER_HEARTBEAT("messages per heartbeat of a leader"),
        MESSAGES_PER_PROPOSAL("messages per call that proposes, until all nodes have applied it"),
        HEARTBEATS_PER_PERIOD("heartbeats per period"),
        MESSAGES_ON_COMPLETE_GRAPH("messages, on a complete graph"),
        MESSAGES_ON_ORDERED_RING("messages, on a ring in the order of the node numbers"),
        MESSAGES_ON_ORDERED_LINE("messages, on a line in the order of the node numbers");

        private final String label;

        Measure(String words) {
            this.label = words;
        }
    }
}
