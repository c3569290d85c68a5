package habemus.service.net;

import java.nio.file.Path;

/** How nodes know each other for nodes, and who else can read what they say. */
public sealed interface Secrecy {

    /** Anybody who reaches a node's port can take part: for one machine, or a network of one's own. */
    record None() implements Secrecy {}

    /** All nodes share it; what they say is encrypted and authenticated with a key made from it. */
    record Shared(String secret) implements Secrecy {
        @Override
        public String toString() {
            return "Shared[…]";
        }
    }

    /**
     * TLS between nodes, both sides with a certificate.
     *
     * @param keys a PKCS12 file with the node's key and certificate
     * @param trusted a PKCS12 file with the certificates, or their issuer's, of all nodes
     * @param password of both
     */
    record Certificates(Path keys, Path trusted, String password) implements Secrecy {
        @Override
        public String toString() {
            return "Certificates[" + keys + ", " + trusted + "]";
        }
    }
}
