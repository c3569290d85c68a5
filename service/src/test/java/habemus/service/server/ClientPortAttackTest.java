package habemus.service.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.protocol.ClientFrame;
import habemus.protocol.NodeId;
import habemus.service.algorithm.Certificates;
import habemus.service.algorithm.TestClusters;
import habemus.service.transport.PortAttack;
import habemus.service.transport.TlsContexts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attacks on the client port of a node while an honest client uses a lock, without and with TLS. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class ClientPortAttackTest {

    private static final String TOKEN = "long-and-random";

    @TempDir
    private static Path folder;

    private static Certificates certificates;
    private static Path policy;

    private final List<AutoCloseable> open = new ArrayList<>();
    private Optional<LockServerNode> node = Optional.empty();
    private Optional<RawClient> honest = Optional.empty();
    private long session;
    private long requests;

    @BeforeAll
    static void createCertificates() throws Exception {
        certificates = new Certificates(folder, "node", "ops").make("stranger");
        policy = Files.write(
                folder.resolve("policy"),
                List.of(AccessPolicy.hashToken(TOKEN) + " billing use:*", "certificate stranger use:*"));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable opened : open) {
            opened.close();
        }
        node.ifPresent(LockServerNode::close);
    }

    private void start(boolean hasTls) throws IOException {
        start(hasTls, ServerLimits.DEFAULT);
    }

    private void start(boolean hasTls, ServerLimits limits) throws IOException {
        var config = LockServerConfig.of(TestClusters.members(1), new NodeId(1), Optional.empty())
                .withPolicyFile(policy)
                .withLimits(limits);
        node = Optional.of(LockServerNode.start(hasTls ? config.withTls(certificates.of("node")) : config));
        honest = Optional.of(connect(hasTls));
        session = honest.get().open(1);
        useLock();
    }

    /** Tries three times: on a busy machine, a handshake may take longer than its deadline. */
    private RawClient connect(boolean hasTls) throws IOException {
        for (int attempt = 1; ; attempt++) {
            var client = new RawClient(hasTls ? tlsSocket("ops") : socket());
            open.add(client);
            try {
                client.handshake(TOKEN);
                return client;
            } catch (UncheckedIOException tooSlow) {
                assertThat(attempt).as(tooSlow.toString()).isLessThan(3);
            }
        }
    }

    private Socket socket() throws IOException {
        var address = node.orElseThrow().listenAddress();
        var socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout(20_000);
        open.add(socket);
        return socket;
    }

    private SSLSocket tlsSocket(String name) throws IOException {
        return (SSLSocket)
                TlsContexts.of(certificates.of(name)).getSocketFactory().createSocket(socket(), "127.0.0.1", 1, true);
    }

    /** The honest client acquires and releases a lock on the connection that it has had all the time. */
    private void useLock() {
        for (int i = 0; i < 20; i++) {
            long acquire = ++requests;
            honest.orElseThrow().acquire(session, acquire, "orders");
            assertThat(honest.get().readResult(session, acquire)).isInstanceOf(OperationResult.Granted.class);
            honest.get().submit(session, ++requests, new Operation.Release(acquire));
            assertThat(honest.get().readResult(session, requests)).isEqualTo(new OperationResult.Released());
        }
    }

    /** The attacker is disconnected, the honest client is not, and others can connect. */
    private void assertRepelled(Socket attacker, boolean hasTls) throws IOException {
        useLock();
        assertThat(PortAttack.isClosedByNode(attacker)).isTrue();
        useLock();
        assertThat(connect(hasTls).open(2)).isPositive();
    }

    private void attack(boolean hasTls, byte[] bytes) throws IOException {
        start(hasTls);
        var attacker = socket();
        PortAttack.write(attacker, bytes);
        assertRepelled(attacker, hasTls);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void random_bytes(boolean hasTls) throws IOException {
        attack(hasTls, PortAttack.randomBytes());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_huge_length(boolean hasTls) throws IOException {
        attack(hasTls, PortAttack.hugeLength());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_serialized_object(boolean hasTls) throws IOException {
        attack(hasTls, PortAttack.serializedObject());
    }

    /** Longer than the handshake allows, though an authenticated client may send frames of this length. */
    @Test
    void a_long_first_frame() throws IOException {
        attack(false, ByteBuffer.allocate(4).putInt(5_000).array());
    }

    @Test
    void a_huge_length_inside_tls() throws IOException {
        start(true);
        var attacker = tlsSocket("ops");
        PortAttack.write(attacker, PortAttack.hugeLength());
        assertRepelled(attacker, true);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_handshake_byte_by_byte_ends_at_the_deadline(boolean hasTls) throws IOException {
        start(hasTls);
        var attacker = socket();
        long before = System.nanoTime();
        var dripping = PortAttack.dripHandshake(attacker, hasTls);
        assertRepelled(attacker, hasTls);
        dripping.shutdownNow();
        assertThat(System.nanoTime() - before).isBetween(SECONDS.toNanos(4), SECONDS.toNanos(15));
    }

    /** After the handshake of TLS, the Hello has only what is left of the deadline. */
    @Test
    void a_hello_byte_by_byte_inside_tls_ends_at_the_deadline() throws IOException {
        start(true);
        var attacker = tlsSocket("ops");
        attacker.startHandshake();
        var dripping = PortAttack.dripHandshake(attacker, false);
        assertRepelled(attacker, true);
        dripping.shutdownNow();
    }

    @Test
    void a_certificate_that_is_not_trusted_authenticates_no_client() throws IOException {
        start(true);
        try (var socket = ForeignCertificate.connect(certificates.of("stranger"), socket())) {
            socket.startHandshake();
            new RawClient(socket).send(new ClientFrame.Hello(ClientFrame.VERSION, "", ""));
            assertThat(PortAttack.isClosedByNode(socket)).isTrue();
        } catch (IOException | UncheckedIOException refused) { // before the client has sent everything
            assertThat(refused).isNotInstanceOf(SocketTimeoutException.class);
        }
        useLock();
        assertThat(node.orElseThrow().policy().deniedCount()).isEqualTo(1);
    }

    /** Connections that never end their handshake do not keep honest clients out. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void thousands_of_silent_connections(boolean hasTls) throws IOException {
        start(hasTls);
        int max = ClientListener.ConnectionLimits.DEFAULT.maxHandshakes();
        var attackers = new ArrayList<Socket>();
        for (int i = 0; i < 2 * max; i++) {
            attackers.add(socket());
        }
        for (Socket attacker : attackers.subList(0, max)) {
            assertThat(PortAttack.isClosedByNode(attacker)).isTrue();
        }
        assertThat(connect(hasTls).open(2)).isPositive();
        useLock();
    }

    @Test
    void a_client_beyond_the_limit_of_connections_is_rejected_with_the_reason() throws IOException {
        start(false, ServerLimits.DEFAULT.withConnections(1));
        var second = new RawClient(socket());
        second.send(new ClientFrame.Hello(ClientFrame.VERSION, TOKEN, ""));
        assertThat(second.readRejection().code()).isEqualTo("too-many-connections");
        useLock();
    }
}
