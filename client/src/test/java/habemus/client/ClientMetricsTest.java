package habemus.client;

import static habemus.client.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.lockservice.ResourceName;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Micrometer metrics of the client. */
@Timeout(30)
class ClientMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @BeforeEach
    void listen() {
        Metrics.addRegistry(registry);
    }

    @AfterEach
    void leave() {
        Metrics.removeRegistry(registry);
    }

    @Test
    void the_metrics_count_waits_holds_losses_and_queues() throws InterruptedException {
        try (var service = new FakeService(1);
                var client =
                        Habemus.connect(ClientOptions.to(service.endpoints()).withLease(Duration.ofSeconds(2)))) {
            var grant = client.lock("orders").acquire();
            var waiting = client.lock("orders").acquireAsync();
            until(() -> registry.get("habemus.queue").gauge().value() == 1);
            service.revoke(ResourceName.lock("orders"), "test");
            waiting.join().close();
            until(() -> !grant.isValid());
            until(() ->
                    registry.get("habemus.losses").tag("kind", "lock").counter().count() == 1);
            assertThat(registry.get("habemus.queue").gauge().value()).isZero();
            assertThat(registry.get("habemus.wait").tag("kind", "lock").timer().count())
                    .isEqualTo(2);
            assertThat(registry.get("habemus.held").tag("kind", "lock").timer().count())
                    .isEqualTo(2);
            assertDocumented();
        }
    }

    @Test
    void the_metrics_show_leadership_renewal_margins_and_stale_fences() throws InterruptedException {
        try (var service = new FakeService(1);
                var client =
                        Habemus.connect(ClientOptions.to(service.endpoints()).withLease(Duration.ofSeconds(2)))) {
            var election = client.election("scheduler");
            election.campaign(new Candidate() {
                @Override
                public void onElected(long term) {}

                @Override
                public void onDeposed(long term, LossReason reason) {}
            });
            until(election::isLeader);
            until(() -> leading() == 1);
            assertThat(registry.get("habemus.terms").counter().count()).isEqualTo(1);
            until(() -> smallestMarginMillis() > 0 && smallestMarginMillis() <= 2_000);
            election.resign();
            until(() -> leading() == 0);
            var guard = FenceGuard.inMemory();
            guard.check("orders", 2);
            assertThatThrownBy(() -> guard.check("orders", 1)).isInstanceOf(StaleFenceException.class);
            assertThat(registry.get("habemus.fenced.off").counter().count()).isEqualTo(1);
            assertDocumented();
        }
    }

    private void assertDocumented() {
        var documentation = operations();
        assertThat(registry.getMeters().stream()
                        .map(meter -> "| `" + meter.getId().getName() + "` |")
                        .filter(cell -> !documentation.contains(cell)))
                .as("not in docs/operations.md")
                .isEmpty();
    }

    private double leading() {
        var gauge = registry.find("habemus.leader").tag("election", "scheduler").gauge();
        return gauge == null ? 0 : gauge.value();
    }

    private double smallestMarginMillis() {
        var gauge = registry.find("habemus.renewal.margin.smallest").timeGauge();
        return gauge == null ? 0 : gauge.value(TimeUnit.MILLISECONDS);
    }

    private static String operations() {
        try {
            return Files.readString(Path.of("..", "docs", "operations.md"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Loads the class path without Micrometer. */
    private static final class Without extends URLClassLoader {

        Without() {
            super(
                    Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
                            .filter(path -> !path.contains("micrometer"))
                            .map(Without::url)
                            .toArray(URL[]::new),
                    ClassLoader.getPlatformClassLoader());
        }

        private static URL url(String path) {
            try {
                return Path.of(path).toUri().toURL();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void the_client_works_without_micrometer() throws Exception {
        try (var loader = new Without()) {
            var trial = loader.loadClass(Trial.class.getName());
            assertThatThrownBy(() -> loader.loadClass("io.micrometer.core.instrument.Metrics"))
                    .isInstanceOf(ClassNotFoundException.class);
            var run = trial.getDeclaredMethod("run");
            run.setAccessible(true);
            assertThat(run.invoke(null)).isEqualTo("refused");
        }
    }

    /** Runs in the class loader without Micrometer. */
    static final class Trial {

        private Trial() {}

        static String run() throws InterruptedException {
            try (var service = new FakeService(1);
                    var client = Habemus.connect(
                            ClientOptions.to(service.endpoints()).withConnectTimeout(Duration.ofSeconds(20)));
                    var grant = client.lock("orders").acquire()) {
                var guard = FenceGuard.inMemory();
                guard.check("orders", grant.fence());
                guard.check("orders", grant.fence() - 1);
                return "passed";
            } catch (StaleFenceException late) {
                return "refused";
            }
        }
    }
}
