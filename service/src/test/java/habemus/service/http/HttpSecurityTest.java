package habemus.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.NodeId;
import habemus.service.algorithm.Certificates;
import habemus.service.algorithm.TestClusters;
import habemus.service.server.AccessPolicy;
import habemus.service.server.LockServerConfig;
import habemus.service.server.LockServerNode;
import habemus.service.transport.TlsContexts;
import habemus.service.transport.TransportSecurity;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The HTTP API with TLS, tokens and client certificates, used by a plain HTTPS client. */
@Timeout(60)
@Tag("slow")
class HttpSecurityTest {

    private static final String TOKEN = "8f2d41c7";

    @TempDir
    private static Path folder;

    private static Certificates certificates;
    private static LockServerNode node;
    private static HttpServer server;

    @BeforeAll
    static void open() throws IOException, InterruptedException {
        certificates = new Certificates(folder, "node", "ops").make("stranger");
        policy(TOKEN);
        var config = LockServerConfig.of(TestClusters.members(1), new NodeId(1), Optional.empty())
                .withPolicyFile(folder.resolve("policy"))
                .withTls(certificates.of("node"));
        node = LockServerNode.start(config);
        server = new HttpServer(node);
    }

    @BeforeEach
    void known() throws IOException {
        if (!isKnown()) {
            policy(TOKEN);
        }
        while (!isKnown()) { // until the node has read the policy again
            LockSupport.parkNanos(20_000_000);
        }
    }

    private static boolean isKnown() {
        return node.policy().authenticate(TOKEN, Optional.empty()).isPresent();
    }

    private static void policy(String token) throws IOException {
        Files.write(
                folder.resolve("policy"),
                List.of(
                        AccessPolicy.hashToken(token) + " billing use,inspect:orders-*",
                        "certificate ops use,inspect,administer:*"));
    }

    @AfterAll
    static void close() {
        server.close();
        node.close();
    }

    /** A client that trusts the node, and sends its certificate only if the node trusts it. */
    private static HttpClient client(TransportSecurity.Certificates keys) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(TlsContexts.of(keys))
                .build();
    }

    private static HttpClient anonymous() {
        return client(new TransportSecurity.Certificates(
                certificates.of("stranger").keystore(), certificates.of("node").truststore(), "password"));
    }

    private static HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(
                        URI.create("https://127.0.0.1:" + server.address().getPort() + path))
                .timeout(Duration.ofSeconds(20));
    }

    private static HttpRequest.Builder acquire(String lock) {
        return to("/locks/" + lock + "/acquire")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"wait\": 2000}"));
    }

    private static int status(HttpClient client, HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString()).statusCode();
    }

    private static HttpRequest.Builder with(String token, HttpRequest.Builder request) {
        return request.header("Authorization", "Bearer " + token);
    }

    @Test
    void a_token_gives_its_permissions_and_no_others() throws Exception {
        var client = anonymous();
        assertThat(status(client, with(TOKEN, acquire("orders-1")))).isEqualTo(200);
        assertThat(status(client, with(TOKEN, to("/locks/orders-1")))).isEqualTo(200);
        assertThat(status(client, with(TOKEN, acquire("payroll")))).isEqualTo(403);
        assertThat(status(client, with(TOKEN, to("/locks/payroll")))).isEqualTo(403);
        assertThat(status(client, with(TOKEN, to("/sessions")))).isEqualTo(403);
    }

    @Test
    void a_denied_request_and_a_backup_are_in_the_audit() throws Exception {
        assertThat(status(anonymous(), with(TOKEN, acquire("salaries")))).isEqualTo(403);
        var ops = client(certificates.of("ops"));
        assertThat(status(ops, to("/backup?reason=weekly"))).isEqualTo(200);
        var denial = "\"kind\":\"denial\",\"command\":\"use lock 'salaries'\",\"operator\":\"billing\","
                + "\"address\":\"127.0.0.1\",\"reason\":\"no right\",\"effect\":\"denied\"";
        var action = "\"kind\":\"action\",\"command\":\"backup\",\"operator\":\"ops\","
                + "\"address\":\"127.0.0.1\",\"reason\":\"weekly\"";
        while (!audit(ops).contains(denial) || !audit(ops).contains(action)) { // a node collects them for a second
            LockSupport.parkNanos(50_000_000);
        }
    }

    private static String audit(HttpClient client) throws IOException, InterruptedException {
        return client.send(to("/audit").build(), BodyHandlers.ofString()).body();
    }

    @Test
    void without_a_valid_token_only_the_health_is_readable() throws Exception {
        var client = anonymous();
        long before = node.policy().deniedCount();
        assertThat(status(client, to("/health"))).isEqualTo(200);
        assertThat(status(client, to("/status"))).isEqualTo(401);
        assertThat(status(client, acquire("orders-2"))).isEqualTo(401);
        assertThat(status(client, to("/watch"))).isEqualTo(401);
        assertThat(status(client, with("wrong", to("/status")))).isEqualTo(401);
        assertThat(node.policy().deniedCount() - before).isEqualTo(4);
    }

    @Test
    void a_certificate_identifies_the_client() throws Exception {
        var ops = client(certificates.of("ops"));
        assertThat(status(ops, to("/sessions"))).isEqualTo(200);
        assertThat(status(ops, acquire("payroll"))).isEqualTo(200);
        assertThat(status(ops, with("wrong", to("/sessions"))))
                .as("a wrong token counts, despite the certificate")
                .isEqualTo(401);
    }

    @Test
    void a_client_that_does_not_trust_the_node_does_not_connect() {
        var other = client(certificates.alone("stranger"));
        assertThatThrownBy(() -> status(other, to("/health"))).isInstanceOf(SSLException.class);
    }

    @Test
    void a_client_without_tls_is_rejected() {
        var plain = HttpClient.newHttpClient();
        var request = HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.address().getPort() + "/health"));
        assertThatThrownBy(() -> status(plain, request)).isInstanceOf(IOException.class);
    }

    @Test
    void a_change_of_the_policy_takes_effect_at_once() throws Exception {
        var client = anonymous();
        var watch = client.send(with(TOKEN, to("/watch")).build(), BodyHandlers.ofLines());
        assertThat(watch.statusCode()).isEqualTo(200);
        policy("another");
        assertThat(watch.body().filter(line -> line.startsWith("event:")).count())
                .as("the watch ends")
                .isPositive();
        assertThat(status(client, with(TOKEN, to("/status")))).isEqualTo(401);
        assertThat(status(client, with("another", to("/status")))).isEqualTo(200);
    }
}
