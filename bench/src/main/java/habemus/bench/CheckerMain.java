package habemus.bench;

import habemus.lab.benchmark.BenchmarkRounds;
import habemus.lab.benchmark.ForkedJvm;

/** Runs the model checker in a forked JVM. Arguments: threads, rounds. */
final class CheckerMain {

    private CheckerMain() {}

    public static void main(String... args) {
        var arguments = ForkedJvm.Arguments.of(args);
        int threads = arguments.intAt(0);
        BenchmarkRounds.measureTimeAndHeap(
                        arguments.jvmStart(), arguments.intAt(1), () -> LamportModel.PUBLISHED.check(threads))
                .write(arguments.resultFile());
    }
}
