package habemus.log.postgresql;

import habemus.concurrent.EventLoop;
import habemus.protocol.ByteString;
import habemus.protocol.NodeId;
import habemus.service.log.EngineConfig;
import habemus.service.transport.Member;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The tables in a PostgreSQL database, by two connections: one appends, the other reads and is notified. */
final class JdbcTables implements LogTables {

    private static final long LEAVE_TIMEOUT_MILLIS = 1_000;
    private static final int MAX_ROWS_PER_READ = 100;

    private final EngineConfig config;
    private final Member self;
    private final long life;
    private final DatabaseSessions sessions;
    private final ReaderConnections readerConnections;
    private final ConnectionThread writer;
    private final ConnectionThread reader;

    JdbcTables(EngineConfig config, DatabaseSessions sessions, long life, EventLoop loop) {
        this.config = config;
        this.life = life;
        this.sessions = sessions;
        self = config.self();
        readerConnections = new ReaderConnections(sessions, self.node());
        writer = new ConnectionThread("append-" + self.node(), loop, new WriterConnections(sessions));
        reader = new ConnectionThread("read-" + self.node(), loop, readerConnections);
    }

    private record WriterConnections(DatabaseSessions sessions) implements ConnectionThread.Connections {

        @Override
        public Connection open() throws SQLException {
            return sessions.open();
        }

        @Override
        public long idleAfterMillis() {
            return 1_000;
        }
    }

    @Override
    public CompletableFuture<Joined> join(Supplier<byte[]> firstSnapshot, Runnable onAppended) {
        return reader.submit(connection -> {
            sessions.checkSchema(connection);
            var clusterId = inTransaction(connection, () -> {
                Schema.upgrade(connection);
                var id = clusterId(connection, firstSnapshot);
                register(connection);
                return id;
            });
            boolean notifies = readerConnections.listen(connection, "habemus_" + clusterId, onAppended);
            return new Joined(DatabaseSessions.describe(connection), clusterId, notifies);
        });
    }

    private interface SqlSupplier<T> {
        T get() throws SQLException;
    }

    private static <T> T inTransaction(Connection connection, SqlSupplier<T> task) throws SQLException {
        connection.setAutoCommit(false);
        var result = task.get(); // a failure closes the connection
        connection.commit();
        connection.setAutoCommit(true);
        return result;
    }

    private String clusterId(Connection connection, Supplier<byte[]> firstSnapshot) throws SQLException {
        try (var query = connection.prepareStatement("SELECT cluster, cluster_id FROM habemus_head");
                var head = query.executeQuery()) {
            if (head.next()) {
                if (!head.getString(1).equals(config.cluster())) {
                    throw new IllegalStateException("the tables belong to the cluster '" + head.getString(1)
                            + "', this node to '" + config.cluster() + "'"
                            + "\nhint: give each cluster a schema of its own, with currentSchema=NAME in the JDBC URL");
                }
                return head.getString(2);
            }
        }
        var random = new byte[8];
        new SecureRandom().nextBytes(random);
        var id = HexFormat.of().formatHex(random);
        try (var insert = connection.prepareStatement(
                "INSERT INTO habemus_head (cluster, cluster_id, epoch, leader, leader_life, last, chain, bytes)"
                        + " VALUES (?, ?, 1, 1, 0, 1, 0, 0)")) {
            insert.setString(1, config.cluster());
            insert.setString(2, id);
            insert.executeUpdate();
        }
        insertSnapshot(connection, 1, 0, firstSnapshot.get());
        return id;
    }

    private void register(Connection connection) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO habemus_node VALUES (?, ?, ?, 0, 0, 0, 0)"
                + " ON CONFLICT (node) DO UPDATE SET life = excluded.life, address = excluded.address, beat = 0,"
                + " number = 0, committed = 0, committed_chain = 0")) {
            insert.setInt(1, self.node().number());
            insert.setLong(2, life);
            insert.setString(3, self.addressText());
            insert.executeUpdate();
        }
    }

    @Override
    public CompletableFuture<Outcome> append(long epoch, Batch batch) {
        return writer.submit(connection -> {
            try (var statement = connection.prepareStatement("SELECT * FROM habemus_append(?, ?, ?, ?, ?, ?, ?)")) {
                statement.setInt(1, self.node().number());
                statement.setLong(2, life);
                statement.setLong(3, batch.number());
                statement.setLong(4, epoch);
                statement.setInt(5, batch.entries().size());
                statement.setLong(6, batch.salt());
                statement.setBytes(7, EntryBatchFormat.encode(batch.entries()));
                try (var result = statement.executeQuery()) {
                    result.next();
                    return outcome(result);
                }
            }
        });
    }

    private static Outcome outcome(ResultSet result) throws SQLException {
        return switch (result.getInt(1)) {
            case 0 -> new Outcome.Committed(result.getLong(2), result.getLong(3));
            case 1 -> new Outcome.StaleEpoch(result.getLong(2));
            default -> new Outcome.Replaced();
        };
    }

    @Override
    public CompletableFuture<List<Row>> read(long afterIndex) {
        return reader.submit(connection -> {
            try (var query = connection.prepareStatement("SELECT index, salt, chain, content FROM habemus_entry"
                    + " WHERE index > ? ORDER BY index LIMIT " + MAX_ROWS_PER_READ)) {
                query.setLong(1, afterIndex);
                var rows = new ArrayList<Row>();
                try (var result = query.executeQuery()) {
                    while (result.next()) {
                        rows.add(new Row(
                                result.getLong(1),
                                result.getLong(2),
                                result.getLong(3),
                                EntryBatchFormat.decode(result.getBytes(4))));
                    }
                }
                return rows;
            }
        });
    }

    @Override
    public CompletableFuture<Snapshot> readSnapshot() {
        return reader.submit(connection -> {
            try (var query = connection.prepareStatement(
                            "SELECT index, chain, state FROM habemus_snapshot ORDER BY index DESC LIMIT 1");
                    var result = query.executeQuery()) {
                result.next();
                return new Snapshot(result.getLong(1), result.getLong(2), ByteString.of(result.getBytes(3)));
            }
        });
    }

    @Override
    public CompletableFuture<Boolean> writeSnapshot(long index, long chain, Supplier<byte[]> state) {
        return reader.submit(connection -> inTransaction(connection, () -> {
            try (var newer = connection.prepareStatement("SELECT FROM habemus_snapshot WHERE index >= ?")) {
                newer.setLong(1, index);
                try (var result = newer.executeQuery()) {
                    if (result.next()) {
                        return false;
                    }
                }
            }
            insertSnapshot(connection, index, chain, state.get());
            update(connection, "DELETE FROM habemus_snapshot WHERE index < ?", index);
            update(
                    connection,
                    "DELETE FROM habemus_entry WHERE index <= ? AND at < now() - interval '1 minute'",
                    index);
            update(
                    connection,
                    "UPDATE habemus_head SET bytes = (SELECT coalesce(sum(octet_length(content)), 0)"
                            + " FROM habemus_entry WHERE index > ?)",
                    index);
            return true;
        }));
    }

    private static void insertSnapshot(Connection connection, long index, long chain, byte[] state)
            throws SQLException {
        try (var insert =
                connection.prepareStatement("INSERT INTO habemus_snapshot VALUES (?, ?, ?) ON CONFLICT DO NOTHING")) {
            insert.setLong(1, index);
            insert.setLong(2, chain);
            insert.setBytes(3, state);
            insert.executeUpdate();
        }
    }

    private static int update(Connection connection, String sql, long... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setLong(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }

    @Override
    public CompletableFuture<Observation> observe() {
        return reader.submit(connection -> {
            update(
                    connection,
                    "UPDATE habemus_node SET beat = beat + 1 WHERE node = ? AND life = ?",
                    self.node().number(),
                    life);
            var nodes = readNodes(connection);
            try (var query = connection.prepareStatement("SELECT epoch, leader, leader_life, last, chain, bytes,"
                            + " current_setting('synchronous_standby_names') <> ''"
                            + " AND current_setting('synchronous_commit') IN ('on', 'remote_apply')"
                            + " FROM habemus_head");
                    var head = query.executeQuery()) {
                head.next();
                return new Observation(
                        new Leadership(head.getLong(1), new NodeId(head.getInt(2)), head.getLong(3)),
                        head.getLong(4),
                        head.getLong(5),
                        head.getLong(6),
                        head.getBoolean(7),
                        nodes);
            }
        });
    }

    private static List<NodeRow> readNodes(Connection connection) throws SQLException {
        var nodes = new ArrayList<NodeRow>();
        try (var query = connection.prepareStatement("SELECT node, address, life, beat FROM habemus_node");
                var rows = query.executeQuery()) {
            while (rows.next()) {
                nodes.add(new NodeRow(
                        member(new NodeId(rows.getInt(1)), rows.getString(2)), rows.getLong(3), rows.getLong(4)));
            }
        }
        return nodes;
    }

    /** The port is 0 if other clients cannot connect to the node. */
    private static Member member(NodeId node, String address) {
        int colon = address.lastIndexOf(':');
        return new Member(
                node,
                InetSocketAddress.createUnresolved(
                        address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))));
    }

    @Override
    public CompletableFuture<Boolean> takeOver(long epoch) {
        return reader.submit(connection -> update(
                        connection,
                        "UPDATE habemus_head SET epoch = epoch + 1, leader = ?, leader_life = ? WHERE epoch = ?",
                        self.node().number(),
                        life,
                        epoch)
                == 1);
    }

    @Override
    public CompletableFuture<Boolean> remove(NodeId node) {
        return reader.submit(
                connection -> update(connection, "DELETE FROM habemus_node WHERE node = ?", node.number()) == 1);
    }

    @Override
    public void leave() {
        try {
            reader.submit(connection -> inTransaction(connection, () -> {
                        update(
                                connection,
                                "DELETE FROM habemus_node WHERE node = ? AND life = ?",
                                self.node().number(),
                                life);
                        update(
                                connection,
                                "UPDATE habemus_head SET epoch = epoch + 1, leader_life = 0 WHERE leader_life = ?",
                                life);
                        return true;
                    }))
                    .completeOnTimeout(false, LEAVE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException unreachable) {
            // the others notice it by the missing beat
        }
    }

    @Override
    public void close() {
        writer.close();
        reader.close();
    }
}
