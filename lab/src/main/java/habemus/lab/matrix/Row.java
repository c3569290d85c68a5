package habemus.lab.matrix;

import habemus.small.SmallWorlds;
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
 * @param key of what it was worked out from
 * @param states how many there are in all its worlds
 * @param whole the largest world that was looked at wholly; nothing if there is none
 */
public record Row(Cell cell, String key, long states, Optional<SmallWorlds.Size> whole, List<Finding> findings) {

    /** What the checker could not be asked, because alarms ring for ever, it has not answered. */
    public Row {
        var all = new ArrayList<>(findings);
        var size = whole.orElse(SmallWorlds.sizes(cell.algorithm()).getFirst());
        for (Property property : Property.of(cell.algorithm().problem())) {
            if (findings.stream().noneMatch(finding -> finding.property().equals(property.toString()))) {
                all.add(new Finding(property.toString(), Outcome.INCOMPLETE, size, Finding.Run.NONE));
            }
        }
        findings = List.copyOf(all);
    }

    public Optional<Finding> find(String property) {
        return findings.stream()
                .filter(finding -> finding.property().equals(property))
                .findFirst();
    }

    /**
     * The worst that was found: what was done that must never be, then that nobody gets on, then what is wrong in the
     * end. Of the properties that its problem is about, and those that the algorithm promises, wherever it does.
     */
    public Optional<Finding> worst() {
        var judged = judged();
        return findings.stream()
                .filter(finding ->
                        Property.find(finding.property()).map(judged::contains).orElse(true))
                .min(Comparator.comparingInt(Row::kindness).thenComparing(Finding.SHORTEST));
    }

    private static int kindness(Finding finding) {
        boolean inTheEnd = Property.find(finding.property())
                .filter(property -> property.when() == Property.When.IN_THE_END)
                .isPresent();
        return switch (finding.outcome()) {
            case VIOLATED -> inTheEnd ? 2 : 0;
            case STUCK -> 1;
            case INCOMPLETE -> 3;
            case HOLDS -> 4;
        };
    }

    private Set<Property> judged() {
        var judged = EnumSet.noneOf(Property.class);
        var setting = cell.variant().setting();
        cell.algorithm().promises().apply(setting).forEach(promise -> judged.addAll(promise.properties()));
        switch (cell.algorithm().problem()) {
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
