package habemus.stress;

import habemus.course.threads.StressReport.ThreadFinding;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** Explores the interleavings of a few threads with Lincheck, and names the one that fails. */
final class Interleavings {

    private static final int SCENARIOS = 5;
    private static final int PER_SCENARIO = 200;
    private static final int MAX_ATTEMPTS = 4;
    private static final int OF_A_PROGRAM = 200;
    /** How often an exploration runs a program at most: each attempt explores it, and replays what fails. */
    static final int MAX_RUNS = 2 * MAX_ATTEMPTS * OF_A_PROGRAM;

    private Interleavings() {}

    /** Explores programs of two threads that call these operations, and compares them with sequential ones. */
    static ThreadFinding explore(String criterion, Class<?> operations) {
        return failure(() -> new ModelCheckingOptions()
                        .iterations(SCENARIOS)
                        .threads(2)
                        .actorsPerThread(2)
                        .actorsBefore(0)
                        .actorsAfter(1)
                        .invocationsPerIteration(PER_SCENARIO)
                        .check(operations))
                .map(found -> failed(criterion, "an interleaving of 2 threads", found))
                .orElseGet(() -> passed(
                        criterion,
                        SCENARIOS + " programs of 2 threads, up to " + PER_SCENARIO + " interleavings each"));
    }

    /** Explores one program. */
    static ThreadFinding explore(String criterion, String what, Runnable program) {
        return failure(() -> Lincheck.runConcurrentTest(OF_A_PROGRAM, program))
                .map(found -> failed(criterion, what, found))
                .orElseGet(() -> passed(criterion, what + ", up to " + OF_A_PROGRAM + " interleavings"));
    }

    /**
     * Runs an exploration, and returns the failure that it finds. Lincheck 3.7 at times throws an
     * IndexOutOfBoundsException when it describes a failure in which a thread spins (its issue 1012). Another
     * exploration finds and describes the failure.
     */
    static Optional<LincheckAssertionError> failure(Runnable exploration) {
        for (int attempt = 1; ; attempt++) {
            try {
                exploration.run();
                return Optional.empty();
            } catch (LincheckAssertionError found) {
                return Optional.of(found);
            } catch (IndexOutOfBoundsException undescribed) {
                if (attempt == MAX_ATTEMPTS) {
                    throw new IllegalStateException("Lincheck cannot describe the failure that it found", undescribed);
                }
            }
        }
    }

    private static ThreadFinding passed(String criterion, String reason) {
        return new ThreadFinding(criterion, true, reason, List.of());
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
