package habemus.service.server;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceName;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import habemus.protocol.NodeId;
import habemus.service.algorithm.Certificates;
import habemus.service.algorithm.TestClusters;
import habemus.service.transport.Member;
import habemus.service.transport.TlsContexts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client listener with TLS and a policy. */
@Tag("slow")
class SecuredClientListenerTest {

    @TempDir
    private static Path folder;

    private static final String TOKEN = "8f2d";

    private final List<Member> members = TestClusters.members(1);
    private Optional<LockServerNode> node = Optional.empty();

    private static Certificates certificates;

    @BeforeAll
    static void certificates() throws IOException, InterruptedException {
        certificates = new Certificates(folder, "node", "ops").make("untrusted");
    }

    private LockServerNode start(boolean tls) throws IOException {
        var policy = Files.write(
                folder.resolve("policy"),
                List.of(
                        AccessPolicy.hashToken(TOKEN) + " billing use,inspect:orders-*",
                        "certificate ops use,inspect,administer:*"));
        var config =
                LockServerConfig.of(members, new NodeId(1), Optional.empty()).withPolicyFile(policy);
        var started = LockServerNode.start(tls ? config.withTls(certificates.of("node")) : config);
        node = Optional.of(started);
        return started;
    }

    @AfterEach
    void stop() {
        node.ifPresent(LockServerNode::close);
    }

    private RawClient client(String name) throws IOException {
        var at = node.orElseThrow().listenAddress();
        return new RawClient(
                TlsContexts.of(certificates.of(name)).getSocketFactory().createSocket(at.getAddress(), at.getPort()));
    }

    @Test
    void a_token_authenticates_a_client_with_permissions_by_name() throws IOException {
        start(false);
        try (var client = RawClient.connect(node.orElseThrow().listenAddress())) {
            assertThat(client.handshake(TOKEN).node()).isEqualTo("n1");
            long session = client.open(1);
            client.acquire(session, 1, "orders-7");
            assertThat(client.readResult(session, 1)).isInstanceOf(OperationResult.Granted.class);
            client.acquire(session, 2, "payroll");
            assertThat(client.readResult(session, 2))
                    .isEqualTo(new OperationResult.Rejected(OperationResult.RejectionReason.FORBIDDEN));
            client.send(new ClientFrame.Describe(1, ResourceName.lock("orders-7")));
            assertThat(client.read(ClientFrame.Description.class, any -> true)
                            .status()
                            .holders())
                    .hasSize(1);
            client.send(new ClientFrame.Describe(2, ResourceName.lock("payroll")));
            var queryDenied = client.read(ClientFrame.QueryDenied.class, any -> true);
            assertThat(queryDenied.number()).isEqualTo(2);
            assertThat(queryDenied.reason().code()).isEqualTo("forbidden");
            client.send(new ClientFrame.ListDeadlocks(3));
            assertThat(client.read(ClientFrame.QueryDenied.class, any -> true).number())
                    .isEqualTo(3);
            client.renew(session, 1); // the session is not affected
        }
        assertThat(node.orElseThrow().policy().deniedCount()).isEqualTo(3);
    }

    @Test
    void a_client_without_a_token_or_with_a_wrong_one_is_rejected() throws IOException {
        start(false);
        for (String token : List.of("", "wrong")) {
            try (var client = RawClient.connect(node.orElseThrow().listenAddress())) {
                client.send(new ClientFrame.Hello(ClientFrame.VERSION, token, ""));
                assertThat(client.readRejection().code()).isEqualTo("unauthenticated");
            }
        }
        assertThat(node.orElseThrow().policy().deniedCount()).isEqualTo(2);
    }

    @Test
    void with_tls_a_certificate_authenticates_a_client() throws IOException {
        start(true);
        try (var client = client("ops")) {
            client.handshake("");
            long session = client.open(1);
            client.acquire(session, 1, "payroll");
            assertThat(client.readResult(session, 1)).isInstanceOf(OperationResult.Granted.class);
        }
    }

    @Test
    void a_watching_client_is_notified_only_of_resources_it_may_inspect() throws IOException {
        start(true);
        try (var ops = client("ops");
                var billing = client("ops")) {
            ops.handshake("");
            billing.handshake(TOKEN);
            billing.sendRequest(new Message.Watch());
            long other = billing.open(2); // so the watch has started
            long session = ops.open(1);
            ops.acquire(session, 1, "payroll");
            ops.readResult(session, 1);
            billing.acquire(other, 1, "orders-7");
            assertThat(billing.read(Message.ResourceChanged.class, any -> true).name())
                    .isEqualTo(ResourceName.lock("orders-7"));
        }
    }

    @Test
    void an_untrusted_certificate_does_not_authenticate() throws IOException {
        start(true);
        try (var untrusted = client("untrusted")) {
            untrusted.send(new ClientFrame.Hello(ClientFrame.VERSION, "", ""));
            assertThat(untrusted.readRejection().code()).isEqualTo("unauthenticated");
        }
    }

    @Test
    void a_client_without_tls_is_disconnected_and_affects_no_other() throws IOException {
        start(true);
        try (var plain = RawClient.connect(node.orElseThrow().listenAddress());
                var client = client("ops")) {
            plain.send(new ClientFrame.Hello(ClientFrame.VERSION, TOKEN, ""));
            assertThat(plain.isClosed()).isTrue();
            client.handshake("");
            assertThat(client.open(1)).isPositive();
        }
    }

    @Test
    void a_client_whose_permissions_change_is_disconnected() throws IOException {
        var started = start(false);
        try (var client = RawClient.connect(started.listenAddress())) {
            client.handshake(TOKEN);
            client.open(1);
            Files.write(folder.resolve("policy"), List.of(AccessPolicy.hashToken("another") + " billing use:orders-*"));
            assertThat(client.isClosed()).isTrue();
        }
        try (var client = RawClient.connect(started.listenAddress())) {
            client.send(new ClientFrame.Hello(ClientFrame.VERSION, TOKEN, ""));
            assertThat(client.readRejection().code()).isEqualTo("unauthenticated");
        }
    }
}
