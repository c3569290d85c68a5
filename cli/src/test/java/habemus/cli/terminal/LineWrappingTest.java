package habemus.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.language.Language;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Long lines in a narrow terminal, and how its width and language are found. */
class LineWrappingTest {

    @Test
    void a_sentence_goes_on_below_its_first_word() {
        assertThat(LineWrapping.wrap("hint: one two three four five", 16))
                .isEqualTo("hint: one two\n  three four\n  five");
    }

    @Test
    void a_row_goes_on_below_its_last_column() {
        assertThat(LineWrapping.wrap("  name  some more words", 16))
                .isEqualTo("  name  some\n        more\n        words");
    }

    @Test
    void a_row_whose_last_column_is_far_to_the_right_goes_on_at_the_left() {
        assertThat(LineWrapping.wrap("│     │     │     n1 acquires the lock", 24))
                .isEqualTo("│     │     │     n1\n  acquires the lock");
    }

    @Test
    void commands_json_and_long_words_are_not_broken() {
        assertThat(LineWrapping.wrap("  ./habemus run bully -n 5 --seed 7", 16)).doesNotContain("\n");
        assertThat(LineWrapping.wrap("replay with  ./habemus run bully -n 5 --seed 7", 16))
                .doesNotContain("\n");
        assertThat(LineWrapping.wrap("{\"a\": 1, \"b\": 2, \"c\": 3}", 16)).doesNotContain("\n");
        assertThat(LineWrapping.wrap("aaaaaaaaaaaaaaaaaaaaaaaaaaaa", 16)).doesNotContain("\n");
    }

    @Test
    void a_line_that_was_flushed_in_parts_is_left_as_it_is() {
        var bytes = new ByteArrayOutputStream();
        var out = new PrintStream(new LineWrapping(bytes, 10), false, StandardCharsets.UTF_8);
        out.print("a question");
        out.flush();
        out.println(" and its long answer");
        out.println("one two three");
        out.flush();
        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .isEqualToNormalizingNewlines("a question and its long answer\none two\n  three\n");
    }

    @Test
    void exported_columns_go_before_measured_ones() {
        assertThat(Terminal.columns("80", "120")).isEqualTo(80);
        assertThat(Terminal.columns("", "120")).isEqualTo(120);
        assertThat(Terminal.columns("", "")).isEqualTo(Terminal.UNLIMITED);
        assertThat(Terminal.columns("wide", "120")).isEqualTo(Terminal.UNLIMITED);
        assertThat(Terminal.columns("3", "")).isEqualTo(40);
    }

    @Test
    void lc_all_goes_before_lang() {
        assertThat(Terminal.language("", "pt_PT.UTF-8")).isEqualTo(Language.PORTUGUESE);
        assertThat(Terminal.language("C.UTF-8", "pt_PT.UTF-8")).isEqualTo(Language.ENGLISH);
        assertThat(Terminal.language("pt_BR", "en_US")).isEqualTo(Language.PORTUGUESE);
    }
}
