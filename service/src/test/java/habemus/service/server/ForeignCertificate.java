package habemus.service.server;

import habemus.service.transport.TransportSecurity;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509KeyManager;

/** Shows its certificate even if the other side does not ask for one of its issuer, as no usual client does. */
final class ForeignCertificate extends X509ExtendedKeyManager {

    private final X509KeyManager keys;

    private ForeignCertificate(X509KeyManager keys) {
        this.keys = keys;
    }

    /** A TLS socket over a connected one. */
    static SSLSocket connect(TransportSecurity.Certificates files, Socket socket) throws IOException {
        try {
            var password = files.password().toCharArray();
            var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(load(files.keystore(), password), password);
            var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init(load(files.truststore(), password));
            var foreign = Arrays.stream(keys.getKeyManagers())
                    .map(manager -> new ForeignCertificate((X509KeyManager) manager))
                    .toArray(KeyManager[]::new);
            var context = SSLContext.getInstance("TLS");
            context.init(foreign, trusted.getTrustManagers(), null);
            return (SSLSocket) context.getSocketFactory().createSocket(socket, "127.0.0.1", 1, true);
        } catch (GeneralSecurityException invalid) {
            throw new IOException(invalid);
        }
    }

    private static KeyStore load(java.nio.file.Path file, char[] password)
            throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(file)) {
            store.load(in, password);
        }
        return store;
    }

    @Override
    public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
        return keys.getClientAliases("EC", null)[0];
    }

    @Override
    public String[] getClientAliases(String type, Principal[] issuers) {
        return keys.getClientAliases(type, null);
    }

    @Override
    public String[] getServerAliases(String type, Principal[] issuers) {
        return keys.getServerAliases(type, issuers);
    }

    @Override
    public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
        return keys.chooseServerAlias(type, issuers, socket);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return keys.getCertificateChain(alias);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return keys.getPrivateKey(alias);
    }
}
