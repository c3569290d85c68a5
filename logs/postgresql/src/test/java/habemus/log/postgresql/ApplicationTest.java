package habemus.log.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.client.EmbeddedNode;
import habemus.client.Grant;
import habemus.client.Habemus;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.postgresql.ds.PGSimpleDataSource;

/** Applications with nothing but a data source. */
@Tag("slow")
@Timeout(120)
@EnabledIf("habemus.log.postgresql.PostgresLogTest#isInstalled")
class ApplicationTest {

    private static final AtomicInteger SCHEMAS = new AtomicInteger();
    private static PostgresServer server;

    private final String url = server.newSchema("app" + SCHEMAS.incrementAndGet());

    @BeforeAll
    static void startServer() {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    /** An application that holds the lock until it is killed. */
    static final class HolderMain {
        public static void main(String[] args) throws InterruptedException {
            var habemus = connect(args[0]);
            System.out.println(habemus.lock("orders").acquire().fence());
            Thread.currentThread().join();
        }
    }

    private static Habemus connect(String url) {
        var dataSource = new PGSimpleDataSource();
        dataSource.setUrl(url);
        return Habemus.embedded(EmbeddedNode.onPostgres(dataSource)
                .withClientOptions(options -> options.withLease(Duration.ofSeconds(3))));
    }

    @Test
    void a_lock_is_handed_over_between_applications() throws Exception {
        try (var first = connect(url);
                var second = connect(url)) {
            Grant grant = first.lock("orders").acquire();
            var waiting = CompletableFuture.supplyAsync(() -> acquire(second));
            assertThat(waiting).isNotDone();
            grant.release();
            assertThat(waiting.get(30, TimeUnit.SECONDS).fence()).isGreaterThan(grant.fence());
        }
    }

    private static Grant acquire(Habemus habemus) {
        try {
            return habemus.lock("orders").acquire(Duration.ofSeconds(60));
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void a_killed_database_keeps_a_lock_whose_lease_runs_and_grants_again_later() throws Exception {
        try (var habemus = connect(url)) {
            long first = habemus.lock("orders").acquire().fence();
            server.kill();
            server.startAgain();
            try (Grant other = habemus.lock("invoices").acquire(Duration.ofSeconds(60))) {
                assertThat(other.fence()).isGreaterThan(first);
            }
        }
    }

    @Test
    void the_lock_of_a_killed_application_goes_to_the_next_with_a_larger_fence() throws Exception {
        var process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        HolderMain.class.getName(),
                        url)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
                var habemus = connect(url)) {
            long fence = Long.parseLong(output.readLine());
            process.destroyForcibly();
            assertThat(acquire(habemus).fence()).isGreaterThan(fence);
        } finally {
            process.destroyForcibly();
        }
    }
}
