package habemus.election;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Ranking;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The remaining edges of a node in a round of {@link YoYo}, and the ids received over them.
 *
 * @param above the neighbours that send ids
 * @param below the neighbours that get ids
 * @param flipped the neighbours below that sent No: they are above in the next round, and may send its ids early
 * @param received ordered by sender
 */
public record YoYoEdges(NodeSet above, NodeSet below, NodeSet flipped, List<ReceivedId> received) {

    /** An id from a node above. */
    public record ReceivedId(NodeId from, NodeId id) {}

    /** The nodes above that get each verdict. */
    public record Verdicts(NodeSet yes, NodeSet no, NodeSet prune) {}

    public static YoYoEdges of(NodeSet above, NodeSet below) {
        return new YoYoEdges(above, below, NodeSet.NONE, List.of());
    }

    public boolean isEmpty() {
        return above.isEmpty() && below.isEmpty() && flipped.isEmpty();
    }

    public YoYoEdges withReceived(NodeId from, NodeId id) {
        var extended = Stream.concat(received.stream(), Stream.of(new ReceivedId(from, id)));
        return new YoYoEdges(
                above,
                below,
                flipped,
                extended.sorted(Comparator.comparing(ReceivedId::from)).toList());
    }

    public YoYoEdges withoutBelow(NodeId node) {
        return new YoYoEdges(above, below.without(node), flipped, received);
    }

    public YoYoEdges flip(NodeId node) {
        return new YoYoEdges(above, below.without(node), flipped.with(node), received);
    }

    /** The ids of this round, without the early ones of the next round. */
    private List<ReceivedId> idsFromAbove() {
        return received.stream().filter(entry -> above.contains(entry.from)).toList();
    }

    /** The best id from above; at a source its own id. */
    public NodeId best(Ranking ranking, NodeId self) {
        return idsFromAbove().stream()
                .map(ReceivedId::id)
                .reduce((id, other) -> ranking.isBetter(id, other) ? id : other)
                .orElse(self);
    }

    /**
     * Yes to the senders of the best id, unless a node below sent No; No to the others. Of several edges with the same
     * id only one stays. No edge stays if there is no node below and all ids are equal.
     *
     * @param anyYes whether a Yes from one node below outweighs every No
     */
    public Verdicts verdicts(NodeId best, boolean anyYes) {
        boolean isConfirmed =
                flipped.isEmpty() || anyYes && !below.isEmpty(); // after a No or Prune a node is not below
        boolean isUseless = below.isEmpty()
                && flipped.isEmpty()
                && idsFromAbove().stream().allMatch(entry -> entry.id.equals(best));
        var yes = NodeSet.NONE;
        var no = NodeSet.NONE;
        var seenIds = NodeSet.NONE;
        for (ReceivedId entry : idsFromAbove()) {
            boolean isNeeded = !isUseless && !seenIds.contains(entry.id);
            boolean isAgreed = isConfirmed && entry.id.equals(best);
            yes = isNeeded && isAgreed ? yes.with(entry.from) : yes;
            no = isNeeded && !isAgreed ? no.with(entry.from) : no;
            seenIds = seenIds.with(entry.id);
        }
        return new Verdicts(yes, no, above.without(yes).without(no));
    }

    /** The edges of the next round. */
    public YoYoEdges nextRound(Verdicts verdicts) {
        var early =
                received.stream().filter(entry -> flipped.contains(entry.from)).toList();
        return new YoYoEdges(verdicts.yes.with(flipped), below.with(verdicts.no), NodeSet.NONE, early);
    }
}
