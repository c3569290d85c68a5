package habemus.world;

import habemus.protocol.LogCall;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.ObservableEvent.Called;
import habemus.world.ObservableEvent.Crashed;
import habemus.world.ObservableEvent.Healed;
import habemus.world.ObservableEvent.LeaderAnnounced;
import habemus.world.ObservableEvent.LeaderDropped;
import habemus.world.ObservableEvent.LogChanged;
import habemus.world.ObservableEvent.Partitioned;
import java.util.Optional;

/**
 * The monitor of {@link Property#LEADER_STABILITY}. A node starts a term if no other node was in it before. Its voters
 * are those of its own newest configuration. A node that leadership is handed to may start a term at any time.
 *
 * <p>The property holds only if messages are faster than timers: otherwise a voter may hear of a leader just after it
 * has granted its pre-vote.
 */
record LeaderStability() implements PropertyMonitor<LeaderStability.MonitorState> {

    /**
     * @param newestTerm the newest term that any node was in
     * @param hearing the nodes that lead or follow a leader
     * @param successors the nodes that leadership was handed to
     * @param cut the links that drop messages
     */
    record MonitorState(long newestTerm, NodeSet hearing, NodeSet successors, Optional<Fault.Cut> cut, boolean stable) {

        MonitorState withHearing(NodeSet next) {
            return new MonitorState(newestTerm, next, successors, cut, stable);
        }

        MonitorState withCut(Optional<Fault.Cut> next) {
            return new MonitorState(newestTerm, hearing, successors, next, stable);
        }
    }

    @Override
    public Property property() {
        return Property.LEADER_STABILITY;
    }

    @Override
    public MonitorState initialState() {
        return new MonitorState(0, NodeSet.NONE, NodeSet.NONE, Optional.empty(), true);
    }

    @Override
    public MonitorState next(MonitorState state, ObservableEvent event) {
        return switch (event) {
            case LeaderAnnounced(var node, var leader, var term) -> state.withHearing(state.hearing.with(node));
            case LeaderDropped(var node, var leader) -> state.withHearing(state.hearing.without(node));
            case Crashed(var node, var asking) -> state.withHearing(state.hearing.without(node));
            case Partitioned(var cut) -> state.withCut(Optional.of(cut));
            case Healed healed -> state.withCut(Optional.empty());
            case Called(var node, LogCall.TransferLeadership(var to)) ->
                new MonitorState(state.newestTerm, state.hearing, state.successors.with(to), state.cut, state.stable);
            case LogChanged(var node, var before, var after)
            when after.term() > state.newestTerm ->
                new MonitorState(
                        after.term(),
                        state.hearing,
                        state.successors,
                        state.cut,
                        state.stable
                                && (state.successors.contains(node)
                                        || hasSupport(
                                                state,
                                                node,
                                                after.log()
                                                        .configuration()
                                                        .configuration()
                                                        .voters())));
            default -> state;
        };
    }

    private static boolean hasSupport(MonitorState state, NodeId candidate, NodeSet voters) {
        int support = 0;
        for (NodeId voter : voters) {
            boolean canReach = state.cut.isEmpty() || !state.cut.get().separates(voter, candidate);
            support += voter.equals(candidate) || canReach && !state.hearing.contains(voter) ? 1 : 0;
        }
        return 2 * support > voters.size();
    }

    @Override
    public boolean holds(MonitorState state) {
        return state.stable;
    }
}
