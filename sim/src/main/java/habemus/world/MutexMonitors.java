package habemus.world;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.ObservableEvent.Crashed;
import habemus.world.ObservableEvent.Entered;
import habemus.world.ObservableEvent.Exited;
import habemus.world.ObservableEvent.Requested;
import java.util.ArrayList;
import java.util.List;

/** The judges of mutual exclusion. */
final class MutexMonitors {

    private MutexMonitors() {}

    private static NodeSet inside(NodeSet inside, ObservableEvent seen) {
        return switch (seen) {
            case Entered(var node, var fence) -> inside.with(node);
            case Exited(var node) -> inside.without(node);
            case Crashed(var node, var asking) -> inside.without(node);
            default -> inside;
        };
    }

    private static NodeSet waiting(NodeSet waiting, ObservableEvent seen) {
        return switch (seen) {
            case Requested(var node, var behind) -> waiting.with(node);
            case Entered(var node, var fence) -> waiting.without(node);
            case Crashed(var node, var asking) -> waiting.without(node);
            default -> waiting;
        };
    }

    record MutualExclusion() implements PropertyMonitor<NodeSet> {
        @Override
        public Property property() {
            return Property.MUTUAL_EXCLUSION;
        }

        @Override
        public NodeSet initialState() {
            return NodeSet.NONE;
        }

        @Override
        public NodeSet next(NodeSet inside, ObservableEvent seen) {
            return inside(inside, seen);
        }

        @Override
        public boolean holds(NodeSet inside) {
            return inside.size() <= 1;
        }
    }

    record DeadlockFreedom() implements PropertyMonitor<DeadlockFreedom.MonitorState> {
        record MonitorState(NodeSet waiting, NodeSet inside) {}

        @Override
        public Property property() {
            return Property.DEADLOCK_FREEDOM;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(NodeSet.NONE, NodeSet.NONE);
        }

        @Override
        public MonitorState next(MonitorState monitorState, ObservableEvent seen) {
            return new MonitorState(waiting(monitorState.waiting, seen), inside(monitorState.inside, seen));
        }

        @Override
        public boolean holds(MonitorState monitorState) {
            return monitorState.waiting.isEmpty() || !monitorState.inside.isEmpty();
        }
    }

    record NoStarvation() implements PropertyMonitor<NodeSet> {
        @Override
        public Property property() {
            return Property.NO_STARVATION;
        }

        @Override
        public NodeSet initialState() {
            return NodeSet.NONE;
        }

        @Override
        public NodeSet next(NodeSet waiting, ObservableEvent seen) {
            return waiting(waiting, seen);
        }

        @Override
        public boolean holds(NodeSet waiting) {
            return waiting.isEmpty();
        }
    }

    record FencesGrow() implements PropertyMonitor<FencesGrow.MonitorState> {
        record MonitorState(long highest, boolean grew) {}

        @Override
        public Property property() {
            return Property.FENCES_GROW;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(Long.MIN_VALUE, true);
        }

        @Override
        public MonitorState next(MonitorState monitorState, ObservableEvent seen) {
            return seen instanceof Entered(var node, var fence)
                    ? new MonitorState(
                            Math.max(monitorState.highest, fence), monitorState.grew && fence > monitorState.highest)
                    : monitorState;
        }

        @Override
        public boolean holds(MonitorState monitorState) {
            return monitorState.grew;
        }
    }

    record NotifiedBeforeRegranted() implements PropertyMonitor<NotifiedBeforeRegranted.MonitorState> {
        /** @param late who has just resumed, and must leave before anything else happens, if another is inside */
        record MonitorState(NodeSet inside, NodeSet paused, NodeSet late) {}

        @Override
        public Property property() {
            return Property.NOTIFIED_BEFORE_REGRANTED;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(NodeSet.NONE, NodeSet.NONE, NodeSet.NONE);
        }

        @Override
        public MonitorState next(MonitorState monitorState, ObservableEvent seen) {
            var inside = inside(monitorState.inside, seen);
            return switch (seen) {
                case ObservableEvent.Paused(var node) ->
                    new MonitorState(inside, monitorState.paused.with(node), NodeSet.NONE);
                case ObservableEvent.Resumed(var node) -> {
                    var late = inside.contains(node) && inside.size() > 1 ? NodeSet.of(node) : NodeSet.NONE;
                    yield new MonitorState(inside, monitorState.paused.without(node), late);
                }
                case Crashed(var node, var asking) ->
                    new MonitorState(inside, monitorState.paused.without(node), NodeSet.NONE);
                default -> new MonitorState(inside, monitorState.paused, NodeSet.NONE);
            };
        }

        @Override
        public boolean holds(MonitorState monitorState) {
            return monitorState
                            .inside
                            .without(monitorState.paused)
                            .without(monitorState.late)
                            .size()
                    <= 1;
        }
    }

    record HappenedBeforeOrder() implements PropertyMonitor<HappenedBeforeOrder.MonitorState> {
        /** @param behind those that asked before it and have not got in yet */
        record Waiter(NodeId node, NodeSet behind) {}

        record MonitorState(List<Waiter> waiter, boolean kept) {}

        @Override
        public Property property() {
            return Property.HAPPENED_BEFORE_ORDER;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(List.of(), true);
        }

        @Override
        public MonitorState next(MonitorState monitorState, ObservableEvent seen) {
            return switch (seen) {
                case Requested(var node, var behind) -> {
                    var longer = new ArrayList<>(monitorState.waiter);
                    longer.add(new Waiter(node, behind));
                    yield new MonitorState(List.copyOf(longer), monitorState.kept);
                }
                case Entered(var node, var fence) ->
                    new MonitorState(
                            forget(monitorState, node),
                            monitorState.kept
                                    && monitorState.waiter.stream()
                                            .noneMatch(w -> w.node.equals(node) && !w.behind.isEmpty()));
                case Crashed(var node, var asking) -> new MonitorState(forget(monitorState, node), monitorState.kept);
                default -> monitorState;
            };
        }

        private static List<Waiter> forget(MonitorState monitorState, NodeId gone) {
            var left = new ArrayList<Waiter>();
            for (Waiter one : monitorState.waiter) {
                if (!one.node.equals(gone)) {
                    left.add(one.behind.contains(gone) ? new Waiter(one.node, one.behind.without(gone)) : one);
                }
            }
            return List.copyOf(left);
        }

        @Override
        public boolean holds(MonitorState monitorState) {
            return monitorState.kept;
        }
    }

    /** @param bound how often others may get in while one waits */
    record BoundedWaiting(int bound) implements PropertyMonitor<BoundedWaiting.MonitorState> {
        record Waiter(NodeId node, int passed) {}

        record MonitorState(List<Waiter> waiter, int largest) {}

        @Override
        public Property property() {
            return Property.BOUNDED_WAITING;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(List.of(), 0);
        }

        @Override
        public MonitorState next(MonitorState monitorState, ObservableEvent seen) {
            return switch (seen) {
                case Requested(var node, var behind) -> {
                    var longer = new ArrayList<>(monitorState.waiter);
                    longer.add(new Waiter(node, 0));
                    yield new MonitorState(List.copyOf(longer), monitorState.largest);
                }
                case Entered(var node, var fence) -> passed(without(monitorState, node), monitorState.largest);
                case Crashed(var node, var asking) ->
                    new MonitorState(without(monitorState, node), monitorState.largest);
                default -> monitorState;
            };
        }

        private static MonitorState passed(List<Waiter> waiter, int largest) {
            var after =
                    waiter.stream().map(w -> new Waiter(w.node, w.passed + 1)).toList();
            return new MonitorState(
                    after, after.stream().mapToInt(Waiter::passed).reduce(largest, Math::max));
        }

        private static List<Waiter> without(MonitorState monitorState, NodeId gone) {
            return monitorState.waiter.stream()
                    .filter(w -> !w.node.equals(gone))
                    .toList();
        }

        @Override
        public boolean holds(MonitorState monitorState) {
            return monitorState.largest <= bound;
        }
    }
}
