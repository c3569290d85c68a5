package habemus.world;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Happening.Asked;
import habemus.world.Happening.Crashed;
import habemus.world.Happening.Entered;
import habemus.world.Happening.Left;
import java.util.ArrayList;
import java.util.List;

/** The judges of mutual exclusion. */
final class MutexJudges {

    private MutexJudges() {}

    private static NodeSet inside(NodeSet inside, Happening seen) {
        return switch (seen) {
            case Entered(var node, var fence) -> inside.with(node);
            case Left(var node) -> inside.without(node);
            case Crashed(var node, var asking) -> inside.without(node);
            default -> inside;
        };
    }

    private static NodeSet waiting(NodeSet waiting, Happening seen) {
        return switch (seen) {
            case Asked(var node, var behind) -> waiting.with(node);
            case Entered(var node, var fence) -> waiting.without(node);
            case Crashed(var node, var asking) -> waiting.without(node);
            default -> waiting;
        };
    }

    record MutualExclusion() implements Judge<NodeSet> {
        @Override
        public Property property() {
            return Property.MUTUAL_EXCLUSION;
        }

        @Override
        public NodeSet start() {
            return NodeSet.NONE;
        }

        @Override
        public NodeSet after(NodeSet inside, Happening seen) {
            return inside(inside, seen);
        }

        @Override
        public boolean holds(NodeSet inside) {
            return inside.size() <= 1;
        }
    }

    record DeadlockFreedom() implements Judge<DeadlockFreedom.Mind> {
        record Mind(NodeSet waiting, NodeSet inside) {}

        @Override
        public Property property() {
            return Property.DEADLOCK_FREEDOM;
        }

        @Override
        public Mind start() {
            return new Mind(NodeSet.NONE, NodeSet.NONE);
        }

        @Override
        public Mind after(Mind mind, Happening seen) {
            return new Mind(waiting(mind.waiting, seen), inside(mind.inside, seen));
        }

        @Override
        public boolean holds(Mind mind) {
            return mind.waiting.isEmpty() || !mind.inside.isEmpty();
        }
    }

    record NoStarvation() implements Judge<NodeSet> {
        @Override
        public Property property() {
            return Property.NO_STARVATION;
        }

        @Override
        public NodeSet start() {
            return NodeSet.NONE;
        }

        @Override
        public NodeSet after(NodeSet waiting, Happening seen) {
            return waiting(waiting, seen);
        }

        @Override
        public boolean holds(NodeSet waiting) {
            return waiting.isEmpty();
        }
    }

    record FencesGrow() implements Judge<FencesGrow.Mind> {
        record Mind(long highest, boolean grew) {}

        @Override
        public Property property() {
            return Property.FENCES_GROW;
        }

        @Override
        public Mind start() {
            return new Mind(Long.MIN_VALUE, true);
        }

        @Override
        public Mind after(Mind mind, Happening seen) {
            return seen instanceof Entered(var node, var fence)
                    ? new Mind(Math.max(mind.highest, fence), mind.grew && fence > mind.highest)
                    : mind;
        }

        @Override
        public boolean holds(Mind mind) {
            return mind.grew;
        }
    }

    record ToldBeforeRegranted() implements Judge<ToldBeforeRegranted.Mind> {
        /** @param late who has just resumed, and must leave before anything else happens, if another is inside */
        record Mind(NodeSet inside, NodeSet paused, NodeSet late) {}

        @Override
        public Property property() {
            return Property.TOLD_BEFORE_REGRANTED;
        }

        @Override
        public Mind start() {
            return new Mind(NodeSet.NONE, NodeSet.NONE, NodeSet.NONE);
        }

        @Override
        public Mind after(Mind mind, Happening seen) {
            var inside = inside(mind.inside, seen);
            return switch (seen) {
                case Happening.Paused(var node) -> new Mind(inside, mind.paused.with(node), NodeSet.NONE);
                case Happening.Resumed(var node) -> {
                    var late = inside.contains(node) && inside.size() > 1 ? NodeSet.of(node) : NodeSet.NONE;
                    yield new Mind(inside, mind.paused.without(node), late);
                }
                case Crashed(var node, var asking) -> new Mind(inside, mind.paused.without(node), NodeSet.NONE);
                default -> new Mind(inside, mind.paused, NodeSet.NONE);
            };
        }

        @Override
        public boolean holds(Mind mind) {
            return mind.inside.without(mind.paused).without(mind.late).size() <= 1;
        }
    }

    record HappenedBeforeOrder() implements Judge<HappenedBeforeOrder.Mind> {
        /** @param behind those that asked before it and have not got in yet */
        record Waiting(NodeId node, NodeSet behind) {}

        record Mind(List<Waiting> waiting, boolean kept) {}

        @Override
        public Property property() {
            return Property.HAPPENED_BEFORE_ORDER;
        }

        @Override
        public Mind start() {
            return new Mind(List.of(), true);
        }

        @Override
        public Mind after(Mind mind, Happening seen) {
            return switch (seen) {
                case Asked(var node, var behind) -> {
                    var longer = new ArrayList<>(mind.waiting);
                    longer.add(new Waiting(node, behind));
                    yield new Mind(List.copyOf(longer), mind.kept);
                }
                case Entered(var node, var fence) ->
                    new Mind(
                            forget(mind, node),
                            mind.kept
                                    && mind.waiting.stream()
                                            .noneMatch(w -> w.node.equals(node) && !w.behind.isEmpty()));
                case Crashed(var node, var asking) -> new Mind(forget(mind, node), mind.kept);
                default -> mind;
            };
        }

        private static List<Waiting> forget(Mind mind, NodeId gone) {
            var left = new ArrayList<Waiting>();
            for (Waiting one : mind.waiting) {
                if (!one.node.equals(gone)) {
                    left.add(one.behind.contains(gone) ? new Waiting(one.node, one.behind.without(gone)) : one);
                }
            }
            return List.copyOf(left);
        }

        @Override
        public boolean holds(Mind mind) {
            return mind.kept;
        }
    }

    /** @param bound how often others may get in while one waits */
    record BoundedWaiting(int bound) implements Judge<BoundedWaiting.Mind> {
        record Waiting(NodeId node, int passed) {}

        record Mind(List<Waiting> waiting, int largest) {}

        @Override
        public Property property() {
            return Property.BOUNDED_WAITING;
        }

        @Override
        public Mind start() {
            return new Mind(List.of(), 0);
        }

        @Override
        public Mind after(Mind mind, Happening seen) {
            return switch (seen) {
                case Asked(var node, var behind) -> {
                    var longer = new ArrayList<>(mind.waiting);
                    longer.add(new Waiting(node, 0));
                    yield new Mind(List.copyOf(longer), mind.largest);
                }
                case Entered(var node, var fence) -> passed(without(mind, node), mind.largest);
                case Crashed(var node, var asking) -> new Mind(without(mind, node), mind.largest);
                default -> mind;
            };
        }

        private static Mind passed(List<Waiting> waiting, int largest) {
            var after =
                    waiting.stream().map(w -> new Waiting(w.node, w.passed + 1)).toList();
            return new Mind(after, after.stream().mapToInt(Waiting::passed).reduce(largest, Math::max));
        }

        private static List<Waiting> without(Mind mind, NodeId gone) {
            return mind.waiting.stream().filter(w -> !w.node.equals(gone)).toList();
        }

        @Override
        public boolean holds(Mind mind) {
            return mind.largest <= bound;
        }
    }
}
