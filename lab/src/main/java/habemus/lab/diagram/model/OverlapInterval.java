package habemus.lab.diagram.model;

import habemus.protocol.NodeSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * While several nodes are inside, or lead, at the same time.
 *
 * @param from the index of the line that made them several
 * @param to the index of the line that ended it; the number of lines if it lasts
 */
public record OverlapInterval(NodeSet nodes, int from, int to) {

    /** One for each pair of spans that overlap. */
    static List<OverlapInterval> of(List<ConditionInterval> conditionIntervals) {
        var exclusive = conditionIntervals.stream()
                .filter(conditionInterval -> conditionInterval.nodeCondition().isExclusive())
                .toList();
        var overlapIntervals = new ArrayList<OverlapInterval>();
        for (int i = 0; i < exclusive.size(); i++) {
            // they are in the order in which they begin
            int end = exclusive.get(i).to();
            for (int j = i + 1; j < exclusive.size() && exclusive.get(j).from() < end; j++) {
                overlap(exclusive.get(i), exclusive.get(j)).ifPresent(overlapIntervals::add);
            }
        }
        return List.copyOf(overlapIntervals);
    }

    private static Optional<OverlapInterval> overlap(ConditionInterval one, ConditionInterval other) {
        int from = Math.max(one.from(), other.from());
        int to = Math.min(one.to(), other.to());
        return from < to && !one.node().equals(other.node())
                ? Optional.of(new OverlapInterval(NodeSet.of(one.node(), other.node()), from, to))
                : Optional.empty();
    }
}
