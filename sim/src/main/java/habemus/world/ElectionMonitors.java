package habemus.world;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.ObservableEvent.Crashed;
import habemus.world.ObservableEvent.Healed;
import habemus.world.ObservableEvent.LeaderAnnounced;
import habemus.world.ObservableEvent.LeaderDropped;
import habemus.world.ObservableEvent.Partitioned;
import habemus.world.ObservableEvent.Paused;
import habemus.world.ObservableEvent.Requested;
import habemus.world.ObservableEvent.Restarted;
import habemus.world.ObservableEvent.Resumed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The judges of leader election. They count rather than list, so that a million nodes can be judged. */
final class ElectionMonitors {

    private ElectionMonitors() {}

    /** How many live nodes have asked for an election; without any, nobody need be elected. */
    private static int asking(int asking, ObservableEvent seen) {
        return switch (seen) {
            case Requested requested -> asking + 1;
            case Crashed(var node, var asked) -> asked ? asking - 1 : asking;
            default -> asking;
        };
    }

    private static int reigning(int reigning, ObservableEvent seen) {
        return switch (seen) {
            case LeaderAnnounced(var node, var leader, var term) -> node.equals(leader) ? reigning + 1 : reigning;
            case LeaderDropped(var node, var leader) -> node.equals(leader) ? reigning - 1 : reigning;
            default -> reigning;
        };
    }

    private static NodeSet reigning(NodeSet reigning, ObservableEvent seen) {
        return switch (seen) {
            case LeaderAnnounced(var node, var leader, var term) ->
                node.equals(leader) ? reigning.with(node) : reigning;
            case LeaderDropped(var node, var leader) -> node.equals(leader) ? reigning.without(node) : reigning;
            default -> reigning;
        };
    }

    record Termination() implements PropertyMonitor<Termination.MonitorState> {
        record MonitorState(int asking, int reigning) {}

        @Override
        public Property property() {
            return Property.TERMINATION;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(0, 0);
        }

        @Override
        public MonitorState next(MonitorState monitorState, ObservableEvent seen) {
            return new MonitorState(asking(monitorState.asking, seen), reigning(monitorState.reigning, seen));
        }

        @Override
        public boolean holds(MonitorState monitorState) {
            return monitorState.asking == 0 || monitorState.reigning > 0;
        }
    }

    record Uniqueness() implements PropertyMonitor<Integer> {
        @Override
        public Property property() {
            return Property.UNIQUENESS;
        }

        @Override
        public Integer initialState() {
            return 0;
        }

        @Override
        public Integer next(Integer reigning, ObservableEvent seen) {
            return reigning((int) reigning, seen);
        }

        @Override
        public boolean holds(Integer reigning) {
            return reigning <= 1;
        }
    }

    record OneLeaderPerTerm() implements PropertyMonitor<OneLeaderPerTerm.MonitorState> {
        /** The leaders by term, newest first: news is mostly of the newest term, or of a newer one. */
        record TermLeader(
                long term, NodeId leader, @Nullable TermLeader earlier) {}

        record MonitorState(@Nullable TermLeader newest, boolean one) {}

        @Override
        public Property property() {
            return Property.ONE_LEADER_PER_TERM;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(null, true);
        }

        @Override
        public MonitorState next(MonitorState monitorState, ObservableEvent seen) {
            return seen instanceof LeaderAnnounced(var node, var leader, var term) && monitorState.one
                    ? after(monitorState, leader, term)
                    : monitorState;
        }

        private static MonitorState after(MonitorState monitorState, NodeId leader, long term) {
            var known = monitorState.newest;
            while (known != null && known.term > term) {
                known = known.earlier;
            }
            return known != null && known.term == term
                    ? known.leader.equals(leader) ? monitorState : new MonitorState(monitorState.newest, false)
                    : new MonitorState(with(monitorState.newest, leader, term), true);
        }

        private static TermLeader with(@Nullable TermLeader newest, NodeId leader, long term) {
            var newer = new ArrayDeque<TermLeader>();
            var termLeader = newest;
            while (termLeader != null && termLeader.term > term) {
                newer.push(termLeader);
                termLeader = termLeader.earlier;
            }
            var with = new TermLeader(term, leader, termLeader);
            for (TermLeader one : newer) {
                with = new TermLeader(one.term, one.leader, with);
            }
            return with;
        }

        @Override
        public boolean holds(MonitorState monitorState) {
            return monitorState.one;
        }
    }

    /** @param nodes how many there are */
    record Agreement(int nodes) implements PropertyMonitor<Agreement.MonitorState> {
        /** Those that name the same leader, and whether it names itself. */
        record Followers(int size, boolean led) {}

        record MonitorState(SortedMap<NodeId, Followers> followerses, int up, int asking) {}

        @Override
        public Property property() {
            return Property.AGREEMENT;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(Collections.emptySortedMap(), nodes, 0);
        }

        @Override
        public MonitorState next(MonitorState monitorState, ObservableEvent seen) {
            int asking = asking(monitorState.asking, seen);
            return switch (seen) {
                case LeaderAnnounced(var node, var leader, var term) ->
                    new MonitorState(joined(monitorState, node, leader), monitorState.up, asking);
                case LeaderDropped(var node, var leader) ->
                    new MonitorState(left(monitorState, node, leader), monitorState.up, asking);
                case Crashed crashed -> new MonitorState(monitorState.followerses, monitorState.up - 1, asking);
                case Restarted restarted -> new MonitorState(monitorState.followerses, monitorState.up + 1, asking);
                default -> new MonitorState(monitorState.followerses, monitorState.up, asking);
            };
        }

        private static SortedMap<NodeId, Followers> joined(MonitorState monitorState, NodeId node, NodeId leader) {
            var followerses = new TreeMap<>(monitorState.followerses);
            followerses.merge(
                    leader,
                    new Followers(1, node.equals(leader)),
                    (followers, one) -> new Followers(followers.size + 1, followers.led || one.led));
            return followerses;
        }

        private static SortedMap<NodeId, Followers> left(MonitorState monitorState, NodeId node, NodeId leader) {
            var followerses = new TreeMap<>(monitorState.followerses);
            followerses.computeIfPresent(
                    leader,
                    (same, followers) -> followers.size == 1
                            ? null
                            : new Followers(followers.size - 1, followers.led && !node.equals(leader)));
            return followerses;
        }

        @Override
        public boolean holds(MonitorState monitorState) {
            return monitorState.asking == 0
                    || monitorState.followerses.size() == 1
                            && monitorState.followerses.values().stream()
                                    .allMatch(followers -> followers.led && followers.size == monitorState.up);
        }
    }

    record BestWins(World world) implements PropertyMonitor<BestWins.MonitorState> {
        record MonitorState(NodeSet reigning, NodeSet down) {}

        @Override
        public Property property() {
            return Property.BEST_WINS;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(NodeSet.NONE, NodeSet.NONE);
        }

        @Override
        public MonitorState next(MonitorState monitorState, ObservableEvent seen) {
            var down = switch (seen) {
                case Crashed(var node, var asking) -> monitorState.down.with(node);
                case Restarted(var node) -> monitorState.down.without(node);
                default -> monitorState.down;
            };
            return new MonitorState(reigning(monitorState.reigning, seen), down);
        }

        @Override
        public boolean holds(MonitorState monitorState) {
            for (NodeId leader : monitorState.reigning) {
                for (NodeId node : world.topology().nodes()) {
                    if (!monitorState.down.contains(node) && world.ranking().isBetter(node, leader)) {
                        return false;
                    }
                }
            }
            return true;
        }
    }

    record Stability() implements PropertyMonitor<Stability.MonitorState> {
        record MonitorState(NodeSet reigning, NodeSet paused, List<Fault.Cut> cuts, boolean stable) {}

        @Override
        public Property property() {
            return Property.STABILITY;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(NodeSet.NONE, NodeSet.NONE, List.of(), true);
        }

        @Override
        public MonitorState next(MonitorState monitorState, ObservableEvent seen) {
            var reigning = reigning(monitorState.reigning, seen);
            return switch (seen) {
                case LeaderAnnounced(var node, var leader, var term) ->
                    new MonitorState(
                            reigning,
                            monitorState.paused,
                            monitorState.cuts,
                            monitorState.stable && !(node.equals(leader) && ousts(monitorState, node)));
                case Paused(var node) ->
                    new MonitorState(reigning, monitorState.paused.with(node), monitorState.cuts, monitorState.stable);
                case Resumed(var node) ->
                    new MonitorState(
                            reigning, monitorState.paused.without(node), monitorState.cuts, monitorState.stable);
                case Crashed(var node, var asking) ->
                    new MonitorState(
                            reigning, monitorState.paused.without(node), monitorState.cuts, monitorState.stable);
                case Partitioned(var cut) -> {
                    var more = new ArrayList<>(monitorState.cuts);
                    more.add(cut);
                    yield new MonitorState(reigning, monitorState.paused, List.copyOf(more), monitorState.stable);
                }
                case Healed(var cut) -> {
                    var fewer = new ArrayList<>(monitorState.cuts);
                    fewer.remove(cut);
                    yield new MonitorState(reigning, monitorState.paused, List.copyOf(fewer), monitorState.stable);
                }
                default -> new MonitorState(reigning, monitorState.paused, monitorState.cuts, monitorState.stable);
            };
        }

        private static boolean ousts(MonitorState monitorState, NodeId newcomer) {
            for (NodeId old : monitorState.reigning.without(newcomer).without(monitorState.paused)) {
                if (monitorState.cuts.stream()
                        .noneMatch(cut -> cut.separates(old, newcomer) || cut.separates(newcomer, old))) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public boolean holds(MonitorState monitorState) {
            return monitorState.stable;
        }
    }
}
