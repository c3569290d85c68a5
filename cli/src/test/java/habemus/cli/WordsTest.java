package habemus.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The small languages beneath the options. */
class WordsTest {

    @Test
    void a_line_is_split_as_a_shell_does() {
        assertThat(ShellWords.split(" run  a\\ b 'c d' \"e 'f' \\\"\" x'y'z '' "))
                .containsExactly("run", "a b", "c d", "e 'f' \"", "xyz", "");
    }

    @Test
    void what_is_not_closed_is_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> ShellWords.split("a 'b"));
        assertThatIllegalArgumentException().isThrownBy(() -> ShellWords.split("a \\"));
    }

    @Test
    void whatever_is_quoted_is_read_back() {
        for (String word : List.of("1>2@10..40x5", "it's", "a b", "", "$HOME", "\"", "\\", "plain-1,2/3@4")) {
            assertThat(ShellWords.split(ShellWords.quote(word))).containsExactly(word);
        }
        assertThat(ShellWords.quote("1,2/3@10..40")).isEqualTo("1,2/3@10..40");
    }

    @Test
    void the_nearest_word_is_offered_unless_it_is_far() {
        var names = List.of("bully", "chang-roberts", "ricart-agrawala");
        assertThat(Nearest.to("buly", names)).contains("bully");
        assertThat(Nearest.to("rickart-agrawalla", names)).contains("ricart-agrawala");
        assertThat(Nearest.to("roberts", names)).contains("chang-roberts");
        assertThat(Nearest.to("paxos", names)).isEmpty();
    }

    @Test
    void times_are_milliseconds_with_up_to_three_decimals() {
        assertThat(Times.read("1.5")).isEqualTo(Duration.ofNanos(1_500_000));
        assertThat(Times.text(Duration.ofMillis(20))).isEqualTo("20");
        assertThat(Times.text(2_651)).isEqualTo("2.651");
        for (String text : List.of("", "-1", "1e3", "1.2345", "x", "1ms", "9999999999999")) {
            assertThatIllegalArgumentException().isThrownBy(() -> Times.read(text));
        }
    }
}
