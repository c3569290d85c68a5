package habemus.lab.compare;

import habemus.catalogue.Algorithm;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The measured costs of one algorithm with a number of nodes. The time unit is the delay of one message.
 *
 * @param soloMessages mean messages of an entry or election that one node requests; empty if messages never end
 * @param contendedMessages messages per entry, or per election, that all nodes request; empty if a request was not
 *     granted
 * @param clientDelay time from an uncontended request to its grant, or from the first campaign until the last node
 *     knows the leader
 * @param handoverDelay time from a release to the next grant; empty for elections
 * @param rounds length of the longest chain of messages, each caused by the one before it, until the last node knows
 *     the leader; empty for mutual exclusion
 * @param largestMessage number of values in the largest message
 * @param busiestNodeShare the share of all messages that the busiest node sent or received, from 0 to 1
 * @param costComparisons theoretical and measured costs
 */
public record ComparisonRow(
        Algorithm algorithm,
        int nodes,
        OptionalDouble soloMessages,
        Optional<SampleMean> contendedMessages,
        double clientDelay,
        OptionalDouble handoverDelay,
        OptionalInt rounds,
        int largestMessage,
        double busiestNodeShare,
        List<CostComparison> costComparisons) {

    public boolean agrees() {
        return costComparisons.stream().allMatch(CostComparison::agrees);
    }
}
