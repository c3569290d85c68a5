package habemus.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import habemus.lab.mutation.Mutant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The simulation finds defects that are planted in the service. */
@Tag("slow")
class ServiceDefectsTest {

    @Test
    void the_recorded_seed_of_each_defect_violates_its_property() {
        var expected = new TreeMap<String, String>();
        recorded().forEach(defect -> expected.put(defect.name(), defect.breaks()));
        assertThat(replayed()).isEqualTo(expected);
    }

    private static List<Mutant> recorded() {
        return ServiceDefects.all().stream()
                .filter(defect -> ServiceDefects.recorded().containsKey(defect.name()))
                .toList();
    }

    private static Map<String, String> replayed() {
        return recorded().parallelStream()
                .collect(Collectors.toMap(
                        Mutant::name,
                        defect -> ServiceDefects.replay(defect)
                                .map(ServiceDefects.Finding::property)
                                .orElse("nothing"),
                        (one, other) -> one,
                        TreeMap::new));
    }

    @Test
    void every_planted_defect_was_found() {
        assertThat(ServiceDefects.all())
                .extracting(Mutant::name)
                .containsOnlyOnceElementsOf(ServiceDefects.recorded().keySet());
        assertThat(ServiceDefects.recorded()).hasSameSizeAs(ServiceDefects.all());
    }

    @Test
    void there_are_at_least_fifteen_planted_defects() {
        assertThat(ServiceDefects.recorded()).hasSizeGreaterThanOrEqualTo(15);
    }

    @Test
    void a_violation_is_shrunk_and_one_line_replays_it() {
        var shrunk = CliRunner.line("fuzz service --defect send-before-sync --json");
        assertThat(shrunk.code()).as(shrunk.out()).isEqualTo(ExitCode.VIOLATED);
        var line = shrunk.json().getAsJsonObject("shrunk").get("replay").getAsString();
        assertThat(line).contains("--defect send-before-sync", "--clients", "--faults");
        var replayed = CliRunner.line(line.replaceFirst("habemus ", "") + " --json");
        assertThat(violation(replayed)).isEqualTo(violation(shrunk));
    }

    /** Without the stack trace of an exception: it names generated classes. */
    private static String violation(CliRunner.CommandOutput output) {
        var detail = output.json().getAsJsonObject("shrunk").get("detail").getAsString();
        return detail.lines().findFirst().orElseThrow();
    }

    @Test
    void an_unknown_defect_is_rejected() {
        var output = CliRunner.line("fuzz service --defect forget-the-vot");
        assertThat(output.code()).isEqualTo(ExitCode.USAGE);
        assertThat(output.err()).contains("no defect 'forget-the-vot'", "forget-the-vote");
    }
}
