package habemus.election;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Ranking;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The edges around a node that are left in a round of {@link YoYo}, and the ids that came down them.
 *
 * @param above those from whom ids come
 * @param below those to whom they go
 * @param turned those who were below and said No: above from the next round on, for which they may be early
 * @param came by number
 */
public record Edges(NodeSet above, NodeSet below, NodeSet turned, List<Came> came) {

    /** An id that came down an edge. */
    public record Came(NodeId from, NodeId id) {}

    /** Who of those above is told what. */
    public record Verdicts(NodeSet yes, NodeSet no, NodeSet prune) {}

    public static Edges of(NodeSet above, NodeSet below) {
        return new Edges(above, below, NodeSet.NONE, List.of());
    }

    public boolean isNone() {
        return above.isEmpty() && below.isEmpty() && turned.isEmpty();
    }

    public Edges came(NodeId from, NodeId id) {
        var more = Stream.concat(came.stream(), Stream.of(new Came(from, id)));
        return new Edges(
                above,
                below,
                turned,
                more.sorted(Comparator.comparing(Came::from)).toList());
    }

    public Edges cut(NodeId node) {
        return new Edges(above, below.without(node), turned, came);
    }

    public Edges turn(NodeId node) {
        return new Edges(above, below.without(node), turned.with(node), came);
    }

    /** What came from above, and not too early. */
    public List<Came> ids() {
        return came.stream().filter(one -> above.contains(one.from)).toList();
    }

    /** The best that came from above; a source has none there. */
    public NodeId best(Ranking ranking, NodeId self) {
        return ids().stream()
                .map(Came::id)
                .reduce((one, other) -> ranking.better(one, other) ? one : other)
                .orElse(self);
    }

    /**
     * Yes to the best unless somebody below said No. Of several edges that brought the same id one is enough, and none
     * is needed where nobody is below and nothing else came.
     */
    public Verdicts verdicts(NodeId best) {
        boolean leaf = below.isEmpty() && turned.isEmpty() && ids().stream().allMatch(one -> one.id.equals(best));
        var yes = NodeSet.NONE;
        var no = NodeSet.NONE;
        var judged = NodeSet.NONE;
        for (Came one : ids()) {
            boolean needed = !leaf && !judged.contains(one.id);
            boolean agreed = turned.isEmpty() && one.id.equals(best);
            yes = needed && agreed ? yes.with(one.from) : yes;
            no = needed && !agreed ? no.with(one.from) : no;
            judged = judged.with(one.id);
        }
        return new Verdicts(yes, no, above.without(yes).without(no));
    }

    /** Those of the next round. */
    public Edges after(Verdicts verdicts) {
        var early = came.stream().filter(one -> turned.contains(one.from)).toList();
        return new Edges(verdicts.yes.with(turned), below.with(verdicts.no), NodeSet.NONE, early);
    }
}
