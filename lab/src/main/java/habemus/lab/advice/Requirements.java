package habemus.lab.advice;

import habemus.lab.timeout.TimeoutCost;
import habemus.world.FaultKind;
import habemus.world.Problem;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The system for which an algorithm is sought.
 *
 * @param problem mutual exclusion or election
 * @param faults the kinds of faults that may occur
 * @param timeout the best timeout for the delay of a message, if its distribution is known
 */
public record Requirements(
        Problem problem,
        int nodes,
        Set<FaultKind> faults,
        Optional<TimeoutCost.Evaluation> timeout,
        Set<Priority> priorities) {

    /** The faults that its progress must survive: a single point of failure fails by a crash. */
    Set<FaultKind> progressFaults() {
        return with(faults, priorities.contains(Priority.NO_SINGLE_POINT), FaultKind.CRASH);
    }

    /** The faults that its safety must survive. */
    Set<FaultKind> safetyFaults() {
        return with(progressFaults(), priorities.contains(Priority.SAFE_PAUSE), FaultKind.PAUSE);
    }

    private static Set<FaultKind> with(Set<FaultKind> faults, boolean isAdded, FaultKind fault) {
        var result = EnumSet.noneOf(FaultKind.class);
        result.addAll(faults);
        if (isAdded) {
            result.add(fault);
        }
        return result;
    }

    /** The delay that messages exceed only with the probability of the timeout, in whole milliseconds. */
    Optional<Duration> longestDelay() {
        return timeout.map(best -> Duration.ofMillis((long) Math.ceil(best.millis())));
    }

    /** How many nodes a majority needs. */
    public int majority() {
        return nodes / 2 + 1;
    }
}
