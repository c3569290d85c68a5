package habemus.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import org.junit.jupiter.api.Test;

/** Refusals of {@code serve --log}. */
class ServeOnEngineTest {

    private static CliRunner.CommandOutput serve(String options) {
        return CliRunner.line("serve --cluster n1=127.0.0.1:7601 --node n1 " + options);
    }

    @Test
    void an_unknown_log_is_refused_with_those_on_the_class_path() {
        var refused = serve("--log mysql:host");
        assertThat(refused.err())
                .contains("unknown log: 'mysql:host' (on the class path: ")
                .contains("jdbc:postgresql://HOST/DATABASE?user=USER")
                .contains("hint: ");
        assertThat(refused.code()).isEqualTo(ExitCode.FAILURE);
    }

    @Test
    void options_of_the_embedded_log_are_refused() {
        assertThat(serve("--log jdbc:postgresql://h/d --data d").err())
                .contains("--data is for the embedded log")
                .contains("hint: ");
    }

    @Test
    void an_unreachable_database_is_named_without_its_password() {
        var refused = serve("--log jdbc:postgresql://127.0.0.1:9/app?user=a&password=s3cret");
        assertThat(refused.err())
                .contains("n1 cannot start: cannot reach the database: ")
                .doesNotContain("s3cret");
    }
}
