package habemus.bench;

import habemus.check.ModelChecker;
import habemus.check.TlaLamport;
import habemus.check.model.CheckOptions;
import habemus.lab.benchmark.BenchmarkRounds;
import habemus.world.Property;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import tlc2.TLC;
import tlc2.TLCGlobals;

/**
 * Lamport's mutual exclusion, twice: in TLA+ for TLC, in Java for the checker; mutual exclusion is looked at in both.
 *
 * @param maxClock states with a clock above it are met, but not looked behind
 */
record LamportModel(int nodes, int maxClock) {

    /** As it was published. */
    static final LamportModel PUBLISHED = new LamportModel(3, 6);
    /** What TLC counts there, the transitions with the one initial state. */
    static final BenchmarkRounds.SearchSize PUBLISHED_SIZE = new BenchmarkRounds.SearchSize(724_274, 2_729_079, 0);

    private static final String MODULE = "LamportMutex";

    /** What the checker finds. */
    BenchmarkRounds.SearchSize check(int threads) {
        var scope = TlaLamport.scope(nodes, maxClock)
                .withOptions(CheckOptions.defaults().withThreads(threads));
        var checkReport = ModelChecker.check(new TlaLamport(), scope, Property.MUTUAL_EXCLUSION);
        return new BenchmarkRounds.SearchSize(checkReport.states(), checkReport.transitions() + 1, checkReport.bytes());
    }

    /**
     * What TLC finds, asked for as little as it can be: no deadlocks, no checkpoints.
     *
     * @param folder for its files
     * @param workers a number or {@code auto}
     */
    BenchmarkRounds.SearchSize runTlc(Path folder, String workers) {
        var tlc = new TLC();
        var options = List.of("-workers", workers, "-deadlock", "-checkpoint", "0", "-fp", "0");
        var files = List.of("-metadir", folder.toString(), write(folder).toString());
        boolean understood = tlc.handleParameters(
                Stream.of(options, files).flatMap(List::stream).toArray(String[]::new));
        int code = understood ? tlc.process() : -1;
        if (code != 0) {
            throw new IllegalStateException("TLC ended with " + code);
        }
        var checker = (tlc2.tool.ModelChecker) TLCGlobals.mainChecker;
        return new BenchmarkRounds.SearchSize(checker.getDistinctStatesGenerated(), checker.getStatesGenerated(), 0);
    }

    private Path write(Path folder) {
        var module = folder.resolve(MODULE + ".tla");
        try (var source = Objects.requireNonNull(LamportModel.class.getResourceAsStream(MODULE + ".tla"))) {
            Files.write(module, source.readAllBytes());
            Files.writeString(folder.resolve(MODULE + ".cfg"), """
                    CONSTANTS
                        Nodes = %d
                        Latest = %d
                    SPECIFICATION Spec
                    CONSTRAINT InBounds
                    INVARIANT MutualExclusion
                    """.formatted(nodes, maxClock));
            return module;
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }
}
