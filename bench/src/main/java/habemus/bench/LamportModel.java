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
 * Lamport's mutual exclusion in TLA+ for TLC and in Java for the model checker. Both check mutual exclusion.
 *
 * @param maxClock states with a larger clock are found but not expanded
 */
record LamportModel(int nodes, int maxClock) {

    /** The published model. */
    static final LamportModel PUBLISHED = new LamportModel(3, 6);
    /** The size that TLC reports for it. Its transitions include the initial state. */
    static final BenchmarkRounds.SearchSize PUBLISHED_SIZE = new BenchmarkRounds.SearchSize(724_274, 2_729_079, 0);

    private static final String MODULE = "LamportMutex";

    /** Runs the model checker. */
    BenchmarkRounds.SearchSize check(int threads) {
        var scope = TlaLamport.scope(nodes, maxClock)
                .withOptions(CheckOptions.defaults().withThreads(threads));
        var report = ModelChecker.check(new TlaLamport(), scope, Property.MUTUAL_EXCLUSION);
        return new BenchmarkRounds.SearchSize(report.states(), report.transitions() + 1, report.bytes());
    }

    /**
     * Runs TLC with as little work as possible: no deadlock check, no checkpoints.
     *
     * @param folder for the files of TLC
     * @param workers a number or {@code auto}
     */
    BenchmarkRounds.SearchSize runTlc(Path folder, String workers) {
        var tlc = new TLC();
        var options = List.of("-workers", workers, "-deadlock", "-checkpoint", "0", "-fp", "0");
        var files = List.of("-metadir", folder.toString(), write(folder).toString());
        boolean accepted = tlc.handleParameters(
                Stream.of(options, files).flatMap(List::stream).toArray(String[]::new));
        int code = accepted ? tlc.process() : -1;
        if (code != 0) {
            throw new IllegalStateException("TLC failed with exit code " + code);
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
                        MaxClock = %d
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
