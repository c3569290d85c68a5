package habemus.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** The two formats of the log. */
class ConsoleLoggingTest {

    private static final Instant TIME = Instant.parse("2026-03-01T09:30:00.125Z");

    private static final Object[] NONE = {};

    @Test
    void a_text_line_has_time_level_and_message() {
        var arguments = new Object[] {"n1", "n2"};
        assertThat(ConsoleLogging.text(TIME, Level.INFO, "leader changed node={} leader={}", arguments, null))
                .isEqualTo("2026-03-01T09:30:00.125Z INFO leader changed node=n1 leader=n2");
    }

    @Test
    void a_json_line_has_the_event_and_its_fields() {
        var arguments = new Object[] {"no lease left", "a"};
        assertThat(ConsoleLogging.json(
                        TIME, Level.WARN, "client disconnected reason=\"{}\" client={}", arguments, null))
                .isEqualTo(
                        "{\"time\":\"2026-03-01T09:30:00.125Z\",\"level\":\"WARN\",\"event\":\"client disconnected\","
                                + "\"reason\":\"no lease left\",\"client\":\"a\"}");
    }

    @Test
    void a_json_field_is_not_split_at_an_equals_sign_of_its_value() {
        var arguments = new Object[] {"[n1=a:1, n2=b:2]"};
        assertThat(ConsoleLogging.json(TIME, Level.INFO, "members changed members={}", arguments, null))
                .endsWith("\"event\":\"members changed\",\"members\":\"[n1=a:1, n2=b:2]\"}");
    }

    @Test
    void an_error_is_written_with_its_stack_trace() {
        var error = new IllegalStateException("disk full");
        assertThat(ConsoleLogging.text(TIME, Level.ERROR, "node stopped", NONE, error))
                .contains("ERROR node stopped\njava.lang.IllegalStateException: disk full\n");
        assertThat(ConsoleLogging.json(TIME, Level.ERROR, "node stopped", NONE, error))
                .contains("\"error\":\"java.lang.IllegalStateException: disk full");
    }

    @Test
    void control_and_format_characters_of_values_are_escaped() {
        var arguments = new Object[] {"a\n2026-03-01 INFO forged\u001b[2J\u202e"};
        assertThat(ConsoleLogging.text(TIME, Level.INFO, "client connected client={}", arguments, null))
                .endsWith("client=a\\n2026-03-01 INFO forged\\u001b[2J\\u202e");
        var error = new IllegalStateException("\u001b[2J");
        assertThat(ConsoleLogging.json(TIME, Level.ERROR, "client={}", arguments, error))
                .contains("forged\\\\u001b[2J\\\\u202e", "IllegalStateException: \\\\u001b[2J");
        assertThat(ConsoleLogging.text(TIME, Level.ERROR, "node stopped", NONE, error))
                .contains("IllegalStateException: \\u001b[2J\n");
    }

    @Test
    void verbose_events_are_those_of_this_project() {
        ConsoleLogging.configure(true);
        try {
            assertThat(ConsoleLogging.isEnabled("habemus.service.http.HttpServer", Level.DEBUG))
                    .isTrue();
            assertThat(ConsoleLogging.isEnabled("io.netty.channel.Channel", Level.DEBUG))
                    .isFalse();
        } finally {
            ConsoleLogging.configure(false);
        }
    }

    @Test
    void events_are_logged_from_level_info_on() {
        assertThat(ConsoleLogging.isEnabled("habemus.service.raft.RaftStorage", Level.INFO))
                .isTrue();
        assertThat(ConsoleLogging.isEnabled("habemus.service.raft.RaftStorage", Level.DEBUG))
                .isFalse();
    }
}
