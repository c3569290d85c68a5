package habemus.bench.peers;

import habemus.bench.Goals;
import habemus.peers.Answer;
import habemus.peers.Site;
import habemus.peers.Step;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/** What was measured, for readers. */
record Table(Plan plan, List<Product> products, Results results, int connections) {

    private static final String NONE = "–";

    String text() {
        return goals() + who() + "\n" + distinct() + "\n" + shared() + "\n" + kills() + "\n" + circumstances();
    }

    /** Of ours, if it was measured. */
    private String goals() {
        int many = plan.clients().stream().mapToInt(Integer::intValue).max().orElseThrow();
        var distinct = plan.load(false, many);
        var shared = plan.load(true, many);
        if (results.all(Product.HABEMUS, Plan.KILL, Answer.FIRST).length == 0) {
            return "";
        }
        double floor = floor(Answer.SYNC).orElse(0) + 2 * floor(Answer.TRIP).orElse(0);
        double acquire = ours(plan.load(false, 1), Answer.ACQUIRE).orElse(Double.NaN);
        double peer = results.durable(plan.load(false, 1), Answer.ACQUIRE).min().orElse(Double.NaN);
        return new Goals()
                        .atLeast(
                                "≥ 5 times the best durable peer, " + many + " clients with locks of their own",
                                "%.1f",
                                times(distinct),
                                5)
                        .atMost(
                                "≤ 1.5 times the best durable peer's p50 of acquire, one client",
                                "%.2f",
                                acquire / peer,
                                1.5)
                        .atMost("≤ 1.5 times a sync and two round trips: the same p50", "%.2f", acquire / floor, 1.5)
                        .atLeast(
                                "≥ 3 times the best durable peer's handovers, " + many + " clients",
                                "%.1f",
                                times(shared),
                                3)
                        .atMost(
                                "≤ 1 s until somebody is served after kill −9 of the leader, worst",
                                "%.2f s",
                                Arrays.stream(results.all(Product.HABEMUS, Plan.KILL, Answer.FIRST))
                                                .max()
                                                .orElseThrow()
                                        / 1e3,
                                1)
                        .text()
                + "\n";
    }

    private double times(Step step) {
        var best = results.durable(step, Answer.PER_SECOND).max().orElse(Double.NaN);
        return ours(step, Answer.PER_SECOND).orElse(Double.NaN) / best;
    }

    private OptionalDouble ours(Step step, String figure) {
        return results.median(Product.HABEMUS, step, figure);
    }

    private String who() {
        var text = new StringBuilder("""
                | product | nodes | a grant, when the client hears of it, is \
                | sync calls of a node for each cycle, with %s clients |
                |---|---|---|---|
                """.formatted(listed(plan.clients())));
        for (Product product : products) {
            var syncs = plan.clients().stream()
                    .map(number -> median(product, plan.syncs(number), Answer.SYNCS, "%.2f"))
                    .collect(Collectors.joining(", "));
            text.append(row(
                    product.title(),
                    Integer.toString(product.nodes()),
                    product.kept().words(),
                    syncs));
        }
        return text.toString();
    }

    private String distinct() {
        var text = new StringBuilder("""
                Each client has a lock of its own:

                | clients | product | cycles/s | least – most | p50 | p99 | p50 of acquire alone \
                | CPU time of a cycle | of the best durable peer |
                |---|---|---|---|---|---|---|---|---|
                """);
        for (int number : plan.clients()) {
            for (Product product : products) {
                text.append(loadRow(product, number, false));
            }
        }
        return text.toString();
    }

    private String shared() {
        var text = new StringBuilder("""
                All clients want the same lock:

                | clients | product | handovers/s | least – most | p50 | p99 \
                | CPU time of a cycle | of the best durable peer |
                |---|---|---|---|---|---|---|---|
                """);
        for (int number : plan.contending()) {
            for (Product product : products) {
                text.append(loadRow(product, number, true));
            }
        }
        return text.toString();
    }

    private String loadRow(Product product, int number, boolean shared) {
        var step = plan.load(shared, number);
        var rate = results.median(product, step, Answer.PER_SECOND);
        var best = results.durable(step, Answer.PER_SECOND).max();
        var ratio = rate.isPresent() && best.isPresent()
                ? String.format(Locale.ROOT, "%.2f ×", rate.getAsDouble() / best.getAsDouble())
                : NONE;
        var acquire = shared ? "" : millis(product, step, Answer.ACQUIRE) + " | ";
        return row(
                Integer.toString(number),
                product.title(),
                median(product, step, Answer.PER_SECOND, "%,.0f"),
                spread(results.all(product, step, Answer.PER_SECOND)),
                millis(product, step, Answer.MEDIAN),
                millis(product, step, Answer.LATE),
                acquire + millis(product, step, Answer.CPU),
                ratio);
    }

    private String kills() {
        var text = new StringBuilder("""
                Kill −9 of the leader while %d clients want locks of their own, until one of them is served again, and \
                until each is:

                | product | kills | one, median | worst | each, median | worst |
                |---|---|---|---|---|---|
                """.formatted(Plan.KILL.clients()));
        for (Product product : products) {
            var first = results.all(product, Plan.KILL, Answer.FIRST);
            text.append(row(
                    product.title(),
                    Integer.toString(first.length),
                    median(product, Plan.KILL, Answer.FIRST, "%,.0f ms"),
                    last(first),
                    median(product, Plan.KILL, Answer.EVERY, "%,.0f ms"),
                    last(results.all(product, Plan.KILL, Answer.EVERY))));
        }
        return text.toString();
    }

    private String circumstances() {
        var foreign = results.all(Answer.FOREIGN);
        return String.format(
                        Locale.ROOT,
                        """
                        The floor: 128 bytes written and synced take %s, 64 bytes to another process and back %s.
                        The median of %d rounds of %s s each, after %s s of warming up; clients share %d connection(s).
                        Others had %s of the processors, at worst %s. Two were inside at once %,.0f times; %,.0f \
                        cycles failed.
                        """,
                        exactly(floor(Answer.SYNC)),
                        exactly(floor(Answer.TRIP)),
                        plan.rounds(),
                        number(plan.seconds()),
                        number(plan.warmup()),
                        connections,
                        percent(Results.median(foreign)),
                        percent(Arrays.stream(foreign).max()),
                        Arrays.stream(results.all(Answer.OVERLAPS)).sum(),
                        Arrays.stream(results.all(Answer.FAILED)).sum())
                + (results.failures().isEmpty()
                        ? ""
                        : "**Did not get to the end: " + String.join(", ", results.failures()) + ".**\n")
                + String.format(
                        "On loopback of one machine, %d cores, a real disk; Java %s, nodes that are JVMs with %s.%n",
                        Runtime.getRuntime().availableProcessors(), Runtime.version(), String.join(" ", Site.JVM));
    }

    private OptionalDouble floor(String figure) {
        return Results.median(results.all(figure));
    }

    String median(Product product, Step step, String figure, String format) {
        return words(results.median(product, step, figure), number -> String.format(Locale.ROOT, format, number));
    }

    private String millis(Product product, Step step, String figure) {
        return millis(results.median(product, step, figure));
    }

    private static String millis(OptionalDouble micros) {
        return words(micros, number -> String.format(Locale.ROOT, "%.2f ms", number / 1e3));
    }

    private static String exactly(OptionalDouble micros) {
        return words(micros, number -> String.format(Locale.ROOT, "%.3f ms", number / 1e3));
    }

    private static String spread(double... rising) {
        return rising.length == 0
                ? NONE
                : String.format(Locale.ROOT, "%,.0f – %,.0f", rising[0], rising[rising.length - 1]);
    }

    private static String last(double... rising) {
        return words(Arrays.stream(rising).max(), millis -> String.format(Locale.ROOT, "%,.0f ms", millis));
    }

    private static String percent(OptionalDouble share) {
        return words(share, number -> String.format(Locale.ROOT, "%.0f %%", 100 * number));
    }

    private static String words(OptionalDouble number, DoubleFunction<String> format) {
        return number.isPresent() ? format.apply(number.getAsDouble()) : NONE;
    }

    private static String number(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }

    private static String listed(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private static String row(String... cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }
}
