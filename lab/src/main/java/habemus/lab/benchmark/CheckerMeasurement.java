package habemus.lab.benchmark;

import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.check.ModelChecker;
import habemus.check.model.CheckOptions;
import habemus.check.model.Scope;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Topology;
import java.util.ArrayList;
import java.util.List;

/** Measures states per second and memory per state of the model checker, in some small scopes. */
public final class CheckerMeasurement {

    private static final List<Property> MUTEX =
            List.of(Property.MUTUAL_EXCLUSION, Property.DEADLOCK_FREEDOM, Property.NO_STARVATION, Property.FENCES_GROW);

    private static final List<CheckerCase> CASES = List.of(
            new CheckerCase(
                    "ricart-agrawala",
                    "3 nodes, 2 entries each, bag",
                    Scope.of(Topology.complete(3)).withUnorderedLinks().withRequestsPerNode(2),
                    MUTEX),
            new CheckerCase(
                    "ricart-agrawala",
                    "4 nodes, 1 entry each, bag",
                    Scope.of(Topology.complete(4)).withUnorderedLinks(),
                    MUTEX),
            new CheckerCase("lamport", "3 nodes, 1 entry each, fifo", Scope.of(Topology.complete(3)), MUTEX),
            new CheckerCase(
                    "chang-roberts",
                    "a ring of 7, each may campaign, fifo",
                    Scope.of(Topology.ring(7)),
                    Property.of(Problem.ELECTION)));

    private record CheckerCase(String algorithm, String description, Scope scope, List<Property> properties) {

        BenchmarkRounds.SearchSize search(int threads) {
            var protocol = Catalogue.find(algorithm).orElseThrow().create(AlgorithmParameters.defaults());
            var shared = scope.withOptions(CheckOptions.defaults().withThreads(threads));
            var report = ModelChecker.check(protocol, shared, properties.toArray(Property[]::new));
            if (!report.isComplete() || report.hasViolation()) {
                throw new IllegalStateException(
                        algorithm + " is incomplete or violates a property: " + report.limitsReached());
            }
            return new BenchmarkRounds.SearchSize(report.states(), report.transitions(), report.bytes());
        }
    }

    /** The rounds of one scope with a number of threads. */
    public record CheckerResult(String label, int threads, BenchmarkRounds benchmarkRounds) {}

    private final Progress progress;

    public CheckerMeasurement(Progress progress) {
        this.progress = progress;
    }

    /** Measures each scope with one thread and with two, each in its own JVM: one cold round, then warm ones. */
    public List<CheckerResult> run(int rounds) {
        var checkerResults = new ArrayList<CheckerResult>();
        for (CheckerCase checkerCase : CASES) {
            for (int threads = 1; threads <= 2; threads++) {
                var label = checkerCase.algorithm + ", " + checkerCase.description;
                progress.onProgress(label, checkerResults.size(), 2L * CASES.size());
                checkerResults.add(new CheckerResult(label, threads, fork(checkerCase, threads, rounds)));
            }
        }
        return checkerResults;
    }

    private static BenchmarkRounds fork(CheckerCase checkerCase, int threads, int rounds) {
        var number = Integer.toString(CASES.indexOf(checkerCase));
        return ForkedJvm.run(CheckerMeasurement.class, number, Integer.toString(threads), Integer.toString(1 + rounds));
    }

    /** Entry point of the forked JVM. Arguments: index of the case, threads, rounds. */
    public static void main(String... args) {
        var arguments = ForkedJvm.Arguments.of(args);
        var checkerCase = CASES.get(arguments.intAt(0));
        int threads = arguments.intAt(1);
        BenchmarkRounds.measureTimeAndHeap(arguments.jvmStart(), arguments.intAt(2), () -> checkerCase.search(threads))
                .write(arguments.resultFile());
    }
}
