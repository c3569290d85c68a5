package habemus.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import habemus.harness.simulation.FaultPlan;
import habemus.harness.simulation.ServiceFault;
import habemus.harness.simulation.ServiceFuzzer;
import habemus.harness.simulation.ServiceSituation;
import habemus.lab.command.CommandException;
import habemus.lab.table.TextTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * The counts of several commands, each with a range of seeds of its own. A file keeps them as JSON.
 *
 * @param ranges in order, without overlap
 * @param violated the names of the properties that a run violated
 * @param cpuSeconds processor time of all commands, compilation of the program included
 * @param faults how often each fault occurred, by its name
 * @param situations how often each situation occurred, by its name
 */
record ServiceFuzzTotals(
        List<SeedRange> ranges,
        long events,
        long hash,
        List<String> violated,
        double cpuSeconds,
        Map<String, Long> faults,
        Map<String, Long> situations) {

    /** Before the first command. */
    static final ServiceFuzzTotals NONE = new ServiceFuzzTotals(List.of(), 0, 0, List.of(), 0, Map.of(), Map.of());

    private static final int CORES = 2;

    /** The seeds from {@code first} to {@code last}. */
    record SeedRange(long first, long last) {
        long size() {
            return last - first + 1;
        }

        boolean overlaps(SeedRange other) {
            return first <= other.last && other.first <= last;
        }

        @Override
        public String toString() {
            return format(first) + " to " + format(last);
        }
    }

    /**
     * Reads the totals of earlier commands; none if the file does not exist.
     *
     * @throws CommandException if the file is not such a file
     */
    static ServiceFuzzTotals read(String file) {
        var path = Path.of(file);
        if (!Files.exists(path)) {
            return NONE;
        }
        try {
            return parse(JsonParser.parseString(Files.readString(path, UTF_8)).getAsJsonObject());
        } catch (IOException | JsonParseException | IllegalStateException | NullPointerException wrong) {
            throw CommandException.failure(
                    "cannot read the totals in " + file + ": " + wrong.getMessage(), "name a new file");
        }
    }

    /** @throws CommandException if a seed of the range was counted before */
    void checkIsNew(SeedRange range) {
        ranges.stream().filter(range::overlaps).findFirst().ifPresent(counted -> {
            throw CommandException.usage(
                    "seeds were counted before: " + range + " (the file has " + counted + ")",
                    "--seed " + (ranges.getLast().last() + 1) + " continues");
        });
    }

    ServiceFuzzTotals with(SeedRange range, ServiceFuzzer.Result result, double seconds) {
        var allRanges = new ArrayList<>(ranges);
        allRanges.add(range);
        allRanges.sort(Comparator.comparingLong(SeedRange::first));
        var allViolated = new ArrayList<>(violated);
        result.violations().stream()
                .map(run -> run.violated().orElseThrow())
                .filter(property -> !allViolated.contains(property))
                .forEach(allViolated::add);
        return new ServiceFuzzTotals(
                joined(allRanges),
                events + result.events(),
                hash + result.hash(),
                List.copyOf(allViolated),
                cpuSeconds + seconds,
                sum(faults, ServiceFault.values(), fault -> result.coverage().of(fault)),
                sum(
                        situations,
                        ServiceSituation.values(),
                        situation -> result.coverage().of(situation)));
    }

    private static List<SeedRange> joined(List<SeedRange> sorted) {
        var joined = new ArrayList<SeedRange>();
        for (var range : sorted) {
            if (!joined.isEmpty() && joined.getLast().last() + 1 == range.first()) {
                joined.set(joined.size() - 1, new SeedRange(joined.getLast().first(), range.last()));
            } else {
                joined.add(range);
            }
        }
        return List.copyOf(joined);
    }

    private static <T> Map<String, Long> sum(Map<String, Long> before, T[] kinds, ToLongFunction<T> count) {
        var sum = new TreeMap<>(before);
        for (var kind : kinds) {
            sum.merge(kind.toString(), count.applyAsLong(kind), Long::sum);
        }
        return sum;
    }

    long seeds() {
        return ranges.stream().mapToLong(SeedRange::size).sum();
    }

    // ---- JSON ----

    String toJson() {
        var json = new JsonObject();
        var all = new JsonArray();
        for (var range : ranges) {
            var seeds = new JsonObject();
            seeds.addProperty("first", range.first());
            seeds.addProperty("last", range.last());
            all.add(seeds);
        }
        json.add("ranges", all);
        json.addProperty("events", events);
        json.addProperty("hash", hash);
        var properties = new JsonArray();
        violated.forEach(properties::add);
        json.add("violated", properties);
        json.addProperty("cpuSeconds", Math.round(cpuSeconds * 10) / 10.0);
        json.add("faults", toJson(faults));
        json.add("situations", toJson(situations));
        return new GsonBuilder().setPrettyPrinting().create().toJson((JsonElement) json) + "\n";
    }

    private static JsonObject toJson(Map<String, Long> counts) {
        var json = new JsonObject();
        counts.forEach(json::addProperty);
        return json;
    }

    private static ServiceFuzzTotals parse(JsonObject json) {
        var ranges = new ArrayList<SeedRange>();
        for (var range : json.getAsJsonArray("ranges")) {
            var seeds = range.getAsJsonObject();
            ranges.add(new SeedRange(
                    seeds.get("first").getAsLong(), seeds.get("last").getAsLong()));
        }
        return new ServiceFuzzTotals(
                List.copyOf(ranges),
                json.get("events").getAsLong(),
                json.get("hash").getAsLong(),
                json.getAsJsonArray("violated").asList().stream()
                        .map(JsonElement::getAsString)
                        .toList(),
                json.get("cpuSeconds").getAsDouble(),
                parseCounts(json.getAsJsonObject("faults")),
                parseCounts(json.getAsJsonObject("situations")));
    }

    private static Map<String, Long> parseCounts(JsonObject json) {
        var counts = new TreeMap<String, Long>();
        json.entrySet()
                .forEach(count -> counts.put(count.getKey(), count.getValue().getAsLong()));
        return counts;
    }

    // ---- the page ----

    /** The figures for the page of the simulation. */
    String markdown() {
        var minutes = seeds() * FaultPlan.VIRTUAL_TIME.toMinutes();
        var figures = new TextTable("figure", "value")
                .row(
                        "seeds",
                        format(seeds()) + ": "
                                + String.join(
                                        ", ",
                                        ranges.stream().map(SeedRange::toString).toList()))
                .row("violated properties", violated.isEmpty() ? "none" : String.join(", ", violated))
                .row("virtual time", format(minutes) + " minutes, which are " + format(minutes / (24 * 60)) + " days")
                .row("events", format(events))
                .row("faults", format(total(faults)) + ", " + total(faults) / Math.max(1, seeds()) + " a run")
                .row("processor time", "%.0f ms a seed".formatted(1_000 * cpuSeconds / seeds()))
                .row("rate", format(Math.round(60 * CORES * seeds() / cpuSeconds)) + " seeds a minute on two cores")
                .row("hash over everything sent", "`%016x`".formatted(hash));
        var faultTable = new TextTable("fault", "times");
        for (var fault : ServiceFault.values()) {
            faultTable.row(fault.sentence(), format(faults.getOrDefault(fault.toString(), 0L)));
        }
        var situationTable = new TextTable("what the runs went through", "times");
        for (var situation : ServiceSituation.values()) {
            situationTable.row(situation.sentence(), format(situations.getOrDefault(situation.toString(), 0L)));
        }
        return "\n" + figures.markdown() + "\n" + faultTable.markdown() + "\n" + situationTable.markdown() + "\n";
    }

    private static long total(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    static String format(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
