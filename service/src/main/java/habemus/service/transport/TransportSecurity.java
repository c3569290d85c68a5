package habemus.service.transport;

import java.nio.file.Path;

/** How nodes authenticate each other and encrypt their messages. */
public sealed interface TransportSecurity {

    /** No authentication, no encryption: for a single machine or a private network. */
    record None() implements TransportSecurity {}

    /**
     * Mutual TLS between nodes.
     *
     * @param keystore a PKCS12 file with the node's key and certificate
     * @param truststore a PKCS12 file with the certificates of all nodes or of their issuer
     * @param password of both files
     */
    record Certificates(Path keystore, Path truststore, String password) implements TransportSecurity {
        @Override
        public String toString() {
            return "Certificates[" + keystore + ", " + truststore + "]";
        }
    }
}
