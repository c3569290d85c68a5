package habemus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MarkdownTextTest {

    private static List<Integer> longerThanThree(String text) {
        return MarkdownText.of(text.lines().toList()).sentencesLongerThan(3);
    }

    @Test
    void a_sentence_may_span_lines() {
        assertThat(longerThanThree("one two three.\n\none two\nthree four.")).containsExactly(3);
    }

    @Test
    void a_list_item_ends_the_sentence_before_it() {
        assertThat(longerThanThree("one two:\n- one two\n- one two\n  three four\n1. one two"))
                .containsExactly(3);
    }

    @Test
    void code_and_links_count_as_their_text() {
        assertThat(longerThanThree("run `a b c d` and [two](x y z).")).containsExactly(1);
        assertThat(longerThanThree("run `a b c d` now.")).isEmpty();
        assertThat(longerThanThree("see [one](a b c) – [two](d).")).isEmpty();
    }

    @Test
    void a_number_with_points_is_one_word() {
        assertThat(longerThanThree("section 3.6.1 helps. (one two three.) one two three"))
                .isEmpty();
    }

    @Test
    void headings_tables_code_and_generated_blocks_are_no_prose() {
        assertThat(longerThanThree("""
                # one two three four
                | one two three four |
                ```
                one two three four
                ```
                <!-- begin: command -->
                one two three four
                <!-- end: command -->
                one two three four
                """)).containsExactly(9);
    }

    @Test
    void an_anchor_keeps_letters_of_every_language() {
        assertThat(MarkdownText.anchors("# Por que não?\n\ntext\n\n## Chang–Roberts: `n + 1` mensagens"))
                .containsExactly("por-que-não", "changroberts-n--1-mensagens");
    }
}
