package habemus.bench.peers;

import habemus.bench.Page;
import habemus.peers.Answer;
import habemus.peers.Step;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench/run sessions}: what sessions cost that do nothing. */
@Command(
        name = "sessions",
        description = "Opens idle sessions on one node, and tells its memory and what it writes to its log for them.",
        footer = {"", "Example: bench/run sessions --count 10000"},
        usageHelpAutoWidth = true)
public final class SessionsCommand implements Callable<Integer> {

    @Option(names = "--product", paramLabel = "NAME", description = "whose (standard: habemus)")
    private Product product = Product.HABEMUS;

    @Option(names = "--count", paramLabel = "N", description = "of sessions (standard: 10000)")
    private int count = 10_000;

    @Option(names = "--seconds", paramLabel = "N", description = "that they are watched for (standard: 60)")
    private double seconds = 60;

    @Option(names = "--write", paramLabel = "FILE", description = "also puts the table into FILE, between its marks")
    private Optional<Path> file = Optional.empty();

    @Override
    public Integer call() throws IOException, InterruptedException {
        var page = Page.open(file, "bench/run sessions");
        var driver = new Driver(Path.of(System.getProperty("habemus.root", ".")), 1);
        var rows = new StringBuilder("""
                | sessions | memory of the node | heap after a collection | entries a minute |
                |---|---|---|---|
                """);
        for (int sessions : List.of(0, count)) {
            var step = new Step.Idle(sessions, seconds);
            driver.run(product, 1, List.of(step), answer -> rows.append(row(sessions, answer)));
        }
        page.print(rows.toString());
        return CommandLine.ExitCode.OK;
    }

    private static String row(int sessions, Answer answer) {
        return String.format(
                Locale.ROOT,
                "| %,d | %s | %s | %s |%n",
                sessions,
                words(answer, Answer.MEMORY, "%,.0f MB"),
                words(answer, Answer.HEAP, "%,.0f MB"),
                words(answer, Answer.ENTRIES, "%,.0f"));
    }

    private static String words(Answer answer, String figure, String format) {
        var number = answer.figures().get(figure);
        return number == null ? "–" : String.format(Locale.ROOT, format, number);
    }
}
