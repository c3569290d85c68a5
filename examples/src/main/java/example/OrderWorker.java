package example;

import habemus.client.EmbeddedNode;
import habemus.client.Grant;
import habemus.client.Habemus;
import habemus.client.HabemusException;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A worker that has nothing but a database. Start it as often as you like, with the same JDBC URL: one worker at a time
 * writes, and each write carries its fence. Kill workers and the database as you like ({@code kill -9}): no write is
 * done twice, and the others go on.
 */
final class OrderWorker {

    private final DataSource dataSource;

    OrderWorker(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    void createTable() throws SQLException {
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS order_number (number bigint, fence bigint)");
            statement.execute("INSERT INTO order_number SELECT 0, 0 WHERE NOT EXISTS (SELECT FROM order_number)");
        }
    }

    /** The database rejects the write of a worker that has lost its lock to another one. */
    private long takeNumber(long fence) throws SQLException {
        try (var connection = dataSource.getConnection();
                var update = connection.prepareStatement(
                        "UPDATE order_number SET number = number + 1, fence = ? WHERE fence < ? RETURNING number")) {
            update.setLong(1, fence);
            update.setLong(2, fence);
            try (var number = update.executeQuery()) {
                return number.next() ? number.getLong(1) : -1;
            }
        }
    }

    /** @param orders how many orders this worker numbers */
    void run(int orders) throws InterruptedException {
        try (Habemus habemus = Habemus.embedded(EmbeddedNode.onPostgres(dataSource))) {
            for (int done = 0; done < orders; ) {
                try (Grant grant = habemus.lock("order-number").acquire(Duration.ofSeconds(60))) {
                    System.out.println("order " + takeNumber(grant.fence()) + " with fence " + grant.fence());
                    done++;
                } catch (HabemusException | SQLException down) {
                    System.out.println("again: " + down.getMessage());
                    Thread.sleep(500);
                }
            }
        }
    }

    /** @param args the JDBC URL of a database, such as {@code jdbc:postgresql://127.0.0.1/test?user=test} */
    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            System.out.println("OrderWorker: skipped, because no database was named");
            System.out.println("hint: give a JDBC URL");
            return;
        }
        var dataSource = new PGSimpleDataSource();
        dataSource.setUrl(args[0]);
        var worker = new OrderWorker(dataSource);
        worker.createTable();
        worker.run(args.length > 1 ? Integer.parseInt(args[1]) : 10);
    }
}
