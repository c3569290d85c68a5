package habemus.lab.matrix;

import habemus.smallscope.SmallScopes;
import habemus.world.Property;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A cell that was looked at.
 *
 * @param fingerprint of what it was worked out from
 * @param states how many there are in all its worlds
 * @param largestComplete the largest world that was looked at wholly; nothing if there is none
 */
public record MatrixRow(
        MatrixCell matrixCell,
        String fingerprint,
        long states,
        Optional<SmallScopes.Size> largestComplete,
        List<CellFinding> cellFindings) {

    /** What the checker could not be asked, because alarms ring for ever, it has not answered. */
    public MatrixRow {
        var all = new ArrayList<>(cellFindings);
        var size =
                largestComplete.orElse(SmallScopes.sizes(matrixCell.algorithm()).getFirst());
        for (Property property : Property.of(matrixCell.algorithm().problem())) {
            if (cellFindings.stream()
                    .noneMatch(cellFinding -> cellFinding.property().equals(property.toString()))) {
                all.add(new CellFinding(property.toString(), CellVerdict.INCOMPLETE, size, CellFinding.Run.NONE));
            }
        }
        cellFindings = List.copyOf(all);
    }

    public Optional<CellFinding> find(String property) {
        return cellFindings.stream()
                .filter(cellFinding -> cellFinding.property().equals(property))
                .findFirst();
    }

    /**
     * The worst that was found: what was done that must never be, then that nobody gets on, then what is wrong in the
     * end. Of the properties that its problem is about, and those that the algorithm promises, wherever it does.
     */
    public Optional<CellFinding> worst() {
        var judged = relevantProperties();
        return cellFindings.stream()
                .filter(cellFinding -> Property.find(cellFinding.property())
                        .map(judged::contains)
                        .orElse(true))
                .min(Comparator.comparingInt(MatrixRow::severityRank).thenComparing(CellFinding.SHORTEST_FIRST));
    }

    private static int severityRank(CellFinding cellFinding) {
        boolean inTheEnd = Property.find(cellFinding.property())
                .filter(property -> property.when() == Property.When.EVENTUALLY)
                .isPresent();
        return switch (cellFinding.cellVerdict()) {
            case VIOLATED -> inTheEnd ? 2 : 0;
            case STUCK -> 1;
            case INCOMPLETE -> 3;
            case HOLDS -> 4;
        };
    }

    private Set<Property> relevantProperties() {
        var judged = EnumSet.noneOf(Property.class);
        var algorithmParameters = matrixCell.variant().parameters();
        matrixCell
                .algorithm()
                .guarantees()
                .apply(algorithmParameters)
                .forEach(guarantee -> judged.addAll(guarantee.properties()));
        switch (matrixCell.algorithm().problem()) {
            case MUTEX -> {
                judged.add(Property.MUTUAL_EXCLUSION);
                judged.add(Property.DEADLOCK_FREEDOM);
                judged.add(Property.NO_STARVATION);
            }
            case ELECTION -> {
                judged.add(Property.TERMINATION);
                if (!judged.contains(Property.ONE_LEADER_PER_TERM)) {
                    judged.add(Property.UNIQUENESS); // a term is what is promised in its place
                }
            }
            case DETECTOR -> judged.add(Property.COMPLETENESS);
        }
        return judged;
    }
}
