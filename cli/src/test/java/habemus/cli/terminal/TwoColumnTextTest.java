package habemus.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TwoColumnTextTest {

    @Test
    void a_meaning_is_wrapped_below_its_first_word() {
        assertThat(new TwoColumnText(20, 2, 6).row("term", "a meaning of words"))
                .hasToString("  term  a meaning\n        of words\n");
    }

    @Test
    void a_term_that_leaves_no_gap_has_a_line_of_its_own() {
        assertThat(new TwoColumnText(20, 2, 6).row("eleven", "meaning")).hasToString("  eleven\n        meaning\n");
        assertThat(new TwoColumnText(20, 2, 6).row("a longer term", "meaning"))
                .hasToString("  a longer term\n        meaning\n");
    }

    @Test
    void a_paragraph_is_wrapped_and_indented() {
        assertThat(new TwoColumnText(16, 2, 6).paragraph("some words in a paragraph"))
                .hasToString("  some words in\n  a paragraph\n");
    }
}
