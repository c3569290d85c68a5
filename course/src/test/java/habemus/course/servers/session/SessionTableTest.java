package habemus.course.servers.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionTableTest {

    @TempDir
    Path folder;

    @Test
    void a_session_moves_to_the_next_page() throws IOException {
        var table = new SessionTable(null);
        long id = table.open("orders").orElseThrow();
        assertThat(table.moveTo(id, 1)).contains(new CursorSession("orders", 1));
        assertThat(table.moveTo(id, 2)).contains(new CursorSession("orders", 2));
    }

    /** A client that got no reply sends its request again. */
    @Test
    void the_last_page_may_be_read_again() throws IOException {
        var table = new SessionTable(null);
        long id = table.open("orders").orElseThrow();
        table.moveTo(id, 1);
        assertThat(table.moveTo(id, 1)).contains(new CursorSession("orders", 1));
    }

    @Test
    void no_page_is_skipped() throws IOException {
        var table = new SessionTable(null);
        long id = table.open("orders").orElseThrow();
        assertThat(table.moveTo(id, 2)).isEmpty();
        assertThat(table.moveTo(id, 0)).isEmpty();
    }

    @Test
    void an_unknown_session_is_not_served() throws IOException {
        assertThat(new SessionTable(null).moveTo(17, 1)).isEmpty();
    }

    @Test
    void the_number_of_sessions_is_bounded() throws IOException {
        var table = new SessionTable(null);
        for (int i = 0; i < SessionTable.MAX_SESSIONS; i++) {
            table.open("orders");
        }
        assertThat(table.open("orders")).isEmpty();
    }

    @Test
    void stored_sessions_are_recovered() throws IOException {
        var file = folder.resolve("sessions.log");
        long id;
        try (var log = SessionLog.open(file)) {
            var table = new SessionTable(log);
            id = table.open("orders").orElseThrow();
            table.moveTo(id, 1);
            table.moveTo(id, 2);
        }
        try (var log = SessionLog.open(file)) {
            var recovered = new SessionTable(log);
            assertThat(recovered.moveTo(id, 3)).contains(new CursorSession("orders", 3));
            assertThat(recovered.open("bills").orElseThrow()).isGreaterThan(id);
        }
    }

    @Test
    void a_line_that_a_crash_has_cut_off_is_removed() throws IOException {
        var file = folder.resolve("sessions.log");
        Files.writeString(file, "1 orders 4\n2 bil");
        try (var log = SessionLog.open(file)) {
            var table = new SessionTable(log);
            assertThat(table.size()).isOne();
            assertThat(table.moveTo(1, 5)).isPresent();
        }
        assertThat(Files.readString(file)).isEqualTo("1 orders 4\n1 orders 5\n");
    }
}
