package habemus.cli.course;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChapterDemonstrationTest {

    private static final String EMPTY_SECTION =
            "<!-- begin: habemus threads join -->\n<!-- end: habemus threads join -->\n";

    @TempDir
    Path folder;

    @Test
    void each_observation_is_printed_with_its_verdict() {
        var cli = CliRunner.run("threads", "join");
        assertThat(cli.code()).isEqualTo(ExitCode.OK);
        assertThat(cli.out()).contains("shown      a thread starts once\n           → IllegalThreadStateException\n");
    }

    @Test
    void json_has_each_observation() {
        var json = CliRunner.run("threads", "join", "--json").json();
        assertThat(json.get("asClaimed").getAsBoolean()).isTrue();
        assertThat(json.getAsJsonArray("observations"))
                .allSatisfy(
                        one -> assertThat(one.getAsJsonObject().get("verdict").getAsString())
                                .isEqualTo("shown"));
    }

    @Test
    void a_page_and_its_translation_get_the_same_section() throws IOException {
        var page = Files.writeString(folder.resolve("page.md"), EMPTY_SECTION);
        var translation = Files.writeString(folder.resolve("page.pt.md"), EMPTY_SECTION);
        var cli = CliRunner.run("threads", "join", "--write", page.toString());
        assertThat(page).content().contains("```text\n" + cli.out() + "```\n");
        assertThat(translation).hasSameTextualContentAs(page);
    }

    @Test
    void a_page_without_the_section_is_refused_before_the_run() throws IOException {
        var page = Files.writeString(folder.resolve("page.md"), "no section\n");
        var cli = CliRunner.run("threads", "join", "--write", page.toString());
        assertThat(cli.code()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.out()).isEmpty();
        assertThat(cli.err()).contains("has no section for habemus threads join");
    }
}
