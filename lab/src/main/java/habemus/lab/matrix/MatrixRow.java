package habemus.lab.matrix;

import habemus.smallscope.SmallScopes;
import habemus.world.Problem;
import habemus.world.Property;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The result of a cell.
 *
 * @param fingerprint hash of the sources that determine the result
 * @param states number of states in all scopes
 * @param largestComplete the largest scope that was checked completely; empty if there is none
 */
public record MatrixRow(
        MatrixCell cell,
        String fingerprint,
        long states,
        Optional<SmallScopes.Size> largestComplete,
        List<CellFinding> findings) {

    /** The problems of the matrix. Logs and threads have small worlds of their own: docs/raft.md. */
    public static final List<Problem> PROBLEMS = List.of(Problem.MUTEX, Problem.ELECTION, Problem.DETECTOR);

    /** Adds {@code INCOMPLETE} for properties that could not be checked because timers never end. */
    public MatrixRow {
        var all = new ArrayList<>(findings);
        var size = largestComplete.orElse(cell.sizes().getFirst());
        for (Property property : Property.of(cell.algorithm().problem())) {
            if (findings.stream().noneMatch(finding -> finding.property().equals(property.toString()))) {
                all.add(new CellFinding(property.toString(), CellVerdict.INCOMPLETE, size, CellFinding.Run.NONE));
            }
        }
        findings = List.copyOf(all);
    }

    /** The largest world that was checked completely. */
    String checkedWorld() {
        return largestComplete.map(cell::describe).orElse("partly");
    }

    public Optional<CellFinding> find(String property) {
        return findings.stream()
                .filter(finding -> finding.property().equals(property))
                .findFirst();
    }

    /**
     * The worst finding: safety violations first, then blocked nodes, then wrong final states. Only the properties that
     * define the problem count, and those that the algorithm guarantees under some conditions.
     */
    public Optional<CellFinding> worst() {
        var relevant = relevantProperties();
        return findings.stream()
                .filter(finding -> Property.find(finding.property())
                        .map(relevant::contains)
                        .orElse(true))
                .min(Comparator.comparingInt(MatrixRow::severityRank).thenComparing(CellFinding.SHORTEST_FIRST));
    }

    private static int severityRank(CellFinding finding) {
        boolean eventual = Property.find(finding.property())
                .filter(property -> property.when() == Property.When.EVENTUALLY)
                .isPresent();
        return switch (finding.verdict()) {
            case VIOLATED -> eventual ? 2 : 0;
            case STUCK -> 1;
            case INCOMPLETE -> 3;
            case HOLDS, MEASURED -> 4;
        };
    }

    private Set<Property> relevantProperties() {
        var parameters = cell.variant().parameters();
        var relevant = EnumSet.copyOf(cell.algorithm().essentialProperties(parameters));
        cell.algorithm().guarantees().apply(parameters).forEach(guarantee -> relevant.addAll(guarantee.properties()));
        return relevant;
    }
}
