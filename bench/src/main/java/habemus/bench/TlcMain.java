package habemus.bench;

import habemus.lab.benchmark.BenchmarkRounds;
import habemus.lab.benchmark.ForkedJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Runs TLC in a forked JVM, and removes its files. Arguments: workers, rounds. */
final class TlcMain {

    private TlcMain() {}

    public static void main(String... args) throws IOException {
        var arguments = ForkedJvm.Arguments.of(args);
        var workers = arguments.arguments().get(0);
        var folder = Files.createTempDirectory("habemus-tlc");
        try {
            BenchmarkRounds.measureTime(
                            arguments.jvmStart(),
                            arguments.intAt(1),
                            () -> LamportModel.PUBLISHED.runTlc(folder, workers))
                    .write(arguments.resultFile());
        } finally {
            remove(folder);
        }
        System.exit(0); // TLC leaves threads running
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
