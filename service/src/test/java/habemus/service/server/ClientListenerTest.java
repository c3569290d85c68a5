package habemus.service.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import habemus.protocol.NodeId;
import habemus.service.log.InMemoryReplicatedLog;
import habemus.service.metrics.NodeMetrics;
import habemus.service.recording.ServerRecorder;
import habemus.service.transport.Member;
import habemus.service.transport.NettyEventLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The client protocol over TCP, and what malformed, slow or idle clients can do. */
@Tag("slow")
class ClientListenerTest {

    private static final Member SELF =
            new Member(new NodeId(1), new InetSocketAddress(InetAddress.getLoopbackAddress(), 7_601));
    private static final ClientListener.ConnectionLimits SHORT = new ClientListener.ConnectionLimits(
            Duration.ofMillis(200), Duration.ofMillis(300), Duration.ofMillis(300), 1 << 18, 1 << 20, 10);

    private final NettyEventLoop eventLoop = new NettyEventLoop("node");
    private final InMemoryReplicatedLog log =
            new InMemoryReplicatedLog(new InMemoryReplicatedLog.SharedState(List.of(SELF)), SELF.node(), eventLoop);
    private final LockServerLoop loop = new LockServerLoop(
            SELF.node(),
            new LockServerLoop.Environment(
                    eventLoop, InstantSource.system(), HeapGuard.NONE, ServerRecorder.NONE, new NodeMetrics()),
            log,
            AccessPolicy.allowAll(),
            ServerLimits.DEFAULT);
    private ClientListener listener = listen(ClientListener.ConnectionLimits.DEFAULT);

    private ClientListener listen(ClientListener.ConnectionLimits limits) {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var opened = new ClientListener(
                eventLoop,
                loop,
                new ClientListener.Settings(address, Optional.empty(), limits),
                () -> new ClientFrame.Welcome(ClientFrame.VERSION, "c1", "n1", List.of("here"), false));
        opened.open();
        return opened;
    }

    @BeforeEach
    void start() {
        loop.start(0);
    }

    @AfterEach
    void stop() {
        listener.close();
        log.close();
        loop.close();
        eventLoop.close();
    }

    private RawClient client() {
        return RawClient.connectAndHandshake(listener.address());
    }

    private void useShortTimeouts() {
        listener.close();
        listener = listen(SHORT);
    }

    @Test
    void a_client_acquires_and_releases() {
        try (var client = client()) {
            long session = client.open(7);
            client.acquire(session, 1, "orders");
            assertThat(client.readResult(session, 1)).isEqualTo(new OperationResult.Granted(session + 1));
            client.send(new ClientFrame.Describe(5, ResourceName.lock("orders")));
            var description = client.read(ClientFrame.Description.class, any -> true);
            assertThat(description.number()).isEqualTo(5);
            assertThat(description.status().holders()).singleElement().satisfies(holder -> {
                assertThat(holder.client().name()).isEqualTo("worker-7");
                assertThat(holder.fence()).isEqualTo(session + 1);
            });
            client.submit(session, 2, new Operation.Release(1));
            assertThat(client.readResult(session, 2)).isEqualTo(new OperationResult.Released());
            client.renew(session, 1);
            client.submit(session, 3, new Operation.Close());
            assertThat(client.readResult(session, 3)).isEqualTo(new OperationResult.Closed());
        }
    }

    @Test
    void a_waiter_is_granted_the_lock_when_the_holder_releases() {
        try (var oneClient = client();
                var two = client()) {
            long first = oneClient.open(1);
            long second = two.open(2);
            oneClient.acquire(first, 1, "orders");
            assertThat(oneClient.readResult(first, 1)).isInstanceOf(OperationResult.Granted.class);
            two.acquire(second, 1, "orders");
            assertThat(two.readResult(second, 1)).isEqualTo(new OperationResult.Waiting());
            oneClient.submit(first, 2, new Operation.Release(1));
            assertThat(two.readResult(second, 1)).isInstanceOf(OperationResult.Granted.class);
        }
    }

    @Test
    void a_thousand_pipelined_requests_are_answered_in_order() {
        try (var client = client()) {
            long session = client.open(1);
            client.send(LongStream.rangeClosed(1, 1_000)
                    .mapToObj(number -> new ClientFrame.Request(new Message.Submit(
                            session, number, 0, Operation.Acquire.of(ResourceShare.exclusive("lock-" + number)))))
                    .toArray(ClientFrame.ToService[]::new));
            for (long number = 1; number <= 1_000; number++) {
                var result = client.read(Message.Result.class, any -> true);
                assertThat(result.number()).isEqualTo(number);
                assertThat(result.result()).isInstanceOf(OperationResult.Granted.class);
            }
            assertThat(loop.stats().entries()).isLessThan(1_000);
        }
    }

    @Test
    void a_malformed_hello_is_rejected_and_affects_no_other_client() {
        try (var other = client();
                var malformed = RawClient.connect(listener.address())) {
            long session = other.open(1);
            malformed.write("GET / HTTP/1.1\r\nHost: here\r\n\r\n".getBytes(UTF_8));
            assertThat(malformed.readRejection().code()).isEqualTo("malformed");
            other.acquire(session, 1, "orders");
            assertThat(other.readResult(session, 1)).isInstanceOf(OperationResult.Granted.class);
        }
    }

    @Test
    void a_malformed_frame_after_the_hello_is_rejected() {
        try (var client = client()) {
            client.write((byte) 0, (byte) 0, (byte) 0, (byte) 2, (byte) 99, (byte) 99);
            assertThat(client.readRejection().message()).contains("99");
        }
    }

    @Test
    void a_frame_that_is_too_long_is_rejected_before_it_is_read() {
        try (var client = client()) {
            client.write((byte) 0x7F, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF);
            assertThat(client.readRejection().message()).contains("1048576", "2147483647");
        }
    }

    @Test
    void a_first_frame_other_than_hello_is_rejected() {
        try (var client = RawClient.connect(listener.address())) {
            client.sendRequest(new Message.Watch());
            assertThat(client.readRejection().message()).contains("Hello");
        }
    }

    @Test
    void another_protocol_version_is_rejected() {
        try (var client = RawClient.connect(listener.address())) {
            client.send(new ClientFrame.Hello(ClientFrame.VERSION + 1, "", ""));
            assertThat(client.readRejection().code()).isEqualTo("unsupported-version");
        }
    }

    @Test
    void a_client_whose_session_belongs_to_another_cluster_is_rejected() {
        try (var client = RawClient.connect(listener.address())) {
            client.send(new ClientFrame.Hello(ClientFrame.VERSION, "", "other"));
            var rejection = client.readRejection();
            assertThat(rejection.code()).isEqualTo("wrong-cluster");
            assertThat(rejection.message()).contains("cluster c1").contains("other");
        }
    }

    @Test
    void a_session_survives_a_disconnect_inside_a_frame() {
        long session;
        try (var client = client()) {
            session = client.open(1);
            client.write((byte) 0, (byte) 0, (byte) 1);
        }
        try (var again = client()) {
            again.sendRequest(new Message.Attach(session, 1));
            again.renew(session, 1);
        }
    }

    @Test
    void a_client_that_sends_no_hello_is_disconnected() {
        useShortTimeouts();
        try (var client = RawClient.connect(listener.address())) {
            client.write((byte) 0);
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void an_idle_client_is_disconnected_only_without_a_session() {
        useShortTimeouts();
        try (var quiet = client();
                var idle = client()) {
            long session = quiet.open(1);
            assertThat(idle.isClosed()).isTrue();
            quiet.renew(session, 1);
        }
    }

    @Test
    void a_client_that_does_not_read_is_disconnected_and_its_session_survives() throws IOException {
        useShortTimeouts();
        long session;
        try (var slowReader = client()) {
            session = slowReader.open(1);
            slowReader.acquire(session, 1, "orders");
            assertThat(slowReader.readResult(session, 1)).isInstanceOf(OperationResult.Granted.class);
            var queries = IntStream.range(0, 1_000)
                    .mapToObj(number -> new ClientFrame.Describe(number, ResourceName.lock("orders")))
                    .toArray(ClientFrame.ToService[]::new);
            assertThat(catchThrowable(() -> {
                        for (int i = 0; i < 1_000; i++) {
                            slowReader.send(queries);
                        }
                    }))
                    .isInstanceOf(UncheckedIOException.class);
        }
        try (var again = client()) {
            again.sendRequest(new Message.Attach(session, 1));
            again.renew(session, 1);
            assertThat(loop.table().holders(ResourceName.lock("orders"))).hasSize(1);
        }
    }

    /** The replies to what one read brings are more than may be pending. */
    @Test
    void a_client_that_sends_faster_than_it_reads_is_delayed() throws InterruptedException {
        useShortTimeouts();
        try (var client = client()) {
            long session = client.open(1);
            for (int waiter = 1; waiter <= 100; waiter++) {
                client.acquire(session, waiter, "orders");
                client.readResult(session, waiter);
            }
            int count = 2_000;
            var queries = IntStream.range(0, count)
                    .mapToObj(number -> new ClientFrame.Describe(number, ResourceName.lock("orders")))
                    .toArray(ClientFrame.ToService[]::new);
            var sender = Thread.ofVirtual().start(() -> client.send(queries));
            for (int number = 0; number < count; number++) {
                assertThat(((ClientFrame.Description) client.read()).number()).isEqualTo(number);
            }
            sender.join();
        }
    }

    /**
     * The loop pauses twice: first until the check of the timeouts is due, then so that the check is the next task. In
     * the second pause, bytes of the client arrive.
     */
    @Test
    void after_a_pause_of_the_process_what_has_arrived_is_read_before_a_timeout() throws InterruptedException {
        useShortTimeouts();
        try (var client = client()) {
            var paused = new CountDownLatch(1);
            eventLoop.execute(() -> {
                eventLoop.schedule(Duration.ZERO, () -> {
                    paused.countDown();
                    pause(Duration.ofMillis(600));
                });
                pause(Duration.ofMillis(150));
            });
            assertThat(paused.await(10, SECONDS)).isTrue();
            client.send(new ClientFrame.Describe(1, ResourceName.lock("orders")));
            assertThat(client.read(ClientFrame.Description.class, any -> true).number())
                    .isEqualTo(1);
        }
    }

    private static void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    @Test
    void deadlocks_are_listed() {
        try (var client = client()) {
            long one = client.open(1);
            long two = client.open(2);
            client.acquire(one, 1, "a");
            client.acquire(two, 1, "b");
            client.acquire(one, 2, "b");
            client.acquire(two, 2, "a");
            assertThat(client.readResult(two, 2)).isEqualTo(new OperationResult.Waiting());
            client.send(new ClientFrame.ListDeadlocks(7));
            var list = client.read(ClientFrame.DeadlockList.class, any -> true);
            assertThat(list.number()).isEqualTo(7);
            assertThat(list.deadlocks()).hasSize(1);
        }
    }

    @Test
    void too_many_queries_for_deadlocks_at_once_are_rejected() {
        try (var client = client()) {
            client.send(LongStream.range(0, 100)
                    .mapToObj(ClientFrame.ListDeadlocks::new)
                    .toArray(ClientFrame.ToService[]::new));
            assertThat(client.readRejection().code()).isEqualTo("too-many-queries");
        }
    }

    /** The oldest of too many connections without a Hello is closed. */
    @Test
    void connections_in_their_handshake_are_limited() {
        listener.close();
        var minute = Duration.ofMinutes(1);
        int max = 10;
        listener = listen(new ClientListener.ConnectionLimits(minute, minute, minute, 1 << 18, 1 << 20, max));
        try (var oldest = RawClient.connect(listener.address())) {
            var others = IntStream.range(0, max)
                    .mapToObj(i -> RawClient.connect(listener.address()))
                    .toList();
            assertThat(oldest.isClosed()).isTrue();
            others.forEach(RawClient::close);
        }
    }

    @Test
    void a_watching_client_is_notified_of_changes() {
        try (var watcher = client();
                var client = client()) {
            watcher.sendRequest(new Message.Watch());
            watcher.open(2); // so the watch has started
            long session = client.open(1);
            client.acquire(session, 1, "orders");
            assertThat(watcher.read(Message.ResourceChanged.class, any -> true).name())
                    .isEqualTo(ResourceName.lock("orders"));
        }
    }

    @Test
    void a_closed_listener_disconnects_its_clients() throws IOException {
        try (var client = client()) {
            listener.close();
            assertThat(client.isClosed()).isTrue();
            assertThatThrownBy(() -> {
                        try (var late = new Socket(
                                listener.address().getAddress(),
                                listener.address().getPort())) {
                            late.setSoTimeout(2_000); // another process may have the port by now, or the socket itself
                            late.getInputStream().read();
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }
}
