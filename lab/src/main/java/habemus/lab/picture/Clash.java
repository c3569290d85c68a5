package habemus.lab.picture;

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
record Clash(NodeSet nodes, int from, int to) {

    /** One for each pair of spans that overlap. */
    static List<Clash> in(List<Span> spans) {
        var exclusive =
                spans.stream().filter(span -> span.condition().isExclusive()).toList();
        var clashes = new ArrayList<Clash>();
        for (int i = 0; i < exclusive.size(); i++) {
            // they are in the order in which they begin
            int end = exclusive.get(i).to();
            for (int j = i + 1; j < exclusive.size() && exclusive.get(j).from() < end; j++) {
                between(exclusive.get(i), exclusive.get(j)).ifPresent(clashes::add);
            }
        }
        return List.copyOf(clashes);
    }

    private static Optional<Clash> between(Span one, Span other) {
        int from = Math.max(one.from(), other.from());
        int to = Math.min(one.to(), other.to());
        return from < to && !one.node().equals(other.node())
                ? Optional.of(new Clash(NodeSet.of(one.node(), other.node()), from, to))
                : Optional.empty();
    }
}
