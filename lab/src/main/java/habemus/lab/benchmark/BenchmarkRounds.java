package habemus.lab.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Scanner;
import java.util.function.Supplier;

/**
 * The times of several rounds of one search in one JVM.
 *
 * @param laps at least two; the first includes the start of the JVM
 * @param liveBytes peak of live heap in one more round, which is not timed; zero if it was not measured
 */
public record BenchmarkRounds(SearchSize searchSize, List<Lap> laps, long liveBytes) {

    /**
     * The size of the searched state graph.
     *
     * @param bytes memory of the states as the search reports it; zero if it does not
     */
    public record SearchSize(long states, long transitions, long bytes) {

        /** Whether the graphs have the same size. Bytes may differ, because threads share the work differently. */
        public boolean isSameGraph(SearchSize other) {
            return states == other.states && transitions == other.transitions;
        }
    }

    public BenchmarkRounds {
        laps = List.copyOf(laps);
        if (laps.size() < 2) {
            throw new IllegalArgumentException("laps must be at least 2, a cold and a warm one, were " + laps.size());
        }
    }

    /** Times the rounds, and measures the live heap in one more. */
    public static BenchmarkRounds measureTimeAndHeap(Instant started, int rounds, Supplier<SearchSize> search) {
        var timed = measureTime(started, rounds, search);
        return new BenchmarkRounds(
                timed.searchSize,
                timed.laps,
                LiveHeap.peakBytesDuring(() -> requireSameGraph(timed.searchSize, search.get())));
    }

    /**
     * @param started when the JVM started
     * @throws IllegalStateException if a round finds a graph of another size than the first
     */
    public static BenchmarkRounds measureTime(Instant started, int rounds, Supplier<SearchSize> search) {
        var watch = new Stopwatch(started);
        var laps = new ArrayList<Lap>();
        var first = search.get();
        laps.add(watch.lap());
        while (laps.size() < rounds) {
            requireSameGraph(first, search.get());
            laps.add(watch.lap());
        }
        return new BenchmarkRounds(first, laps, 0);
    }

    private static void requireSameGraph(SearchSize first, SearchSize again) {
        if (!again.isSameGraph(first)) {
            throw new IllegalStateException("rounds must find the same graph: " + again + " after " + first);
        }
    }

    /** The first round, including the start of the JVM. */
    public Lap cold() {
        return laps.getFirst();
    }

    /** The best of the later rounds: disturbances only make rounds slower. */
    public Lap warm() {
        return byCpu().getFirst();
    }

    /** The median of the later rounds. */
    public Lap median() {
        return byCpu().get((laps.size() - 1) / 2);
    }

    private List<Lap> byCpu() {
        return laps.stream()
                .skip(1)
                .sorted(Comparator.comparingDouble(Lap::cpuSeconds))
                .toList();
    }

    /** Distinct states per second of CPU time. */
    public double statesPerCpuSecond(Lap lap) {
        return searchSize.states / lap.cpuSeconds();
    }

    /** Writes a file for {@link #read}. */
    public void write(Path file) {
        var text = new StringBuilder();
        text.append(searchSize.states)
                .append(' ')
                .append(searchSize.transitions)
                .append(' ');
        text.append(searchSize.bytes).append(' ').append(liveBytes).append('\n');
        laps.forEach(lap ->
                text.append(lap.seconds()).append(' ').append(lap.cpuSeconds()).append('\n'));
        try {
            Files.writeString(file, text);
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }

    static BenchmarkRounds read(Path file) throws IOException {
        try (var tokens = new Scanner(Files.readString(file))) {
            var searchSize = new SearchSize(tokens.nextLong(), tokens.nextLong(), tokens.nextLong());
            long alive = tokens.nextLong();
            var laps = new ArrayList<Lap>();
            while (tokens.hasNext()) {
                laps.add(new Lap(Double.parseDouble(tokens.next()), Double.parseDouble(tokens.next())));
            }
            return new BenchmarkRounds(searchSize, laps, alive);
        }
    }
}
