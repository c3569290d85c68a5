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
 * @param flipped those who were below and said No: above from the next round on, for which they may be early
 * @param received by number
 */
public record YoYoEdges(NodeSet above, NodeSet below, NodeSet flipped, List<ReceivedId> received) {

    /** An id that came down an edge. */
    public record ReceivedId(NodeId from, NodeId id) {}

    /** Who of those above is told what. */
    public record Verdicts(NodeSet yes, NodeSet no, NodeSet prune) {}

    public static YoYoEdges of(NodeSet above, NodeSet below) {
        return new YoYoEdges(above, below, NodeSet.NONE, List.of());
    }

    public boolean isEmpty() {
        return above.isEmpty() && below.isEmpty() && flipped.isEmpty();
    }

    public YoYoEdges withReceived(NodeId from, NodeId id) {
        var more = Stream.concat(received.stream(), Stream.of(new ReceivedId(from, id)));
        return new YoYoEdges(
                above,
                below,
                flipped,
                more.sorted(Comparator.comparing(ReceivedId::from)).toList());
    }

    public YoYoEdges withoutBelow(NodeId node) {
        return new YoYoEdges(above, below.without(node), flipped, received);
    }

    public YoYoEdges flip(NodeId node) {
        return new YoYoEdges(above, below.without(node), flipped.with(node), received);
    }

    /** What came from above, and not too early. */
    public List<ReceivedId> idsFromAbove() {
        return received.stream().filter(one -> above.contains(one.from)).toList();
    }

    /** The best that came from above; a source has none there. */
    public NodeId best(Ranking ranking, NodeId self) {
        return idsFromAbove().stream()
                .map(ReceivedId::id)
                .reduce((one, other) -> ranking.isBetter(one, other) ? one : other)
                .orElse(self);
    }

    /**
     * Yes to the best unless somebody below said No. Of several edges that brought the same id one is enough, and none
     * is needed where nobody is below and nothing else came.
     */
    public Verdicts verdicts(NodeId best) {
        boolean leaf =
                below.isEmpty() && flipped.isEmpty() && idsFromAbove().stream().allMatch(one -> one.id.equals(best));
        var yes = NodeSet.NONE;
        var no = NodeSet.NONE;
        var seenIds = NodeSet.NONE;
        for (ReceivedId one : idsFromAbove()) {
            boolean needed = !leaf && !seenIds.contains(one.id);
            boolean agreed = flipped.isEmpty() && one.id.equals(best);
            yes = needed && agreed ? yes.with(one.from) : yes;
            no = needed && !agreed ? no.with(one.from) : no;
            seenIds = seenIds.with(one.id);
        }
        return new Verdicts(yes, no, above.without(yes).without(no));
    }

    /** Those of the next round. */
    public YoYoEdges nextRound(Verdicts verdicts) {
        var early = received.stream().filter(one -> flipped.contains(one.from)).toList();
        return new YoYoEdges(verdicts.yes.with(flipped), below.with(verdicts.no), NodeSet.NONE, early);
    }
}
