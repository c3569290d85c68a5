package habemus.course.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What all forms of the server have in common, and what silent clients do to some of them. */
class ServerFormTest {

    private static final ServerCapacity CAPACITY = new ServerCapacity(2, 8, 50);

    private static CoordinatorServer start(ServerForm form, ServerCapacity capacity) {
        var service = new LockService(new LockCoordinator(), Duration.ZERO, Duration.ofMillis(1));
        return form.start(service, capacity);
    }

    @ParameterizedTest
    @EnumSource
    void every_form_grants_queues_and_releases(ServerForm form) {
        try (var server = start(form, CAPACITY)) {
            assertThat(TextClient.ask(server, "acquire orders 2")).isEqualTo("granted 1");
            assertThat(TextClient.ask(server, "acquire orders 3")).isEqualTo("waiting 1");
            assertThat(TextClient.ask(server, "release orders 2 1")).isEqualTo("released");
            assertThat(TextClient.ask(server, "acquire orders 3")).isEqualTo("granted 2");
        }
    }

    @ParameterizedTest
    @EnumSource
    void every_form_rejects_an_unknown_request(ServerForm form) {
        try (var server = start(form, CAPACITY)) {
            assertThat(TextClient.ask(server, "steal orders")).isEqualTo("rejected unknown-request");
            assertThat(TextClient.ask(server, "acquire orders zero")).isEqualTo("rejected unknown-request");
        }
    }

    @ParameterizedTest
    @EnumSource
    void every_form_disconnects_a_client_with_too_long_a_line(ServerForm form) {
        try (var server = start(form, CAPACITY);
                var client = new TextClient(server)) {
            assertThat(client.send("x".repeat(RequestConnection.MAX_LINE_BYTES)).readAll())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void every_form_reads_a_request_that_arrives_in_parts(ServerForm form) {
        try (var server = start(form, CAPACITY);
                var client = new TextClient(server)) {
            assertThat(client.send("acquire or").send("ders 2\n").readAll()).isEqualTo("granted 1");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"THREAD_PER_REQUEST", "VIRTUAL_THREADS", "EVENT_LOOP"})
    void silent_clients_do_not_delay_others_if_each_has_a_thread_or_none(ServerForm form) {
        try (var server = start(form, CAPACITY)) {
            var silent = new ArrayList<TextClient>();
            for (int i = 0; i < 20; i++) {
                silent.add(new TextClient(server).send("acquire"));
            }
            assertThat(TextClient.ask(server, "acquire orders 2")).isEqualTo("granted 1");
            silent.forEach(TextClient::close);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"THREAD_PER_REQUEST", "VIRTUAL_THREADS", "EVENT_LOOP"})
    void a_connection_above_the_limit_is_refused_and_counted(ServerForm form) {
        try (var server = start(form, new ServerCapacity(1, 1, 1));
                var silent = new TextClient(server);
                var refused = new TextClient(server)) {
            assertThat(refused.readAll()).isEqualTo(LockReply.BUSY);
            assertThat(server.connections().refused()).isOne();
            assertThat(silent.send("acquire orders 2\n").readAll()).isEqualTo("granted 1");
        }
    }

    /** The pool has one thread, which reads from the first client, and a queue of one, which holds the second. */
    @Test
    void a_full_queue_of_a_pool_refuses_and_counts() {
        try (var server = start(ServerForm.THREAD_POOL, new ServerCapacity(1, 1, 50));
                var served = new TextClient(server);
                var queued = new TextClient(server);
                var refused = new TextClient(server)) {
            assertThat(refused.readAll()).isEqualTo(LockReply.BUSY);
            assertThat(server.connections().refused()).isOne();
            assertThat(server.queues()).containsExactly(new CoordinatorServer.QueueLength("request", 1));
            assertThat(served.send("acquire orders 2\n").readAll()).isEqualTo("granted 1");
            assertThat(queued.send("acquire orders 3\n").readAll()).isEqualTo("waiting 1");
        }
    }

    /** The stage that parses has two threads, which read from the first clients, and a queue of one. */
    @Test
    void a_full_stage_sheds_and_counts() {
        try (var server = start(ServerForm.STAGED, new ServerCapacity(1, 1, 50));
                var first = new TextClient(server);
                var second = new TextClient(server);
                var queued = new TextClient(server);
                var shed = new TextClient(server)) {
            assertThat(shed.readAll()).isEqualTo(LockReply.BUSY);
            assertThat(server.connections().refused()).isOne();
            assertThat(server.queues()).contains(new CoordinatorServer.QueueLength("parse", 1));
            assertThat(first.send("acquire orders 2\n").readAll()).isEqualTo("granted 1");
            assertThat(second.send("acquire orders 3\n").readAll()).isEqualTo("waiting 1");
            assertThat(queued.send("acquire orders 4\n").readAll()).isEqualTo("waiting 2");
        }
    }
}
