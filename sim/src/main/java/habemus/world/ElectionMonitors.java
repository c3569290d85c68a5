package habemus.world;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.ObservableEvent.Crashed;
import habemus.world.ObservableEvent.Healed;
import habemus.world.ObservableEvent.Joined;
import habemus.world.ObservableEvent.LeaderAnnounced;
import habemus.world.ObservableEvent.LeaderDropped;
import habemus.world.ObservableEvent.Left;
import habemus.world.ObservableEvent.Partitioned;
import habemus.world.ObservableEvent.Paused;
import habemus.world.ObservableEvent.Requested;
import habemus.world.ObservableEvent.Restarted;
import habemus.world.ObservableEvent.Resumed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The monitors of the election properties. Most states are counters, so that a million nodes can be monitored. */
final class ElectionMonitors {

    private ElectionMonitors() {}

    /** The number of live nodes that have requested an election. If there are none, no leader is needed. */
    private static int requesters(int requesters, ObservableEvent event) {
        return switch (event) {
            case Requested requested -> requesters + 1;
            case Crashed(var node, var asking) -> asking ? requesters - 1 : requesters;
            case Left(var node, var asking) -> asking ? requesters - 1 : requesters;
            default -> requesters;
        };
    }

    private static int leaders(int leaders, ObservableEvent event) {
        return switch (event) {
            case LeaderAnnounced(var node, var leader, var term) -> node.equals(leader) ? leaders + 1 : leaders;
            case LeaderDropped(var node, var leader) -> node.equals(leader) ? leaders - 1 : leaders;
            default -> leaders;
        };
    }

    private static NodeSet leaders(NodeSet leaders, ObservableEvent event) {
        return switch (event) {
            case LeaderAnnounced(var node, var leader, var term) -> node.equals(leader) ? leaders.with(node) : leaders;
            case LeaderDropped(var node, var leader) -> node.equals(leader) ? leaders.without(node) : leaders;
            default -> leaders;
        };
    }

    record Termination() implements PropertyMonitor<Termination.MonitorState> {
        record MonitorState(int requesters, int leaders) {}

        @Override
        public Property property() {
            return Property.TERMINATION;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(0, 0);
        }

        @Override
        public MonitorState next(MonitorState state, ObservableEvent event) {
            return new MonitorState(requesters(state.requesters, event), leaders(state.leaders, event));
        }

        @Override
        public boolean holds(MonitorState state) {
            return state.requesters == 0 || state.leaders > 0;
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
        public Integer next(Integer leaders, ObservableEvent event) {
            return leaders((int) leaders, event);
        }

        @Override
        public boolean holds(Integer leaders) {
            return leaders <= 1;
        }
    }

    record OneLeaderPerTerm() implements PropertyMonitor<OneLeaderPerTerm.MonitorState> {
        /** A list of leaders, newest term first: most announcements are of the newest term or a newer one. */
        record TermLeader(
                long term, NodeId leader, @Nullable TermLeader earlier) {}

        record MonitorState(@Nullable TermLeader newest, boolean unique) {}

        @Override
        public Property property() {
            return Property.ONE_LEADER_PER_TERM;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(null, true);
        }

        @Override
        public MonitorState next(MonitorState state, ObservableEvent event) {
            return event instanceof LeaderAnnounced(var node, var leader, var term) && state.unique
                    ? after(state, leader, term)
                    : state;
        }

        private static MonitorState after(MonitorState state, NodeId leader, long term) {
            var known = state.newest;
            while (known != null && known.term > term) {
                known = known.earlier;
            }
            return known != null && known.term == term
                    ? known.leader.equals(leader) ? state : new MonitorState(state.newest, false)
                    : new MonitorState(with(state.newest, leader, term), true);
        }

        private static TermLeader with(@Nullable TermLeader newest, NodeId leader, long term) {
            var newer = new ArrayDeque<TermLeader>();
            var termLeader = newest;
            while (termLeader != null && termLeader.term > term) {
                newer.push(termLeader);
                termLeader = termLeader.earlier;
            }
            var with = new TermLeader(term, leader, termLeader);
            for (TermLeader later : newer) {
                with = new TermLeader(later.term, later.leader, with);
            }
            return with;
        }

        @Override
        public boolean holds(MonitorState state) {
            return state.unique;
        }
    }

    /** @param nodes the number of nodes at the start */
    record Agreement(int nodes) implements PropertyMonitor<Agreement.MonitorState> {
        /** The nodes that name the same leader, and whether the leader is one of them. */
        record Followers(int size, boolean includesLeader) {}

        record MonitorState(SortedMap<NodeId, Followers> followersByLeader, int up, int requesters) {}

        @Override
        public Property property() {
            return Property.AGREEMENT;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(new TreeMap<>(), nodes, 0);
        }

        @Override
        public MonitorState next(MonitorState state, ObservableEvent event) {
            int requesters = requesters(state.requesters, event);
            return switch (event) {
                case LeaderAnnounced(var node, var leader, var term) ->
                    new MonitorState(joined(state, node, leader), state.up, requesters);
                case LeaderDropped(var node, var leader) ->
                    new MonitorState(left(state, node, leader), state.up, requesters);
                case Crashed crashed -> new MonitorState(state.followersByLeader, state.up - 1, requesters);
                case Left gone -> new MonitorState(state.followersByLeader, state.up - 1, requesters);
                case Restarted restarted -> new MonitorState(state.followersByLeader, state.up + 1, requesters);
                case Joined newcomer -> new MonitorState(state.followersByLeader, state.up + 1, requesters);
                default -> new MonitorState(state.followersByLeader, state.up, requesters);
            };
        }

        private static SortedMap<NodeId, Followers> joined(MonitorState state, NodeId node, NodeId leader) {
            var followersByLeader = new TreeMap<>(state.followersByLeader);
            followersByLeader.merge(
                    leader,
                    new Followers(1, node.equals(leader)),
                    (followers, added) ->
                            new Followers(followers.size + 1, followers.includesLeader || added.includesLeader));
            return followersByLeader;
        }

        private static SortedMap<NodeId, Followers> left(MonitorState state, NodeId node, NodeId leader) {
            var followersByLeader = new TreeMap<>(state.followersByLeader);
            followersByLeader.computeIfPresent(
                    leader,
                    (same, followers) -> followers.size == 1
                            ? null
                            : new Followers(followers.size - 1, followers.includesLeader && !node.equals(leader)));
            return followersByLeader;
        }

        @Override
        public boolean holds(MonitorState state) {
            return state.requesters == 0
                    || state.followersByLeader.size() == 1
                            && state.followersByLeader.values().stream()
                                    .allMatch(followers -> followers.includesLeader && followers.size == state.up);
        }
    }

    record BestWins(World world) implements PropertyMonitor<BestWins.MonitorState> {
        /** @param down the nodes that are crashed, or not members */
        record MonitorState(NodeSet leaders, NodeSet down) {}

        @Override
        public Property property() {
            return Property.BEST_WINS;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(NodeSet.NONE, world.joiners());
        }

        @Override
        public MonitorState next(MonitorState state, ObservableEvent event) {
            var down = switch (event) {
                case Crashed(var node, var asking) -> state.down.with(node);
                case Left(var node, var asking) -> state.down.with(node);
                case Restarted(var node) -> state.down.without(node);
                case Joined(var node) -> state.down.without(node);
                default -> state.down;
            };
            return new MonitorState(leaders(state.leaders, event), down);
        }

        @Override
        public boolean holds(MonitorState state) {
            for (NodeId leader : state.leaders) {
                for (NodeId node : world.topology().nodes()) {
                    if (!state.down.contains(node) && world.ranking().isBetter(node, leader)) {
                        return false;
                    }
                }
            }
            return true;
        }
    }

    record Stability() implements PropertyMonitor<Stability.MonitorState> {
        record MonitorState(NodeSet leaders, NodeSet paused, List<Fault.Cut> cuts, boolean stable) {}

        @Override
        public Property property() {
            return Property.STABILITY;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(NodeSet.NONE, NodeSet.NONE, List.of(), true);
        }

        @Override
        public MonitorState next(MonitorState state, ObservableEvent event) {
            var leaders = leaders(state.leaders, event);
            return switch (event) {
                case LeaderAnnounced(var node, var leader, var term) ->
                    new MonitorState(
                            leaders,
                            state.paused,
                            state.cuts,
                            state.stable && !(node.equals(leader) && replacesReachableLeader(state, node)));
                case Paused(var node) -> new MonitorState(leaders, state.paused.with(node), state.cuts, state.stable);
                case Resumed(var node) ->
                    new MonitorState(leaders, state.paused.without(node), state.cuts, state.stable);
                case Crashed(var node, var asking) ->
                    new MonitorState(leaders, state.paused.without(node), state.cuts, state.stable);
                case Partitioned(var cut) -> {
                    var more = new ArrayList<>(state.cuts);
                    more.add(cut);
                    yield new MonitorState(leaders, state.paused, List.copyOf(more), state.stable);
                }
                case Healed(var cut) -> {
                    var fewer = new ArrayList<>(state.cuts);
                    fewer.remove(cut);
                    yield new MonitorState(leaders, state.paused, List.copyOf(fewer), state.stable);
                }
                default -> new MonitorState(leaders, state.paused, state.cuts, state.stable);
            };
        }

        private static boolean replacesReachableLeader(MonitorState state, NodeId newcomer) {
            for (NodeId old : state.leaders.without(newcomer).without(state.paused)) {
                if (state.cuts.stream()
                        .noneMatch(cut -> cut.separates(old, newcomer) || cut.separates(newcomer, old))) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public boolean holds(MonitorState state) {
            return state.stable;
        }
    }
}
