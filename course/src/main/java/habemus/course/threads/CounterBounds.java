package habemus.course.threads;

import habemus.check.ModelChecker;
import habemus.check.model.CheckOptions;
import habemus.check.model.CheckReport.ProgramResult;
import habemus.smallscope.CommandLineScope;
import habemus.world.Property;
import java.util.List;

/**
 * The values with which the shared counter can end, computed by the model checker for a small number of threads and
 * rounds.
 *
 * @param threads what was checked: at most {@link #MAX_THREADS}
 * @param rounds what was checked: at most {@link #MAX_ROUNDS}
 * @param values every final value, in ascending order
 */
public record CounterBounds(int threads, int rounds, List<Long> values) {

    private static final int MAX_THREADS = 3;
    private static final int MAX_ROUNDS = 3;

    /** Why no number of threads and rounds can end with less: the proof of {@link #smallest}. */
    public static final String PROOF = "the thread that writes last has written before, so what it read was at least 1";

    /** Checks the nearest small program: with so many threads and rounds, or with the limits of this class. */
    public static CounterBounds check(String variant, int threads, int rounds) {
        int someThreads = Math.min(threads, MAX_THREADS);
        int someRounds = Math.min(rounds, MAX_ROUNDS);
        var scope = CommandLineScope.parse(world(variant, someThreads, someRounds));
        var options = CheckOptions.defaults().withOrderReduction().withSymmetryReduction();
        var report = ModelChecker.check(scope.protocol(), scope.scope().withOptions(options), Property.NO_LOST_UPDATE);
        if (!report.isComplete()) {
            throw new IllegalStateException(scope.text() + " is not checked: " + report.limitsReached());
        }
        return new CounterBounds(
                someThreads,
                someRounds,
                report.programResults().stream().map(ProgramResult::value).toList());
    }

    private static String world(String variant, int threads, int rounds) {
        return "shared-counter --variant " + variant + " --threads " + threads + " --rounds " + rounds;
    }

    /** The command that checks the same. */
    public String command() {
        return "./habemus check shared-counter --threads " + threads + " --rounds " + rounds;
    }

    /** Whether the checker walked a program of this size itself, and not a smaller one. */
    public boolean covers(int otherThreads, int otherRounds) {
        return threads == otherThreads && rounds == otherRounds;
    }

    /**
     * The smallest value with which {@code n++} can end, for every number of threads and rounds. For two threads and
     * two rounds or more it is 2: {@link #PROOF}. A run to 2: the first thread reads 0, all others run but for the last
     * round of one, the first writes 1, that one reads 1, the first ends, that one writes 2.
     */
    public static long smallest(int threads, int rounds) {
        return threads == 1 ? rounds : Math.min(2, rounds);
    }
}
