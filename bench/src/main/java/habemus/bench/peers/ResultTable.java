package habemus.bench.peers;

import habemus.bench.Goals;
import habemus.bench.product.BenchmarkStep;
import habemus.bench.product.RunFolder;
import habemus.bench.product.StepResult;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/** Formats the results as Markdown. */
record ResultTable(BenchmarkPlan benchmarkPlan, List<ProductId> productIds, Results results, int connections) {

    private static final String NONE = "–";

    String text() {
        return goals() + productTable() + "\n" + distinctLocksTable() + "\n" + sharedLockTable() + "\n"
                + failoverTable() + "\n" + conditions();
    }

    private double acquireMicros() {
        return habemusMedian(benchmarkPlan.load(false, 1), StepResult.ACQUIRE_P50_MICROS)
                .orElse(Double.NaN);
    }

    private double bestPeerAcquireMicros() {
        return results.durablePeerMedians(benchmarkPlan.load(false, 1), StepResult.ACQUIRE_P50_MICROS)
                .min()
                .orElse(Double.NaN);
    }

    /** A sync and two round trips. */
    private double acquireFloorMicros() {
        return floor(StepResult.SYNC_P50_MICROS).orElse(0)
                + 2 * floor(StepResult.ROUND_TRIP_P50_MICROS).orElse(0);
    }

    private double worstFailoverSeconds() {
        return Arrays.stream(results.values(ProductId.HABEMUS, BenchmarkPlan.KILL, StepResult.FIRST_SERVED_MILLIS))
                        .max()
                        .orElseThrow()
                / 1e3;
    }

    /** The goals of Habemus; empty if it was not measured. */
    private String goals() {
        int many = benchmarkPlan.clients().stream()
                .mapToInt(Integer::intValue)
                .max()
                .orElseThrow();
        var distinct = benchmarkPlan.load(false, many);
        var shared = benchmarkPlan.load(true, many);
        if (results.values(ProductId.HABEMUS, BenchmarkPlan.KILL, StepResult.FIRST_SERVED_MILLIS).length == 0) {
            return "";
        }
        return new Goals()
                        .atLeast(
                                "≥ 5 times the best durable peer, " + many + " clients with their own locks",
                                "%.1f",
                                timesBestPeer(distinct),
                                5)
                        .atMost(
                                "≤ 1.5 times the best durable peer's p50 of acquire, one client",
                                "%.2f",
                                acquireMicros() / bestPeerAcquireMicros(),
                                1.5)
                        .atMost(
                                "≤ 1.5 times a sync and two round trips, the same p50",
                                "%.2f",
                                acquireMicros() / acquireFloorMicros(),
                                1.5)
                        .atLeast(
                                "≥ 3 times the best durable peer's handovers, " + many + " clients",
                                "%.1f",
                                timesBestPeer(shared),
                                3)
                        .atMost(
                                "≤ 1 s until the first client is served after kill −9 of the leader, worst",
                                "%.2f s",
                                worstFailoverSeconds(),
                                1)
                        .text()
                + "\n";
    }

    private double timesBestPeer(BenchmarkStep benchmarkStep) {
        var best = results.durablePeerMedians(benchmarkStep, StepResult.CYCLES_PER_SECOND)
                .max()
                .orElse(Double.NaN);
        return habemusMedian(benchmarkStep, StepResult.CYCLES_PER_SECOND).orElse(Double.NaN) / best;
    }

    private OptionalDouble habemusMedian(BenchmarkStep benchmarkStep, String figure) {
        return results.median(ProductId.HABEMUS, benchmarkStep, figure);
    }

    private String productTable() {
        var text = new StringBuilder("""
                | product | nodes | durability of a grant when the client receives it \
                | sync calls of a node per cycle, with %s clients |
                |---|---|---|---|
                """.formatted(join(benchmarkPlan.clients())));
        for (ProductId product : productIds) {
            var syncs = benchmarkPlan.clients().stream()
                    .map(number -> median(product, benchmarkPlan.syncs(number), StepResult.SYNCS_PER_CYCLE, "%.2f"))
                    .collect(Collectors.joining(", "));
            text.append(row(
                    product.title(),
                    Integer.toString(product.nodes()),
                    product.durability().description(),
                    syncs));
        }
        return text.toString();
    }

    private String distinctLocksTable() {
        var text = new StringBuilder("""
                Each client has its own lock:

                | clients | product | cycles/s | least – most | p50 | p99 | p50 of acquire \
                | CPU time per cycle | relative to the best durable peer |
                |---|---|---|---|---|---|---|---|---|
                """);
        for (int number : benchmarkPlan.clients()) {
            for (ProductId product : productIds) {
                text.append(loadRow(product, number, false));
            }
        }
        return text.toString();
    }

    private String sharedLockTable() {
        var text = new StringBuilder("""
                All clients share one lock:

                | clients | product | handovers/s | least – most | p50 | p99 \
                | CPU time per cycle | relative to the best durable peer |
                |---|---|---|---|---|---|---|---|
                """);
        for (int number : benchmarkPlan.contendingClients()) {
            for (ProductId product : productIds) {
                text.append(loadRow(product, number, true));
            }
        }
        return text.toString();
    }

    private String loadRow(ProductId product, int number, boolean shared) {
        var step = benchmarkPlan.load(shared, number);
        var rate = results.median(product, step, StepResult.CYCLES_PER_SECOND);
        var best =
                results.durablePeerMedians(step, StepResult.CYCLES_PER_SECOND).max();
        var ratio = rate.isPresent() && best.isPresent()
                ? String.format(Locale.ROOT, "%.2f ×", rate.getAsDouble() / best.getAsDouble())
                : NONE;
        var acquire = shared ? "" : millis(product, step, StepResult.ACQUIRE_P50_MICROS) + " | ";
        return row(
                Integer.toString(number),
                product.title(),
                median(product, step, StepResult.CYCLES_PER_SECOND, "%,.0f"),
                spread(results.values(product, step, StepResult.CYCLES_PER_SECOND)),
                millis(product, step, StepResult.CYCLE_P50_MICROS),
                millis(product, step, StepResult.CYCLE_P99_MICROS),
                acquire + millis(product, step, StepResult.CPU_MICROS_PER_CYCLE),
                ratio);
    }

    private String failoverTable() {
        var text = new StringBuilder("""
                Kill −9 of the leader while %d clients use their own locks: time until the first client is served, and \
                until all are:

                | product | kills | first, median | worst | all, median | worst |
                |---|---|---|---|---|---|
                """.formatted(BenchmarkPlan.KILL.clients()));
        for (ProductId product : productIds) {
            var first = results.values(product, BenchmarkPlan.KILL, StepResult.FIRST_SERVED_MILLIS);
            text.append(row(
                    product.title(),
                    Integer.toString(first.length),
                    median(product, BenchmarkPlan.KILL, StepResult.FIRST_SERVED_MILLIS, "%,.0f ms"),
                    worstMillis(first),
                    median(product, BenchmarkPlan.KILL, StepResult.ALL_SERVED_MILLIS, "%,.0f ms"),
                    worstMillis(results.values(product, BenchmarkPlan.KILL, StepResult.ALL_SERVED_MILLIS))));
        }
        return text.toString();
    }

    private String conditions() {
        var foreign = results.values(StepResult.FOREIGN_CPU_SHARE);
        return String.format(
                        Locale.ROOT,
                        """
                        Latency floor: a synced write of 128 bytes takes %s, 64 bytes to another process and back %s.
                        Median of %d rounds of %s s each, after %s s of warm-up; clients share %d connection(s).
                        Other processes used %s of the CPU, at worst %s. Overlapping holders: %,.0f; failed cycles: \
                        %,.0f.
                        """,
                        millisWithThreeDecimals(floor(StepResult.SYNC_P50_MICROS)),
                        millisWithThreeDecimals(floor(StepResult.ROUND_TRIP_P50_MICROS)),
                        benchmarkPlan.rounds(),
                        number(benchmarkPlan.seconds()),
                        number(benchmarkPlan.warmup()),
                        connections,
                        percent(Results.median(foreign)),
                        percent(Arrays.stream(foreign).max()),
                        Arrays.stream(results.values(StepResult.OVERLAPS)).sum(),
                        Arrays.stream(results.values(StepResult.FAILED_CYCLES)).sum())
                + (results.failures().isEmpty()
                        ? ""
                        : "**Not completed: " + String.join(", ", results.failures()) + ".**\n")
                + String.format(
                        "Loopback of one machine, %d cores, a real disk; Java %s, JVM nodes with %s.%n",
                        Runtime.getRuntime().availableProcessors(),
                        Runtime.version(),
                        String.join(" ", RunFolder.NODE_JVM_OPTIONS));
    }

    private OptionalDouble floor(String figure) {
        return Results.median(results.values(figure));
    }

    String median(ProductId product, BenchmarkStep benchmarkStep, String figure, String format) {
        return formatOrNone(
                results.median(product, benchmarkStep, figure), number -> String.format(Locale.ROOT, format, number));
    }

    private String millis(ProductId product, BenchmarkStep benchmarkStep, String figure) {
        return millis(results.median(product, benchmarkStep, figure));
    }

    private static String millis(OptionalDouble micros) {
        return formatOrNone(micros, number -> String.format(Locale.ROOT, "%.2f ms", number / 1e3));
    }

    private static String millisWithThreeDecimals(OptionalDouble micros) {
        return formatOrNone(micros, number -> String.format(Locale.ROOT, "%.3f ms", number / 1e3));
    }

    private static String spread(double... rising) {
        return rising.length == 0
                ? NONE
                : String.format(Locale.ROOT, "%,.0f – %,.0f", rising[0], rising[rising.length - 1]);
    }

    private static String worstMillis(double... rising) {
        return formatOrNone(Arrays.stream(rising).max(), millis -> String.format(Locale.ROOT, "%,.0f ms", millis));
    }

    private static String percent(OptionalDouble share) {
        return formatOrNone(share, number -> String.format(Locale.ROOT, "%.0f %%", 100 * number));
    }

    private static String formatOrNone(OptionalDouble number, DoubleFunction<String> format) {
        return number.isPresent() ? format.apply(number.getAsDouble()) : NONE;
    }

    private static String number(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }

    private static String join(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private static String row(String... cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }
}
