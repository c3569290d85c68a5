package habemus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A page and its translation, such as {@code concurrency.md} and {@code concurrency.pt.md}, are in step. */
class DocsTranslationTest {

    private static final Path ROOT = CliRunner.root();
    private static final Pattern HEADING = Pattern.compile("(?m)^(#+) ");
    private static final Pattern FENCED = Pattern.compile("(?s)```[^\n]*\n(.*?)```");
    private static final Pattern COMMENT_OF_COMMAND = Pattern.compile("(?m)^(\\./\\S.*?) {2,}.*$");
    private static final Pattern GENERATED = Pattern.compile("(?s)<!-- begin: ([^>]*) -->(.*?)<!-- end: \\1 -->");
    private static final Pattern TARGET = Pattern.compile("\\]\\(([^)]+)\\)");
    private static final Pattern SCENARIO = Pattern.compile("gallery:[\\w-]+");
    private static final Pattern ROW = Pattern.compile("(?m)^\\|");

    static List<Path> translations() throws IOException {
        try (var top = Files.list(ROOT);
                var docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(page -> page.toString().endsWith(".pt.md"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("translations")
    void a_translation_has_the_same_headings(Path translation) {
        assertEqual(translation, HEADING, heading -> heading.group(1));
    }

    /** What a list says about each command is translated, and a command may ask for the language of its page. */
    @ParameterizedTest
    @MethodSource("translations")
    void a_translation_has_the_same_commands_and_outputs(Path translation) {
        assertEqual(
                translation,
                FENCED,
                block -> COMMENT_OF_COMMAND
                        .matcher(block.group(1))
                        .replaceAll("$1")
                        .replace(" --lang pt", ""));
    }

    @ParameterizedTest
    @MethodSource("translations")
    void a_translation_has_the_same_sections_that_a_command_writes(Path translation) {
        assertEqual(translation, GENERATED, MatchResult::group);
    }

    @ParameterizedTest
    @MethodSource("translations")
    void a_translation_has_the_same_rows_in_its_tables(Path translation) {
        assertEqual(translation, ROW, MatchResult::group);
    }

    @ParameterizedTest
    @MethodSource("translations")
    void a_translation_names_the_same_scenarios(Path translation) {
        assertEqual(translation, SCENARIO, MatchResult::group);
    }

    /** Each of them also links the other. */
    @ParameterizedTest
    @MethodSource("translations")
    void a_translation_has_the_same_links_and_pictures(Path translation) {
        assertThat(read(original(translation))).contains("](" + translation.getFileName() + ")");
        assertThat(targets(translation)).isEqualTo(targets(original(translation)));
    }

    /** An anchor is the number of its heading, which has another text in the translation. */
    private static List<String> targets(Path page) {
        var anchors = MarkdownText.anchors(read(page));
        return parts(
                page,
                TARGET,
                link -> link.group(1).startsWith("#")
                        ? "#" + anchors.indexOf(link.group(1).substring(1))
                        : link.group(1).replace(".pt.md", ".md"));
    }

    private static void assertEqual(Path translation, Pattern part, Function<MatchResult, String> text) {
        assertThat(parts(translation, part, text)).isEqualTo(parts(original(translation), part, text));
    }

    private static List<String> parts(Path page, Pattern part, Function<MatchResult, String> text) {
        return part.matcher(read(page)).results().map(text).toList();
    }

    private static Path original(Path translation) {
        return translation.resolveSibling(translation.getFileName().toString().replace(".pt.md", ".md"));
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }
}
