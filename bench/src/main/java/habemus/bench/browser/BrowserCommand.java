package habemus.bench.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import habemus.bench.Goals;
import habemus.bench.OutputPage;
import habemus.web.Laboratory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench/run browser}: measures the page in Chromium, and its engine beside the JVM. */
@Command(
        name = "browser",
        description = "Measures the laboratory in Chromium: how fast it starts, simulates, checks and draws.",
        footer = {"", "Example: bench/run browser --rounds 5 --write docs/benchmarks.md"},
        usageHelpAutoWidth = true)
public final class BrowserCommand implements Callable<Integer> {

    private static final String RUN = "ricart-agrawala -n 32 --entries 100";
    private static final String CHECK = "ricart-agrawala -n 3 --entries 2";
    private static final String CHECK_MEMORY = Long.toString(1L << 30);

    @Option(names = "--rounds", paramLabel = "N", description = "rounds; the best rate counts (default: 5)")
    private int rounds = 5;

    @Option(names = "--write", paramLabel = "FILE", description = "also writes the table into its section of FILE")
    private Optional<Path> file = Optional.empty();

    /** Calls a second. */
    private record Rates(double steps, double states) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        var outputPage = OutputPage.open(file, "bench/run browser");
        var machine = ManagementFactory.getOperatingSystemMXBean();
        double load = machine.getSystemLoadAverage();
        System.err.println("JVM ...");
        var jvm = measureJvm();
        System.err.println("browser ...");
        outputPage.print(table(jvm, measureBrowser())
                + String.format(
                        Locale.ROOT,
                        "Load average before: %.1f on %d cores.%n",
                        load,
                        machine.getAvailableProcessors()));
        return CommandLine.ExitCode.OK;
    }

    private Rates measureJvm() {
        double steps = 0;
        double states = 0;
        for (int round = 0; round < rounds; round++) {
            steps = Math.max(steps, rate(() -> Laboratory.steps(RUN), "steps"));
            states = Math.max(states, rate(() -> Laboratory.check(CHECK, CHECK_MEMORY, progress -> {}), "states"));
        }
        return new Rates(steps, states);
    }

    private static double rate(Supplier<String> call, String count) {
        long start = System.nanoTime();
        var answer = JsonParser.parseString(call.get()).getAsJsonObject();
        return answer.get(count).getAsDouble() / ((System.nanoTime() - start) / 1e9);
    }

    private JsonObject measureBrowser() throws IOException, InterruptedException {
        var web = Path.of(System.getProperty("habemus.root"), "web");
        var process = new ProcessBuilder(
                        "node",
                        web.resolve("page/test/speed.mjs").toString(),
                        web.resolve("target").toString(),
                        Integer.toString(rounds),
                        RUN,
                        CHECK)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var output = process.inputReader(UTF_8)) {
            var line = output.readLine();
            if (process.waitFor() != 0 || line == null) {
                throw new IllegalStateException("speed.mjs failed: exit code " + process.exitValue());
            }
            return JsonParser.parseString(line).getAsJsonObject();
        } finally {
            process.destroy();
        }
    }

    private String table(Rates jvm, JsonObject browser) {
        var rows = new StringBuilder("""
                | in a second | JVM | Chromium, WebAssembly | Node, JavaScript |
                |---|---|---|---|
                """);
        row(rows, "steps of `run " + RUN + "`", jvm.steps, browser, "Steps");
        row(rows, "states of `check " + CHECK + "`", jvm.states, browser, "States");
        var goals = new Goals()
                .atMost("ready in 1 s, from a server", "%.2f s", figure(browser, "readyServed") / 1e3, 1)
                .atMost("ready in 1 s, from one file", "%.2f s", figure(browser, "readyFile") / 1e3, 1)
                .atLeast("1,000,000 steps/s in Chromium", "%,.0f", figure(browser, "chromiumSteps"), 1e6)
                .atLeast("100,000 states/s in Chromium", "%,.0f", figure(browser, "chromiumStates"), 1e5)
                .atLeast(
                        String.format(Locale.ROOT, "60 frames/s while %.0f messages move", figure(browser, "moving")),
                        "%.1f",
                        figure(browser, "framesPerSecond"),
                        59.5)
                .atMost(
                        String.format(
                                Locale.ROOT,
                                "no frame over 50 ms while %,.0f steps are scrubbed",
                                figure(browser, "scrubbedSteps")),
                        "%.0f ms",
                        figure(browser, "scrubLongest"),
                        50);
        return rows + "\n" + goals.text()
                + String.format(
                        Locale.ROOT,
                        "%n%s, %s, Java %s. Rates are the best of %d rounds, times until ready the median, the longest"
                                + " frame that of the best round.%n",
                        browser.get("browser").getAsString(),
                        browser.get("node").getAsString(),
                        Runtime.version(),
                        rounds);
    }

    private static void row(StringBuilder rows, String name, double jvm, JsonObject browser, String figure) {
        double chromium = figure(browser, "chromium" + figure);
        double node = figure(browser, "node" + figure);
        rows.append(String.format(
                Locale.ROOT,
                "| %s | %,.0f | %,.0f (%.2f of the JVM) | %,.0f (%.2f) |%n",
                name,
                jvm,
                chromium,
                chromium / jvm,
                node,
                node / jvm));
    }

    private static double figure(JsonObject figures, String name) {
        return figures.get(name).getAsDouble();
    }
}
