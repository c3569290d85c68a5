package habemus.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The option {@code --names}. */
class NamesParserTest {

    /** The same world given by names and by numbers. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "bully; --crash Bia@3 --restart Bia@9:amnesia; --crash 2@3 --restart 2@9:amnesia",
                "bully; --partition Ana,Bia/Caio@1..5; --partition 1,2/3@1..5",
                "bully; --cut Ana>Bia@1 --slow Bia>Caio@2x3; --cut 1>2@1 --slow 2>3@2x3",
                "bully; --suspect Ana>Caio@10..40 --initiators Ana@0,3@20; --suspect 1>3@10..40 --initiators 1@0,3@20",
                "bully; --rank Ana=5,Bia=-1 --link Ana>Bia=fixed:9; --rank 1=5,2=-1 --link 1>2=fixed:9",
                "central; --callers Bia,Caio; --callers 2,3",
                "central; --callers all; --callers all",
                "central; --acquire random:5; --acquire random:5"
            })
    void options_accept_names_in_place_of_numbers(String algorithm, String named, String numbered) {
        assertThat(CliRunner.experiment(algorithm + " --names Ana,Bia,Caio " + named)
                        .world())
                .usingRecursiveComparison()
                .isEqualTo(CliRunner.experiment(algorithm + " " + numbered).world());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--names Ana,Bia; --names Ana,Bia has 2 names for 3 nodes",
                "--names Ana,Bia,Bia; --names Ana,Bia,Bia has the name Bia twice",
                "--names Ana,n2,Caio; --names Ana,n2,Caio has an invalid name 'n2'",
                "--names Ana,Bia,all; --names Ana,Bia,all has an invalid name 'all'",
                "--names Ana,Bia,Caio --crash Eva@3; --crash Eva@3 names Eva, which does not exist",
                "--names Ana,Bia,Caio --partition Ana/Bia@3..2; --partition Ana/Bia@3..2 ends before it begins"
            })
    void a_wrong_name_is_rejected_with_a_hint(String options, String error) {
        var run = CliRunner.line("run bully " + options);
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains(error).contains("hint: ");
    }

    @Test
    void text_json_and_the_replay_command_use_the_names() {
        var line = "run bully -n 3 --names Ana,Bia,Caio --crash Caio@0 --initiators Ana";
        assertThat(CliRunner.line(line).out())
                .contains("Ana campaign", "leaders                Bia in term 1")
                .contains("--names Ana,Bia,Caio")
                .doesNotContainPattern("\\bn[123]\\b");
        var json = CliRunner.line(line + " --json --trace -").json().toString();
        assertThat(json).contains("\"leader\":\"Bia\"").doesNotContainPattern("\"n[123]\"");
    }

    @Test
    void a_counterexample_and_its_replay_use_the_names() {
        var line = "check ricart-agrawala-by-priority -n 2 --entries 2 --names Ana,Bia";
        var out = CliRunner.line(line).out();
        assertThat(out).contains("Ana acquire", "--names Ana,Bia --moves").doesNotContainPattern("\\bn[12]\\b");
        assertThat(CliRunner.line(line + " --json").json().toString()).doesNotContainPattern("\\bn[12]\\b");
    }
}
