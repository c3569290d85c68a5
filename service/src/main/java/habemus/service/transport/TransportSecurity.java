package habemus.service.transport;

import java.nio.file.Path;

/** How nodes know each other for nodes, and who else can read what they say. */
public sealed interface TransportSecurity {

    /** Anybody who reaches a node's port can take part: for one machine, or a network of one's own. */
    record None() implements TransportSecurity {}

    /** All nodes share it; what they say is encrypted and authenticated with a key made from it. */
    record SharedSecret(String secret) implements TransportSecurity {
        @Override
        public String toString() {
            return "Shared[…]";
        }
    }

    /**
     * TLS between nodes, both sides with a certificate.
     *
     * @param keystore a PKCS12 file with the node's key and certificate
     * @param truststore a PKCS12 file with the certificates, or their issuer's, of all nodes
     * @param password of both
     */
    record Certificates(Path keystore, Path truststore, String password) implements TransportSecurity {
        @Override
        public String toString() {
            return "Certificates[" + keystore + ", " + truststore + "]";
        }
    }
}
