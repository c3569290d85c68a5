package habemus.bench.peers;

import habemus.bench.OutputPage;
import habemus.bench.product.BenchmarkStep;
import habemus.bench.product.StepResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench/run sessions}: measures the costs of idle sessions. */
@Command(
        name = "sessions",
        description = "Opens idle sessions on one node, and measures its memory and log entries.",
        footer = {"", "Example: bench/run sessions --count 10000"},
        usageHelpAutoWidth = true)
public final class SessionBenchmarkCommand implements Callable<Integer> {

    @Option(names = "--product", paramLabel = "NAME", description = "product to measure (default: habemus)")
    private ProductId product = ProductId.HABEMUS;

    @Option(names = "--count", paramLabel = "N", description = "number of sessions (default: 10000)")
    private int count = 10_000;

    @Option(names = "--seconds", paramLabel = "N", description = "length of the measurement (default: 60)")
    private double seconds = 60;

    @Option(names = "--write", paramLabel = "FILE", description = "also writes the table into its section of FILE")
    private Optional<Path> file = Optional.empty();

    @Override
    public Integer call() throws IOException, InterruptedException {
        var outputPage = OutputPage.open(file, "bench/run sessions");
        var productJvm = new ProductJvm(Path.of(System.getProperty("habemus.root", ".")), Optional.empty(), 1);
        var rows = new StringBuilder("""
                | sessions | memory of the node | live heap | log entries per minute |
                |---|---|---|---|
                """);
        for (int sessions : List.of(0, count)) {
            var step = new BenchmarkStep.IdleSessions(sessions, seconds);
            productJvm.run(product, 1, List.of(step), result -> rows.append(row(sessions, result)));
        }
        outputPage.print(rows.toString());
        return CommandLine.ExitCode.OK;
    }

    private static String row(int sessions, StepResult result) {
        return String.format(
                Locale.ROOT,
                "| %,d | %s | %s | %s |%n",
                sessions,
                format(result, StepResult.MEMORY_MEGABYTES, "%,.0f MB"),
                format(result, StepResult.HEAP_MEGABYTES, "%,.0f MB"),
                format(result, StepResult.ENTRIES_PER_MINUTE, "%,.0f"));
    }

    private static String format(StepResult result, String name, String format) {
        var number = result.values().get(name);
        return number == null ? "–" : String.format(Locale.ROOT, format, number);
    }
}
