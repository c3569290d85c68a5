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
 * TLS options of a client. All files are PKCS #12.
 *
 * @param trustStore certificates of the nodes, or of their authority
 * @param trustStorePassword of that file
 * @param keyStore the client's certificate and key, if the nodes require one
 * @param keyStorePassword of that file and of the key in it
 */
public record TlsOptions(Path trustStore, String trustStorePassword, Optional<Path> keyStore, String keyStorePassword) {

    /**
     * Verifies the nodes; the client has no certificate.
     *
     * @param trustStore certificates of the nodes, or of their authority
     * @param password of that file
     * @return without key store
     */
    public static TlsOptions trusting(Path trustStore, String password) {
        return new TlsOptions(trustStore, password, Optional.empty(), "");
    }

    /**
     * Returns a copy with the client's certificate and key.
     *
     * @param file certificate and key
     * @param password of that file and of the key in it
     * @return with key store
     */
    public TlsOptions withKeyStore(Path file, String password) {
        return new TlsOptions(trustStore, trustStorePassword, Optional.of(file), password);
    }

    /** Does not show the passwords. */
    @Override
    public String toString() {
        return "TlsOptions[trustStore=" + trustStore
                + keyStore.map(file -> ", keyStore=" + file).orElse("") + "]";
    }

    SSLContext toContext() {
        try {
            var trustManagers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trustManagers.init(load(trustStore, trustStorePassword));
            var keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            if (keyStore.isPresent()) {
                keyManagers.init(load(keyStore.get(), keyStorePassword), keyStorePassword.toCharArray());
            }
            var context = SSLContext.getInstance("TLS");
            context.init(
                    keyStore.isPresent() ? keyManagers.getKeyManagers() : null, trustManagers.getTrustManagers(), null);
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
                    "cannot read PKCS #12 file " + file + ": " + e.getMessage()
                            + "\nhint: check the format and the password",
                    e);
        }
    }
}
