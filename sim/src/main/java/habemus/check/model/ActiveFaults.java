package habemus.check.model;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.ObservableEvent;
import java.util.List;
import java.util.Optional;

/**
 * What is wrong now, and will be mended: links that are cut, and nodes that stand still.
 *
 * @param cut between whom messages do not arrive
 */
public record ActiveFaults(Optional<Fault.Cut> cut, NodeSet paused) {

    public static final ActiveFaults NONE = new ActiveFaults(Optional.empty(), NodeSet.NONE);

    public boolean separates(NodeId from, NodeId to) {
        return cut.isPresent() && cut.get().separates(from, to);
    }

    /** Links are cut one partition at a time, and only what is cut is mended; who stands still does not stop again. */
    public boolean allows(List<ObservableEvent> seen) {
        return seen.stream().allMatch(observableEvent -> switch (observableEvent) {
            case ObservableEvent.Partitioned partitioned -> cut.isEmpty();
            case ObservableEvent.Healed(var mended) ->
                cut.isPresent() && cut.get().equals(mended);
            case ObservableEvent.Paused(var node) -> !paused.contains(node);
            case ObservableEvent.Resumed(var node) -> paused.contains(node);
            default -> true;
        });
    }

    public ActiveFaults after(List<ObservableEvent> seen) {
        var after = this;
        for (ObservableEvent observableEvent : seen) {
            after = switch (observableEvent) {
                case ObservableEvent.Partitioned(var next) -> new ActiveFaults(Optional.of(next), after.paused);
                case ObservableEvent.Healed healed -> new ActiveFaults(Optional.empty(), after.paused);
                case ObservableEvent.Paused(var node) -> new ActiveFaults(after.cut, after.paused.with(node));
                case ObservableEvent.Resumed(var node) -> new ActiveFaults(after.cut, after.paused.without(node));
                case ObservableEvent.Crashed(var node, var asking) ->
                    new ActiveFaults(after.cut, after.paused.without(node));
                default -> after;
            };
        }
        return after;
    }
}
