package habemus.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole service in virtual time. */
@Tag("slow")
class ServiceFuzzTest {

    @Test
    void the_service_keeps_its_promises_under_faults() {
        var output = CliRunner.line("fuzz service --seeds 150 --json");
        assertThat(output.code()).as(output.out()).isEqualTo(ExitCode.OK);
        assertThat(output.json().getAsJsonArray("violations")).isEmpty();
    }

    @Test
    void the_runs_do_not_depend_on_each_other() {
        var together = CliRunner.line("fuzz service --seed 21 --seeds 2 --json").json();
        var first = CliRunner.line("fuzz service --seed 21 --seeds 1 --json").json();
        var second = CliRunner.line("fuzz service --seed 22 --seeds 1 --json").json();
        assertThat(together.get("events").getAsLong())
                .isEqualTo(
                        first.get("events").getAsLong() + second.get("events").getAsLong());
    }

    @Test
    void a_run_can_leave_out_faults_and_clients() {
        var output = CliRunner.line("fuzz service --seed 3 --seeds 1 --nodes 5 --clients 2 --faults none --json");
        assertThat(output.code()).as(output.out()).isEqualTo(ExitCode.OK);
        for (var fault : output.json().getAsJsonObject("faults").entrySet()) {
            assertThat(fault.getValue().getAsLong()).as(fault.getKey()).isZero();
        }
    }

    @Test
    void a_wrong_list_of_faults_is_rejected() {
        var output = CliRunner.line("fuzz service --faults 1,x");
        assertThat(output.code()).isEqualTo(ExitCode.USAGE);
        assertThat(output.err()).contains("--faults must be numbers separated by commas, or none, was '1,x'");
    }

    @Test
    void the_counts_of_several_ranges_add_up(@TempDir Path folder) throws IOException {
        var totals = folder.resolve("totals.json");
        var page = Files.writeString(
                folder.resolve("page.md"),
                "<!-- begin: habemus fuzz service -->\n<!-- end: habemus fuzz service -->\n");
        CliRunner.run(command(21, 1, totals, page));
        CliRunner.run(command(22, 2, totals, page));
        var all = CliRunner.line("fuzz service --seed 21 --seeds 3 --json").json();
        var added = JsonParser.parseString(Files.readString(totals)).getAsJsonObject();
        assertThat(added.get("events")).isEqualTo(all.get("events"));
        assertThat(added.get("situations")).isEqualTo(all.get("coverage"));
        assertThat("%016x".formatted(added.get("hash").getAsLong()))
                .isEqualTo(all.get("hash").getAsString());
        assertThat(page).content().contains("| seeds | 3: 21 to 23 |", "| virtual time | 3 minutes");
        var again = CliRunner.run(command(23, 5, totals, page));
        assertThat(again.code()).isEqualTo(ExitCode.USAGE);
        assertThat(again.err()).contains("seeds were counted before: 23 to 27 (the file has 21 to 23)", "--seed 24");
    }

    private static List<String> command(long first, long count, Path totals, Path page) {
        return List.of(
                "fuzz", "service", "--seed=" + first, "--seeds=" + count, "--totals=" + totals, "--write=" + page);
    }
}
