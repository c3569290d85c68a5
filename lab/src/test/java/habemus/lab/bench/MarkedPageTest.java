package habemus.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MarkedPageTest {

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
    void only_what_stands_between_the_marks_is_replaced() {
        assertThat(MarkedPage.of(PAGE, "one").orElseThrow().with("new\n")).isEqualTo(PAGE.replace("old", "new"));
    }

    @Test
    void a_page_without_both_marks_in_order_has_no_place() {
        assertThat(MarkedPage.of(PAGE, "three")).isEmpty();
        assertThat(MarkedPage.of(PAGE.replace("end: one", ""), "one")).isEmpty();
        assertThat(MarkedPage.of("<!-- end: one -->\n<!-- begin: one -->", "one"))
                .isEmpty();
    }
}
