package habemus.check.model;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.MembershipHistory;
import habemus.world.MembershipHistory.ViewChange;
import habemus.world.ObservableEvent;
import java.util.List;
import java.util.Optional;

/**
 * What lasts in a run: a partition, paused nodes, and the changes of the membership.
 *
 * @param cut the links that drop messages; empty without a partition
 */
public record ActiveFaults(Optional<Fault.Cut> cut, NodeSet paused, MembershipHistory history) {

    public static final ActiveFaults NONE = new ActiveFaults(Optional.empty(), NodeSet.NONE, MembershipHistory.EMPTY);

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
                case ObservableEvent.Partitioned(var next) -> after.with(Optional.of(next));
                case ObservableEvent.Healed healed -> after.with(Optional.empty());
                case ObservableEvent.Paused(var node) -> after.with(after.paused.with(node));
                case ObservableEvent.Resumed(var node) -> after.with(after.paused.without(node));
                case ObservableEvent.Crashed(var node, var asking) -> after.with(after.paused.without(node));
                case ObservableEvent.Joined(var node) -> after.with(new ViewChange(node, true));
                case ObservableEvent.Left(var node, var asking) -> after.with(new ViewChange(node, false));
                default -> after;
            };
        }
        return after;
    }

    private ActiveFaults with(Optional<Fault.Cut> next) {
        return new ActiveFaults(next, paused, history);
    }

    private ActiveFaults with(NodeSet next) {
        return new ActiveFaults(cut, next, history);
    }

    private ActiveFaults with(ViewChange next) {
        return new ActiveFaults(cut, paused, history.with(next));
    }
}
