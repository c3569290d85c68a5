package habemus.lab.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TextTableTest {

    private static final TextTable TABLE = new TextTable("who", "how often", "why")
            .row("n1", 7, "it asked")
            .row("a-node-with-a-long-name", "1,234.5", "–")
            .row("ñ", "3 %", "a|b");

    @Test
    void columns_are_as_wide_as_their_widest_cell_and_numbers_are_right_aligned() {
        assertThat(TABLE.text()).isEqualTo("""
                who                      how often  why
                n1                               7  it asked
                a-node-with-a-long-name    1,234.5  –
                ñ                              3 %  a|b
                """);
    }

    @Test
    void wide_and_combining_characters_do_not_shift_the_columns() {
        assertThat(new TextTable("who", "what")
                        .row("n100000", 1)
                        .row("鎖", 2)
                        .row("e\u0301", 3)
                        .text())
                .isEqualTo("""
                        who      what
                        n100000     1
                        鎖          2
                        e\u0301           3
                        """);
    }

    @Test
    void a_word_among_many_numbers_is_right_aligned_too() {
        var table = new TextTable("n", "messages")
                .row("a", 1)
                .row("b", 12)
                .row("c", "stuck")
                .row("d", "-")
                .row("e", 3);
        assertThat(table.text()).as("three numbers and a word").contains("a  1\n");
        assertThat(table.row("f", 1_234).text()).isEqualTo("""
                n  messages
                a         1
                b        12
                c     stuck
                d         -
                e         3
                f      1234
                """);
    }

    @Test
    void a_table_has_a_markdown_form() {
        assertThat(TABLE.markdown()).isEqualTo("""
                | who | how often | why |
                | --- | ---: | --- |
                | n1 | 7 | it asked |
                | a-node-with-a-long-name | 1,234.5 | – |
                | ñ | 3 % | a\\|b |
                """);
    }

    @Test
    void a_row_with_too_many_cells_is_rejected() {
        assertThatThrownBy(() -> new TextTable("one").row(1, 2)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void the_widest_text_is_wrapped_in_a_narrow_terminal() {
        var table = new TextTable("n", "what it says").row(1, "a text of several words that is long");
        assertThat(table.text(30)).isEqualTo("""
                n  what it says
                1  a text of several words
                   that is long
                """);
    }

    @Test
    void columns_that_do_not_fit_are_printed_below_with_the_first_one() {
        var table = new TextTable("name", "first", "second", "third").row("a", "x", "y", "z");
        assertThat(table.text(14)).isEqualTo("""
                name  first
                a     x

                name  second
                a     y

                name  third
                a     z
                """);
    }
}
