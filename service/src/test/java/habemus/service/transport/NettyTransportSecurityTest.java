package habemus.service.transport;

import static habemus.service.transport.TransportNode.peer;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.service.algorithm.Certificates;
import habemus.service.algorithm.TestClusters;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Nodes that are connected by TLS. All certificates but that of the stranger are trusted. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class NettyTransportSecurityTest {

    @TempDir
    private static Path folder;

    private static Certificates certificates;

    private final List<Member> members = TestClusters.members(2);
    private final List<TransportNode> open = new ArrayList<>();

    @BeforeAll
    static void createCertificates() throws Exception {
        certificates = new Certificates(folder, "n1", "n2", "billing")
                .makeTrusted("host-7", "n2")
                .make("stranger");
    }

    private TransportNode start(int node, TransportSecurity security) {
        var started = TransportNode.start(members, node, 7, security, "test");
        open.add(started);
        return started;
    }

    @AfterEach
    void close() {
        open.forEach(TransportNode::close);
    }

    private void exchangeMessages(TransportNode one, TransportNode two) throws InterruptedException {
        assertThat(one.sees(peer(2, 7))).isTrue();
        assertThat(two.sees(peer(1, 7))).isTrue();
        one.transport.send(peer(2, 7).node(), new byte[1_000_000]);
        one.send(2, "to two");
        two.send(1, "to one");
        assertThat(two.take(2)).containsExactly("n1#7 1000000 bytes", "n1#7 to two");
        assertThat(one.take(1)).containsExactly("n2#7 to one");
    }

    @Test
    void nodes_named_by_their_certificates_exchange_messages() throws Exception {
        exchangeMessages(start(1, certificates.of("n1")), start(2, certificates.of("n2")));
    }

    @Test
    void a_dns_name_of_the_certificate_may_name_the_node() throws Exception {
        exchangeMessages(start(1, certificates.of("n1")), start(2, certificates.of("host-7")));
    }

    @Test
    void a_trusted_certificate_that_names_another_is_refused_with_the_reason() throws Exception {
        var one = start(1, certificates.of("n1"));
        var two = start(2, certificates.of("billing"));
        var reason = "certificate of 'billing' does not name n2";
        assertThat(one.rejections.poll(20, SECONDS)).isEqualTo("n2: " + reason);
        assertThat(two.rejections.poll(20, SECONDS)).isEqualTo("n1: the peer says: " + reason);
        assertThat(one.views).isEmpty();
        assertThat(two.views).isEmpty();
    }

    @Test
    void a_certificate_that_is_not_trusted_is_refused() throws Exception {
        var one = start(1, certificates.of("n1"));
        var two = start(2, certificates.of("stranger"));
        assertThat(one.rejections.poll(20, SECONDS)).startsWith("n2: TLS handshake failed: ");
        assertThat(two.rejections.poll(20, SECONDS)).startsWith("n1: TLS handshake failed: ");
        assertThat(one.views).isEmpty();
        assertThat(two.views).isEmpty();
    }

    @Test
    void a_node_without_tls_does_not_connect_to_one_with_tls() throws Exception {
        var one = start(1, certificates.of("n1"));
        var two = start(2, new TransportSecurity.None());
        assertThat(one.views.poll(3, SECONDS)).isNull();
        assertThat(two.views).isEmpty();
    }

    @Test
    void older_versions_of_tls_are_refused() throws Exception {
        start(1, certificates.of("n1"));
        assertThat(handshake(TlsContexts.of(certificates.of("n2")), "TLSv1.3")).isEqualTo("TLSv1.3");
        assertThatThrownBy(() -> handshake(TlsContexts.of(certificates.of("n2")), "TLSv1.2"))
                .isInstanceOf(SSLException.class);
    }

    @Test
    void a_client_without_a_certificate_is_refused() throws Exception {
        start(1, certificates.of("n1"));
        var anonymous = SSLContext.getInstance("TLS");
        anonymous.init(null, new TrustManager[] {new Trustful()}, null);
        assertThatThrownBy(() -> handshake(anonymous, "TLSv1.3")).isInstanceOf(SSLException.class);
    }

    /** In TLS 1.3 the client learns of a refusal only when it reads: here the timeout ends the reading. */
    private String handshake(SSLContext context, String protocol) throws IOException {
        var address = members.getFirst().address();
        try (var socket =
                (SSLSocket) context.getSocketFactory().createSocket(address.getAddress(), address.getPort())) {
            socket.setEnabledProtocols(new String[] {protocol});
            socket.startHandshake();
            socket.setSoTimeout(1_000);
            socket.getInputStream().read();
            return socket.getSession().getProtocol();
        } catch (SocketTimeoutException open) {
            return protocol;
        }
    }

    private static final class Trustful extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @Test
    void changed_certificate_files_are_read_again() throws Exception {
        var billing = certificates.of("billing");
        var files = new TransportSecurity.Certificates(
                folder.resolve("renewed.p12"), billing.truststore(), billing.password());
        Files.copy(billing.keystore(), files.keystore());
        var one = start(1, certificates.of("n1"));
        var two = start(2, files);
        assertThat(one.rejections.poll(20, SECONDS)).isNotNull();
        Files.copy(certificates.of("n2").keystore(), files.keystore(), StandardCopyOption.REPLACE_EXISTING);
        exchangeMessages(one, two);
    }

    @Test
    void unreadable_certificates_are_an_error() {
        var files = certificates.of("missing");
        assertThatThrownBy(() -> start(1, files))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("cannot read the keystore ");
    }
}
