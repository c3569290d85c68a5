package habemus.check.model;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.ObservableEvent;
import java.util.List;
import java.util.Optional;

/**
 * The faults that last until they are healed: a partition, and paused nodes.
 *
 * @param cut the links that drop messages; empty without a partition
 */
public record ActiveFaults(Optional<Fault.Cut> cut, NodeSet paused) {

    public static final ActiveFaults NONE = new ActiveFaults(Optional.empty(), NodeSet.NONE);

    public boolean separates(NodeId from, NodeId to) {
        return cut.isPresent() && cut.get().separates(from, to);
    }

    /** There is one partition at a time; only an existing one heals, and only a running node pauses. */
    public boolean allows(List<ObservableEvent> events) {
        return events.stream().allMatch(observableEvent -> switch (observableEvent) {
            case ObservableEvent.Partitioned partitioned -> cut.isEmpty();
            case ObservableEvent.Healed(var healed) ->
                cut.isPresent() && cut.get().equals(healed);
            case ObservableEvent.Paused(var node) -> !paused.contains(node);
            case ObservableEvent.Resumed(var node) -> paused.contains(node);
            default -> true;
        });
    }

    public ActiveFaults after(List<ObservableEvent> events) {
        var after = this;
        for (ObservableEvent observableEvent : events) {
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
