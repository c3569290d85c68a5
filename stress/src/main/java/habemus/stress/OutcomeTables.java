package habemus.stress;

import habemus.course.threads.StressReport.Grade;
import habemus.course.threads.StressReport.Outcome;
import habemus.course.threads.StressReport.Stress;
import habemus.course.threads.StressReport.StressTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import org.openjdk.jcstress.JCStress;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.ReportUtils;

/** Runs the stress tests of this module with jcstress, and reads the table of outcomes of each test. */
final class OutcomeTables {

    private static final String PACKAGE = "habemus.stress.";

    private OutcomeTables() {}

    /**
     * Runs the tests. Writes the files of jcstress into the working folder.
     *
     * @param time for each test
     */
    static Stress run(Duration time, StressProgress progress) throws Exception {
        var options = new Options(new String[] {
            "-t", PACKAGE,
            "-time", Long.toString(time.toMillis()),
            "-iters", "1",
            "-f", "1",
            "-sc", "false", // one compilation for all actors
            "-af", "NONE", // any processor
            "-jvmArgs", "-XX:+UseSerialGC", // one configuration of the JVM
            "-r", "report"
        });
        if (!options.parse()) {
            throw new IllegalStateException("jcstress rejects its options");
        }
        var tests = new JCStress(options);
        progress.show(0, 1, tests.getTests().size() + " tests, " + time.toMillis() + " ms each");
        tests.run();
        return read(Path.of(""));
    }

    private static Stress read(Path folder) throws IOException, ClassNotFoundException {
        var collector = new InProcessCollector();
        try (var files = Files.newDirectoryStream(folder, "*.bin.gz")) {
            for (Path file : files) {
                new DiskReadCollector(file.toString(), collector).dump();
            }
        }
        return tables(collector.getTestResults());
    }

    /** Adds up the runs of each test. */
    static Stress tables(Collection<TestResult> results) {
        return new Stress(ReportUtils.mergedByName(results).stream()
                .map(OutcomeTables::table)
                .sorted(Comparator.comparing(StressTest::name))
                .toList());
    }

    private static StressTest table(TestResult result) {
        return new StressTest(
                shortName(result.getName()),
                result.grading().gradingResults.values().stream()
                        .map(graded -> new Outcome(graded.id, grade(graded.expect), graded.count, graded.description))
                        .toList());
    }

    /** For example {@code Increment.Plain}. */
    static String shortName(String test) {
        return test.replace(PACKAGE, "").replace("Stress.", ".");
    }

    static Grade grade(Expect expect) {
        return switch (expect) {
            case ACCEPTABLE -> Grade.ACCEPTABLE;
            case ACCEPTABLE_INTERESTING -> Grade.INTERESTING;
            case FORBIDDEN, UNKNOWN -> Grade.FORBIDDEN;
        };
    }
}
