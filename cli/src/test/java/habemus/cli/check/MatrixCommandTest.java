package habemus.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code habemus matrix} for its users; what it finds is {@link MatrixDocsTest}'s. */
class MatrixCommandTest {

    @TempDir
    private Path folder;

    private Path cache = Path.of("");

    @BeforeEach
    void with_a_cache_of_its_own() {
        cache = folder.resolve("matrix.json");
    }

    private CliRunner.CommandOutput matrix(String... more) {
        var words = new ArrayList<>(List.of("matrix", "max-alive", "--cache", cache.toString()));
        words.addAll(List.of(more));
        return CliRunner.run(words);
    }

    @Test
    void the_answer_for_people_fits_into_120_columns_but_for_the_commands() {
        var commandOutput = matrix();
        assertThat(commandOutput.code()).isZero();
        assertThat(commandOutput.err()).isEmpty();
        assertThat(commandOutput.out().lines().filter(line -> !line.startsWith("  ./habemus")))
                .allSatisfy(line ->
                        assertThat(line.codePointCount(0, line.length())).isLessThanOrEqualTo(120));
        assertThat(commandOutput.out())
                .contains("max-alive, fifo, asynchronous, suspicion: uniqueness violated after 1")
                .contains("  ./habemus run max-alive -n 2 --moves 1mistake2");
    }

    @Test
    void the_answer_for_programs_has_stable_names() {
        var json = matrix("--json").json();
        assertThat(json.keySet()).containsExactly("rows", "cells");
        var rows = json.getAsJsonArray("rows").asList();
        assertThat(rows.getFirst().getAsJsonObject().keySet())
                .containsExactly(
                        "algorithm",
                        "variant",
                        "network",
                        "timing",
                        "fault",
                        "property",
                        "verdict",
                        "nodes",
                        "entries");
        assertThat(rows)
                .anySatisfy(row -> assertThat(row.getAsJsonObject().keySet()).contains("steps", "moves", "replay"));
    }

    @Test
    void what_is_kept_is_not_worked_out_again() throws IOException {
        matrix("--json");
        var kept = Files.readString(cache);
        Files.writeString(cache, kept.replace("\"verdict\":\"holds\"", "\"verdict\":\"incomplete\""));
        assertThat(matrix("--json").out()).doesNotContain("\"holds\"");
        assertThat(matrix("--json", "--fresh").out()).isEqualTo(kept);
    }

    @Test
    void what_was_worked_out_from_other_sources_is_of_no_use() throws IOException {
        var right = matrix("--json").out();
        Files.writeString(cache, right.replace("\"key\":\"", "\"key\":\"0").replace("\"holds\"", "\"incomplete\""));
        assertThat(matrix("--json").out()).isEqualTo(right);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"rows\": [",
                "{\"rows\": [{}], \"cells\": []}",
                "{\"rows\": [], \"cells\": [{\"algorithm\": 1}]}"
            })
    void a_cache_that_cannot_be_read_is_said_and_written_anew(String text) throws IOException {
        Files.writeString(cache, text);
        var commandOutput = matrix("--json");
        assertThat(commandOutput.err())
                .isEqualTo("habemus: " + cache + " is no matrix of this version; every cell is worked out anew\n");
        assertThat(commandOutput.code()).isZero();
        assertThat(matrix("--json").err()).isEmpty();
    }

    @Test
    void a_cache_that_cannot_be_written_is_said_before_anything_is_worked_out() {
        cache = folder.resolve("no").resolve("matrix.json");
        var commandOutput = matrix();
        assertThat(commandOutput.code()).isEqualTo(3);
        assertThat(commandOutput.err()).startsWith("habemus: cannot write " + cache + ": there is no folder ");
    }

    @Test
    void what_is_kept_of_others_stays() throws IOException {
        matrix("--json");
        CliRunner.run("matrix", "anonymous-ring", "--fresh", "--json", "--cache", cache.toString());
        assertThat(Files.readString(cache)).contains("\"max-alive\"", "\"anonymous-ring\"");
    }

    @Test
    void documentation_is_only_renewed_where_there_is_some() {
        var commandOutput = CliRunner.run("matrix", "--write", folder.toString(), "--cache", cache.toString());
        assertThat(commandOutput.code()).isEqualTo(3);
        assertThat(commandOutput.err())
                .isEqualTo("habemus: --write " + folder + " has no folder algorithms with a page for each;"
                        + " name the folder of the documentation, as in --write docs\n");
    }
}
