package habemus.service.server;

import habemus.service.transport.TransportSecurity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManagerFactory;

/** Certificates of a door. */
public final class TlsContexts {

    private TlsContexts() {}

    /** @throws IllegalArgumentException if there is something wrong with the files */
    public static SSLContext of(TransportSecurity.Certificates files) {
        try {
            var password = files.password().toCharArray();
            var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(loadKeyStore(files.keystore(), password), password);
            var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init(loadKeyStore(files.truststore(), password));
            var context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException wrong) {
            throw new IllegalArgumentException("no certificates in " + files + ": " + wrong.getMessage(), wrong);
        }
    }

    private static KeyStore loadKeyStore(Path file, char[] password) throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(file)) {
            store.load(in, password);
        }
        return store;
    }

    /** The common name of the certificate that the other side has shown; it is trusted. */
    public static Optional<String> peerCommonName(SSLSession session) {
        try {
            return session.getPeerCertificates()[0] instanceof X509Certificate certificate
                    ? commonName(certificate.getSubjectX500Principal().getName())
                    : Optional.empty();
        } catch (SSLPeerUnverifiedException none) {
            return Optional.empty();
        }
    }

    /** Of a subject, as in CN=ops. */
    public static Optional<String> commonName(String subject) {
        try {
            return new LdapName(subject)
                    .getRdns().stream()
                            .filter(part -> part.getType().equalsIgnoreCase("CN"))
                            .map(part -> part.getValue().toString())
                            .findFirst();
        } catch (InvalidNameException strange) {
            return Optional.empty();
        }
    }
}
