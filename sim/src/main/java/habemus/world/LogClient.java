package habemus.world;

import habemus.protocol.ByteString;
import habemus.protocol.LogCall;
import habemus.protocol.LogEntry;
import habemus.protocol.LogView;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.PersistentLog;
import java.util.ArrayList;
import java.util.List;

/**
 * The application of a replicated log in the laboratory. Its state is the text of all applied commands. It makes its
 * calls at a node that leads, and names each command after the term and the index that it will get.
 */
public final class LogClient {

    private LogClient() {}

    /** @param firstId the id of the first proposal; the others follow */
    public static LogCall propose(LogView view, long firstId, int count) {
        var proposals = new ArrayList<LogCall.Proposal>();
        for (int i = 0; i < count; i++) {
            var text = view.term() + "." + (view.log().lastIndex() + 1 + i);
            proposals.add(new LogCall.Proposal(firstId + i, ByteString.ofText(text)));
        }
        return new LogCall.Propose(proposals);
    }

    /** A snapshot of everything applied. */
    public static LogCall compact(LogView view) {
        return new LogCall.Compact(view.commitIndex(), applied(view));
    }

    /** The state of the application at the commit index. */
    private static ByteString applied(LogView view) {
        var log = view.log();
        return after(view.snapshot(), log.entries(log.baseIndex() + 1, view.commitIndex()));
    }

    /** Whether this is the state of the application after the entry at {@code index}. */
    static boolean isStateAt(PersistentLog applied, long index, ByteString state) {
        return index <= applied.lastIndex()
                && after(ByteString.EMPTY, applied.entries(1, index)).equals(state);
    }

    /** The state of the application after these entries. */
    private static ByteString after(ByteString state, List<LogEntry> entries) {
        var text = new StringBuilder();
        for (LogEntry entry : entries) {
            if (entry.content() instanceof LogEntry.Command(var bytes)) {
                text.append(bytes).append(' ');
            }
        }
        return text.isEmpty() ? state : state.concat(ByteString.ofText(text.toString()));
    }

    /** Every change of one member that the leader with this view could make. */
    public static List<LogCall.MemberChange> memberChanges(LogView view, List<NodeId> nodes) {
        var configuration = view.log().configuration().configuration();
        var changes = new ArrayList<LogCall.MemberChange>();
        for (NodeId node : nodes) {
            if (configuration.learners().contains(node)) {
                changes.add(new LogCall.Promote(node));
            }
            changes.add(
                    configuration.members().contains(node) ? new LogCall.Remove(node) : new LogCall.AddLearner(node));
        }
        return changes;
    }

    /** The voters to which the leader with this view can hand over. */
    public static NodeSet transferTargets(LogView view, NodeId self) {
        return view.log().configuration().configuration().voters().without(self);
    }
}
