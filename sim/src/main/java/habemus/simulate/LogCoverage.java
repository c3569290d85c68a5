package habemus.simulate;

import habemus.protocol.LogCall;
import habemus.protocol.LogEntry;
import habemus.protocol.LogReply;
import habemus.protocol.LogView;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.KebabCase;
import habemus.world.ObservableEvent;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** Counts the situations of a replicated log that a run went through, so that a fuzzer can show what it has tested. */
public final class LogCoverage {

    /** A situation in which implementations have gone wrong. */
    public enum Situation {
        LEADER_ELECTED("a node became the leader"),
        STALE_LEADER("a node led while an older leader did not know yet"),
        TRUNCATION("a follower removed entries that conflicted with the leader's"),
        TAIL_LOST("a crash took entries that were not synced"),
        SNAPSHOT_TAKEN("a node replaced entries by a snapshot"),
        SNAPSHOT_INSTALLED("a follower loaded the leader's snapshot"),
        SNAPSHOT_KEPT_TAIL("a follower loaded a snapshot and kept the entries behind it"),
        MEMBER_CHANGE("a leader appended a change of the members"),
        MEMBER_CHANGE_UNDER_FAULT("… while a node was down, paused or partitioned"),
        MEMBER_CHANGE_UNDONE("a follower removed a change of the members from its log"),
        LEADER_REMOVED("a leader removed itself"),
        TRANSFER("a leader was asked to hand over"),
        READ_DURING_TRANSFER("a leader that hands over was asked for a read"),
        READ_ANSWERED("a read was answered"),
        READ_REJECTED("a read was rejected"),
        COMMITTED("a proposal was committed"),
        OVERWRITTEN("a proposal was overwritten by another leader's entry"),
        INDETERMINATE("the outcome of a proposal could not be known");

        private final String sentence;

        Situation(String sentence) {
            this.sentence = sentence;
        }

        public String sentence() {
            return sentence;
        }

        @Override
        public String toString() {
            return KebabCase.of(this);
        }
    }

    private final Map<Situation, Long> counts = new EnumMap<>(Situation.class);
    private NodeSet leaders = NodeSet.NONE;
    private NodeSet handingOver = NodeSet.NONE;
    private NodeSet unavailable = NodeSet.NONE; // down or paused
    private int cuts;

    Map<Situation, Long> counts() {
        return Collections.unmodifiableMap(new EnumMap<>(counts));
    }

    private void count(Situation situation) {
        counts.merge(situation, 1L, Long::sum);
    }

    void observe(ObservableEvent event) {
        switch (event) {
            case ObservableEvent.LogChanged(var node, var before, var after) -> onLogChanged(node, before, after);
            case ObservableEvent.Called(var node, var call) -> onCalled(node, call);
            case ObservableEvent.Replied(var node, var id, var reply) -> onReplied(reply);
            case ObservableEvent.Crashed(var node, var asking) -> {
                unavailable = unavailable.with(node);
                onLeadershipEnded(node);
            }
            case ObservableEvent.Restarted(var node) -> unavailable = unavailable.without(node);
            case ObservableEvent.Paused(var node) -> unavailable = unavailable.with(node);
            case ObservableEvent.Resumed(var node) -> unavailable = unavailable.without(node);
            case ObservableEvent.Partitioned partitioned -> cuts++;
            case ObservableEvent.Healed healed -> cuts--;
            default -> {}
        }
    }

    private void onLogChanged(NodeId node, LogView before, LogView after) {
        if (after.leads() && !before.leads()) {
            count(Situation.LEADER_ELECTED);
            if (!leaders.without(node).isEmpty()) {
                count(Situation.STALE_LEADER);
            }
            leaders = leaders.with(node);
        } else if (!after.leads()) {
            onLeadershipEnded(node);
        }
        if (!before.log().equals(after.log())) {
            onEntriesChanged(node, before, after);
        }
    }

    private void onLeadershipEnded(NodeId node) {
        leaders = leaders.without(node);
        handingOver = handingOver.without(node);
    }

    private void onEntriesChanged(NodeId node, LogView before, LogView after) {
        long common = before.log().commonPrefix(after.log());
        if (after.log().baseIndex() > before.log().baseIndex()) {
            onCompacted(before, after);
        } else if (common < before.log().lastIndex()) {
            count(unavailable.contains(node) ? Situation.TAIL_LOST : Situation.TRUNCATION);
            if (before.log().configuration().index() > common) {
                count(Situation.MEMBER_CHANGE_UNDONE);
            }
        }
        if (after.leads() && after.log().lastIndex() > common) {
            onLeaderAppended(node, after, common + 1);
        }
    }

    private void onCompacted(LogView before, LogView after) {
        if (after.commitIndex() == before.commitIndex()) {
            count(Situation.SNAPSHOT_TAKEN);
        } else {
            count(Situation.SNAPSHOT_INSTALLED);
            if (after.log().lastIndex() > after.log().baseIndex()) {
                count(Situation.SNAPSHOT_KEPT_TAIL);
            }
        }
    }

    private void onLeaderAppended(NodeId node, LogView after, long first) {
        for (long index = first; index <= after.log().lastIndex(); index++) {
            if (after.log().entry(index).content() instanceof LogEntry.Members(var configuration)) {
                count(Situation.MEMBER_CHANGE);
                if (!unavailable.isEmpty() || cuts > 0) {
                    count(Situation.MEMBER_CHANGE_UNDER_FAULT);
                }
                if (!configuration.members().contains(node)) {
                    count(Situation.LEADER_REMOVED);
                }
            }
        }
    }

    private void onCalled(NodeId node, LogCall call) {
        if (call instanceof LogCall.TransferLeadership) {
            count(Situation.TRANSFER);
            handingOver = handingOver.with(node);
        } else if (call instanceof LogCall.Read && handingOver.contains(node)) {
            count(Situation.READ_DURING_TRANSFER);
        }
    }

    private void onReplied(LogReply reply) {
        switch (reply) {
            case LogReply.Committed committed -> count(Situation.COMMITTED);
            case LogReply.ReadAt readAt -> count(Situation.READ_ANSWERED);
            case LogReply.Indeterminate indeterminate -> count(Situation.INDETERMINATE);
            case LogReply.Rejected(var reason, var leader) -> {
                if (reason == LogReply.Reason.OVERWRITTEN) {
                    count(Situation.OVERWRITTEN);
                } else if (reason == LogReply.Reason.NOT_LEADER) {
                    count(Situation.READ_REJECTED); // a call to a node that does not lead is not made
                }
            }
        }
    }
}
