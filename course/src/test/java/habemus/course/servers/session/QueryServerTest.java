package habemus.course.servers.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class QueryServerTest {

    private static final int HALF = GrantHistory.PAGES / 2;

    @TempDir
    Path folder;

    @Test
    void a_page_carries_the_cursor_of_the_next_one() throws IOException {
        try (var server = new QueryServer(new SessionTable(null))) {
            assertThat(server.answer("page orders 0")).startsWith("page 20 orders-granted-with-fence-1 ");
            assertThat(server.answer("page orders 20")).startsWith("page 40 orders-granted-with-fence-21 ");
            assertThat(server.answer("page orders 1000")).isEqualTo(QueryServer.END);
        }
    }

    @Test
    void a_session_and_a_cursor_in_the_request_see_the_same_rows() throws IOException {
        try (var server = new QueryServer(new SessionTable(null))) {
            assertThat(server.answer("open orders")).isEqualTo("session 1");
            for (int page = 1; page <= GrantHistory.PAGES; page++) {
                var stateless = server.answer("page orders " + CursorSession.position(page));
                assertThat(rows(server.answer("next 1 " + page))).isEqualTo(rows(stateless));
            }
            assertThat(server.answer("next 1 " + (GrantHistory.PAGES + 1))).isEqualTo(QueryServer.END);
        }
    }

    private static String rows(String page) {
        return page.split(" ", 3)[2];
    }

    @Test
    void a_malformed_request_is_answered() throws IOException {
        try (var server = new QueryServer(new SessionTable(null))) {
            for (var request : new String[] {"", "page", "page orders x", "next 1", "next x 1", "steal 1"}) {
                assertThat(server.answer(request)).isEqualTo(QueryServer.UNKNOWN);
            }
        }
    }

    /** Two servers without common storage. */
    @ParameterizedTest
    @EnumSource(names = {"REQUEST", "MEMORY"})
    void a_client_that_moves_starts_again_only_if_the_server_keeps_its_cursor(CursorPlace place) {
        try (var first = new QueryServer(new SessionTable(null));
                var second = new QueryServer(new SessionTable(null))) {
            var port = new AtomicInteger(first.port());
            try (var client = new QueryClient(place, "orders", port::get)) {
                client.readTo(HALF);
                port.set(second.port());
                client.disconnect();
                client.readTo(GrantHistory.PAGES);
                boolean stateful = place != CursorPlace.REQUEST;
                assertThat(client.lostSessions()).isEqualTo(stateful ? 1 : 0);
                assertThat(client.repeatedPages()).isEqualTo(stateful ? HALF : 0);
                assertThat(client.connectionErrors()).isZero();
            }
        }
    }

    @Test
    @Tag("slow")
    void sessions_on_disk_survive_a_crash() {
        var crash = SessionMeasurement.crash(CursorPlace.DISK, folder);
        assertThat(crash.lostSessions()).isZero();
        assertThat(crash.repeatedPages()).isZero();
    }

    @Test
    @Tag("slow")
    void sessions_in_memory_are_lost_in_a_crash() {
        var crash = SessionMeasurement.crash(CursorPlace.MEMORY, folder);
        assertThat(crash.lostSessions()).isEqualTo(crash.clients());
        assertThat(crash.repeatedPages()).isEqualTo(HALF * crash.clients());
        assertThat(crash.connectionErrors()).isGreaterThanOrEqualTo(crash.clients());
    }
}
