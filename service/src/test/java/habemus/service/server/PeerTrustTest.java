package habemus.service.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.lockservice.EmbeddedNodeProvider;
import habemus.lockservice.OperationResult;
import habemus.lockservice.protocol.ClientFrame;
import habemus.service.algorithm.Certificates;
import habemus.service.algorithm.TestClusters;
import habemus.service.transport.Member;
import habemus.service.transport.TransportSecurity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes that trust other certificates on the port of the peers than on the client port. */
@Tag("slow")
class PeerTrustTest {

    @TempDir
    private static Path folder;

    private static Certificates peers;
    private static Certificates clients;
    private static List<Member> members = List.of();
    private static final List<LockServerNode> NODES = new ArrayList<>();

    /** Of the clients, one has the name of a member. */
    @BeforeAll
    static void start() throws Exception {
        peers = new Certificates(Files.createDirectory(folder.resolve("peers")), "n1", "n2");
        clients = new Certificates(Files.createDirectory(folder.resolve("clients")), "server", "n2", "ops");
        var policy = Files.write(folder.resolve("policy"), List.of("certificate ops use:*", "certificate n2 use:*"));
        members = TestClusters.members(2);
        for (Member member : members) {
            var data = Optional.of(folder.resolve("data-" + member.node()));
            NODES.add(LockServerNode.start(LockServerConfig.of(members, member.node(), data)
                    .withPolicyFile(policy)
                    .withTls(clients.of("server"))
                    .withTransportSecurity(peers.of(member.node().toString()))));
        }
    }

    @AfterAll
    static void close() {
        NODES.forEach(LockServerNode::close);
        NODES.clear();
    }

    /** A connection with the key of one side that trusts the certificates of another. */
    private static SSLSocket connect(
            InetSocketAddress address, TransportSecurity.Certificates keys, TransportSecurity.Certificates trusted)
            throws IOException {
        var files = new TransportSecurity.Certificates(keys.keystore(), trusted.truststore(), keys.password());
        return ForeignCertificate.connect(files, new Socket(address.getAddress(), address.getPort()));
    }

    @Test
    void peers_with_a_certificate_of_the_peers_serve_a_client_with_a_certificate_of_the_clients() throws IOException {
        try (var client =
                new RawClient(connect(NODES.getFirst().listenAddress(), clients.of("ops"), clients.of("ops")))) {
            client.handshake("");
            long session = client.open(1);
            client.acquire(session, 1, "orders");
            assertThat(client.readResult(session, 1)).isInstanceOf(OperationResult.Granted.class);
        }
    }

    @Test
    void a_certificate_of_the_clients_opens_nothing_on_the_port_of_the_peers() {
        assertThatThrownBy(() -> {
                    try (var socket = connect(members.getFirst().address(), clients.of("n2"), peers.of("n2"))) {
                        socket.startHandshake();
                        socket.getInputStream().read(); // in TLS 1.3, only a read learns of the refusal
                    }
                })
                .isInstanceOf(IOException.class);
    }

    @Test
    void a_certificate_of_the_peers_authenticates_no_client() throws IOException {
        var address = NODES.getFirst().listenAddress();
        try (var client = new RawClient(connect(address, clients.of("n2"), clients.of("n2")))) {
            assertThat(client.handshake("").node()).isEqualTo("n1");
        }
        assertThatThrownBy(() -> {
                    try (var peer = new RawClient(connect(address, peers.of("n2"), clients.of("n2")))) {
                        peer.send(new ClientFrame.Hello(ClientFrame.VERSION, "", ""));
                        peer.read();
                    }
                })
                .hasRootCauseInstanceOf(IOException.class);
    }

    @Test
    void embedded_nodes_authenticate_each_other_by_their_certificates() {
        var addresses = TestClusters.members(2);
        var cluster = addresses.stream().map(Member::toString).toList();
        var launcher = new EmbeddedNodeLauncher();
        var running = addresses.stream()
                .map(member -> launcher.start(embedded(member.node().toString(), cluster)))
                .toList();
        try (var client = RawClient.connectAndHandshake(
                Member.parseAddress(running.getFirst().endpoints().getFirst(), "endpoint"))) {
            assertThat(client.open(1)).as("both nodes are a majority").isPositive();
        }
        running.forEach(EmbeddedNodeProvider.RunningNode::close);
    }

    private static EmbeddedNodeProvider.NodeConfig embedded(String node, List<String> cluster) {
        var files = peers.of(node);
        return new EmbeddedNodeProvider.NodeConfig(
                node,
                cluster,
                "127.0.0.1:0",
                folder.resolve("embedded-" + node).toString(),
                Optional.empty(),
                Optional.of(new EmbeddedNodeProvider.TlsFiles(
                        files.keystore().toString(), files.truststore().toString(), files.password())));
    }
}
