package habemus.stress;

import habemus.course.threads.StressReport.ThreadFinding;
import java.util.List;
import java.util.function.Predicate;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** Explores the interleavings of a few threads with Lincheck, and names the one that fails. */
final class Interleavings {

    private static final int SCENARIOS = 5;
    private static final int PER_SCENARIO = 200;
    /** The largest number of interleavings of one program. */
    static final int OF_A_PROGRAM = 200;

    private Interleavings() {}

    /** Explores programs of two threads that call these operations, and compares them with sequential ones. */
    static ThreadFinding explore(String criterion, Class<?> operations) {
        try {
            new ModelCheckingOptions()
                    .iterations(SCENARIOS)
                    .threads(2)
                    .actorsPerThread(2)
                    .actorsBefore(0)
                    .actorsAfter(1)
                    .invocationsPerIteration(PER_SCENARIO)
                    .check(operations);
            var reason = SCENARIOS + " programs of 2 threads, up to " + PER_SCENARIO + " interleavings each";
            return new ThreadFinding(criterion, true, reason, List.of());
        } catch (LincheckAssertionError found) {
            return failed(criterion, "an interleaving of 2 threads", found);
        }
    }

    /** Explores one program. */
    static ThreadFinding explore(String criterion, String what, Runnable program) {
        try {
            Lincheck.runConcurrentTest(OF_A_PROGRAM, program);
            var reason = what + ", up to " + OF_A_PROGRAM + " interleavings";
            return new ThreadFinding(criterion, true, reason, List.of());
        } catch (LincheckAssertionError found) {
            return failed(criterion, what, found);
        }
    }

    private static ThreadFinding failed(String criterion, String what, LincheckAssertionError found) {
        if (String.valueOf(found.getMessage()).contains("bug in Lincheck")) {
            throw new IllegalStateException("Lincheck cannot explore the class", found);
        }
        var lines = LincheckStructures.interleaving(String.valueOf(found.getMessage())).stream()
                .filter(Predicate.not(line -> line.startsWith("\tat ")))
                .toList();
        var reason = lines.stream().anyMatch(line -> line.contains("in deadlock") || line.contains("has hung"))
                ? "deadlock"
                : lines.stream()
                        .filter(line -> line.contains("AssertionError: "))
                        .findFirst()
                        .map(line -> line.replaceFirst(".*AssertionError: ", ""))
                        .orElse("no order of the calls, one after the other, gives these results");
        return new ThreadFinding(criterion, false, what + ": " + reason, lines);
    }
}
