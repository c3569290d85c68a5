package habemus.course.threads;

import java.util.List;

/** What the programs of module {@code stress} found. They run in a JVM of their own and print one of these as JSON. */
public sealed interface StressReport {

    /** Operations a second, by counter and number of threads. */
    record Throughput(List<Rate> rates) implements StressReport {}

    /**
     * One measurement of JMH.
     *
     * @param name of the counter or of the layout
     * @param operationsPerSecond of all threads together
     * @param error half of the 99.9 % confidence interval; 0 if there are too few iterations
     */
    record Rate(String name, ThreadKind kind, int threads, double operationsPerSecond, double error) {}

    /** Layouts of objects with two counters, and the rate at which two threads increment one each. */
    record Sharing(List<ObjectLayout> layouts, List<Rate> rates) implements StressReport {}

    /** Outcome tables of jcstress. */
    record Stress(List<StressTest> tests) implements StressReport {}

    /** @param name such as {@code increment.plain} */
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
        ACCEPTABLE,
        INTERESTING,
        FORBIDDEN
    }

    /** What Lincheck says about some data structures. */
    record Linearizability(List<Structure> structures) implements StressReport {}

    /**
     * A data structure under Lincheck.
     *
     * @param isLinearizable whether no interleaving was found that no sequential order explains
     * @param interleaving the failing one, a line each; empty if there is none
     */
    record Structure(String name, boolean isLinearizable, List<String> interleaving) {}
}
