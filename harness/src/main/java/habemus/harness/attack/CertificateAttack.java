package habemus.harness.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import habemus.service.server.LockServerConfig;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509TrustManager;

/** Certificates that do not belong to a port, none, no token, and plain text, at the ports of a node with TLS. */
final class CertificateAttack implements Attack {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /**
     * @param certificate whose key the attacker shows; empty for none
     * @param accepted what an answer must not contain
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Attempt(
            String text,
            Victim.Port port,
            boolean hasTls,
            Optional<String> certificate,
            byte[] bytes,
            String accepted) {}

    static final String PEER_HELLO = "HBMP\1\0"; // of a node that accepts a peer
    private static final String WELCOME = "127.0.0.1:"; // the addresses of the service, in its first answer
    private static final String SUCCESS = "HTTP/1.1 2";

    @Override
    public String name() {
        return "certificates";
    }

    @Override
    public String summary() {
        return "foreign certificates, those of clients at the peer port, unknown tokens, and plain text to TLS";
    }

    @Override
    public Setting setting() {
        return Setting.SECURED;
    }

    private static List<Attempt> attempts() {
        var stranger = Optional.of(AttackCertificates.STRANGER);
        var client = Optional.of(AttackCertificates.CLIENT);
        Optional<String> none = Optional.empty();
        var peer = ValidFrames.withLength(ValidFrames.joining(LockServerConfig.DEFAULT_CLUSTER));
        var hello = ValidFrames.withLength(ValidFrames.hello(""));
        var wrongToken = ValidFrames.withLength(ValidFrames.hello("wrong"));
        var request = "GET /locks HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".getBytes(ISO_8859_1);
        return List.of(
                new Attempt("a foreign certificate", Victim.Port.PEER, true, stranger, peer, PEER_HELLO),
                new Attempt("the certificate of a client", Victim.Port.PEER, true, client, peer, PEER_HELLO),
                new Attempt("no certificate", Victim.Port.PEER, true, none, peer, PEER_HELLO),
                new Attempt("plain text", Victim.Port.PEER, false, none, peer, PEER_HELLO),
                new Attempt("a foreign certificate", Victim.Port.CLIENT, true, stranger, hello, WELCOME),
                new Attempt("no certificate and no token", Victim.Port.CLIENT, true, none, hello, WELCOME),
                new Attempt("an unknown token", Victim.Port.CLIENT, true, none, wrongToken, WELCOME),
                new Attempt("plain text", Victim.Port.CLIENT, false, none, hello, WELCOME),
                new Attempt("a foreign certificate", Victim.Port.HTTP, true, stranger, request, SUCCESS),
                new Attempt("no certificate and no token", Victim.Port.HTTP, true, none, request, SUCCESS),
                new Attempt("plain text", Victim.Port.HTTP, false, none, request, SUCCESS));
    }

    @Override
    public Outcome run(AttackRun run) throws IOException, InterruptedException {
        var failures = new ArrayList<String>();
        for (var attempt : attempts()) {
            try (var plain = SocketExchange.connect(run.victim(), attempt.port, 0);
                    var socket = attempt.hasTls ? encrypt(plain, run.victim(), attempt.certificate) : plain) {
                var answer = SocketExchange.send(socket, attempt.bytes, SocketExchange.Ending.STAY_OPEN, TIMEOUT);
                var what = attempt.text + " at the " + attempt.port + " port";
                if (answer.isEmpty()) {
                    failures.add("the connection stays open after " + what);
                } else if (new String(answer.get(), ISO_8859_1).contains(attempt.accepted)) {
                    failures.add(what + " is accepted");
                }
            }
        }
        return new Outcome(AttackRun.format("%,d attempts", attempts().size()), failures);
    }

    private static Socket encrypt(Socket plain, Victim victim, Optional<String> certificate) throws IOException {
        try {
            var files = victim.certificates().orElseThrow();
            var context = SSLContext.getInstance("TLS");
            var keys = certificate.isPresent()
                    ? new X509ExtendedKeyManager[] {new ShownKey(files.key(certificate.get()))}
                    : null;
            context.init(keys, new X509TrustManager[] {new AcceptingTrust()}, null);
            return context.getSocketFactory().createSocket(plain, "127.0.0.1", plain.getPort(), true);
        } catch (GeneralSecurityException impossible) {
            throw new IOException(impossible);
        }
    }

    /** Shows its certificate even if the node has not asked for its issuer. */
    private static final class ShownKey extends X509ExtendedKeyManager {

        private final AttackCertificates.Key key;

        ShownKey(AttackCertificates.Key key) {
            this.key = key;
        }

        @Override
        public String[] getClientAliases(String keyType, Principal[] issuers) {
            return new String[] {"key"};
        }

        @Override
        public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
            return "key";
        }

        @Override
        public String chooseEngineClientAlias(String[] keyTypes, Principal[] issuers, SSLEngine engine) {
            return "key";
        }

        @Override
        public String[] getServerAliases(String keyType, Principal[] issuers) {
            return new String[0];
        }

        @Override
        public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
            throw new UnsupportedOperationException("only a client");
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return new X509Certificate[] {key.certificate()};
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return key.privateKey();
        }
    }

    /** An attacker trusts every node. */
    private static final class AcceptingTrust implements X509TrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
