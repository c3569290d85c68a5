package habemus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.language.Language;
import habemus.lab.language.Translation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The English texts that are translated are still in the sources. */
class TranslationKeysTest {

    /** Put together where they are used: with the name of a network, or with a verdict. */
    private static final List<String> COMPOSED = List.of("on a ", "violated ", "stuck ");

    /** A number, or the option of a cost. */
    private static final String SEPARATOR = "#|, (with )?--\\S+";

    @Test
    void every_translated_text_is_in_the_sources() {
        var sources =
                Stream.of("cli", "lab", "sim").map(TranslationKeysTest::source).collect(Collectors.joining());
        assertThat(Translation.to(Language.PORTUGUESE).keys())
                .isNotEmpty()
                .filteredOn(key -> COMPOSED.stream().noneMatch(key::startsWith))
                .allMatch(key -> Arrays.stream(key.split(SEPARATOR, -1))
                        .map(String::strip)
                        .allMatch(sources::contains));
    }

    /** The main code of a module, with broken string literals joined. */
    private static String source(String module) {
        try (var files = Files.walk(CliRunner.root().resolve(module).resolve("src/main/java"))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(TranslationKeysTest::read)
                    .collect(Collectors.joining())
                    .replaceAll("\"\\s*\\+ \"", "");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
