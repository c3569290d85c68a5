package habemus.log.postgresql;

import habemus.concurrent.EventLoop;
import habemus.service.log.EngineConfig;
import habemus.service.log.LogProvider;
import habemus.service.log.ReplicatedLog;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Logs in a PostgreSQL database, given by a JDBC URL or by the data source of the application. */
public final class PostgresLogProvider implements LogProvider {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** For {@link java.util.ServiceLoader}. */
    public PostgresLogProvider() {}

    @Override
    public String prefix() {
        return "jdbc:postgresql:";
    }

    @Override
    public String syntax() {
        return "jdbc:postgresql://HOST/DATABASE?user=USER";
    }

    @Override
    public ReplicatedLog open(EngineConfig config, EventLoop loop) {
        var random = new SecureRandom();
        long life = random.nextLong(1, Long.MAX_VALUE);
        return new PostgresLog(config, loop, new JdbcTables(config, sessions(config), life, loop), life, random);
    }

    private static DatabaseSessions sessions(EngineConfig config) {
        var client = config.engine().client();
        if (client.isPresent()) {
            if (client.get() instanceof DataSource given) {
                return new DatabaseSessions(given, Optional.empty());
            }
            throw new IllegalArgumentException("the client of a log in PostgreSQL must be a javax.sql.DataSource, was "
                    + client.get().getClass().getName() + "\nhint: EmbeddedNode.onPostgres(dataSource)");
        }
        var url = config.engine().spec();
        var dataSource = new PGSimpleDataSource();
        try {
            dataSource.setUrl(url);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException("invalid JDBC URL: '" + config.engine() + "'"
                    + "\nhint: write jdbc:postgresql://HOST:PORT/DATABASE?user=USER&password=PASSWORD");
        }
        if (!url.contains("connectTimeout=")) {
            dataSource.setConnectTimeout((int) CONNECT_TIMEOUT.toSeconds());
        }
        if (!url.contains("ApplicationName=")) {
            dataSource.setApplicationName("habemus " + config.self().node());
        }
        var schema = Optional.ofNullable(dataSource.getCurrentSchema()).map(path -> path.split(",", 2)[0].strip());
        return new DatabaseSessions(dataSource, schema);
    }
}
