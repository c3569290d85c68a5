package habemus.catalogue;

import java.util.function.IntToDoubleFunction;

/**
 * What theory says that something costs.
 *
 * @param formula as it is written in a table
 * @param function the same, to be computed for n nodes
 */
public record CostFormula(Measure measure, String formula, IntToDoubleFunction function) {

    /** What can be measured. Times are in message delays, with every message taking exactly one. */
    public enum Measure {
        MESSAGES_PER_ENTRY("messages an entry"),
        MESSAGES_PER_ENTRY_BEST("messages an entry, nobody else wants in, at least"),
        MESSAGES_PER_ENTRY_WORST("messages an entry, nobody else wants in, at most"),
        MESSAGES_PER_ENTRY_BUSY("messages an entry, everybody wants in"),
        CLIENT_DELAY("from asking to entering, when nobody else wants in"),
        HANDOVER_DELAY("from one node's leaving to the next one's entering"),
        MESSAGES_ONE_CANDIDATE_WORST("messages, one candidate, at most"),
        MESSAGES_ALL_CANDIDATES_BEST("messages, all candidates, at least"),
        MESSAGES_ALL_CANDIDATES_MEAN("messages, all candidates, on average"),
        MESSAGES_ALL_CANDIDATES_WORST("messages, all candidates, at most"),
        MESSAGES_ALL_CANDIDATES_BOUND("messages, all candidates, never more than"),
        MESSAGES_SECOND_BEST_KNOWS("messages, the best is down and the second best, who knows, starts"),
        MESSAGES_LOWEST_STARTS("messages, the best is down and the lowest, who does not know, starts"),
        MESSAGES_UNTIL_ALL_KNOW("messages until all know who leads, one candidate"),
        MESSAGES_PER_HEARTBEAT("messages a beat, while somebody leads"),
        HEARTBEATS_PER_PERIOD("heartbeats a period"),
        MESSAGES_ON_COMPLETE_GRAPH("messages, everybody can talk to everybody"),
        MESSAGES_ON_ORDERED_RING("messages, on a ring in the order of the numbers"),
        MESSAGES_ON_ORDERED_LINE("messages, on a line in the order of the numbers");

        private final String label;

        Measure(String words) {
            this.label = words;
        }

        public String label() {
            return label;
        }
    }
}
