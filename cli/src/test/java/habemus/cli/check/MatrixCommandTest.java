package habemus.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line of {@code habemus matrix}; its findings are checked by {@link MatrixDocsTest}. */
@Tag("slow")
class MatrixCommandTest {

    @TempDir
    private Path folder;

    private Path cache = Path.of("");

    @BeforeEach
    void use_an_own_cache() {
        cache = folder.resolve("matrix.json");
    }

    private CliRunner.CommandOutput matrix(String... more) {
        var words = new ArrayList<>(List.of("matrix", "max-alive", "--cache", cache.toString()));
        words.addAll(List.of(more));
        return CliRunner.run(words);
    }

    @Test
    void the_text_output_fits_120_columns_except_for_replay_commands() {
        var output = matrix();
        assertThat(output.code()).isZero();
        assertThat(output.err()).isEmpty();
        assertThat(output.out().lines().filter(line -> !line.startsWith("  ./habemus")))
                .allSatisfy(line ->
                        assertThat(line.codePointCount(0, line.length())).isLessThanOrEqualTo(120));
        assertThat(output.out())
                .contains("max-alive, fifo, asynchronous, suspicion: uniqueness violated after 1")
                .contains("  ./habemus run max-alive -n 2 --require uniqueness --moves 1mistake2");
    }

    @Test
    void the_json_output_has_stable_names() {
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
    void a_cached_cell_is_not_checked_again() throws IOException {
        matrix("--json");
        var kept = Files.readString(cache);
        Files.writeString(cache, kept.replace("\"verdict\":\"holds\"", "\"verdict\":\"incomplete\""));
        assertThat(matrix("--json").out()).doesNotContain("\"holds\"");
        assertThat(matrix("--json", "--fresh").out()).isEqualTo(kept);
    }

    @Test
    void a_cell_cached_from_other_sources_is_checked_again() throws IOException {
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
    void an_unreadable_cache_is_reported_and_replaced(String text) throws IOException {
        Files.writeString(cache, text);
        var output = matrix("--json");
        assertThat(output.err())
                .isEqualTo("habemus: ignoring the cache " + cache + " (not a matrix of this version)\n");
        assertThat(output.code()).isZero();
        assertThat(matrix("--json").err()).isEmpty();
    }

    @Test
    void an_unwritable_cache_is_reported_before_the_first_check() {
        cache = folder.resolve("no").resolve("matrix.json");
        var output = matrix();
        assertThat(output.code()).isEqualTo(3);
        assertThat(output.err()).startsWith("habemus: cannot write " + cache + " (no such folder: ");
    }

    @Test
    void cached_cells_of_other_algorithms_are_kept() throws IOException {
        matrix("--json");
        CliRunner.run("matrix", "anonymous-ring", "--fresh", "--json", "--cache", cache.toString());
        assertThat(Files.readString(cache)).contains("\"max-alive\"", "\"anonymous-ring\"");
    }

    @Test
    void write_needs_the_folder_of_the_documentation() {
        var output = CliRunner.run("matrix", "--write", folder.toString(), "--cache", cache.toString());
        assertThat(output.code()).isEqualTo(3);
        assertThat(output.err())
                .isEqualTo("habemus: --write must be the folder of the documentation (no subfolder algorithms): "
                        + folder + "\nhint: write --write docs\n");
    }
}
