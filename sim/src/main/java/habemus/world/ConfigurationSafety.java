package habemus.world;

import habemus.protocol.EntryId;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.ObservableEvent.LogChanged;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A node can be elected if a majority of its own newest configuration could vote for it. Those are nodes whose logs are
 * not newer than its own. If two nodes can, and their majorities share no node, two leaders can commit independently.
 */
record ConfigurationSafety() implements PropertyMonitor<ConfigurationSafety.MonitorState> {
    /** @param last the last entry of the node's log */
    record Member(EntryId last, NodeSet voters) {}

    record MonitorState(SortedMap<NodeId, Member> members, boolean safe) {}

    @Override
    public Property property() {
        return Property.CONFIGURATION_SAFETY;
    }

    @Override
    public MonitorState initialState() {
        return new MonitorState(new TreeMap<>(), true);
    }

    @Override
    public MonitorState next(MonitorState state, ObservableEvent event) {
        if (!(event instanceof LogChanged(var node, var before, var after))) {
            return state;
        }
        var voters = after.log().configuration().configuration().voters();
        var member = new Member(after.log().last(), voters);
        if (member.equals(state.members.get(node))) {
            return state;
        }
        var members = LogMonitors.with(state.members, node, member);
        boolean isUniform = members.values().stream().allMatch(other -> other.voters.equals(voters));
        return new MonitorState(members, state.safe && (isUniform || isSafe(members)));
    }

    private static boolean isSafe(SortedMap<NodeId, Member> members) {
        for (var first : members.entrySet()) {
            for (var second : members.entrySet()) {
                if (first.getKey().compareTo(second.getKey()) < 0
                        && haveDisjointMajorities(first.getValue(), second.getValue(), members)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether two disjoint sets of nodes could elect both. */
    private static boolean haveDisjointMajorities(Member first, Member second, SortedMap<NodeId, Member> members) {
        var forFirst = possibleVoters(first, members);
        var forSecond = possibleVoters(second, members);
        if (!isMajority(forFirst.size(), first) || !isMajority(forSecond.size(), second)) {
            return false;
        }
        // Each takes the nodes that only it can have, and as many of the common ones as it still needs.
        var common = forFirst.intersection(forSecond);
        int needsFirst = Math.max(
                0, first.voters.size() / 2 + 1 - forFirst.without(common).size());
        int needsSecond = Math.max(
                0, second.voters.size() / 2 + 1 - forSecond.without(common).size());
        return needsFirst + needsSecond <= common.size();
    }

    private static NodeSet possibleVoters(Member candidate, SortedMap<NodeId, Member> members) {
        var possible = NodeSet.NONE;
        for (NodeId voter : candidate.voters) {
            var member = members.get(voter);
            possible = member == null || member.last.compareTo(candidate.last) <= 0 ? possible.with(voter) : possible;
        }
        return possible;
    }

    private static boolean isMajority(int votes, Member candidate) {
        return 2 * votes > candidate.voters.size();
    }

    @Override
    public boolean holds(MonitorState state) {
        return state.safe;
    }
}
