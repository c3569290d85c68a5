package habemus.bench;

import habemus.lab.bench.Fork;
import habemus.lab.bench.Rounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** TLC in a JVM of its own: workers, rounds. What it keeps on disk is removed. */
final class TlcRounds {

    private TlcRounds() {}

    public static void main(String... args) throws IOException {
        var order = Fork.Order.of(args);
        var workers = order.arguments().get(0);
        var folder = Files.createTempDirectory("habemus-tlc");
        try {
            Rounds.timed(order.started(), order.number(1), () -> Model.PUBLISHED.askTlc(folder, workers))
                    .write(order.answer());
        } finally {
            remove(folder);
        }
        System.exit(0); // TLC leaves threads behind
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
