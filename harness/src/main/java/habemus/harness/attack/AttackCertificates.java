package habemus.harness.attack;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.client.TlsOptions;
import habemus.harness.HarnessException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** Keys and self-signed certificates of an attacked node, of a client that it trusts, and of a stranger. */
record AttackCertificates(Path folder) {

    static final String NODE = "n1";
    static final String CLIENT = "client";

    /** Has the name of the node, and is not trusted. */
    static final String STRANGER = "stranger";

    private static final String PASSWORD = "attack-password";

    /** Creates all files with the keytool of the JDK. */
    static AttackCertificates create(Path folder) throws InterruptedException {
        var certificates = new AttackCertificates(folder);
        certificates.generate(NODE, NODE);
        certificates.generate(CLIENT, CLIENT);
        certificates.generate(STRANGER, NODE);
        certificates.trust(NODE);
        certificates.trust(CLIENT);
        certificates.writePrivately("password", PASSWORD);
        return certificates;
    }

    private void generate(String name, String commonName) throws InterruptedException {
        keytool(List.of(
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + commonName,
                "-ext",
                "SAN=ip:127.0.0.1",
                "-keystore",
                keystore(name).toString()));
    }

    private void trust(String name) throws InterruptedException {
        var file = folder.resolve(name + ".cert").toString();
        keytool(List.of(
                "-exportcert", "-alias", name, "-keystore", keystore(name).toString(), "-file", file));
        keytool(List.of(
                "-importcert",
                "-noprompt",
                "-alias",
                name,
                "-file",
                file,
                "-keystore",
                truststore().toString()));
    }

    private void keytool(List<String> words) throws InterruptedException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-J-XX:TieredStopAtLevel=1"));
        command.addAll(words);
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        try {
            var keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
            var output = new String(keytool.getInputStream().readAllBytes(), UTF_8);
            if (keytool.waitFor() != 0) {
                throw new IOException(output);
            }
        } catch (IOException failed) {
            throw new HarnessException(
                    "cannot create certificates: " + failed.getMessage(), "check that this is a JDK with keytool");
        }
    }

    /** The node refuses secrets that others can read. */
    Path writePrivately(String name, String text) {
        var file = folder.resolve(name);
        try {
            Files.writeString(file, text + "\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            return file;
        } catch (IOException failed) {
            throw new HarnessException("cannot write " + file, "check the free space of the temporary folder");
        }
    }

    Path keystore(String name) {
        return folder.resolve(name + ".p12");
    }

    Path truststore() {
        return folder.resolve("trusted.p12");
    }

    /** Of a client of the service. */
    TlsOptions clientOptions() {
        return TlsOptions.trusting(truststore(), PASSWORD);
    }

    /** The key of one of the names. */
    Key key(String name) throws GeneralSecurityException {
        try (var in = Files.newInputStream(keystore(name))) {
            var store = KeyStore.getInstance("PKCS12");
            store.load(in, PASSWORD.toCharArray());
            return new Key((PrivateKey) store.getKey(name, PASSWORD.toCharArray()), (X509Certificate)
                    store.getCertificate(name));
        } catch (IOException failed) {
            throw new HarnessException("cannot read " + keystore(name), "check the temporary folder");
        }
    }

    record Key(PrivateKey privateKey, X509Certificate certificate) {}
}
