package habemus.cli.course;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.course.exercise.Exercise;
import habemus.lab.command.ExitCode;
import habemus.lab.language.Language;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code habemus exercise}. */
class ExerciseCommandTest {

    private static final Path SOLUTIONS = CliRunner.root().resolve("course/src/test/resources/solutions");

    @TempDir
    Path folder;

    /** As the launcher does. */
    @BeforeAll
    static void name_the_folder_of_module_stress() {
        System.setProperty(
                "habemus.stress", CliRunner.root().resolve("stress/target").toString());
    }

    @AfterAll
    static void forget_it() {
        System.clearProperty("habemus.stress");
    }

    @Test
    void lists_every_exercise_in_both_languages() {
        var english = CliRunner.line("exercise list --lang en");
        assertThat(english.code()).isEqualTo(ExitCode.OK);
        assertThat(english.out()).contains("two-locks             Two locks: transfers without deadlock");
        assertThat(CliRunner.line("exercise list --lang pt").out()).contains("Dois locks");
        assertThat(CliRunner.line("exercise list --json").json().getAsJsonArray("exercises"))
                .hasSize(Exercise.values().length);
    }

    @Test
    void shows_the_text_and_one_hint_at_a_time() {
        var text = CliRunner.line("exercise show two-lists --lang pt").out();
        assertThat(text).startsWith("# Retirar uma de duas listas").contains("Dicas: --hint 1");
        assertThat(text).doesNotContain("Iniciadores têm ordem");
        assertThat(CliRunner.line("exercise show two-lists --hint 2 --lang pt").out())
                .startsWith("Iniciadores têm ordem")
                .hasLineCount(1);
        assertThat(CliRunner.line("exercise show two-lists --hint 9").code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void writes_the_file_to_fill_in_and_never_replaces_one() throws IOException {
        var file = folder.resolve("TwoLists.java");
        assertThat(CliRunner.run("exercise", "show", "two-lists", "--write", file.toString())
                        .code())
                .isEqualTo(ExitCode.OK);
        assertThat(Files.readString(file)).isEqualTo(Exercise.TWO_LISTS.template());
        assertThat(CliRunner.run("exercise", "show", "two-lists", "--write", file.toString())
                        .err())
                .contains("exists");
    }

    @Test
    @Tag("slow")
    void a_wrong_algorithm_is_shown_its_run_with_a_command_that_replays_it() {
        var file = SOLUTIONS.resolve("learn-leader/wrong/LearnLeader.java").toString();
        var svg = folder.resolve("run.svg");
        var checked = CliRunner.run("exercise", "check", "learn-leader", file, "--lang", "en", "--svg", svg.toString());
        assertThat(checked.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(checked.out()).contains("✗ 0/4  small").contains("mark: 0 of 10");
        assertThat(svg).exists();
        var replay = checked.out()
                .lines()
                .filter(line -> line.contains("replay with"))
                .findFirst()
                .orElseThrow()
                .replaceFirst(".*replay with\\s+", "");
        assertThat(CliRunner.line(replay).out()).contains("agreement              violated");
    }

    @ParameterizedTest
    @CsvSource({
        "two-locks, right, TwoAccounts, 0, mark: 10 of 10",
        "two-locks, wrong, TwoAccounts, 1, All unfinished threads are in deadlock"
    })
    @Tag("slow")
    void threads_are_explored_in_a_jvm_of_their_own(String name, String kind, String type, int code, String text) {
        var file = SOLUTIONS.resolve(name).resolve(kind).resolve(type + ".java").toString();
        var checked = CliRunner.run("exercise", "check", name, file, "--lang", "en");
        assertThat(checked.err()).isEmpty();
        assertThat(checked.code()).isEqualTo(code);
        assertThat(checked.out()).contains(text);
    }

    @Test
    void a_file_that_does_not_compile_gets_no_mark_but_its_line() throws IOException {
        var file = Files.writeString(folder.resolve("WorstRing.java"), "public class WorstRing { int x = y; }");
        var checked = CliRunner.run("exercise", "check", "worst-ring", file.toString());
        assertThat(checked.code()).isEqualTo(ExitCode.USAGE);
        assertThat(checked.err()).contains("WorstRing.java:1: cannot find symbol");
        Files.writeString(file, "public class WorstRing {}");
        assertThat(CliRunner.run("exercise", "check", "worst-ring", file.toString())
                        .err())
                .contains("no class implements RingArrangement");
    }

    @ParameterizedTest
    @CsvSource({"exercises.md, en", "exercises.pt.md, pt"})
    void the_table_in_the_docs_is_that_of_the_resources(String page, String code) throws IOException {
        var language = Language.of(code);
        var table = Arrays.stream(Exercise.values())
                .map(exercise -> "| `%s` | %s | `%s.java` |\n"
                        .formatted(exercise, exercise.text(language).title(), exercise.className()))
                .collect(Collectors.joining());
        assertThat(Files.readString(CliRunner.root().resolve("docs").resolve(page)))
                .contains(table);
    }
}
