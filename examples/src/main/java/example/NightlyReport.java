package example;

import habemus.client.AcquireResult;
import habemus.client.EmbeddedNode;
import habemus.client.FenceGuard;
import habemus.client.Grant;
import habemus.client.Habemus;
import habemus.client.StaleFenceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Only one replica writes the report, and a replica whose lease expired while it was paused cannot write late.
 *
 * <p>Here the service is a single node in this JVM. In production use a cluster:
 * {@code Habemus.connect("a:7901", "b:7901", "c:7901")}.
 */
final class NightlyReport {

    private final FenceGuard guard;
    private final Path archive;

    NightlyReport(Path folder) {
        guard = FenceGuard.inFile(folder.resolve("fences"));
        archive = folder.resolve("report.txt");
    }

    /** The archive checks the fence of every write. */
    void write(String report, long fence) {
        guard.run("nightly-report", fence, () -> {
            try {
                Files.writeString(archive, report);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Every replica runs this at night; the lock lets one of them write at a time. */
    static long run(NightlyReport archive, String... endpoints) throws InterruptedException {
        try (Habemus habemus = Habemus.connect(endpoints);
                Grant grant = habemus.lock("nightly-report").acquire(Duration.ofSeconds(5))) {
            grant.onLost(reason -> System.out.println("stop: " + reason)); // before another client is granted
            archive.write("all is well", grant.fence()); // rejected there if the fence is stale
            return grant.fence();
        }
    }

    public static void main(String[] args) throws Exception {
        var archive = new NightlyReport(Files.createTempDirectory("nightly-report"));
        var embedded = EmbeddedNode.alone().withClientOptions(options -> options.withName("replica-1"));
        try (Habemus node = Habemus.embedded(embedded)) {
            var endpoints = node.endpoints().toArray(String[]::new);
            long first = run(archive, endpoints);
            long second = run(archive, endpoints);
            System.out.println("written with fence " + first + ", then with fence " + second);
            try (Grant grant = node.lock("nightly-report").acquire()) {
                System.out.println("granted again with fence " + grant.fence());
                switch (node.lock("nightly-report").tryAcquire()) {
                    case AcquireResult.Granted(var twice) -> throw new AssertionError("twice: " + twice);
                    case AcquireResult.Busy busy ->
                        System.out.println(
                                "held by " + busy.holder().orElseThrow().client().name());
                    case AcquireResult.NoQuorum(var reason) -> System.out.println(reason);
                }
            }
            try {
                archive.write("from a paused replica", first);
                throw new AssertionError("the stale write was accepted");
            } catch (StaleFenceException stale) {
                System.out.println("rejected: " + stale.getMessage());
            }
        }
    }
}
