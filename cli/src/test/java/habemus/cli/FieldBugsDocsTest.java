package habemus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page on bugs of the field names tests that exist. */
class FieldBugsDocsTest {

    private static final Pattern TEST = Pattern.compile("`(\\w+Test)\\.(\\w+)`");

    @Test
    void every_named_test_exists() throws IOException {
        var page = Files.readString(CliRunner.root().resolve("docs/field-bugs.md"));
        var named = TEST.matcher(page).results().toList();
        assertThat(named).hasSizeGreaterThan(5);
        for (var test : named) {
            assertThat(source(test.group(1))).contains("void " + test.group(2) + "(");
        }
    }

    private static String source(String testClass) throws IOException {
        try (var modules = Files.list(CliRunner.root())) {
            for (Path tests : modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (var files = Files.walk(tests)) {
                    var found = files.filter(file -> file.endsWith(testClass + ".java"))
                            .findFirst();
                    if (found.isPresent()) {
                        return Files.readString(found.get());
                    }
                }
            }
        }
        throw new AssertionError("no such test: " + testClass);
    }
}
