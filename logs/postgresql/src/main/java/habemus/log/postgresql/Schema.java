package habemus.log.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;

/** Creates and upgrades the tables. The first node of a version does it; the others wait for it. */
final class Schema {

    static final int VERSION = 1;

    private Schema() {}

    /**
     * Creates the tables, or upgrades them.
     *
     * @param connection in a transaction, which keeps other nodes out until it ends
     * @throws IllegalStateException if a newer program has upgraded them
     */
    static void upgrade(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_xact_lock(hashtext('habemus'), hashtext(current_schema()))");
            int present = version(connection);
            if (present > VERSION) {
                throw new IllegalStateException("tables have version " + present + ", this program knows " + VERSION
                        + "\nhint: start the newer program; all nodes need it");
            }
            if (present == 0) {
                statement.execute("CREATE TABLE habemus_schema (version int NOT NULL)");
                statement.execute("INSERT INTO habemus_schema VALUES (0)");
            }
            for (int next = present + 1; next <= VERSION; next++) {
                statement.execute(script(next));
            }
            if (present < VERSION) {
                statement.execute("UPDATE habemus_schema SET version = " + VERSION);
            }
        }
    }

    private static int version(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            try (var exists = statement.executeQuery("SELECT to_regclass('habemus_schema') IS NOT NULL")) {
                exists.next();
                if (!exists.getBoolean(1)) {
                    return 0;
                }
            }
            try (var version = statement.executeQuery("SELECT max(version) FROM habemus_schema")) {
                version.next();
                return version.getInt(1);
            }
        }
    }

    private static String script(int version) {
        try (var file = Objects.requireNonNull(Schema.class.getResourceAsStream("schema-" + version + ".sql"))) {
            return new String(file.readAllBytes(), UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
