package habemus.lab.diagram.model;

import habemus.protocol.NodeSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Two nodes that hold the lock, or lead, at the same time.
 *
 * @param from the index of the event that started the overlap
 * @param to the index of the event that ended it; the number of events if none did
 */
public record OverlapInterval(NodeSet nodes, int from, int to) {

    /**
     * One for each pair of exclusive intervals that overlap.
     *
     * @param perTerm whether leaders exclude each other only in one term, as in a replicated log
     */
    static List<OverlapInterval> of(List<ConditionInterval> intervals, boolean perTerm) {
        var exclusive = intervals.stream()
                .filter(interval -> interval.condition().isExclusive())
                .toList();
        var overlaps = new ArrayList<OverlapInterval>();
        for (int i = 0; i < exclusive.size(); i++) {
            // intervals are ordered by their start
            int end = exclusive.get(i).to();
            for (int j = i + 1; j < exclusive.size() && exclusive.get(j).from() < end; j++) {
                if (!perTerm || hasSameTerm(exclusive.get(i), exclusive.get(j))) {
                    overlap(exclusive.get(i), exclusive.get(j)).ifPresent(overlaps::add);
                }
            }
        }
        return List.copyOf(overlaps);
    }

    private static boolean hasSameTerm(ConditionInterval first, ConditionInterval second) {
        return first.condition() instanceof NodeCondition.Leading(var term)
                && second.condition() instanceof NodeCondition.Leading(var other)
                && term == other;
    }

    private static Optional<OverlapInterval> overlap(ConditionInterval first, ConditionInterval second) {
        int from = Math.max(first.from(), second.from());
        int to = Math.min(first.to(), second.to());
        return from < to && !first.node().equals(second.node())
                ? Optional.of(new OverlapInterval(NodeSet.of(first.node(), second.node()), from, to))
                : Optional.empty();
    }
}
