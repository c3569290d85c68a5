package habemus.world;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Happening.Asked;
import habemus.world.Happening.Crashed;
import habemus.world.Happening.Disowned;
import habemus.world.Happening.Mended;
import habemus.world.Happening.Named;
import habemus.world.Happening.Parted;
import habemus.world.Happening.Paused;
import habemus.world.Happening.Restarted;
import habemus.world.Happening.Resumed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The judges of leader election. They count rather than list, so that a million nodes can be judged. */
final class ElectionJudges {

    private ElectionJudges() {}

    /** How many live nodes have asked for an election; without any, nobody need be elected. */
    private static int asking(int asking, Happening seen) {
        return switch (seen) {
            case Asked asked -> asking + 1;
            case Crashed(var node, var asked) -> asked ? asking - 1 : asking;
            default -> asking;
        };
    }

    private static int reigning(int reigning, Happening seen) {
        return switch (seen) {
            case Named(var node, var leader, var term) -> node.equals(leader) ? reigning + 1 : reigning;
            case Disowned(var node, var leader) -> node.equals(leader) ? reigning - 1 : reigning;
            default -> reigning;
        };
    }

    private static NodeSet reigning(NodeSet reigning, Happening seen) {
        return switch (seen) {
            case Named(var node, var leader, var term) -> node.equals(leader) ? reigning.with(node) : reigning;
            case Disowned(var node, var leader) -> node.equals(leader) ? reigning.without(node) : reigning;
            default -> reigning;
        };
    }

    record Termination() implements Judge<Termination.Mind> {
        record Mind(int asking, int reigning) {}

        @Override
        public Property property() {
            return Property.TERMINATION;
        }

        @Override
        public Mind start() {
            return new Mind(0, 0);
        }

        @Override
        public Mind after(Mind mind, Happening seen) {
            return new Mind(asking(mind.asking, seen), reigning(mind.reigning, seen));
        }

        @Override
        public boolean holds(Mind mind) {
            return mind.asking == 0 || mind.reigning > 0;
        }
    }

    record Uniqueness() implements Judge<Integer> {
        @Override
        public Property property() {
            return Property.UNIQUENESS;
        }

        @Override
        public Integer start() {
            return 0;
        }

        @Override
        public Integer after(Integer reigning, Happening seen) {
            return reigning((int) reigning, seen);
        }

        @Override
        public boolean holds(Integer reigning) {
            return reigning <= 1;
        }
    }

    record OneLeaderPerTerm() implements Judge<OneLeaderPerTerm.Mind> {
        /** The leaders by term, newest first: news is mostly of the newest term, or of a newer one. */
        record Reign(long term, NodeId leader, @Nullable Reign earlier) {}

        record Mind(@Nullable Reign newest, boolean one) {}

        @Override
        public Property property() {
            return Property.ONE_LEADER_PER_TERM;
        }

        @Override
        public Mind start() {
            return new Mind(null, true);
        }

        @Override
        public Mind after(Mind mind, Happening seen) {
            return seen instanceof Named(var node, var leader, var term) && mind.one ? after(mind, leader, term) : mind;
        }

        private static Mind after(Mind mind, NodeId leader, long term) {
            var known = mind.newest;
            while (known != null && known.term > term) {
                known = known.earlier;
            }
            return known != null && known.term == term
                    ? known.leader.equals(leader) ? mind : new Mind(mind.newest, false)
                    : new Mind(with(mind.newest, leader, term), true);
        }

        private static Reign with(@Nullable Reign newest, NodeId leader, long term) {
            var newer = new ArrayDeque<Reign>();
            var reign = newest;
            while (reign != null && reign.term > term) {
                newer.push(reign);
                reign = reign.earlier;
            }
            var with = new Reign(term, leader, reign);
            for (Reign one : newer) {
                with = new Reign(one.term, one.leader, with);
            }
            return with;
        }

        @Override
        public boolean holds(Mind mind) {
            return mind.one;
        }
    }

    /** @param nodes how many there are */
    record Agreement(int nodes) implements Judge<Agreement.Mind> {
        /** Those that name the same leader, and whether it names itself. */
        record Camp(int size, boolean led) {}

        record Mind(SortedMap<NodeId, Camp> camps, int up, int asking) {}

        @Override
        public Property property() {
            return Property.AGREEMENT;
        }

        @Override
        public Mind start() {
            return new Mind(Collections.emptySortedMap(), nodes, 0);
        }

        @Override
        public Mind after(Mind mind, Happening seen) {
            int asking = asking(mind.asking, seen);
            return switch (seen) {
                case Named(var node, var leader, var term) -> new Mind(joined(mind, node, leader), mind.up, asking);
                case Disowned(var node, var leader) -> new Mind(left(mind, node, leader), mind.up, asking);
                case Crashed crashed -> new Mind(mind.camps, mind.up - 1, asking);
                case Restarted restarted -> new Mind(mind.camps, mind.up + 1, asking);
                default -> new Mind(mind.camps, mind.up, asking);
            };
        }

        private static SortedMap<NodeId, Camp> joined(Mind mind, NodeId node, NodeId leader) {
            var camps = new TreeMap<>(mind.camps);
            camps.merge(
                    leader,
                    new Camp(1, node.equals(leader)),
                    (camp, one) -> new Camp(camp.size + 1, camp.led || one.led));
            return camps;
        }

        private static SortedMap<NodeId, Camp> left(Mind mind, NodeId node, NodeId leader) {
            var camps = new TreeMap<>(mind.camps);
            camps.computeIfPresent(
                    leader,
                    (same, camp) -> camp.size == 1 ? null : new Camp(camp.size - 1, camp.led && !node.equals(leader)));
            return camps;
        }

        @Override
        public boolean holds(Mind mind) {
            return mind.asking == 0
                    || mind.camps.size() == 1
                            && mind.camps.values().stream().allMatch(camp -> camp.led && camp.size == mind.up);
        }
    }

    record BestWins(World world) implements Judge<BestWins.Mind> {
        record Mind(NodeSet reigning, NodeSet down) {}

        @Override
        public Property property() {
            return Property.BEST_WINS;
        }

        @Override
        public Mind start() {
            return new Mind(NodeSet.NONE, NodeSet.NONE);
        }

        @Override
        public Mind after(Mind mind, Happening seen) {
            var down = switch (seen) {
                case Crashed(var node, var asking) -> mind.down.with(node);
                case Restarted(var node) -> mind.down.without(node);
                default -> mind.down;
            };
            return new Mind(reigning(mind.reigning, seen), down);
        }

        @Override
        public boolean holds(Mind mind) {
            for (NodeId leader : mind.reigning) {
                for (NodeId node : world.topology().nodes()) {
                    if (!mind.down.contains(node) && world.ranking().better(node, leader)) {
                        return false;
                    }
                }
            }
            return true;
        }
    }

    record Stability() implements Judge<Stability.Mind> {
        record Mind(NodeSet reigning, NodeSet paused, List<Fault.Cut> cuts, boolean stable) {}

        @Override
        public Property property() {
            return Property.STABILITY;
        }

        @Override
        public Mind start() {
            return new Mind(NodeSet.NONE, NodeSet.NONE, List.of(), true);
        }

        @Override
        public Mind after(Mind mind, Happening seen) {
            var reigning = reigning(mind.reigning, seen);
            return switch (seen) {
                case Named(var node, var leader, var term) ->
                    new Mind(
                            reigning,
                            mind.paused,
                            mind.cuts,
                            mind.stable && !(node.equals(leader) && ousts(mind, node)));
                case Paused(var node) -> new Mind(reigning, mind.paused.with(node), mind.cuts, mind.stable);
                case Resumed(var node) -> new Mind(reigning, mind.paused.without(node), mind.cuts, mind.stable);
                case Crashed(var node, var asking) ->
                    new Mind(reigning, mind.paused.without(node), mind.cuts, mind.stable);
                case Parted(var cut) -> {
                    var more = new ArrayList<>(mind.cuts);
                    more.add(cut);
                    yield new Mind(reigning, mind.paused, List.copyOf(more), mind.stable);
                }
                case Mended(var cut) -> {
                    var fewer = new ArrayList<>(mind.cuts);
                    fewer.remove(cut);
                    yield new Mind(reigning, mind.paused, List.copyOf(fewer), mind.stable);
                }
                default -> new Mind(reigning, mind.paused, mind.cuts, mind.stable);
            };
        }

        private static boolean ousts(Mind mind, NodeId newcomer) {
            for (NodeId old : mind.reigning.without(newcomer).without(mind.paused)) {
                if (mind.cuts.stream().noneMatch(cut -> cut.separates(old, newcomer) || cut.separates(newcomer, old))) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public boolean holds(Mind mind) {
            return mind.stable;
        }
    }
}
