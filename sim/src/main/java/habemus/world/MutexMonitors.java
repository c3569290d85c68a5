package habemus.world;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.ObservableEvent.Crashed;
import habemus.world.ObservableEvent.Entered;
import habemus.world.ObservableEvent.EnteredShared;
import habemus.world.ObservableEvent.Exited;
import habemus.world.ObservableEvent.Left;
import habemus.world.ObservableEvent.Requested;
import java.util.ArrayList;
import java.util.List;

/** The monitors of the mutual exclusion properties. */
final class MutexMonitors {

    private MutexMonitors() {}

    private static NodeSet holders(NodeSet holders, ObservableEvent event) {
        return switch (event) {
            case Entered(var node, var fence) -> holders.with(node);
            case EnteredShared(var node, var limit) -> holders.with(node);
            case Exited(var node) -> holders.without(node);
            case Crashed(var node, var asking) -> holders.without(node);
            case Left(var node, var asking) -> holders.without(node);
            default -> holders;
        };
    }

    private static NodeSet waiters(NodeSet waiters, ObservableEvent event) {
        return switch (event) {
            case Requested(var node, var behind) -> waiters.with(node);
            case Entered(var node, var fence) -> waiters.without(node);
            case EnteredShared(var node, var limit) -> waiters.without(node);
            case Crashed(var node, var asking) -> waiters.without(node);
            case Left(var node, var asking) -> waiters.without(node);
            default -> waiters;
        };
    }

    record MutualExclusion() implements PropertyMonitor<MutualExclusion.MonitorState> {
        /** @param limit how many of the sharing nodes there may be; zero if there are none */
        record MonitorState(NodeSet exclusive, NodeSet sharing, int limit) {}

        @Override
        public Property property() {
            return Property.MUTUAL_EXCLUSION;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(NodeSet.NONE, NodeSet.NONE, 0);
        }

        @Override
        public MonitorState next(MonitorState state, ObservableEvent event) {
            return switch (event) {
                case Entered(var node, var fence) ->
                    new MonitorState(state.exclusive.with(node), state.sharing, state.limit);
                case EnteredShared(var node, var limit) ->
                    new MonitorState(state.exclusive, state.sharing.with(node), limit);
                case Exited(var node) -> without(state, node);
                case Crashed(var node, var asking) -> without(state, node);
                default -> state;
            };
        }

        private static MonitorState without(MonitorState state, NodeId node) {
            var sharing = state.sharing.without(node);
            return new MonitorState(state.exclusive.without(node), sharing, sharing.isEmpty() ? 0 : state.limit);
        }

        @Override
        public boolean holds(MonitorState state) {
            return state.sharing.isEmpty()
                    ? state.exclusive.size() <= 1
                    : state.exclusive.isEmpty() && state.sharing.size() <= state.limit;
        }
    }

    record DeadlockFreedom() implements PropertyMonitor<DeadlockFreedom.MonitorState> {
        record MonitorState(NodeSet waiters, NodeSet holders) {}

        @Override
        public Property property() {
            return Property.DEADLOCK_FREEDOM;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(NodeSet.NONE, NodeSet.NONE);
        }

        @Override
        public MonitorState next(MonitorState state, ObservableEvent event) {
            return new MonitorState(waiters(state.waiters, event), holders(state.holders, event));
        }

        @Override
        public boolean holds(MonitorState state) {
            return state.waiters.isEmpty() || !state.holders.isEmpty();
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
        public NodeSet next(NodeSet waiters, ObservableEvent event) {
            return waiters(waiters, event);
        }

        @Override
        public boolean holds(NodeSet waiters) {
            return waiters.isEmpty();
        }
    }

    record FencesGrow() implements PropertyMonitor<FencesGrow.MonitorState> {
        record MonitorState(long highest, boolean growing) {}

        @Override
        public Property property() {
            return Property.FENCES_GROW;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(Long.MIN_VALUE, true);
        }

        @Override
        public MonitorState next(MonitorState state, ObservableEvent event) {
            return event instanceof Entered(var node, var fence)
                    ? new MonitorState(Math.max(state.highest, fence), state.growing && fence > state.highest)
                    : state;
        }

        @Override
        public boolean holds(MonitorState state) {
            return state.growing;
        }
    }

    record NotifiedBeforeRegranted() implements PropertyMonitor<NotifiedBeforeRegranted.MonitorState> {
        /** @param late a holder that resumed while another node holds the lock: its next event must be the exit */
        record MonitorState(NodeSet holders, NodeSet paused, NodeSet late) {}

        @Override
        public Property property() {
            return Property.NOTIFIED_BEFORE_REGRANTED;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(NodeSet.NONE, NodeSet.NONE, NodeSet.NONE);
        }

        @Override
        public MonitorState next(MonitorState state, ObservableEvent event) {
            var holders = holders(state.holders, event);
            return switch (event) {
                case ObservableEvent.Paused(var node) ->
                    new MonitorState(holders, state.paused.with(node), NodeSet.NONE);
                case ObservableEvent.Resumed(var node) -> {
                    var late = holders.contains(node) && holders.size() > 1 ? NodeSet.of(node) : NodeSet.NONE;
                    yield new MonitorState(holders, state.paused.without(node), late);
                }
                case Crashed(var node, var asking) ->
                    new MonitorState(holders, state.paused.without(node), NodeSet.NONE);
                default -> new MonitorState(holders, state.paused, NodeSet.NONE);
            };
        }

        @Override
        public boolean holds(MonitorState state) {
            return state.holders.without(state.paused).without(state.late).size() <= 1;
        }
    }

    record HappenedBeforeOrder() implements PropertyMonitor<HappenedBeforeOrder.MonitorState> {
        /** @param behind the nodes that still wait and whose requests happened before this one */
        record Waiter(NodeId node, NodeSet behind) {}

        record MonitorState(List<Waiter> waiters, boolean inOrder) {}

        @Override
        public Property property() {
            return Property.HAPPENED_BEFORE_ORDER;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(List.of(), true);
        }

        @Override
        public MonitorState next(MonitorState state, ObservableEvent event) {
            return switch (event) {
                case Requested(var node, var behind) -> {
                    var longer = new ArrayList<>(state.waiters);
                    longer.add(new Waiter(node, behind));
                    yield new MonitorState(List.copyOf(longer), state.inOrder);
                }
                case Entered(var node, var fence) ->
                    new MonitorState(
                            remove(state, node),
                            state.inOrder
                                    && state.waiters.stream()
                                            .noneMatch(w -> w.node.equals(node) && !w.behind.isEmpty()));
                case Crashed(var node, var asking) -> new MonitorState(remove(state, node), state.inOrder);
                case Left(var node, var asking) -> new MonitorState(remove(state, node), state.inOrder);
                default -> state;
            };
        }

        private static List<Waiter> remove(MonitorState state, NodeId removed) {
            var remaining = new ArrayList<Waiter>();
            for (Waiter waiter : state.waiters) {
                if (!waiter.node.equals(removed)) {
                    remaining.add(
                            waiter.behind.contains(removed)
                                    ? new Waiter(waiter.node, waiter.behind.without(removed))
                                    : waiter);
                }
            }
            return List.copyOf(remaining);
        }

        @Override
        public boolean holds(MonitorState state) {
            return state.inOrder;
        }
    }

    /** @param bound how often other nodes may enter while one node waits */
    record BoundedWaiting(int bound) implements PropertyMonitor<BoundedWaiting.MonitorState> {
        record Waiter(NodeId node, int bypasses) {}

        record MonitorState(List<Waiter> waiters, int largestBypass) {}

        @Override
        public Property property() {
            return Property.BOUNDED_WAITING;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(List.of(), 0);
        }

        @Override
        public MonitorState next(MonitorState state, ObservableEvent event) {
            return switch (event) {
                case Requested(var node, var behind) -> {
                    var longer = new ArrayList<>(state.waiters);
                    longer.add(new Waiter(node, 0));
                    yield new MonitorState(List.copyOf(longer), state.largestBypass);
                }
                case Entered(var node, var fence) -> bypassed(without(state, node), state.largestBypass);
                case Crashed(var node, var asking) -> new MonitorState(without(state, node), state.largestBypass);
                case Left(var node, var asking) -> new MonitorState(without(state, node), state.largestBypass);
                default -> state;
            };
        }

        private static MonitorState bypassed(List<Waiter> waiters, int largest) {
            var after = waiters.stream()
                    .map(w -> new Waiter(w.node, w.bypasses + 1))
                    .toList();
            return new MonitorState(
                    after, after.stream().mapToInt(Waiter::bypasses).reduce(largest, Math::max));
        }

        private static List<Waiter> without(MonitorState state, NodeId removed) {
            return state.waiters.stream().filter(w -> !w.node.equals(removed)).toList();
        }

        @Override
        public boolean holds(MonitorState state) {
            return state.largestBypass <= bound;
        }
    }
}
