package habemus.simulate;

import habemus.protocol.LogCall;
import habemus.protocol.LogReply;
import habemus.protocol.LogView;
import habemus.protocol.NodeId;
import habemus.simulate.LogSummary.CallCount;
import habemus.simulate.LogSummary.NodeLog;
import habemus.world.CallId;
import habemus.world.ObservableEvent;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Counts the calls of a run and keeps the last view of every log. */
final class LogSummaryCollector {

    private enum Kind {
        PROPOSAL,
        READ,
        MEMBER_CHANGE
    }

    private static final CallCount NONE = new CallCount(0, 0, 0, 0);

    private final Map<CallId, Kind> open = new HashMap<>();
    private final Map<Kind, CallCount> counts = new EnumMap<>(Kind.class);
    private final Map<NodeId, LogView> views = new TreeMap<>();
    private final Set<NodeId> down = new HashSet<>();
    private long snapshots;

    void observe(ObservableEvent event) {
        switch (event) {
            case ObservableEvent.LogChanged(var node, var before, var after) -> views.put(node, after);
            case ObservableEvent.Called(var node, var call) -> onCall(node, call);
            case ObservableEvent.Replied(var node, var id, var reply) -> onReply(new CallId(node, id), reply);
            case ObservableEvent.Crashed(var node, var asking) -> down.add(node);
            case ObservableEvent.Restarted(var node) -> down.remove(node);
            default -> {}
        }
    }

    private void onCall(NodeId node, LogCall call) {
        switch (call) {
            case LogCall.Propose(var proposals) ->
                proposals.forEach(proposal -> open(new CallId(node, proposal.id()), Kind.PROPOSAL));
            case LogCall.Read(var id) -> open(new CallId(node, id), Kind.READ);
            case LogCall.ChangeMembers(var id, var change) -> open(new CallId(node, id), Kind.MEMBER_CHANGE);
            case LogCall.Compact compact -> snapshots++;
            case LogCall.TransferLeadership transfer -> {}
        }
    }

    private void open(CallId callId, Kind kind) {
        open.put(callId, kind);
        var count = count(kind);
        counts.put(kind, new CallCount(count.made() + 1, count.done(), count.rejected(), count.indeterminate()));
    }

    private CallCount count(Kind kind) {
        return counts.getOrDefault(kind, NONE);
    }

    private void onReply(CallId callId, LogReply reply) {
        var kind = open.remove(callId);
        if (kind != null) {
            counts.put(kind, withReply(count(kind), reply));
        }
    }

    private static CallCount withReply(CallCount count, LogReply reply) {
        return switch (reply) {
            case LogReply.Committed committed ->
                new CallCount(count.made(), count.done() + 1, count.rejected(), count.indeterminate());
            case LogReply.ReadAt readAt ->
                new CallCount(count.made(), count.done() + 1, count.rejected(), count.indeterminate());
            case LogReply.Rejected rejected ->
                new CallCount(count.made(), count.done(), count.rejected() + 1, count.indeterminate());
            case LogReply.Indeterminate indeterminate ->
                new CallCount(count.made(), count.done(), count.rejected(), count.indeterminate() + 1);
        };
    }

    LogSummary summary() {
        return new LogSummary(
                count(Kind.PROPOSAL),
                count(Kind.READ),
                count(Kind.MEMBER_CHANGE),
                snapshots,
                views.entrySet().stream()
                        .map(entry -> new NodeLog(entry.getKey(), entry.getValue(), down.contains(entry.getKey())))
                        .toList());
    }
}
