package habemus.client;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Refuses late writers in a database. The check is part of the writer's transaction, so that it and the writes happen
 * together or not at all: whoever has a smaller fence than one that was committed cannot commit anything more.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * guard.check(connection, "nightly-report", grant.fence());
 * // writes
 * connection.commit();
 * }</pre>
 *
 * <p>Until the transaction ends, others of the same name wait in their check. Plain SQL, tested with H2 and PostgreSQL.
 */
public final class JdbcFenceGuard {

    private static final Pattern TABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?");
    private static final String CONSTRAINT_VIOLATED = "23";

    private final String table;

    private JdbcFenceGuard(String table) {
        this.table = table;
    }

    /** {@return one that keeps its fences in the table {@code habemus_fence}} */
    public static JdbcFenceGuard inDefaultTable() {
        return inTable("habemus_fence");
    }

    /**
     * One that keeps its fences in another table, with columns {@code name} and {@code fence}.
     *
     * @param table letters, digits and {@code _}, maybe after a schema and a dot
     * @return for this table
     * @throws IllegalArgumentException if it is no such name
     */
    public static JdbcFenceGuard inTable(String table) {
        if (!TABLE.matcher(table).matches()) {
            throw new IllegalArgumentException("a table is named by letters, digits and _, not \"" + table + "\"");
        }
        return new JdbcFenceGuard(table);
    }

    /**
     * Makes the table, unless it is there.
     *
     * @param connection of somebody who may do so
     * @throws SQLException of the database
     */
    public void createTable(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS " + table + " (name VARCHAR(1000) PRIMARY KEY, fence BIGINT NOT NULL)");
        }
    }

    /**
     * Lets this fence pass, or not.
     *
     * @param connection in the transaction of the writes; without auto-commit
     * @param name of the lock
     * @param fence of who writes
     * @throws StaleFenceException if a larger one has been here; roll back
     * @throws SQLException of the database; roll back, and try again if it says so
     * @throws IllegalStateException if the connection commits by itself
     */
    public void check(Connection connection, String name, long fence) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("the check must be in the transaction of the writes: setAutoCommit(false)");
        }
        if (raise(connection, name, fence) || isFirst(connection, name, fence)) {
            return;
        }
        // Somebody was first at the same time, and is there now.
        if (!raise(connection, name, fence)) {
            throw refused(name, fence, seen(connection, name).orElse(0));
        }
    }

    /** Whoever comes at the same time waits here, until the other's transaction has ended. */
    private boolean raise(Connection connection, String name, long fence) throws SQLException {
        try (var update =
                connection.prepareStatement("UPDATE " + table + " SET fence = ? WHERE name = ? AND fence <= ?")) {
            update.setLong(1, fence);
            update.setString(2, name);
            update.setLong(3, fence);
            return update.executeUpdate() == 1;
        }
    }

    private boolean isFirst(Connection connection, String name, long fence) throws SQLException {
        var seen = seen(connection, name);
        if (seen.isPresent() && seen.getAsLong() > fence) {
            throw refused(name, fence, seen.getAsLong());
        }
        return seen.isEmpty() && insert(connection, name, fence);
    }

    private static StaleFenceException refused(String name, long fence, long seen) {
        ClientMetrics.INSTANCE.countStaleFence();
        return new StaleFenceException(name, fence, seen);
    }

    private OptionalLong seen(Connection connection, String name) throws SQLException {
        try (var select = connection.prepareStatement("SELECT fence FROM " + table + " WHERE name = ?")) {
            select.setString(1, name);
            try (var rows = select.executeQuery()) {
                return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
            }
        }
    }

    /** What fails must not end the transaction, as it would in PostgreSQL. */
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
