package habemus.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import habemus.lab.command.ShellSyntax;
import habemus.lab.command.SpellingSuggestion;
import habemus.lab.experiment.SimulatedTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Shell syntax, spelling suggestions and times. */
class TextParsingTest {

    @Test
    void a_line_is_split_like_a_shell_does() {
        assertThat(ShellSyntax.split(" run  a\\ b 'c d' \"e 'f' \\\"\" x'y'z '' "))
                .containsExactly("run", "a b", "c d", "e 'f' \"", "xyz", "");
    }

    @Test
    void an_unclosed_quote_is_rejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> ShellSyntax.split("a 'b"));
        assertThatIllegalArgumentException().isThrownBy(() -> ShellSyntax.split("a \\"));
    }

    @Test
    void a_quoted_word_is_read_back() {
        for (String word : List.of("1>2@10..40x5", "it's", "a b", "", "$HOME", "\"", "\\", "plain-1,2/3@4")) {
            assertThat(ShellSyntax.split(ShellSyntax.quote(word))).containsExactly(word);
        }
        assertThat(ShellSyntax.quote("1,2/3@10..40")).isEqualTo("1,2/3@10..40");
    }

    @Test
    void the_most_similar_word_is_suggested_if_there_is_one() {
        var names = List.of("bully", "chang-roberts", "ricart-agrawala");
        assertThat(SpellingSuggestion.hint("buly", names)).isEqualTo("did you mean bully? ");
        assertThat(SpellingSuggestion.hint("rickart-agrawalla", names)).isEqualTo("did you mean ricart-agrawala? ");
        assertThat(SpellingSuggestion.hint("roberts", names)).isEqualTo("did you mean chang-roberts? ");
        assertThat(SpellingSuggestion.hint("paxos", names)).isEmpty();
    }

    @Test
    void simulated_times_are_milliseconds_with_up_to_three_decimals() {
        assertThat(SimulatedTime.parseMillis("1.5")).isEqualTo(Duration.ofNanos(1_500_000));
        assertThat(SimulatedTime.formatMillis(Duration.ofMillis(20))).isEqualTo("20");
        assertThat(SimulatedTime.formatMillis(2_651)).isEqualTo("2.651");
        for (String text : List.of("", "-1", "1e3", "1.2345", "x", "1ms", "9999999999999")) {
            assertThatIllegalArgumentException().isThrownBy(() -> SimulatedTime.parseMillis(text));
        }
    }
}
