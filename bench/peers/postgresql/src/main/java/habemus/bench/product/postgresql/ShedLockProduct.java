package habemus.bench.product.postgresql;

import habemus.bench.product.NodeProcess;
import habemus.bench.product.Product;
import habemus.bench.product.ProductDriver;
import habemus.bench.product.RunFolder;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.provider.jdbc.JdbcLockProvider;
import org.postgresql.ds.PGPoolingDataSource;

/** ShedLock with a table. It does not wait for a lock, so its clients ask again every 5 ms. */
final class ShedLockProduct implements Product {

    private static final int MAX_CONNECTIONS = 100;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final DatabaseProcess database;

    private ShedLockProduct(RunFolder runFolder) {
        database = new DatabaseProcess(runFolder);
    }

    public static void main(String... args) throws Exception {
        ProductDriver.run(ShedLockProduct::new, args);
    }

    @Override
    public List<NodeProcess> nodes() throws IOException {
        return database.nodes();
    }

    @Override
    @SuppressWarnings("deprecation") // a pool without another library
    public Session connect() throws SQLException {
        database.execute("CREATE TABLE IF NOT EXISTS shedlock (name varchar(64) PRIMARY KEY,"
                + " lock_until timestamp NOT NULL, locked_at timestamp NOT NULL, locked_by varchar(255) NOT NULL)");
        var pool = new PGPoolingDataSource();
        pool.setUrl(database.url());
        pool.setMaxConnections(MAX_CONNECTIONS);
        var provider = new JdbcLockProvider(pool);
        return new Session() {
            @Override
            public Lock lock(String name) {
                return () -> {
                    while (true) {
                        var held = provider.lock(
                                new LockConfiguration(Instant.now(), name, Duration.ofMinutes(1), Duration.ZERO));
                        if (held.isPresent()) {
                            return held.get()::unlock;
                        }
                        LockSupport.parkNanos(POLL_NANOS);
                    }
                };
            }

            @Override
            public void close() {
                pool.close();
            }
        };
    }
}
