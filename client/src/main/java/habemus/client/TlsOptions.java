package habemus.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * How to know the nodes of the service, and how to be known by them. All files are PKCS #12.
 *
 * @param trustStore certificates of the nodes, or of who signed them
 * @param trustStorePassword of that file
 * @param keyStore own certificate and key, where the nodes ask for one
 * @param keyStorePassword of that file and the key in it
 */
public record TlsOptions(Path trustStore, String trustStorePassword, Optional<Path> keyStore, String keyStorePassword) {

    /**
     * Only to know the nodes.
     *
     * @param trust certificates of the nodes, or of who signed them
     * @param password of that file
     * @return without own certificate
     */
    public static TlsOptions trusting(Path trust, String password) {
        return new TlsOptions(trust, password, Optional.empty(), "");
    }

    /**
     * Also to be known by the nodes.
     *
     * @param file own certificate and key
     * @param password of that file and the key in it
     * @return with own certificate
     */
    public TlsOptions withKeyStore(Path file, String password) {
        return new TlsOptions(trustStore, trustStorePassword, Optional.of(file), password);
    }

    /** Nothing of the passwords. */
    @Override
    public String toString() {
        return "TLS trusting " + trustStore
                + keyStore.map(own -> ", known by " + own).orElse("");
    }

    SSLContext open() {
        try {
            var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init(load(trustStore, trustStorePassword));
            var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            if (keyStore.isPresent()) {
                own.init(load(keyStore.get(), keyStorePassword), keyStorePassword.toCharArray());
            }
            var context = SSLContext.getInstance("TLS");
            context.init(keyStore.isPresent() ? own.getKeyManagers() : null, trusted.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("cannot use " + this + ": " + e.getMessage(), e);
        }
    }

    private static KeyStore load(Path file, String password) throws GeneralSecurityException {
        try (var in = Files.newInputStream(file)) {
            var store = KeyStore.getInstance("PKCS12");
            store.load(in, password.toCharArray());
            return store;
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "cannot read " + file + " as PKCS #12; is it one, and is the password right? (" + e.getMessage()
                            + ")",
                    e);
        }
    }
}
