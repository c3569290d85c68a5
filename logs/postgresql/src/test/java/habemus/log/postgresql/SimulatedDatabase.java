package habemus.log.postgresql;

import habemus.log.postgresql.LogTables.Batch;
import habemus.log.postgresql.LogTables.Leadership;
import habemus.log.postgresql.LogTables.NodeRow;
import habemus.log.postgresql.LogTables.Observation;
import habemus.log.postgresql.LogTables.Outcome;
import habemus.log.postgresql.LogTables.Row;
import habemus.log.postgresql.LogTables.Snapshot;
import habemus.protocol.ByteString;
import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The rules of the tables, as schema-1.sql and JdbcTables have them. Each method is one transaction. */
final class SimulatedDatabase {

    /** A rule that is left out, to see that the properties need it. */
    enum Defect {
        /** An append whose answer was lost is executed again. */
        NUMBER_IS_NOT_COMPARED,
        /** A stale leader, or a follower of one, still appends. */
        EPOCH_IS_NOT_COMPARED,
        /** The lost answer is taken from the rows, which a snapshot deletes. */
        NUMBER_IS_FORGOTTEN_BY_SNAPSHOTS,
        /** A replaced process still appends. */
        LIFE_IS_NOT_COMPARED,
        /** Indexes come from a sequence: a row may become visible after a later one. */
        INDEX_IS_A_SEQUENCE,
        /** A snapshot deletes one row too many. */
        SNAPSHOT_DELETES_TOO_MUCH,
        /** All rows have the chain 0, and so has every node. */
        CHAIN_IS_CONSTANT
    }

    private record NodeState(Member member, long life, long beat, long number, Outcome.Committed answer) {}

    /** A row and when it was appended. */
    private record StoredRow(Row row, long atNanos) {}

    private record State(
            Leadership leadership,
            long last,
            long chain,
            TreeMap<Long, StoredRow> rows,
            Snapshot snapshot,
            Map<NodeId, NodeState> nodes) {

        State copy() {
            return new State(leadership, last, chain, new TreeMap<>(rows), snapshot, new HashMap<>(nodes));
        }
    }

    private static final int MAX_HISTORY = 6;
    private static final long RETENTION_NANOS = TimeUnit.SECONDS.toNanos(15);

    private final Set<Defect> defects;
    private final LongSupplier clock;
    private final Deque<State> history = new ArrayDeque<>();
    private final TreeMap<Long, StoredRow> invisible = new TreeMap<>(); // with a sequence only
    private @Nullable State state;
    private int staleAppends;

    SimulatedDatabase(Set<Defect> defects, LongSupplier clock) {
        this.defects = defects;
        this.clock = clock;
    }

    private boolean has(Defect defect) {
        return defects.contains(defect);
    }

    private State state() {
        return Objects.requireNonNull(state);
    }

    private void save(State next) {
        if (state != null) {
            history.addLast(state.copy());
            if (history.size() > MAX_HISTORY) {
                history.removeFirst();
            }
        }
        state = next;
    }

    /** Appends of another epoch or life that were committed. */
    int staleAppends() {
        return staleAppends;
    }

    /** An asynchronous standby takes over. It has not received the last transactions. Returns the lost rows. */
    List<Row> failOver(int lostTransactions) {
        var before = state();
        for (int i = 0; i < lostTransactions && !history.isEmpty(); i++) {
            state = history.removeLast();
        }
        return before.rows.values().stream()
                .map(StoredRow::row)
                .filter(row -> row.index() > state().last
                        || state().rows.containsKey(row.index())
                                && state().rows.get(row.index()).row.salt() != row.salt())
                .toList();
    }

    void join(Member member, long life, byte[] firstSnapshot) {
        if (state == null) {
            state = new State(
                    new Leadership(1, new NodeId(1), 0),
                    1,
                    0,
                    new TreeMap<>(),
                    new Snapshot(1, 0, ByteString.of(firstSnapshot)),
                    new HashMap<>());
        }
        state().nodes.put(member.node(), new NodeState(member, life, 0, 0, new Outcome.Committed(0, 0)));
    }

    Outcome append(NodeId node, long life, long epoch, Batch batch) {
        var now = state();
        var known = now.nodes.get(node);
        boolean isReplaced = known == null || known.life != life;
        if (isReplaced && !has(Defect.LIFE_IS_NOT_COMPARED)) {
            return new Outcome.Replaced();
        }
        if (!isReplaced && known.number >= batch.number() && !has(Defect.NUMBER_IS_NOT_COMPARED)) {
            boolean isForgotten =
                    has(Defect.NUMBER_IS_FORGOTTEN_BY_SNAPSHOTS) && known.answer.index() <= now.snapshot.index();
            if (!isForgotten) {
                return known.answer;
            }
        }
        boolean isStale = epoch != now.leadership.epoch();
        if (isStale && !has(Defect.EPOCH_IS_NOT_COMPARED)) {
            return new Outcome.StaleEpoch(now.leadership.epoch());
        }
        if (isStale || isReplaced) {
            staleAppends++;
        }
        long last = now.last + batch.entries().size();
        long chain = has(Defect.CHAIN_IS_CONSTANT) ? 0 : now.chain ^ batch.salt();
        var next = now.copy();
        var answer = new Outcome.Committed(last, chain);
        var row = new StoredRow(
                new Row(last, has(Defect.CHAIN_IS_CONSTANT) ? 0 : batch.salt(), chain, batch.entries()),
                clock.getAsLong());
        if (has(Defect.INDEX_IS_A_SEQUENCE) && batch.salt() % 3 == 0) {
            invisible.put(last, row);
        } else {
            next.rows.put(last, row);
            next.rows.putAll(invisible.headMap(last - 3));
        }
        if (!isReplaced) {
            next.nodes.put(node, new NodeState(known.member, life, known.beat, batch.number(), answer));
        }
        save(new State(next.leadership, last, chain, next.rows, next.snapshot, next.nodes));
        return answer;
    }

    List<Row> read(long afterIndex) {
        return state().rows.tailMap(afterIndex, false).values().stream()
                .map(StoredRow::row)
                .limit(3)
                .toList();
    }

    Snapshot snapshot() {
        return state().snapshot;
    }

    void writeSnapshot(Snapshot snapshot) {
        var now = state();
        if (now.snapshot.index() < snapshot.index()) {
            var next = now.copy();
            next.rows
                    .headMap(snapshot.index(), true)
                    .values()
                    .removeIf(row -> clock.getAsLong() - row.atNanos > RETENTION_NANOS);
            if (has(Defect.SNAPSHOT_DELETES_TOO_MUCH)) {
                next.rows.headMap(snapshot.index() + 2, true).clear();
            }
            save(new State(next.leadership, next.last, next.chain, next.rows, snapshot, next.nodes));
        }
    }

    Observation observe(NodeId node, long life) {
        var now = state();
        now.nodes.computeIfPresent(
                node,
                (self, row) ->
                        row.life == life ? new NodeState(row.member, life, row.beat + 1, row.number, row.answer) : row);
        var rows = now.nodes.values().stream()
                .map(row -> new NodeRow(row.member, row.life, row.beat))
                .toList();
        return new Observation(now.leadership, now.last, now.chain, 0, false, rows);
    }

    boolean takeOver(NodeId node, long life, long epoch) {
        var now = state();
        if (now.leadership.epoch() != epoch) {
            return false;
        }
        var next = now.copy();
        save(new State(
                new Leadership(epoch + 1, node, life), next.last, next.chain, next.rows, next.snapshot, next.nodes));
        return true;
    }

    void remove(NodeId node) {
        state().nodes.remove(node);
    }
}
