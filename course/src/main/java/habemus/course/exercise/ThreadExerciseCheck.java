package habemus.course.exercise;

import habemus.course.threads.StressReport;
import habemus.lab.source.SourceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Compiles a file with real threads here, and has it explored and run in a JVM of its own: Lincheck instruments its
 * classes, and threads that hang end with that JVM.
 */
final class ThreadExerciseCheck implements ExerciseCheck {

    private final Class<?> task;

    ThreadExerciseCheck(Class<?> task) {
        this.task = task;
    }

    @Override
    public List<CriterionResult> check(SourceFile file, ThreadLaboratory laboratory) {
        var compiled = file.compile();
        var type = StudentClass.find(compiled, task);
        StudentClass.instantiate(type);
        try {
            var folder = Files.createTempDirectory("habemus-exercise");
            try {
                write(compiled, folder);
                return laboratory.explore(task.getSimpleName(), type.getName(), folder).findings().stream()
                        .map(ThreadExerciseCheck::result)
                        .toList();
            } finally {
                delete(folder);
            }
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }

    private static void write(SourceFile.Compiled compiled, Path folder) throws IOException {
        for (var entry : compiled.classes().entrySet()) {
            var file = folder.resolve(entry.getKey().replace('.', '/') + ".class");
            Files.createDirectories(file.resolveSibling(""));
            Files.write(file, entry.getValue());
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static CriterionResult result(StressReport.ThreadFinding finding) {
        return new CriterionResult(
                finding.criterion(),
                finding.isPassed() ? 1 : 0,
                finding.reason(),
                finding.interleaving(),
                Optional.empty(),
                "");
    }
}
