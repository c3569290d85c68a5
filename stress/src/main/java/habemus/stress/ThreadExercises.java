package habemus.stress;

import habemus.course.exercise.AccountPair;
import habemus.course.exercise.CounterTask;
import habemus.course.exercise.RelayMessage;
import habemus.course.exercise.RelayTask;
import habemus.course.exercise.UpDownCounter;
import habemus.course.threads.CounterBounds;
import habemus.course.threads.StressReport.ThreadFinding;
import habemus.course.threads.StressReport.ThreadFindings;
import java.util.ArrayList;
import java.util.List;

/**
 * Tries a student's class: many threads on the real JVM, then the interleavings of a few threads that Lincheck
 * explores. The real runs come first, because Lincheck instruments the class and makes it slow.
 */
final class ThreadExercises {

    private static final int RUNS = 60;
    private static final int BALANCE = 100;
    private static final String MESSAGE =
            "the quick brown fox jumps over the lazy dog, and one of thirty threads turns it.";

    private ThreadExercises() {}

    /**
     * @param task the simple name of the interface that the class implements
     * @param className a class on the class path: Lincheck does not know other class loaders
     */
    static ThreadFindings run(String task, String className) throws ClassNotFoundException {
        ExerciseOperations.use(Class.forName(className));
        return new ThreadFindings(
                switch (task) {
                    case "CounterTask" -> counter();
                    case "UpDownCounter" -> upDownCounter();
                    case "AccountPair" -> accounts();
                    case "RelayTask" -> relay();
                    default -> throw new IllegalArgumentException("unknown task: " + task);
                });
    }

    private static List<ThreadFinding> counter() {
        var task = ExerciseOperations.create(CounterTask.class);
        var run = RealThreads.repeat("run", RUNS, "10 threads × 20 increments, 4 × 2000", number -> {
            int threads = number % 2 == 0 ? 10 : 4;
            int rounds = number % 2 == 0 ? 20 : 2_000;
            var counter = ExerciseOperations.create(CounterTask.class);
            RealThreads.together(threads, thread -> times(rounds, counter::increment));
            RealThreads.require(counter.value() == threads * rounds, "the value is " + counter.value());
        });
        var explored = Interleavings.explore("explored", ExerciseOperations.Count.class);
        return List.of(
                bounds("largest", task, true),
                bounds("smallest", task, false),
                explored,
                RealThreads.unless(explored, run));
    }

    private static ThreadFinding bounds(String criterion, CounterTask task, boolean largest) {
        for (int threads = 1; threads <= 10; threads++) {
            for (int rounds : List.of(1, 2, 3, 20)) {
                long answer = largest ? task.largest(threads, rounds) : task.smallest(threads, rounds);
                long expected = largest ? (long) threads * rounds : CounterBounds.smallest(threads, rounds);
                if (answer != expected) {
                    var reason = "%s(%d, %d) is %d, not %d; compare ./habemus check shared-counter --rounds 2"
                            .formatted(criterion, threads, rounds, answer, expected);
                    return new ThreadFinding(criterion, false, reason, List.of());
                }
            }
        }
        return new ThreadFinding(criterion, true, "1 to 10 threads, 1 to 20 rounds", List.of());
    }

    private static void times(int rounds, Runnable action) {
        for (int round = 0; round < rounds; round++) {
            action.run();
        }
    }

    private static List<ThreadFinding> upDownCounter() {
        var run = RealThreads.repeat("run", RUNS, "10 threads × 200, half of them down", number -> {
            var counter = ExerciseOperations.create(UpDownCounter.class);
            RealThreads.together(10, thread -> times(200, thread % 2 == 0 ? counter::increment : counter::decrement));
            RealThreads.require(counter.value() == 0, "the value is " + counter.value() + ", not 0");
        });
        return withRun(
                run,
                Interleavings.explore("increments", ExerciseOperations.Up.class),
                Interleavings.explore("both-ways", ExerciseOperations.UpAndDown.class),
                Interleavings.explore("reader", ExerciseOperations.UpDownAndRead.class));
    }

    private static List<ThreadFinding> accounts() {
        var run = RealThreads.repeat("run", RUNS, "8 threads × 1000 transfers, both ways", number -> {
            var accounts = ExerciseOperations.create(AccountPair.class);
            RealThreads.together(8, thread -> times(1_000, () -> transfer(accounts, thread)));
            var balances = accounts.balances();
            RealThreads.require(
                    balances.equals(new AccountPair.Balances(BALANCE, BALANCE)), "the balances are " + balances);
        });
        return withRun(
                run,
                Interleavings.explore("one-way", ExerciseOperations.OneWay.class),
                Interleavings.explore("both-ways", ExerciseOperations.BothWays.class),
                Interleavings.explore("reader", ExerciseOperations.TransferAndRead.class));
    }

    private static void transfer(AccountPair accounts, int thread) {
        if (thread % 2 == 0) {
            accounts.firstToSecond(1);
        } else {
            accounts.secondToFirst(1);
        }
    }

    private static List<ThreadFinding> relay() {
        var run = RealThreads.repeat("run", RUNS / 3, "30 threads, 80 characters; also 30 threads, 5", number -> {
            var text = number % 2 == 0 ? MESSAGE : "short";
            var message = new RelayMessage(text);
            var task = ExerciseOperations.create(RelayTask.class);
            task.begin(message, 30);
            RealThreads.together(30, task::run);
            ExerciseOperations.requireRelayed(message, 30, text);
        });
        var relay = new ExerciseOperations.Relay(2 * Interleavings.MAX_RUNS);
        var two = Interleavings.explore("two-threads", "2 threads, 3 characters", () -> relay.run(2, "abc"));
        var three = Interleavings.explore("three-threads", "3 threads, 3 characters", () -> relay.run(3, "abc"));
        return withRun(run, two, three);
    }

    /** The real runs count only if no interleaving fails: a failure that is rare is a failure. */
    private static List<ThreadFinding> withRun(ThreadFinding run, ThreadFinding... explored) {
        var findings = new ArrayList<>(List.of(explored));
        var failed = findings.stream().filter(finding -> !finding.isPassed()).findFirst();
        findings.add(failed.map(finding -> RealThreads.unless(finding, run)).orElse(run));
        return List.copyOf(findings);
    }
}
