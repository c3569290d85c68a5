package habemus.lab.compare;

import habemus.catalogue.Algorithm;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * One algorithm among so many nodes. Times are in units, the time that every message takes.
 *
 * @param soloMessages messages of an entry or election that only one node wants, on average; nothing if they have no end
 * @param contendedMessages messages of an entry or election that everybody wants; nothing if not everybody got in
 * @param clientDelay from asking to entering, when nobody else wants in; of an election from the first call to the
 *     last node's knowing
 * @param handoverDelay from one node's leaving to the next one's entering; nothing of an election
 * @param rounds messages in the longest chain in which each was sent because of the one before it, until the last node
 *     knew; nothing of a mutex
 * @param largestMessage how many numbers and ids the largest message holds
 * @param busiestNodeShare the part of all messages that the busiest node sent or received
 * @param costComparisons what theory says, and whether it is so
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
