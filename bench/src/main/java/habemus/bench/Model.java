package habemus.bench;

import habemus.check.Checker;
import habemus.check.Effort;
import habemus.check.LamportTwin;
import habemus.lab.bench.Rounds;
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
import tlc2.tool.ModelChecker;

/**
 * Lamport's mutual exclusion, twice: in TLA+ for TLC, in Java for the checker; mutual exclusion is looked at in both.
 *
 * @param latest states with a clock above it are met, but not looked behind
 */
record Model(int nodes, int latest) {

    /** As it was published. */
    static final Model PUBLISHED = new Model(3, 6);
    /** What TLC counts there, the transitions with the one initial state. */
    static final Rounds.Size PUBLISHED_SIZE = new Rounds.Size(724_274, 2_729_079, 0);

    private static final String MODULE = "LamportMutex";

    /** What the checker finds. */
    Rounds.Size check(int threads) {
        var scope = LamportTwin.scope(nodes, latest).spending(Effort.ample().threads(threads));
        var report = Checker.check(new LamportTwin(), scope, Property.MUTUAL_EXCLUSION);
        return new Rounds.Size(report.states(), report.transitions() + 1, report.bytes());
    }

    /**
     * What TLC finds, asked for as little as it can be: no deadlocks, no checkpoints.
     *
     * @param folder for its files
     * @param workers a number or {@code auto}
     */
    Rounds.Size askTlc(Path folder, String workers) {
        var tlc = new TLC();
        var options = List.of("-workers", workers, "-deadlock", "-checkpoint", "0", "-fp", "0");
        var files = List.of("-metadir", folder.toString(), write(folder).toString());
        boolean understood = tlc.handleParameters(
                Stream.of(options, files).flatMap(List::stream).toArray(String[]::new));
        int code = understood ? tlc.process() : -1;
        if (code != 0) {
            throw new IllegalStateException("TLC ended with " + code);
        }
        var checker = (ModelChecker) TLCGlobals.mainChecker;
        return new Rounds.Size(checker.getDistinctStatesGenerated(), checker.getStatesGenerated(), 0);
    }

    private Path write(Path folder) {
        var module = folder.resolve(MODULE + ".tla");
        try (var source = Objects.requireNonNull(Model.class.getResourceAsStream(MODULE + ".tla"))) {
            Files.write(module, source.readAllBytes());
            Files.writeString(folder.resolve(MODULE + ".cfg"), """
                    CONSTANTS
                        Nodes = %d
                        Latest = %d
                    SPECIFICATION Spec
                    CONSTRAINT InBounds
                    INVARIANT MutualExclusion
                    """.formatted(nodes, latest));
            return module;
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }
}
