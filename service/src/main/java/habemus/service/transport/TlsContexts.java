package habemus.service.transport;

import habemus.service.storage.FileFailure;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.stream.Stream;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Builds TLS contexts from certificate files, and reads the names in certificates. */
public final class TlsContexts {

    private static final int DNS_NAME = 2; // the tag of a DNS name among the subject alternative names of RFC 5280

    private TlsContexts() {}

    /** @throws IllegalArgumentException if the files cannot be read with this password */
    public static SSLContext of(TransportSecurity.Certificates files) {
        try {
            var password = files.password().toCharArray();
            var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(loadKeyStore("keystore", files.keystore(), password), password);
            var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init(loadKeyStore("truststore", files.truststore(), password));
            var context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException invalid) {
            throw new IllegalArgumentException(
                    "cannot use the certificates " + files + ": " + invalid.getMessage(), invalid);
        }
    }

    private static KeyStore loadKeyStore(String kind, Path file, char[] password) throws GeneralSecurityException {
        var store = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(file)) {
            store.load(in, password);
            return store;
        } catch (FileSystemException unreadable) {
            throw invalid(kind, file, FileFailure.reason(unreadable), "name a file that the node can read", unreadable);
        } catch (IOException invalid) {
            throw invalid.getCause() instanceof UnrecoverableKeyException
                    ? invalid(kind, file, "wrong password", "write its password in the password file", invalid)
                    : invalid(kind, file, "not a PKCS12 file", "convert it with keytool -importkeystore", invalid);
        }
    }

    private static IllegalArgumentException invalid(
            String kind, Path file, String reason, String hint, IOException cause) {
        return new IllegalArgumentException(
                "cannot read the " + kind + " " + file + ": " + reason + "\nhint: " + hint, cause);
    }

    /** Whether a certificate names a host or node: as its common name, or as a DNS subject alternative name. */
    static boolean names(X509Certificate certificate, String name) {
        return commonName(subject(certificate)).filter(name::equals).isPresent()
                || dnsNames(certificate).anyMatch(name::equalsIgnoreCase);
    }

    /** The common name of a certificate, or all of its subject if it has none. */
    static String displayName(X509Certificate certificate) {
        return commonName(subject(certificate)).orElseGet(() -> subject(certificate));
    }

    private static String subject(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().getName();
    }

    private static Stream<String> dnsNames(X509Certificate certificate) {
        try {
            var names = certificate.getSubjectAlternativeNames();
            return names == null
                    ? Stream.empty()
                    : names.stream()
                            .filter(name -> name.get(0).equals(DNS_NAME))
                            .map(name -> String.valueOf(name.get(1)));
        } catch (CertificateParsingException malformed) {
            return Stream.empty();
        }
    }

    /** The common name of a subject, such as {@code ops} of {@code CN=ops}. */
    public static Optional<String> commonName(String subject) {
        try {
            return new LdapName(subject)
                    .getRdns().stream()
                            .filter(part -> part.getType().equalsIgnoreCase("CN"))
                            .map(part -> part.getValue().toString())
                            .findFirst();
        } catch (InvalidNameException invalid) {
            return Optional.empty();
        }
    }
}
