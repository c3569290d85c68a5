package habemus.log.postgresql;

import habemus.protocol.NodeId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections that listen for appended rows between their calls. Behind a pooler they do not, and the log polls.
 */
final class ReaderConnections implements ConnectionThread.Connections {

    private static final Logger LOG = LoggerFactory.getLogger(ReaderConnections.class);
    private static final int NOTIFICATION_WAIT_MILLIS = 20;

    private final DatabaseSessions sessions;
    private final String self;
    private @Nullable String channel;
    private Runnable onAppended = () -> {};

    /** @param self this node, which knows its own appends */
    ReaderConnections(DatabaseSessions sessions, NodeId self) {
        this.sessions = sessions;
        this.self = Integer.toString(self.number());
    }

    /** Listens on this connection and on those after it. False if the connection is pooled. */
    boolean listen(Connection connection, String newChannel, Runnable listener) throws SQLException {
        if (DatabaseSessions.isPooled(connection)) {
            LOG.info("log polls reason=\"a connection pooler passes no notifications on\"");
            return false;
        }
        channel = newChannel;
        onAppended = listener;
        listen(connection, newChannel);
        return true;
    }

    private static void listen(Connection connection, String name) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("LISTEN " + name);
        }
    }

    @Override
    public Connection open() throws SQLException {
        var connection = sessions.open();
        if (channel != null) {
            try {
                listen(connection, channel);
            } catch (SQLException failed) {
                connection.close();
                throw failed;
            }
        }
        return connection;
    }

    @Override
    public void onIdle(Connection connection) throws SQLException {
        if (channel != null) {
            var notifications = connection.unwrap(PGConnection.class).getNotifications(NOTIFICATION_WAIT_MILLIS);
            if (notifications != null
                    && Stream.of(notifications)
                            .anyMatch(appended -> !appended.getParameter().equals(self))) {
                onAppended.run();
            }
        }
    }

    /** Without notifications, the thread waits for calls. */
    @Override
    public long idleAfterMillis() {
        return channel == null ? 1_000 : 0;
    }
}
