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
 * What several rounds of one search took, in a JVM of their own.
 *
 * @param laps at least two; the first one begins with the JVM
 * @param liveBytes the most bytes that were alive in one more round, which was not timed; zero if nobody looked
 */
public record BenchmarkRounds(SearchSize searchSize, List<Lap> laps, long liveBytes) {

    /**
     * What a search found.
     *
     * @param bytes what it says that its states take; zero if it does not say
     */
    public record SearchSize(long states, long transitions, long bytes) {

        /** Whether it is as large; the bytes may differ, since threads share their work as it comes. */
        public boolean isSameGraph(SearchSize other) {
            return states == other.states && transitions == other.transitions;
        }
    }

    public BenchmarkRounds {
        laps = List.copyOf(laps);
        if (laps.size() < 2) {
            throw new IllegalArgumentException("there is a cold round, and at least one that is warm");
        }
    }

    /** Runs it so often and once more, to see how much memory it needs. */
    public static BenchmarkRounds measureTimeAndHeap(Instant started, int rounds, Supplier<SearchSize> search) {
        var timed = measureTime(started, rounds, search);
        return new BenchmarkRounds(
                timed.searchSize,
                timed.laps,
                LiveHeap.peakBytesDuring(() -> requireSameGraph(timed.searchSize, search.get())));
    }

    /**
     * @param started when the JVM was
     * @throws IllegalStateException if a round finds something else than the first
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
            throw new IllegalStateException("a round found " + again + ", not " + first);
        }
    }

    /** The first round, with the start of the JVM. */
    public Lap cold() {
        return laps.getFirst();
    }

    /** The best of the later rounds: a machine can only be disturbed in one direction. */
    public Lap warm() {
        return byCpu().getFirst();
    }

    /** The one in the middle of the later rounds. */
    public Lap median() {
        return byCpu().get((laps.size() - 1) / 2);
    }

    private List<Lap> byCpu() {
        return laps.stream()
                .skip(1)
                .sorted(Comparator.comparingDouble(Lap::cpuSeconds))
                .toList();
    }

    /** Distinct states a second of the processor. */
    public double statesPerCpuSecond(Lap lap) {
        return searchSize.states / lap.cpuSeconds();
    }

    /** Writes it down for {@link #read}. */
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
        try (var words = new Scanner(Files.readString(file))) {
            var searchSize = new SearchSize(words.nextLong(), words.nextLong(), words.nextLong());
            long alive = words.nextLong();
            var laps = new ArrayList<Lap>();
            while (words.hasNext()) {
                laps.add(new Lap(Double.parseDouble(words.next()), Double.parseDouble(words.next())));
            }
            return new BenchmarkRounds(searchSize, laps, alive);
        }
    }
}
