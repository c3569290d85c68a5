package habemus.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgressLineTest {

    @Test
    void a_bar_is_as_long_as_the_completed_part() {
        assertThat(ProgressLine.bar(0, 10)).isEqualTo("░".repeat(30) + " 0 %");
        assertThat(ProgressLine.bar(5, 10)).isEqualTo("█".repeat(15) + "░".repeat(15) + " 50 %");
        assertThat(ProgressLine.bar(0, 0)).endsWith(" 0 %");
    }

    @Test
    void a_bar_is_full_if_more_was_done_than_expected() {
        assertThat(ProgressLine.bar(12, 10)).isEqualTo("█".repeat(30) + " 100 %");
    }
}
