package habemus.course.exercise;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.course.threads.StressReport.ThreadFindings;
import habemus.lab.language.Language;
import habemus.lab.source.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The texts of all exercises, and the marks of solutions of the distributed ones. */
class ExerciseTest {

    private static final ThreadLaboratory NO_THREADS = (task, type, classes) -> {
        throw new AssertionError("a distributed exercise has no threads");
    };

    @TempDir
    Path folder;

    static Stream<Exercise> distributed() {
        return Arrays.stream(Exercise.values()).filter(exercise -> exercise.kind() == Exercise.Kind.DISTRIBUTED);
    }

    private static SourceFile solution(Exercise exercise, String kind) {
        return SourceFile.read("src/test/resources/solutions/" + exercise + "/" + kind + "/" + exercise.className()
                + SourceFile.SUFFIX);
    }

    @ParameterizedTest
    @EnumSource
    void both_languages_have_the_same_points_and_as_many_hints(Exercise exercise) {
        var english = exercise.text(Language.ENGLISH);
        var portuguese = exercise.text(Language.PORTUGUESE);
        assertThat(points(english)).isEqualTo(points(portuguese));
        assertThat(english.hints()).hasSameSizeAs(portuguese.hints()).hasSizeGreaterThan(1);
        assertThat(english.title()).isNotEqualTo(portuguese.title());
        assertThat(english.criteria().stream().mapToInt(Criterion::points).sum())
                .isEqualTo(ExerciseMark.BEST);
    }

    private static List<String> points(ExerciseText text) {
        return text.criteria().stream()
                .map(criterion -> criterion.name() + " " + criterion.points())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("distributed")
    @Tag("slow")
    void a_right_solution_gets_the_full_mark(Exercise exercise) {
        var mark = exercise.check(solution(exercise, "right"), NO_THREADS);
        assertThat(mark.results()).allMatch(CriterionResult::isPassed);
        assertThat(mark.points()).isEqualTo(ExerciseMark.BEST);
        assertThat(mark.results().stream().map(CriterionResult::criterion))
                .containsExactlyElementsOf(exercise.text(Language.ENGLISH).criteria().stream()
                        .map(Criterion::name)
                        .toList());
    }

    @ParameterizedTest
    @CsvSource({
        "worst-ring, 0, small",
        "learn-leader, 0, small",
        "better-bully, 0, safe",
        "two-lists, 0, safe",
        "anonymous-ring, 0, safe"
    })
    @Tag("slow")
    void a_wrong_solution_is_shown_the_run_in_which_it_fails(String name, int points, String criterion) {
        var exercise = Exercise.find(name).orElseThrow();
        var mark = exercise.check(solution(exercise, "wrong"), NO_THREADS);
        assertThat(mark.points()).isEqualTo(points);
        var failed = mark.results().stream()
                .filter(result -> result.criterion().equals(criterion))
                .findFirst()
                .orElseThrow();
        assertThat(failed.isPassed()).isFalse();
        assertThat(failed.run().orElseThrow().events()).isNotEmpty();
    }

    @Test
    void a_test_that_lets_mutants_pass_is_told_which() {
        var mark = Exercise.TWO_INITIATORS.check(solution(Exercise.TWO_INITIATORS, "wrong"), NO_THREADS);
        assertThat(mark.points()).isEqualTo(6);
        assertThat(mark.results().getLast().reason())
                .startsWith("2 of 3 hidden mutants pass the test: ask-only-the-best");
    }

    @ParameterizedTest
    @MethodSource("distributed")
    @Tag("slow")
    void the_file_to_fill_in_compiles_and_does_not_get_the_full_mark(Exercise exercise) throws IOException {
        var file = folder.resolve(exercise.className() + SourceFile.SUFFIX);
        Files.writeString(file, exercise.template());
        assertThat(exercise.check(SourceFile.read(file.toString()), NO_THREADS).points())
                .isLessThan(ExerciseMark.BEST);
    }

    @ParameterizedTest
    @EnumSource
    void every_solution_with_threads_reaches_the_laboratory(Exercise exercise) {
        if (exercise.kind() == Exercise.Kind.THREADS) {
            for (String kind : List.of("right", "wrong")) {
                var mark = exercise.check(solution(exercise, kind), (task, type, classes) -> {
                    assertThat(classes.resolve(type + ".class")).exists();
                    return new ThreadFindings(List.of());
                });
                assertThat(mark.results()).isEmpty();
            }
        }
    }
}
