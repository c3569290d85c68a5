package habemus.world;

import static java.util.Objects.requireNonNull;

import habemus.protocol.ByteString;
import habemus.protocol.Configuration;
import habemus.protocol.EntryId;
import habemus.protocol.LogCall;
import habemus.protocol.LogEntry;
import habemus.protocol.LogReply;
import habemus.protocol.LogView;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.PersistentLog;
import habemus.world.ObservableEvent.Applied;
import habemus.world.ObservableEvent.Called;
import habemus.world.ObservableEvent.Crashed;
import habemus.world.ObservableEvent.LogChanged;
import habemus.world.ObservableEvent.Replied;
import habemus.world.ObservableEvent.SnapshotLoaded;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The monitors of the properties of a replicated log, after the names of the Raft paper where it has one. */
@SuppressWarnings("ReferenceEquality") // logs share structure: the same object is the common case, and cheap to see
final class LogMonitors {

    /** The log before its first entry. */
    static final PersistentLog EMPTY = startingAfter(new EntryId(0, 0));

    private LogMonitors() {}

    /** A log whose entries up to {@code base} are unknown. */
    static PersistentLog startingAfter(EntryId base) {
        return PersistentLog.startingAfter(base, new Configuration(NodeSet.NONE, NodeSet.NONE));
    }

    static <K, V> SortedMap<K, V> with(SortedMap<K, V> map, K key, V value) {
        var next = new TreeMap<>(map);
        next.put(key, value);
        return next;
    }

    static <K, V> SortedMap<K, V> without(SortedMap<K, V> map, K key) {
        if (!map.containsKey(key)) {
            return map;
        }
        var next = new TreeMap<>(map);
        next.remove(key);
        return next;
    }

    /** Whether the logs share no entry that one of them lacks, in the part that both hold. */
    private static boolean agree(PersistentLog left, PersistentLog right) {
        return left.commonPrefix(right)
                >= Math.min(left.lastIndex(), right.lastIndex()); // a larger base counts as common
    }

    /** At most one node leads a term. */
    record ElectionSafety() implements PropertyMonitor<ElectionSafety.MonitorState> {
        /** @param leaders the leader of each term */
        record MonitorState(SortedMap<Long, NodeId> leaders, boolean unique) {}

        @Override
        public Property property() {
            return Property.ELECTION_SAFETY;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(new TreeMap<>(), true);
        }

        @Override
        public MonitorState next(MonitorState state, ObservableEvent event) {
            if (!(event instanceof LogChanged(var node, var before, var after)) || !after.leads() || before.leads()) {
                return state;
            }
            var known = state.leaders.get(after.term());
            return known == null
                    ? new MonitorState(with(state.leaders, after.term(), node), state.unique)
                    : known.equals(node) ? state : new MonitorState(state.leaders, false);
        }

        @Override
        public boolean holds(MonitorState state) {
            return state.unique;
        }
    }

    record LeaderAppendOnly() implements PropertyMonitor<Boolean> {
        @Override
        public Property property() {
            return Property.LEADER_APPEND_ONLY;
        }

        @Override
        public Boolean initialState() {
            return true;
        }

        @Override
        public Boolean next(Boolean holds, ObservableEvent event) {
            return holds
                    && !(event instanceof LogChanged(var node, var before, var after)
                            && before.leads()
                            && after.leads()
                            && before.term() == after.term()
                            && (after.log().lastIndex() < before.log().lastIndex()
                                    || !agree(before.log(), after.log())));
        }

        @Override
        public boolean holds(Boolean state) {
            return state;
        }
    }

    record LogMatching() implements PropertyMonitor<LogMatching.MonitorState> {
        record MonitorState(SortedMap<NodeId, PersistentLog> logs, boolean matching) {}

        @Override
        public Property property() {
            return Property.LOG_MATCHING;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(new TreeMap<>(), true);
        }

        @Override
        public MonitorState next(MonitorState state, ObservableEvent event) {
            if (!(event instanceof LogChanged(var node, var before, var after))
                    || before.log() == after.log() && state.logs.containsKey(node)) {
                return state;
            }
            boolean matching = state.matching;
            long unchanged = state.logs.containsKey(node) ? state.logs.get(node).commonPrefix(after.log()) : 0;
            for (var other : state.logs.entrySet()) {
                matching &= other.getKey().equals(node) || matches(after.log(), other.getValue(), unchanged);
            }
            return new MonitorState(with(state.logs, node, after.log()), matching);
        }

        /** Compares the entries after {@code unchanged}: those before were compared when they were appended. */
        private static boolean matches(PersistentLog left, PersistentLog right, long unchanged) {
            long first = Math.max(unchanged, Math.max(left.baseIndex(), right.baseIndex())) + 1;
            for (long index = first; index <= Math.min(left.lastIndex(), right.lastIndex()); index++) {
                boolean isSame = left.termAt(index) == right.termAt(index);
                if (isSame
                        && (!left.entry(index).equals(right.entry(index))
                                || left.termAt(index - 1) != right.termAt(index - 1))) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public boolean holds(MonitorState state) {
            return state.matching;
        }
    }

    /** The entries that some node knew to be committed, in order. */
    private static PersistentLog committed(PersistentLog known, LogView view) {
        long from = Math.max(known.lastIndex(), view.log().baseIndex()) + 1;
        return view.commitIndex() > known.lastIndex() && view.log().baseIndex() <= known.lastIndex()
                ? known.append(view.log().entries(from, view.commitIndex()))
                : known;
    }

    /** @param first the log of which everything is known: entries before it are not compared */
    record LeaderCompleteness(PersistentLog first) implements PropertyMonitor<LeaderCompleteness.MonitorState> {
        /**
         * @param committed all entries known to be committed
         * @param lastByTerm the last entry that was committed in each term
         * @param leaders the logs of the current leaders
         */
        record MonitorState(
                PersistentLog committed,
                SortedMap<Long, Long> lastByTerm,
                SortedMap<NodeId, LogView> leaders,
                boolean complete) {}

        @Override
        public Property property() {
            return Property.LEADER_COMPLETENESS;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(first, new TreeMap<>(), new TreeMap<>(), true);
        }

        @Override
        public MonitorState next(MonitorState state, ObservableEvent event) {
            return switch (event) {
                case LogChanged(var node, var before, var after) -> after(state, node, after);
                case Crashed(var node, var asking) ->
                    new MonitorState(state.committed, state.lastByTerm, without(state.leaders, node), state.complete);
                default -> state;
            };
        }

        private static MonitorState after(MonitorState state, NodeId node, LogView view) {
            var leaders = view.leads() ? with(state.leaders, node, view) : without(state.leaders, node);
            var committed = committed(state.committed, view);
            if (committed == state.committed && leaders == state.leaders) {
                return state;
            }
            var lastByTerm = committed == state.committed
                    ? state.lastByTerm
                    : with(state.lastByTerm, view.term(), committed.lastIndex());
            boolean complete = state.complete;
            for (LogView leader : leaders.values()) {
                complete &= hasCommitted(leader, committed, lastByTerm);
            }
            return new MonitorState(committed, lastByTerm, leaders, complete);
        }

        /** Whether the leader has the entries that were committed in earlier terms. */
        private static boolean hasCommitted(LogView leader, PersistentLog committed, SortedMap<Long, Long> lastByTerm) {
            long last = 0;
            for (long index : lastByTerm.headMap(leader.term()).values()) {
                last = Math.max(last, index);
            }
            return last <= leader.log().baseIndex() || leader.log().contains(committed.idAt(last));
        }

        @Override
        public boolean holds(MonitorState state) {
            return state.complete;
        }
    }

    /**
     * Also compares a loaded snapshot with the entries that it stands for.
     *
     * @param first the log of which everything is known: entries before it are not compared
     */
    record StateMachineSafety(PersistentLog first, SnapshotCheck snapshotCheck)
            implements PropertyMonitor<StateMachineSafety.MonitorState> {
        /** @param applied the longest sequence of entries that was applied, from the first on */
        record MonitorState(PersistentLog applied, boolean safe) {}

        @Override
        public Property property() {
            return Property.STATE_MACHINE_SAFETY;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(first, true);
        }

        @Override
        public MonitorState next(MonitorState state, ObservableEvent event) {
            return switch (event) {
                case Applied(var node, var index, var entries) -> apply(state, index, entries);
                case SnapshotLoaded(var node, var index, var snapshot) ->
                    new MonitorState(
                            state.applied, state.safe && snapshotCheck.isStateAt(state.applied, index, snapshot));
                default -> state;
            };
        }

        private static MonitorState apply(MonitorState state, long first, List<LogEntry> entries) {
            boolean safe = state.safe && first <= state.applied.lastIndex() + 1;
            var applied = state.applied;
            for (int i = 0; safe && i < entries.size(); i++) {
                if (first + i <= applied.lastIndex()) {
                    safe = first + i <= applied.baseIndex()
                            || applied.entry(first + i).equals(entries.get(i));
                } else {
                    applied = applied.append(entries.subList(i, entries.size()));
                    break;
                }
            }
            return new MonitorState(applied, safe);
        }

        @Override
        public boolean holds(MonitorState state) {
            return state.safe;
        }
    }

    /** @param first the log of which everything is known: entries before it are not compared */
    record CommittedStays(PersistentLog first) implements PropertyMonitor<CommittedStays.MonitorState> {
        record MonitorState(PersistentLog committed, boolean stays) {}

        @Override
        public Property property() {
            return Property.COMMITTED_STAYS;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(first, true);
        }

        @Override
        public MonitorState next(MonitorState state, ObservableEvent event) {
            if (!(event instanceof LogChanged(var node, var before, var after))
                    || before.log() == after.log() && before.commitIndex() == after.commitIndex()) {
                return state;
            }
            var committed = committed(state.committed, after);
            boolean stays = state.stays
                    && after.commitIndex() >= before.commitIndex()
                    && after.log().baseIndex() >= before.log().baseIndex()
                    && after.log().baseIndex() <= after.commitIndex()
                    && after.commitIndex() <= after.log().lastIndex()
                    && (after.commitIndex() <= Math.max(after.log().baseIndex(), first.baseIndex())
                            || committed.contains(after.log().idAt(after.commitIndex())));
            return new MonitorState(committed, stays);
        }

        @Override
        public boolean holds(MonitorState state) {
            return state.stays;
        }
    }

    record AcknowledgedStays() implements PropertyMonitor<AcknowledgedStays.MonitorState> {
        /**
         * @param open the commands of proposals that are not answered
         * @param acknowledged the commands that were reported as committed, by index
         * @param rejected the commands that were reported as rejected
         * @param applied the longest sequence of applied entries
         */
        record MonitorState(
                SortedMap<CallId, ByteString> open,
                SortedMap<Long, ByteString> acknowledged,
                List<ByteString> rejected,
                PersistentLog applied,
                boolean stays) {

            MonitorState withOpen(SortedMap<CallId, ByteString> next) {
                return new MonitorState(next, acknowledged, rejected, applied, stays);
            }

            /** A command that is proposed again may be applied. */
            MonitorState withoutRejected(Collection<ByteString> proposed) {
                return rejected.isEmpty()
                        ? this
                        : new MonitorState(
                                open,
                                acknowledged,
                                rejected.stream()
                                        .filter(command -> !proposed.contains(command))
                                        .toList(),
                                applied,
                                stays);
            }

            /** Whether what was reported agrees with what was applied at these indexes. */
            MonitorState checked(long first, List<LogEntry> entries) {
                boolean agrees = stays;
                for (int i = 0; i < entries.size(); i++) {
                    var command =
                            entries.get(i).content() instanceof LogEntry.Command(var bytes) ? bytes : ByteString.EMPTY;
                    var reported = acknowledged.get(first + i);
                    agrees &= (reported == null || reported.equals(command)) && !rejected.contains(command);
                }
                return new MonitorState(open, acknowledged, rejected, applied, agrees);
            }
        }

        @Override
        public Property property() {
            return Property.ACKNOWLEDGED_STAYS;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(new TreeMap<>(), new TreeMap<>(), List.of(), EMPTY, true);
        }

        @Override
        public MonitorState next(MonitorState state, ObservableEvent event) {
            return switch (event) {
                case Called(var node, LogCall.Propose(var proposals)) -> {
                    var open = new TreeMap<>(state.open);
                    proposals.forEach(each -> open.put(new CallId(node, each.id()), each.command()));
                    yield state.withOpen(open).withoutRejected(open.values());
                }
                case Replied(var node, var id, var reply)
                when state.open.containsKey(new CallId(node, id)) -> replied(state, new CallId(node, id), reply);
                case Applied(var node, var first, var entries) -> applied(state, first, entries);
                default -> state;
            };
        }

        private static MonitorState replied(MonitorState state, CallId id, LogReply reply) {
            var command = requireNonNull(state.open.get(id));
            var open = without(state.open, id);
            return switch (reply) {
                case LogReply.Committed(var index) ->
                    new MonitorState(
                            open,
                            with(state.acknowledged, index, command),
                            state.rejected,
                            state.applied,
                            state.stays
                                    && index <= state.applied.lastIndex()
                                    && isCommand(state.applied.entry(index), command));
                case LogReply.Rejected rejected -> {
                    boolean isApplied = false;
                    for (long index = 1; index <= state.applied.lastIndex(); index++) {
                        isApplied |= isCommand(state.applied.entry(index), command);
                    }
                    yield new MonitorState(
                            open,
                            state.acknowledged,
                            Stream.concat(state.rejected.stream(), Stream.of(command))
                                    .toList(),
                            state.applied,
                            state.stays && !isApplied);
                }
                default -> state.withOpen(open);
            };
        }

        private static boolean isCommand(LogEntry entry, ByteString command) {
            return entry.content() instanceof LogEntry.Command(var bytes) && bytes.equals(command);
        }

        private static MonitorState applied(MonitorState state, long first, List<LogEntry> entries) {
            var checked = state.checked(first, entries);
            int known = (int) (state.applied.lastIndex() + 1 - first);
            return known < 0 || known >= entries.size()
                    ? checked
                    : new MonitorState(
                            checked.open,
                            checked.acknowledged,
                            checked.rejected,
                            checked.applied.append(entries.subList(known, entries.size())),
                            checked.stays);
        }

        @Override
        public boolean holds(MonitorState state) {
            return state.stays;
        }
    }

    record ReadsAreLinearizable() implements PropertyMonitor<ReadsAreLinearizable.MonitorState> {
        /**
         * @param acknowledged the last index that a reply has shown to a client
         * @param open for each read that is not answered, that index when it was requested
         */
        record MonitorState(long acknowledged, SortedMap<CallId, Long> open, boolean linearizable) {}

        @Override
        public Property property() {
            return Property.READS_ARE_LINEARIZABLE;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(0, new TreeMap<>(), true);
        }

        @Override
        public MonitorState next(MonitorState state, ObservableEvent event) {
            return switch (event) {
                case Called(var node, LogCall.Read(var id)) ->
                    new MonitorState(
                            state.acknowledged,
                            with(state.open, new CallId(node, id), state.acknowledged),
                            state.linearizable);
                case Replied(var node, var id, LogReply.Committed(var index)) ->
                    new MonitorState(Math.max(state.acknowledged, index), state.open, state.linearizable);
                case Replied(var node, var id, LogReply.ReadAt(var index)) -> {
                    long floor = state.open.getOrDefault(new CallId(node, id), 0L);
                    yield new MonitorState(
                            Math.max(state.acknowledged, index),
                            without(state.open, new CallId(node, id)),
                            state.linearizable && index >= floor);
                }
                case Replied(var node, var id, LogReply.Rejected rejected) ->
                    new MonitorState(state.acknowledged, without(state.open, new CallId(node, id)), state.linearizable);
                default -> state;
            };
        }

        @Override
        public boolean holds(MonitorState state) {
            return state.linearizable;
        }
    }

    record OneApplication() implements PropertyMonitor<OneApplication.MonitorState> {
        /** @param applied the last applied index of each node since it started */
        record MonitorState(SortedMap<NodeId, Long> applied, boolean once) {}

        @Override
        public Property property() {
            return Property.ONE_APPLICATION;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(new TreeMap<>(), true);
        }

        @Override
        public MonitorState next(MonitorState state, ObservableEvent event) {
            return switch (event) {
                case Applied(var node, var first, var entries) ->
                    new MonitorState(
                            with(state.applied, node, first + entries.size() - 1),
                            state.once && first == state.applied.getOrDefault(node, 0L) + 1);
                case SnapshotLoaded(var node, var index, var snapshot) ->
                    new MonitorState(
                            with(state.applied, node, index),
                            state.once && index > state.applied.getOrDefault(node, 0L));
                case Crashed(var node, var asking) -> new MonitorState(without(state.applied, node), state.once);
                default -> state;
            };
        }

        @Override
        public boolean holds(MonitorState state) {
            return state.once;
        }
    }
}
