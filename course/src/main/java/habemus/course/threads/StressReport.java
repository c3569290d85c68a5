package habemus.course.threads;

import com.google.gson.annotations.SerializedName;
import java.util.List;

/** What the programs of module {@code stress} found. They run in a JVM of their own and print one of these as JSON. */
public sealed interface StressReport {

    /** Operations a second, by counter and number of threads. */
    record Throughput(List<Rate> rates) implements StressReport {

        /** The largest error, as a share of its rate. */
        public double largestError() {
            return rates.stream().mapToDouble(Rate::relativeError).max().orElse(0);
        }

        public double rate(String name, ThreadKind kind, int threads) {
            return rates.stream()
                    .filter(rate -> rate.name.equals(name) && rate.kind == kind && rate.threads == threads)
                    .findFirst()
                    .orElseThrow()
                    .operationsPerSecond;
        }
    }

    /**
     * One measurement of JMH.
     *
     * @param name of the counter or of the layout
     * @param operationsPerSecond of all threads together
     * @param error half of the 99.9 % confidence interval
     */
    record Rate(String name, ThreadKind kind, int threads, double operationsPerSecond, double error) {

        /** Whether the confidence intervals do not overlap, and this one is above. */
        boolean isAbove(Rate other) {
            return operationsPerSecond - error > other.operationsPerSecond + other.error;
        }

        public double relativeError() {
            return error / operationsPerSecond;
        }
    }

    /** Layouts of objects with two counters, and the rate at which two threads increment one each. */
    record Sharing(List<ObjectLayout> layouts, List<Rate> rates) implements StressReport {

        /** From this ratio on, a difference between two layouts counts as an effect. */
        public static final double MIN_RATIO = 1.5;

        /** Up to this share of its rate, an error lets a measurement say that there is no effect. */
        public static final double MAX_ERROR = 0.25;

        /** How many times faster the threads are with this layout than with the first one. */
        public double ratio(String layout) {
            return rate(layout).operationsPerSecond / rates.getFirst().operationsPerSecond;
        }

        public Rate rate(String layout) {
            return rates.stream()
                    .filter(rate -> rate.name.equals(layout))
                    .findFirst()
                    .orElseThrow();
        }

        /** Compares all layouts with the first one, in which both counters share a line. */
        public Effect effect() {
            var first = rates.getFirst();
            if (rates.stream().anyMatch(rate -> ratio(rate.name) >= MIN_RATIO && rate.isAbove(first))) {
                return Effect.SHOWN;
            }
            boolean isPrecise = rates.stream().allMatch(rate -> rate.relativeError() <= MAX_ERROR);
            return isPrecise ? Effect.ABSENT : Effect.UNCERTAIN;
        }
    }

    /** What a measurement says about false sharing. */
    enum Effect {
        /** A layout is faster by the smallest ratio, and the confidence intervals do not overlap. */
        @SerializedName("shown")
        SHOWN,
        /** No layout is, and all errors are small. */
        @SerializedName("absent")
        ABSENT,
        /** The errors are too large to say. */
        @SerializedName("uncertain")
        UNCERTAIN
    }

    /** Outcome tables of jcstress. */
    record Stress(List<StressTest> tests) implements StressReport {}

    /** @param name such as {@code Increment.Plain} */
    record StressTest(String name, List<Outcome> outcomes) {

        /** Whether no outcome was seen that the Java memory model forbids. */
        public boolean isPassed() {
            return outcomes.stream().noneMatch(outcome -> outcome.grade == Grade.FORBIDDEN && outcome.count > 0);
        }
    }

    /**
     * One outcome of a test.
     *
     * @param id the values that the threads read
     */
    record Outcome(String id, Grade grade, long count, String description) {}

    /** What the Java memory model and the program's author say about an outcome. */
    enum Grade {
        @SerializedName("acceptable")
        ACCEPTABLE,
        @SerializedName("interesting")
        INTERESTING,
        @SerializedName("forbidden")
        FORBIDDEN
    }

    /** What Lincheck says about some data structures. */
    record Linearizability(List<Structure> structures) implements StressReport {

        /** Whether exactly the broken structures were found to be broken. */
        public boolean isAsExpected() {
            return structures.stream().allMatch(structure -> structure.isCorrect == structure.isLinearizable);
        }
    }

    /**
     * A data structure under Lincheck.
     *
     * @param isCorrect what its author says
     * @param isLinearizable whether no interleaving was found that no sequential order explains
     * @param interleaving the failing one, a line each; empty if there is none
     */
    record Structure(String name, boolean isCorrect, boolean isLinearizable, List<String> interleaving) {}

    /** What was found about a student's class with threads. */
    record ThreadFindings(List<ThreadFinding> findings) implements StressReport {}

    /**
     * One criterion of an exercise.
     *
     * @param interleaving the failing one, a line each; empty if there is none
     */
    record ThreadFinding(String criterion, boolean isPassed, String reason, List<String> interleaving) {}
}
