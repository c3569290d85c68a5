package habemus.stress;

import com.google.gson.Gson;
import habemus.course.threads.StressReport;
import habemus.course.threads.ThreadKind;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The entry point of this module. Prints one JSON document on standard output. Progress, and what the tools print, goes
 * to standard error.
 */
public final class StressMain {

    private static final Duration EXERCISE_LIMIT = Duration.ofMinutes(3);

    private StressMain() {}

    /**
     * Arguments: {@code throughput MILLIS KIND,… THREADS,…}; {@code false-sharing MILLIS}; {@code stress MILLIS};
     * {@code linearizability}; {@code exercise TASK CLASS}.
     */
    public static void main(String... args) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err); // where the tools print
        var report = run(List.of(args));
        out.println(new Gson().toJson(report));
        out.flush();
        System.exit(0); // the tools leave threads behind
    }

    private static StressReport run(List<String> args) throws Exception {
        return switch (args.getFirst()) {
            case "throughput" ->
                new MicroBenchmarks(millis(args), StressMain::showProgress)
                        .counters(
                                words(args, 2).map(ThreadKind::valueOf).toList(),
                                words(args, 3).map(Integer::valueOf).toList());
            case "false-sharing" -> new MicroBenchmarks(millis(args), StressMain::showProgress).falseSharing();
            case "stress" -> OutcomeTables.run(millis(args), StressMain::showProgress);
            case "exercise" -> {
                stopAfter(EXERCISE_LIMIT);
                yield ThreadExercises.run(args.get(1), args.get(2));
            }
            case "linearizability" -> LincheckStructures.run(StressMain::showProgress);
            default -> throw new IllegalArgumentException("unknown program: " + args.getFirst());
        };
    }

    /** Ends this JVM: a student's loop may have no end. */
    private static void stopAfter(Duration limit) {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                Thread.sleep(limit);
                System.err.println("the class did not end within " + limit.toSeconds() + " s");
                Runtime.getRuntime().halt(1);
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static Duration millis(List<String> args) {
        return Duration.ofMillis(Long.parseLong(args.get(1)));
    }

    private static Stream<String> words(List<String> args, int index) {
        return Stream.of(args.get(index).split(",", -1));
    }

    private static void showProgress(int done, int all, String what) {
        System.err.println("progress " + done + " " + all + " " + what);
    }
}
