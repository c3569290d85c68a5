package habemus.stress;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.course.threads.StressReport.ThreadFinding;
import habemus.lab.source.SourceFile;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The marks of solutions of the exercises with threads. */
@Tag("slow")
class ThreadExercisesTest {

    /** Compiles a solution into a package of its own on the class path, where Lincheck finds it. */
    private static List<ThreadFinding> tryOut(String task, String exercise, String kind) throws Exception {
        var sources = Path.of("../course/src/test/resources/solutions", exercise, kind);
        try (var files = Files.list(sources)) {
            var file = files.findFirst().orElseThrow();
            var name = file.getFileName().toString();
            var packageName = kind + "." + exercise.replace('-', '_');
            var text = "package " + packageName + ";\n" + Files.readString(file);
            var compiled = new SourceFile(name, file.toAbsolutePath(), text).compile();
            for (var type : compiled.classes().entrySet()) {
                write(type.getKey(), type.getValue());
            }
            return ThreadExercises.run(task, packageName + "." + name.replace(SourceFile.SUFFIX, ""))
                    .findings();
        }
    }

    private static void write(String type, byte[] bytes) throws IOException, URISyntaxException {
        var root = Path.of(ThreadExercisesTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        var file = root.resolve(type.replace('.', '/') + ".class");
        Files.createDirectories(file.resolveSibling(""));
        Files.write(file, bytes);
    }

    /** The relay comes last: Lincheck instruments the whole JVM for it, and what follows is slow. */
    @ParameterizedTest
    @CsvSource({
        "CounterTask, shared-counter, explored, increment",
        "UpDownCounter, synchronized-counter, both-ways, decrement",
        "AccountPair, two-locks, both-ways, hung",
        "RelayTask, thread-relay, three-threads, WAIT"
    })
    void a_right_solution_passes_and_a_wrong_one_is_shown_its_interleaving(
            String task, String exercise, String criterion, String word) throws Exception {
        assertThat(tryOut(task, exercise, "right")).allMatch(ThreadFinding::isPassed);
        var findings = tryOut(task, exercise, "wrong");
        var failed = findings.stream()
                .filter(finding -> finding.criterion().equals(criterion))
                .findFirst()
                .orElseThrow();
        assertThat(failed.isPassed()).isFalse();
        assertThat(String.join("\n", failed.interleaving())).contains(word).contains("interleaving");
        assertThat(findings.getLast().isPassed()).isFalse(); // the real runs count only if no interleaving fails
    }
}
