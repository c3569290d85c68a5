package habemus.check;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.Happening;
import java.util.List;
import java.util.Optional;

/**
 * What is wrong now, and will be mended: links that are cut, and nodes that stand still.
 *
 * @param cut between whom messages do not arrive
 */
record Trouble(Optional<Fault.Cut> cut, NodeSet paused) {

    static final Trouble NONE = new Trouble(Optional.empty(), NodeSet.NONE);

    boolean separates(NodeId from, NodeId to) {
        return cut.isPresent() && cut.get().separates(from, to);
    }

    /** Links are cut one partition at a time, and only what is cut is mended; who stands still does not stop again. */
    boolean allows(List<Happening> seen) {
        return seen.stream().allMatch(happening -> switch (happening) {
            case Happening.Parted parted -> cut.isEmpty();
            case Happening.Mended(var mended) -> cut.isPresent() && cut.get().equals(mended);
            case Happening.Paused(var node) -> !paused.contains(node);
            case Happening.Resumed(var node) -> paused.contains(node);
            default -> true;
        });
    }

    Trouble after(List<Happening> seen) {
        var after = this;
        for (Happening happening : seen) {
            after = switch (happening) {
                case Happening.Parted(var next) -> new Trouble(Optional.of(next), after.paused);
                case Happening.Mended mended -> new Trouble(Optional.empty(), after.paused);
                case Happening.Paused(var node) -> new Trouble(after.cut, after.paused.with(node));
                case Happening.Resumed(var node) -> new Trouble(after.cut, after.paused.without(node));
                case Happening.Crashed(var node, var asking) -> new Trouble(after.cut, after.paused.without(node));
                default -> after;
            };
        }
        return after;
    }
}
