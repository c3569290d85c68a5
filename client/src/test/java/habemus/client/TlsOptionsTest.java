package habemus.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.client.environment.Endpoint;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections with TLS. */
@Timeout(60)
@Tag("slow")
class TlsOptionsTest {

    @TempDir
    private static Path folder;

    /** Creates a key store with a certificate and its key. */
    private static Path certificate(String name) throws Exception {
        var file = folder.resolve(name + ".p12");
        if (!Files.exists(file)) {
            var tool =
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
            var words = List.of(
                    tool,
                    "-genkeypair",
                    "-keystore",
                    file.toString(),
                    "-storetype",
                    "PKCS12",
                    "-storepass",
                    "secret",
                    "-alias",
                    name,
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=" + name,
                    "-ext",
                    "SAN=dns:localhost");
            var process = new ProcessBuilder(words).redirectErrorStream(true).start();
            var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
        }
        return file;
    }

    /** A store of trusted certificates holds no key. */
    private static Path trusting(String name) throws Exception {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        var own = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(certificate(name))) {
            own.load(in, "secret".toCharArray());
        }
        store.setCertificateEntry(name, own.getCertificate(name));
        var file = folder.resolve(name + "-trusted.p12");
        try (var out = Files.newOutputStream(file)) {
            store.store(out, "secret".toCharArray());
        }
        return file;
    }

    @Test
    void only_clients_that_trust_the_node_can_connect() throws Exception {
        var node = TlsOptions.trusting(trusting("client"), "secret").withKeyStore(certificate("node"), "secret");
        try (var service = new FakeService(1, Optional.of(node.toContext()))) {
            var options = ClientOptions.to(service.endpoints()).withConnectTimeout(Duration.ofSeconds(5));
            try (var client = Habemus.connect(options.withTls(TlsOptions.trusting(trusting("node"), "secret")))) {
                client.lock("orders").acquire(Duration.ofSeconds(5)).close();
            }
            var quick = options.withConnectTimeout(Duration.ofSeconds(1));
            assertThatThrownBy(() -> Habemus.connect(quick.withTls(TlsOptions.trusting(trusting("client"), "secret"))))
                    .isInstanceOf(ServiceUnavailableException.class);
            assertThatThrownBy(() -> Habemus.connect(quick)).isInstanceOf(ServiceUnavailableException.class);
        }
    }

    @Test
    void a_wrong_password_is_reported() throws Exception {
        var wrong = TlsOptions.trusting(trusting("node"), "wrong");
        assertThatThrownBy(
                        () -> Habemus.connect(ClientOptions.to("localhost:7900").withTls(wrong)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("check the format and the password");
        assertThat(wrong.toString()).doesNotContain("wrong");
    }

    @Test
    void an_endpoint_must_have_a_port() {
        assertThat(Endpoint.of("[::1]:7900")).isEqualTo(new Endpoint("::1", 7900));
        assertThat(Endpoint.of("[::1]:7900").toString()).isEqualTo("[::1]:7900");
        assertThatThrownBy(() -> ClientOptions.to("localhost"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("localhost:7900");
        assertThatThrownBy(ClientOptions::to).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ClientOptions.to("a:1").withLease(Duration.ofMillis(100)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
