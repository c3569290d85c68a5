package habemus.course.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.course.threads.ObjectLayout.Field;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectLayoutTest {

    private static final ObjectLayout ONE_LINE = new ObjectLayout(
            "one line", 32, List.of(new Field("header", 0, 12), new Field("first", 16, 8), new Field("second", 24, 8)));
    private static final ObjectLayout TWO_LINES = new ObjectLayout(
            "two lines",
            72,
            List.of(new Field("header", 0, 12), new Field("first", 16, 8), new Field("second", 64, 8)));

    @Test
    void two_fields_share_a_line_if_no_multiple_of_64_is_between_them() {
        assertThat(ONE_LINE.shareLine("first", "second")).isTrue();
        assertThat(TWO_LINES.shareLine("first", "second")).isFalse();
    }

    @Test
    void a_line_is_drawn_with_a_character_for_four_bytes() {
        assertThat(ONE_LINE.text()).containsExactly("[hhh·ffss        ]  header at 0, first at 16, second at 24");
        assertThat(TWO_LINES.text())
                .containsExactly("[hhh·ff··········]  header at 0, first at 16", "[ss              ]  second at 64");
    }

    @Test
    void an_unknown_field_is_named() {
        assertThatThrownBy(() -> ONE_LINE.field("third")).hasMessageStartingWith("no field third");
    }
}
