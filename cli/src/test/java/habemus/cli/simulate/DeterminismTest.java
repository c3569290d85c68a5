package habemus.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.Main;
import habemus.lab.command.ShellSyntax;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A seed gives the same bytes in two JVMs with different hash codes, compilers, locales and time zones. */
@Tag("slow")
class DeterminismTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run bully -n 6 --seed 42 --swarm --entries 2 --think 700 --trace -",
                "run ricart-agrawala -n 5 --seed 7 --swarm --entries 4 --think 400 --latency lognormal:3,1 --trace -",
                "run chang-roberts -n 70 --seed 3 --topology ring:random --latency exp:3 --trace -",
                "run bully -n 5 --seed 12 --swarm=crash,amnesia,loss,duplication,partition,mistake --trace - --json",
                "fuzz service --seeds 2 --seed 11"
            })
    void a_seed_gives_the_same_trace_in_every_process(String line) throws IOException, InterruptedException {
        var interpreted = machine(List.of("-XX:TieredStopAtLevel=1"), line);
        var other = machine(
                List.of(
                        "-XX:+UnlockExperimentalVMOptions",
                        "-XX:hashCode=2",
                        "-Xint",
                        "-Duser.language=ar",
                        "-Duser.country=EG",
                        "-Duser.timezone=Asia/Kathmandu"),
                line);
        assertThat(interpreted).isNotEmpty();
        assertThat(other).isEqualTo(interpreted);
    }

    private static String machine(List<String> options, String line) throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(ShellSyntax.split(line));
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var out = process.getInputStream()) {
            var output = new String(out.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return output;
        } finally {
            process.destroy();
        }
    }
}
