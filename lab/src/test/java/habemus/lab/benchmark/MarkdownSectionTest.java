package habemus.lab.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MarkdownSectionTest {

    private static final String PAGE = """
            before
            <!-- begin: one -->
            old
            <!-- end: one -->
            between
            <!-- begin: two -->
            kept
            <!-- end: two -->
            after
            """;

    @Test
    void only_the_section_between_the_markers_is_replaced() {
        assertThat(MarkdownSection.find(PAGE, "one").orElseThrow().replaceWith("new\n"))
                .isEqualTo(PAGE.replace("old", "new"));
    }

    @Test
    void a_page_without_both_markers_in_order_has_no_section() {
        assertThat(MarkdownSection.find(PAGE, "three")).isEmpty();
        assertThat(MarkdownSection.find(PAGE.replace("end: one", ""), "one")).isEmpty();
        assertThat(MarkdownSection.find("<!-- end: one -->\n<!-- begin: one -->", "one"))
                .isEmpty();
    }
}
