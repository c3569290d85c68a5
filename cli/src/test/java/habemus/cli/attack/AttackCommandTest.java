package habemus.cli.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code habemus attack}, for seconds instead of minutes. */
@Timeout(300)
class AttackCommandTest {

    @Test
    @Tag("slow")
    void an_attack_is_repelled_in_its_short_form() {
        var output = CliRunner.line(
                "attack decoders lock-server peer-frames client-frames http-requests frame-flood --quick --json");
        var attacks = output.json().getAsJsonArray("attacks");
        assertThat(attacks).allSatisfy(AttackCommandTest::assertRepelled);
        assertThat(output.code()).isEqualTo(ExitCode.OK);
    }

    private static void assertRepelled(JsonElement attack) {
        assertThat(attack.getAsJsonObject().getAsJsonArray("failures"))
                .as(attack.toString())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"n1=192.0.2.1:7601", "n1=127.0.0.1:7601,n2=10.0.0.2:7601", "n1=0.0.0.0:7601"})
    void only_loopback_addresses_are_attacked(String cluster) {
        var output = CliRunner.run("attack", "--cluster", cluster);
        assertThat(output.code()).isEqualTo(ExitCode.USAGE);
        assertThat(output.err()).contains("only loopback addresses may be attacked", "hint: leave --cluster out");
    }

    @Test
    void an_unknown_attack_is_refused_with_the_one_that_was_meant() {
        var output = CliRunner.run("attack", "decoder");
        assertThat(output.code()).isEqualTo(ExitCode.USAGE);
        assertThat(output.err()).contains("unknown attack: 'decoder'", "decoders");
    }

    /** What a failure prints in order to be repeated. */
    @Test
    void a_single_frame_is_sent_again_by_its_number() {
        var output = CliRunner.line("attack decoders --seed 7 --from 4711 --count 1 --json");
        assertThat(output.code()).isEqualTo(ExitCode.OK);
        assertThat(output.json()
                        .getAsJsonArray("attacks")
                        .get(0)
                        .getAsJsonObject()
                        .get("done")
                        .getAsString())
                .startsWith("1 frames");
    }
}
