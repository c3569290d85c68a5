package habemus.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every public element has complete Javadoc. */
class JavadocTest {

    @Test
    void the_javadoc_tool_reports_nothing(@TempDir Path folder) throws Exception {
        var tool = ToolProvider.getSystemDocumentationTool();
        var output = new StringWriter();
        try (var files = tool.getStandardFileManager(null, null, StandardCharsets.UTF_8);
                var sources = Files.walk(Path.of("src/main/java/habemus"))) {
            var units = files.getJavaFileObjectsFromPaths(
                    sources.filter(file -> file.toString().endsWith(".java")).toList());
            var options = List.of(
                    "-Xdoclint:all",
                    "-quiet",
                    "-Werror",
                    "-d",
                    folder.toString(),
                    "-classpath",
                    System.getProperty("java.class.path"));
            boolean isClean =
                    tool.getTask(output, files, null, null, options, units).call();
            assertThat(output.toString()).isEmpty();
            assertThat(isClean).isTrue();
        }
    }
}
