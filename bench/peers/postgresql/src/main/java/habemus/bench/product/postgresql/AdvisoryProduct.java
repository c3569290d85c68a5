package habemus.bench.product.postgresql;

import habemus.bench.product.NodeProcess;
import habemus.bench.product.Product;
import habemus.bench.product.ProductDriver;
import habemus.bench.product.RunFolder;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** {@code pg_advisory_lock}: in the memory of the server, without a fence. Each client has a connection. */
final class AdvisoryProduct implements Product {

    private final DatabaseProcess database;

    private AdvisoryProduct(RunFolder runFolder) {
        database = new DatabaseProcess(runFolder);
    }

    public static void main(String... args) throws Exception {
        ProductDriver.run(AdvisoryProduct::new, args);
    }

    @Override
    public List<NodeProcess> nodes() throws IOException {
        return database.nodes();
    }

    @Override
    public Session connect() {
        var connections = new ConcurrentLinkedQueue<Connection>();
        return new Session() {
            @Override
            public Lock lock(String name) throws SQLException {
                var connection = DriverManager.getConnection(database.url());
                connections.add(connection);
                return () -> {
                    call(connection, "SELECT pg_advisory_lock(hashtext(?))", name);
                    return () -> call(connection, "SELECT pg_advisory_unlock(hashtext(?))", name);
                };
            }

            @Override
            public void close() {
                closeAll(connections);
            }
        };
    }

    private static void call(Connection connection, String sql, String name) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            statement.execute();
        }
    }

    private static void closeAll(Queue<Connection> connections) {
        for (var connection : connections) {
            try {
                connection.close();
            } catch (SQLException failed) {
                // the server closes it
            }
        }
    }
}
