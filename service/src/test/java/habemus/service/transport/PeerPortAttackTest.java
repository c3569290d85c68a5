package habemus.service.transport;

import static habemus.service.transport.TransportNode.peer;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.ByteString;
import habemus.protocol.NodeId;
import habemus.service.algorithm.Certificates;
import habemus.service.algorithm.TestClusters;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attacks on the port of a node while it exchanges messages with its peer, without and with TLS. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class PeerPortAttackTest {

    private static final PeerHandshake PEER = new ClusterHandshake("test", peer(3, 9), List.of(new NodeId(1)));

    @TempDir
    private static Path folder;

    private static Certificates certificates;

    private final List<Member> members = TestClusters.members(3);
    private final List<TransportNode> open = new ArrayList<>();
    private int exchanged;

    @BeforeAll
    static void createCertificates() throws Exception {
        certificates = new Certificates(folder, "n1", "n2", "n3");
    }

    private TransportNode start(int node, boolean hasTls) {
        var security = hasTls ? certificates.of("n" + node) : new TransportSecurity.None();
        var started = TransportNode.start(members.subList(0, Math.max(2, node)), node, node, security, "test");
        open.add(started);
        return started;
    }

    /** Two honest nodes, of which the first is attacked. */
    private void startPair(boolean hasTls) throws InterruptedException {
        var one = start(1, hasTls);
        var two = start(2, hasTls);
        assertThat(one.sees(peer(2, 2))).isTrue();
        assertThat(two.sees(peer(1, 1))).isTrue();
        exchangeMessages();
    }

    private void exchangeMessages() throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            exchanged++;
            open.get(0).send(2, "message " + exchanged);
            open.get(1).send(1, "message " + exchanged);
            assertThat(open.get(1).take(1)).containsExactly("n1#1 message " + exchanged);
            assertThat(open.get(0).take(1)).containsExactly("n2#2 message " + exchanged);
        }
    }

    private RawPeer attacker() throws IOException {
        return RawPeer.connectTo(members.getFirst());
    }

    /** The attacker is disconnected; the honest nodes have never been. */
    private void assertRepelled(RawPeer attacker) throws IOException, InterruptedException {
        exchangeMessages();
        assertThat(PortAttack.isClosedByNode(attacker.socket)).isTrue();
        attacker.close();
        exchangeMessages();
        assertThat(open.getFirst().views).isEmpty();
    }

    private void attack(boolean hasTls, byte[] bytes) throws Exception {
        startPair(hasTls);
        var attacker = attacker();
        PortAttack.write(attacker.socket, bytes);
        assertRepelled(attacker);
    }

    @AfterEach
    void close() {
        open.forEach(TransportNode::close);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void random_bytes(boolean hasTls) throws Exception {
        attack(hasTls, PortAttack.randomBytes());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_huge_length(boolean hasTls) throws Exception {
        attack(hasTls, PortAttack.hugeLength());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void an_http_request(boolean hasTls) throws Exception {
        attack(hasTls, PortAttack.httpRequest());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_serialized_object(boolean hasTls) throws Exception {
        attack(hasTls, PortAttack.serializedObject());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_malformed_hello(boolean hasTls) throws Exception {
        var frame = new HandshakeFrame.Hello(ByteString.of(new byte[] {-1, -1, -1, -1})).toBytes();
        attack(hasTls, PortAttack.frame(frame));
    }

    /** With a hello that the node accepts, and then a message longer than the limit of a handshake. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_long_message_instead_of_the_end_of_the_handshake(boolean hasTls) throws Exception {
        var hello = RawPeer.hello(PEER).toBytes();
        attack(
                hasTls,
                ByteBuffer.allocate(8 + hello.length)
                        .putInt(hello.length)
                        .put(hello)
                        .putInt(PeerConnection.MAX_HANDSHAKE_BYTES + 1)
                        .array());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_handshake_byte_by_byte_ends_at_the_deadline(boolean hasTls) throws Exception {
        startPair(hasTls);
        var attacker = attacker();
        long before = System.nanoTime();
        var dripping = PortAttack.dripHandshake(attacker.socket, hasTls);
        assertRepelled(attacker);
        dripping.shutdownNow();
        assertThat(System.nanoTime() - before).isBetween(SECONDS.toNanos(4), SECONDS.toNanos(15));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tls_to_a_plain_port_and_plain_text_to_a_tls_port(boolean hasTls) throws Exception {
        if (hasTls) {
            attack(true, RawPeer.hello(PEER).toBytes());
            return;
        }
        startPair(false);
        var attacker = attacker();
        var context = TlsContexts.of(certificates.of("n2"));
        try (var socket = (SSLSocket) context.getSocketFactory().createSocket(attacker.socket, "localhost", 1, true)) {
            socket.startHandshake();
            assertThat(socket).isNull();
        } catch (SSLException | java.net.SocketException refused) {
            assertThat(refused).isNotNull();
        }
        exchangeMessages();
        assertThat(open.getFirst().views).isEmpty();
    }

    /** Connections that never end their handshake do not keep an honest node from joining. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void many_silent_connections(boolean hasTls) throws Exception {
        startPair(hasTls);
        var attackers = new ArrayList<RawPeer>();
        for (int i = 0; i < 2 * NettyTransport.MAX_HANDSHAKES; i++) {
            attackers.add(attacker());
        }
        for (RawPeer attacker : attackers.subList(0, NettyTransport.MAX_HANDSHAKES)) {
            assertThat(PortAttack.isClosedByNode(attacker.socket)).isTrue();
        }
        open.getFirst().transport.setPeers(members);
        start(3, hasTls);
        assertThat(open.getFirst().sees(peer(2, 2), peer(3, 3))).isTrue();
        exchangeMessages();
        for (RawPeer attacker : attackers) {
            attacker.close();
        }
    }
}
