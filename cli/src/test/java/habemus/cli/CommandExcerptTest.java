package habemus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommandExcerptTest {

    private static final String PAGE = "```\n$ ./habemus run x\nleaders  n1\n…\nagreement  holds\n```\n";

    @Test
    void dots_separate_parts_of_the_output() {
        var excerpt = CommandExcerpt.of(PAGE).getFirst();
        assertThat(excerpt.command()).isEqualTo("./habemus run x");
        assertThat(excerpt.parts()).containsExactly("leaders  n1\n", "agreement  holds\n");
    }

    @Test
    void the_width_of_a_column_does_not_count_but_an_indent_does() {
        assertThat(CommandExcerpt.withoutWidths("  a     b\n")).isEqualTo("  a  b\n");
    }

    @Test
    void a_new_output_replaces_the_lines_with_the_same_first_column() {
        var output = "messages   3\nleaders    n2\nuniqueness  holds\nagreement  violated: why\n";
        assertThat(CommandExcerpt.of(PAGE).getFirst().renewedIn(PAGE, output))
                .isEqualTo("```\n$ ./habemus run x\nleaders    n2\n…\nagreement  violated: why\n```\n");
    }

    @Test
    void an_excerpt_that_is_still_printed_stays() {
        var output = "leaders of the past\nleaders    n1\nuniqueness  holds\nagreement  holds\n";
        assertThat(CommandExcerpt.of(PAGE).getFirst().renewedIn(PAGE, output)).isEqualTo(PAGE);
    }
}
