package habemus.client;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Rejects writes with stale fences in a database. The check is part of the writer's transaction, so check and writes
 * commit together or not at all. After a commit with a larger fence, no writer with a smaller one can commit.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * guard.check(connection, "nightly-report", grant.fence());
 * // writes
 * connection.commit();
 * }</pre>
 *
 * <p>Until the transaction ends, other checks of the same lock wait. Uses plain SQL, tested with H2 and PostgreSQL.
 */
public final class JdbcFenceGuard {

    private static final Pattern TABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?");
    private static final String CONSTRAINT_VIOLATED = "23";

    private final String table;

    private JdbcFenceGuard(String table) {
        this.table = table;
    }

    /** {@return a guard that keeps its fences in the table {@code habemus_fence}} */
    public static JdbcFenceGuard inDefaultTable() {
        return inTable("habemus_fence");
    }

    /**
     * Returns a guard that keeps its fences in another table, with columns {@code name} and {@code fence}.
     *
     * @param table letters, digits and {@code _}, optionally after a schema and a dot
     * @return for this table
     * @throws IllegalArgumentException if the name has other characters
     */
    public static JdbcFenceGuard inTable(String table) {
        if (!TABLE.matcher(table).matches()) {
            throw new IllegalArgumentException("table must consist of letters, digits and _, was \"" + table + "\"");
        }
        return new JdbcFenceGuard(table);
    }

    /**
     * Creates the table, unless it exists.
     *
     * @param connection of a user who may create tables
     * @throws SQLException of the database
     */
    public void createTable(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS " + table + " (name VARCHAR(1000) PRIMARY KEY, fence BIGINT NOT NULL)");
        }
    }

    /**
     * Checks a fence.
     *
     * @param connection in the transaction of the writes; without auto-commit
     * @param name of the lock
     * @param fence of the writer
     * @throws StaleFenceException if a larger fence was committed before; roll back
     * @throws SQLException of the database; roll back, and try again if it says so
     * @throws IllegalStateException if the connection is in auto-commit mode
     */
    public void check(Connection connection, String name, long fence) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "connection must not be in auto-commit mode (check and writes need one transaction)"
                            + "\nhint: connection.setAutoCommit(false)");
        }
        if (updateFence(connection, name, fence) || insertFirstFence(connection, name, fence)) {
            return;
        }
        // another transaction inserted the first fence at the same time
        if (!updateFence(connection, name, fence)) {
            throw staleFence(name, fence, largestSeen(connection, name).orElse(0));
        }
    }

    /** Waits for a concurrent transaction of the same lock to end. */
    private boolean updateFence(Connection connection, String name, long fence) throws SQLException {
        try (var update =
                connection.prepareStatement("UPDATE " + table + " SET fence = ? WHERE name = ? AND fence <= ?")) {
            update.setLong(1, fence);
            update.setString(2, name);
            update.setLong(3, fence);
            return update.executeUpdate() == 1;
        }
    }

    private boolean insertFirstFence(Connection connection, String name, long fence) throws SQLException {
        var largestSeen = largestSeen(connection, name);
        if (largestSeen.isPresent() && largestSeen.getAsLong() > fence) {
            throw staleFence(name, fence, largestSeen.getAsLong());
        }
        return largestSeen.isEmpty() && insert(connection, name, fence);
    }

    private static StaleFenceException staleFence(String name, long fence, long largestSeen) {
        ClientMetrics.INSTANCE.countStaleFence();
        return new StaleFenceException(name, fence, largestSeen);
    }

    private OptionalLong largestSeen(Connection connection, String name) throws SQLException {
        try (var select = connection.prepareStatement("SELECT fence FROM " + table + " WHERE name = ?")) {
            select.setString(1, name);
            try (var rows = select.executeQuery()) {
                return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
            }
        }
    }

    /** Uses a savepoint, because a failed insert would abort the transaction in PostgreSQL. */
    private boolean insert(Connection connection, String name, long fence) throws SQLException {
        var before = connection.setSavepoint();
        try (var insert = connection.prepareStatement("INSERT INTO " + table + " (name, fence) VALUES (?, ?)")) {
            insert.setString(1, name);
            insert.setLong(2, fence);
            insert.executeUpdate();
            connection.releaseSavepoint(before);
            return true;
        } catch (SQLException e) {
            if (e.getSQLState() == null || !e.getSQLState().startsWith(CONSTRAINT_VIOLATED)) {
                throw e;
            }
            connection.rollback(before);
            return false;
        }
    }
}
