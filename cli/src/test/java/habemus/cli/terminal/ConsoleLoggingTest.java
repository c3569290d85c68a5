package habemus.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** The two formats of the log. */
class ConsoleLoggingTest {

    private static final Instant TIME = Instant.parse("2026-03-01T09:30:00.125Z");

    @Test
    void a_text_line_has_time_level_and_message() {
        assertThat(ConsoleLogging.text(TIME, Level.INFO, "leader changed node=n1 leader=n2", null))
                .isEqualTo("2026-03-01T09:30:00.125Z INFO leader changed node=n1 leader=n2");
    }

    @Test
    void a_json_line_has_the_event_and_its_fields() {
        assertThat(ConsoleLogging.json(TIME, Level.WARN, "client disconnected reason=no lease left client=a", null))
                .isEqualTo(
                        "{\"time\":\"2026-03-01T09:30:00.125Z\",\"level\":\"WARN\",\"event\":\"client disconnected\","
                                + "\"reason\":\"no lease left\",\"client\":\"a\"}");
    }

    @Test
    void an_error_is_written_with_its_stack_trace() {
        var error = new IllegalStateException("disk full");
        assertThat(ConsoleLogging.text(TIME, Level.ERROR, "node stopped", error))
                .contains("ERROR node stopped\njava.lang.IllegalStateException: disk full\n");
        assertThat(ConsoleLogging.json(TIME, Level.ERROR, "node stopped", error))
                .contains("\"error\":\"java.lang.IllegalStateException: disk full");
    }

    @Test
    void libraries_are_logged_only_on_request() {
        assertThat(ConsoleLogging.isEnabled("org.jgroups.protocols.TCP", Level.WARN))
                .isFalse();
        assertThat(ConsoleLogging.isEnabled("habemus.service.raft.RaftStorage", Level.INFO))
                .isTrue();
        assertThat(ConsoleLogging.isEnabled("habemus.service.raft.RaftStorage", Level.DEBUG))
                .isFalse();
    }
}
