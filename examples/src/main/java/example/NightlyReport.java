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
 * Only one replica writes the report, and one that was given up while it slept writes nothing late.
 *
 * <p>Here the service is a single node in this JVM. For real: {@code Habemus.connect("a:7901", "b:7901", "c:7901")}.
 */
final class NightlyReport {

    private final FenceGuard guard;
    private final Path archive;

    NightlyReport(Path folder) {
        guard = FenceGuard.inFile(folder.resolve("fences"));
        archive = folder.resolve("report.txt");
    }

    /** What the archive does with every write: it looks at the fence. */
    void write(String report, long fence) {
        guard.run("nightly-report", fence, () -> {
            try {
                Files.writeString(archive, report);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** What every replica does at night; one of them does it first. */
    static long run(NightlyReport archive, String... doors) throws InterruptedException {
        try (Habemus habemus = Habemus.connect(doors);
                Grant grant = habemus.lock("nightly-report").acquire(Duration.ofSeconds(5))) {
            grant.onLost(why -> System.out.println("stop: " + why)); // before the service may grant to another
            archive.write("all is well", grant.fence()); // a late writer is refused there
            return grant.fence();
        }
    }

    public static void main(String[] words) throws Exception {
        var archive = new NightlyReport(Files.createTempDirectory("nightly-report"));
        try (Habemus node = Habemus.embedded(EmbeddedNode.alone().withClientOptions(clientOptions -> clientOptions.withName("replica-1")))) {
            var doors = node.endpoints().toArray(String[]::new);
            long first = run(archive, doors);
            long second = run(archive, doors);
            System.out.println("written by fence " + first + ", and then by fence " + second);
            try (Grant grant = node.lock("nightly-report").acquire()) {
                System.out.println("again inside, by fence " + grant.fence());
                switch (node.lock("nightly-report").tryAcquire()) {
                    case AcquireResult.Granted(var twice) -> throw new AssertionError("twice: " + twice);
                    case AcquireResult.Busy busy ->
                        System.out.println(
                                "busy with " + busy.holder().orElseThrow().name());
                    case AcquireResult.NoQuorum(var why) -> System.out.println(why);
                }
            }
            try {
                archive.write("from a replica that slept", first);
                throw new AssertionError("the late write has passed");
            } catch (StaleFenceException late) {
                System.out.println("refused: " + late.getMessage());
            }
        }
    }
}
