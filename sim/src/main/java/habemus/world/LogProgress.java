package habemus.world;

import static java.util.Objects.requireNonNull;

import habemus.protocol.LogCall;
import habemus.protocol.LogView;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.PersistentLog;
import habemus.world.ObservableEvent.Called;
import habemus.world.ObservableEvent.Crashed;
import habemus.world.ObservableEvent.LogChanged;
import habemus.world.ObservableEvent.Replied;
import habemus.world.ObservableEvent.Restarted;
import java.util.SortedMap;
import java.util.TreeMap;

/** The monitor of {@link Property#PROGRESS}. */
record LogProgress() implements PropertyMonitor<LogProgress.MonitorState> {
    /** @param nodes the view of each node that is up */
    record MonitorState(SortedMap<NodeId, LogView> nodes, NodeSet down, SortedMap<CallId, Boolean> open) {}

    @Override
    public Property property() {
        return Property.PROGRESS;
    }

    @Override
    public MonitorState initialState() {
        return new MonitorState(new TreeMap<>(), NodeSet.NONE, new TreeMap<>());
    }

    @Override
    public MonitorState next(MonitorState state, ObservableEvent event) {
        return switch (event) {
            case LogChanged(var node, var before, var after)
            when !state.down.contains(node) ->
                new MonitorState(LogMonitors.with(state.nodes, node, after), state.down, state.open);
            case Crashed(var node, var asking) ->
                new MonitorState(
                        LogMonitors.without(state.nodes, node), state.down.with(node), withoutCallsOf(state, node));
            case Restarted(var node) -> new MonitorState(state.nodes, state.down.without(node), state.open);
            case Called(var node, LogCall.Propose(var proposals)) -> {
                var open = new TreeMap<>(state.open);
                proposals.forEach(each -> open.put(new CallId(node, each.id()), true));
                yield new MonitorState(state.nodes, state.down, open);
            }
            case Called(var node, LogCall.Read(var id)) -> opened(state, new CallId(node, id));
            case Called(var node, LogCall.ChangeMembers(var id, var change)) -> opened(state, new CallId(node, id));
            case Replied(var node, var id, var reply) ->
                new MonitorState(state.nodes, state.down, LogMonitors.without(state.open, new CallId(node, id)));
            default -> state;
        };
    }

    private static MonitorState opened(MonitorState state, CallId id) {
        return new MonitorState(state.nodes, state.down, LogMonitors.with(state.open, id, true));
    }

    private static SortedMap<CallId, Boolean> withoutCallsOf(MonitorState state, NodeId node) {
        var open = new TreeMap<>(state.open);
        open.keySet().removeIf(id -> id.node().equals(node));
        return open;
    }

    private static boolean hasMajority(NodeSet live, PersistentLog log) {
        var voters = log.configuration().configuration().voters();
        return 2 * live.intersection(voters).size() > voters.size();
    }

    /** The members are those of the newest log among the live nodes. A removed node need not catch up. */
    @Override
    public boolean holds(MonitorState state) {
        LogView newest = null;
        for (LogView view : state.nodes.values()) {
            newest = newest == null || view.log().last().compareTo(newest.log().last()) > 0 ? view : newest;
        }
        if (newest == null) {
            return true;
        }
        var configuration = newest.log().configuration().configuration();
        var live = NodeSet.of(state.nodes.keySet());
        for (NodeId voter : live.intersection(configuration.voters())) {
            if (!hasMajority(live, requireNonNull(state.nodes.get(voter)).log())) {
                return true; // a change that it does not know of needs a majority of the old members
            }
        }
        if (!hasMajority(live, newest.log())) {
            return true;
        }
        for (NodeId member : live.intersection(configuration.members())) {
            if (requireNonNull(state.nodes.get(member)).commitIndex()
                    != newest.log().lastIndex()) {
                return false;
            }
        }
        return state.open.keySet().stream()
                .noneMatch(id -> configuration.members().contains(id.node()));
    }
}
