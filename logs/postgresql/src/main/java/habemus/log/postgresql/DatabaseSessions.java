package habemus.log.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens connections, and finds out whether a pooler is between.
 *
 * @param schema that the JDBC URL names; empty if it names none
 */
record DatabaseSessions(DataSource dataSource, Optional<String> schema) {

    private static final Logger LOG = LoggerFactory.getLogger(DatabaseSessions.class);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);
    private static final int MIN_VERSION = 12;

    Connection open() throws SQLException {
        var connection = dataSource.getConnection();
        try {
            connection.setAutoCommit(true);
            connection.setNetworkTimeout(Runnable::run, (int) ANSWER_TIMEOUT.toMillis());
            if (connection.isWrapperFor(PGConnection.class) && isPooled(connection)) {
                // a prepared statement belongs to a server connection, which the next transaction may not get
                connection.unwrap(PGConnection.class).setPrepareThreshold(0);
            }
            return connection;
        } catch (SQLException | RuntimeException failed) {
            connection.close();
            throw failed;
        }
    }

    /** A pooler gives its clients process numbers of its own. In doubt, there is one. */
    static boolean isPooled(Connection connection) throws SQLException {
        if (!connection.isWrapperFor(PGConnection.class)) {
            return true;
        }
        var direct = connection.unwrap(PGConnection.class);
        int threshold = direct.getPrepareThreshold();
        direct.setPrepareThreshold(0);
        try (var statement = connection.createStatement();
                var backend = statement.executeQuery("SELECT pg_backend_pid()")) {
            backend.next();
            return backend.getInt(1) != direct.getBackendPID();
        } finally {
            direct.setPrepareThreshold(threshold);
        }
    }

    /** In the tables of another schema, the node would be in another cluster. */
    void checkSchema(Connection connection) throws SQLException {
        var actual = connection.getSchema();
        if (actual == null) {
            throw new IllegalStateException("the database user has no schema\nhint: GRANT USAGE ON SCHEMA public, or"
                    + " currentSchema=NAME in the JDBC URL");
        }
        if (schema.isPresent() && !schema.get().equals(actual)) {
            throw new IllegalStateException("schema must be '" + schema.get() + "', was '" + actual
                    + "': it does not exist, or a connection pooler ignores currentSchema"
                    + "\nhint: ALTER ROLE … SET search_path = " + schema.get());
        }
    }

    /** Version and name of the database. */
    static String describe(Connection connection) throws SQLException {
        var about = connection.getMetaData();
        if (about.getDatabaseMajorVersion() < MIN_VERSION) {
            throw new IllegalStateException("PostgreSQL must be " + MIN_VERSION + " or newer, was "
                    + about.getDatabaseProductVersion() + "\nhint: upgrade the database");
        }
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(
                        "SELECT current_database(), current_schema()," + " current_setting('fsync')")) {
            row.next();
            if (row.getString(3).equals("off")) {
                LOG.warn("database without fsync risk=\"a crash of its machine loses acknowledged grants\"");
            }
            return "PostgreSQL " + about.getDatabaseMajorVersion() + "." + about.getDatabaseMinorVersion()
                    + ", database " + row.getString(1) + ", schema " + row.getString(2);
        }
    }
}
