package habemus.check.model;

import habemus.world.Property;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a search found.
 *
 * @param states how many distinct states there are, those beyond the bound not counted
 * @param beyondBound how many distinct states lie just beyond the bound
 * @param transitions how many steps lead from one of the states to another, or to itself
 * @param depth how many steps the longest of the shortest ways takes
 * @param quiescent how many states nothing must come after
 * @param limitsReached what kept the search from looking at everything; empty if it is complete
 * @param bytes about what everything took that was kept: states, the table to find them, and all that states share
 * @param maxBypass how often one who waits is passed at most; {@link Scope#UNBOUNDED} for without end; empty if it is not known
 * @param collisionProbability how likely it is that two states were mistaken for each other, so that one of them was not looked at;
 *     zero unless {@link CheckOptions#hashCompaction}. What is violated is violated all the same
 * @param findings one for each property, then one for each thing that should have been impossible
 * @param reductions by what the states were reduced, so that fewer were counted than there are
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
        List<String> reductions) {

    /** A step that should be impossible. */
    public static final String PROTOCOL_BUG = "protocol-bug";
    /** How the words of a finding end if its run may not be a shortest one. */
    public static final String MAYBE_SHORTER = " (there may be a shorter run)";
    /** A step that came out differently when it was made twice. */
    public static final String IMPURE = "impure";

    /**
     * @param name of the property, or {@link #PROTOCOL_BUG} or {@link #IMPURE}
     * @param verdict open if nothing was found but not everything was looked at
     * @param description what the bug says, or the property; empty if there is nothing to say
     * @param trace to the violation, one step a microsecond; a shortest one, if a single state shows it, unless the words
     *     say otherwise
     * @param schedule with which the run can be played again; empty if there is none
     * @param loopStart after how many steps the rest of the run happens again and again, for ever
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

    public CheckReport {
        limitsReached = List.copyOf(limitsReached);
        findings = List.copyOf(findings);
        reductions = List.copyOf(reductions);
    }

    /** Whether everything was looked at: if states were compacted, but for those {@link #collisionProbability} for others. */
    public boolean isComplete() {
        return limitsReached.isEmpty();
    }

    public Optional<Finding> find(String name) {
        return findings.stream().filter(finding -> finding.name().equals(name)).findFirst();
    }

    /** @throws IllegalArgumentException if it was not checked */
    public Verdict verdict(Property property) {
        return find(property.toString())
                .orElseThrow(() -> new IllegalArgumentException(property + " was not checked"))
                .verdict();
    }

    /** Whether something was violated or impossible. */
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
                reductions);
    }
}
