package habemus.check.model;

import habemus.world.Property;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The result of a check.
 *
 * @param states the number of distinct states within the bound
 * @param beyondBound the number of distinct states directly beyond the bound
 * @param transitions the number of transitions between the states, those to the same state included
 * @param depth the number of transitions to the most distant state within the bound
 * @param quiescent the number of states in which a run may end
 * @param limitsReached why the check is incomplete; empty if it is complete
 * @param bytes the approximate memory of all tables: the visited states and the parts that states share
 * @param maxBypass the most entries of other nodes while one node waits; {@link Scope#UNBOUNDED} for no bound; empty if
 *     it is unknown
 * @param collisionProbability the probability that two states had the same hash, so that one of them was not expanded;
 *     zero unless {@link CheckOptions#hashCompaction}. A violation is real in any case
 * @param findings one for each property, then one for each kind of failed step
 * @param reductions the reductions that applied: the state space has more states than were counted
 * @param programResults the values with which a program of threads ends, smallest first; empty for other problems
 */
public record CheckReport(
        long states,
        long beyondBound,
        long transitions,
        int depth,
        long quiescent,
        List<String> limitsReached,
        long bytes,
        OptionalInt maxBypass,
        double collisionProbability,
        List<Finding> findings,
        List<String> reductions,
        List<ProgramResult> programResults) {

    /** The name of the finding that a step threw {@link habemus.protocol.ProtocolBug}. */
    public static final String PROTOCOL_BUG = "protocol-bug";
    /** Ends the description of a finding whose trace may not be a shortest one. */
    public static final String MAYBE_SHORTER = " (there may be a shorter run)";
    /** The limit of a search that stopped because every property is decided. */
    public static final String ALL_DECIDED = "every property is decided";
    /** The limit of a search that stopped at a violation. */
    public static final String FIRST_VIOLATION = "at the first property that is not true";
    /** The name of the finding that a step gave two results. */
    public static final String IMPURE = "impure";

    /**
     * @param name the name of the property, or {@link #PROTOCOL_BUG} or {@link #IMPURE}
     * @param verdict open if there is no violation, but the check is incomplete; or if there is no bound of bypasses
     * @param description the message of the failure, or the violated property; may be empty
     * @param trace a run to the violation, one move a microsecond. If a single state shows the violation, it is a
     *     shortest run unless the description says otherwise
     * @param schedule the moves of the run; empty if there is none
     * @param loopStart the number of moves before the part that repeats forever
     */
    public record Finding(
            String name,
            Verdict verdict,
            String description,
            List<TraceEvent> trace,
            Schedule schedule,
            OptionalInt loopStart) {

        public Finding {
            trace = List.copyOf(trace);
        }
    }

    /**
     * A value with which a run of a program of threads ends.
     *
     * @param trace a run to it: a shortest one, unless the search was reduced
     */
    public record ProgramResult(long value, List<TraceEvent> trace, Schedule schedule) {

        public ProgramResult {
            trace = List.copyOf(trace);
        }
    }

    public CheckReport {
        limitsReached = List.copyOf(limitsReached);
        findings = List.copyOf(findings);
        reductions = List.copyOf(reductions);
        programResults = List.copyOf(programResults);
    }

    /** Whether all states were expanded; with hash compaction, up to the {@link #collisionProbability}. */
    public boolean isComplete() {
        return limitsReached.isEmpty();
    }

    public Optional<Finding> find(String name) {
        return findings.stream().filter(finding -> finding.name().equals(name)).findFirst();
    }

    /** @throws IllegalArgumentException if the property was not checked */
    public Verdict verdict(Property property) {
        return find(property.toString())
                .orElseThrow(() -> new IllegalArgumentException(property + " was not checked"))
                .verdict();
    }

    /** Whether a property is violated or a step failed. */
    public boolean hasViolation() {
        return findings.stream().anyMatch(finding -> finding.verdict() == Verdict.VIOLATED);
    }

    public CheckReport withFindings(List<Finding> next) {
        return new CheckReport(
                states,
                beyondBound,
                transitions,
                depth,
                quiescent,
                limitsReached,
                bytes,
                maxBypass,
                collisionProbability,
                next,
                reductions,
                programResults);
    }
}
