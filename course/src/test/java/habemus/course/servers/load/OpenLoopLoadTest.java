package habemus.course.servers.load;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.course.servers.CoordinatorServer;
import habemus.course.servers.LockCoordinator;
import habemus.course.servers.ServerCapacity;
import habemus.course.servers.ServerForm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OpenLoopLoadTest {

    private static final Duration PATIENT = Duration.ofSeconds(60);
    private static final Duration BLOCKING = Duration.ofMillis(20);

    private static CoordinatorServer start(ServerForm form, Duration blocking, ServerCapacity capacity) {
        return new ServerSettings(form, Duration.ZERO, blocking, capacity).start(new LockCoordinator());
    }

    private static CoordinatorServer start(ServerForm form, Duration blocking) {
        return start(form, blocking, new ServerCapacity(4, 500, 500));
    }

    /** No machine sends a million requests a second, so the generator is late, and that counts. */
    @Test
    void latency_counts_from_the_intended_send_time() {
        try (var server = start(ServerForm.EVENT_LOOP, Duration.ZERO)) {
            var outcome = new OpenLoopLoad(server.port(), 1_000_000, Duration.ofNanos(300_000), PATIENT).run();
            assertThat(outcome.served()).isEqualTo(300);
            assertThat(outcome.latency().getMaxValue())
                    .isGreaterThanOrEqualTo(outcome.lateness().getMaxValue());
        }
    }

    /** Ten requests arrive within 10 ms, and the last one waits for nine others of 20 ms each. */
    @Test
    void latency_includes_the_time_in_the_queue() {
        try (var server = start(ServerForm.ONE_THREAD, BLOCKING)) {
            var outcome = new OpenLoopLoad(server.port(), 1_000, Duration.ofMillis(10), PATIENT).run();
            assertThat(outcome.served()).isEqualTo(10);
            assertThat(outcome.latencyMillis(100)).isGreaterThanOrEqualTo(180);
        }
    }

    /** One thread needs 20 ms for a request, so it serves at most 50 a second, however fast the machine is. */
    @Test
    @Tag("slow")
    void virtual_threads_and_the_event_loop_serve_more_blocking_requests_than_one_thread() {
        double one = served(ServerForm.ONE_THREAD).servedPerSecond();
        assertThat(one).isLessThanOrEqualTo(50);
        assertThat(served(ServerForm.VIRTUAL_THREADS).servedPerSecond()).isGreaterThan(one);
        assertThat(served(ServerForm.EVENT_LOOP).servedPerSecond()).isGreaterThan(one);
    }

    private static LoadOutcome served(ServerForm form) {
        try (var server = start(form, BLOCKING)) {
            var outcome = new OpenLoopLoad(server.port(), 400, Duration.ofMillis(500), PATIENT).run();
            assertThat(outcome.served()).as(form.toString()).isEqualTo(200);
            return outcome;
        }
    }

    /** One thread and a queue of one: of ten requests at once, some are refused, and none is lost. */
    @Test
    void refused_requests_are_counted() {
        try (var server = start(ServerForm.THREAD_POOL, Duration.ofMillis(200), new ServerCapacity(1, 1, 50))) {
            var outcome = new OpenLoopLoad(server.port(), 10_000, Duration.ofMillis(1), PATIENT).run();
            assertThat(outcome.sent()).isEqualTo(10);
            assertThat(outcome.sent() - outcome.served())
                    .isEqualTo(server.connections().refused());
        }
    }

    @Test
    void a_request_without_a_reply_times_out() throws IOException {
        try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            var outcome =
                    new OpenLoopLoad(silent.getLocalPort(), 100, Duration.ofMillis(50), Duration.ofMillis(30)).run();
            assertThat(outcome.timedOut()).isEqualTo(5);
            assertThat(outcome.latencyMillis(0)).isGreaterThanOrEqualTo(29.9);
        }
    }

    @Test
    void a_failed_connection_is_dropped() throws IOException {
        int unused;
        try (var closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            unused = closed.getLocalPort();
        }
        var outcome = new OpenLoopLoad(unused, 100, Duration.ofMillis(50), PATIENT).run();
        assertThat(outcome.dropped()).isEqualTo(5);
    }

    @Test
    void a_closed_loop_counts_its_replies() {
        try (var server = start(ServerForm.VIRTUAL_THREADS, Duration.ZERO)) {
            var outcome = new ClosedLoopLoad(server.port(), 3, Duration.ofMillis(50), PATIENT).run();
            assertThat(outcome.served())
                    .isGreaterThanOrEqualTo(3)
                    .isEqualTo(outcome.latency().getTotalCount());
        }
    }
}
