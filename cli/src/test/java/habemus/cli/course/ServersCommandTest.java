package habemus.cli.course;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code habemus servers} with short loads; the values are not compared, because machines are busy. */
@Tag("slow")
class ServersCommandTest {

    @TempDir
    Path folder;

    @Test
    void a_load_has_a_row_for_each_form_and_rate_and_two_charts() {
        var svg = folder.resolve("load.svg");
        var rows = CliRunner.line("servers --rates 5,10 --seconds 1 --timeout 60s --forms virtual-threads,event-loop"
                        + " --blocking 1ms --json --svg " + svg)
                .json()
                .getAsJsonArray("load");
        assertThat(rows).hasSize(4).allSatisfy(row -> {
            JsonObject point = row.getAsJsonObject();
            long requests = Math.round(point.get("offered").getAsDouble());
            assertThat(point.get("refused").getAsInt()
                            + point.get("dropped").getAsInt()
                            + point.get("timedOut").getAsInt())
                    .isZero();
            assertThat(requests).isIn(5L, 10L);
        });
        assertThat(svg).content().contains("event-loop");
        assertThat(folder.resolve("load-p50.svg")).exists();
    }

    @Test
    void pools_are_measured_beside_littles_law() {
        var cli = CliRunner.line("servers pools --rate 20 --blocking 100ms --sizes 3 --seconds 1");
        assertThat(cli.code()).isEqualTo(ExitCode.OK);
        assertThat(cli.out()).contains("= 2.0 busy threads, so at least 3");
    }
}
