package habemus.service.algorithm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.service.transport.TransportSecurity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Test keys with self-signed certificates for this machine, and a truststore. */
public final class Certificates {

    private static final String PASSWORD = "password";

    private final Path folder;

    /** @param trusted names of the keys whose certificates are in the truststore */
    public Certificates(Path folder, String... trusted) throws IOException, InterruptedException {
        this.folder = folder;
        for (String name : trusted) {
            make(name);
            trust(name);
        }
    }

    /** Creates a key whose certificate is not in the truststore. */
    public Certificates make(String name) throws IOException, InterruptedException {
        make(name, "ip:127.0.0.1");
        return this;
    }

    private void make(String name, String alternativeName) throws IOException, InterruptedException {
        keytool(
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "SAN=" + alternativeName,
                "-keystore",
                keys(name).toString());
    }

    /** Creates a key whose certificate is in the truststore and also names a DNS name. */
    public Certificates makeTrusted(String name, String dnsName) throws IOException, InterruptedException {
        make(name, "dns:" + dnsName);
        trust(name);
        return this;
    }

    private void trust(String name) throws IOException, InterruptedException {
        var file = folder + "/" + name + ".cert";
        keytool("-exportcert", "-alias", name, "-keystore", keys(name).toString(), "-file", file);
        keytool("-importcert", "-noprompt", "-alias", name, "-file", file, "-keystore", folder + "/trusted.p12");
    }

    private Path keys(String name) {
        return folder.resolve(name + ".p12");
    }

    public TransportSecurity.Certificates of(String name) {
        return new TransportSecurity.Certificates(keys(name), folder.resolve("trusted.p12"), PASSWORD);
    }

    /** A node that trusts only its own certificate. */
    public TransportSecurity.Certificates alone(String name) {
        return new TransportSecurity.Certificates(keys(name), keys(name), PASSWORD);
    }

    private static void keytool(String... words) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-J-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(words));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        var keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        var output = new String(keytool.getInputStream().readAllBytes(), UTF_8);
        assertThat(keytool.waitFor()).as(output).isZero();
    }
}
