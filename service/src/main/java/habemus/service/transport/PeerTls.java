package habemus.service.transport;

import habemus.protocol.NodeId;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS 1.3 between nodes: both sides show a certificate, which must name the node. The certificate files are read again
 * after they have changed. The computations of a handshake run on threads of their own.
 */
final class PeerTls implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PeerTls.class);
    private static final String[] PROTOCOLS = {"TLSv1.3"};
    private static final int THREADS = 2;
    private static final long CHECK_INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();
    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(200);

    private final TransportSecurity.Certificates files;
    private final ExecutorService executor;
    private Versions loaded;
    private SSLContext context;
    private long lastCheckNanos = System.nanoTime();

    /** The modification times of the files. */
    private record Versions(FileTime keystore, FileTime truststore) {}

    /** @throws IllegalArgumentException if the files cannot be read with their password */
    PeerTls(TransportSecurity.Certificates files, String threadName) {
        this.files = files;
        executor = Executors.newFixedThreadPool(
                THREADS,
                Thread.ofPlatform().daemon().name(threadName + "-tls-", 1).factory());
        try {
            loaded = versions();
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("cannot read the certificates " + files + ": " + unreadable, unreadable);
        }
        context = TlsContexts.of(files);
    }

    private Versions versions() throws IOException {
        return new Versions(Files.getLastModifiedTime(files.keystore()), Files.getLastModifiedTime(files.truststore()));
    }

    /** Runs a task on the threads of the handshakes. */
    void execute(Runnable task) {
        executor.execute(task);
    }

    /** The context for a connection that begins. If the files have changed, it blocks and reads them. */
    synchronized SSLContext currentContext() {
        long now = System.nanoTime();
        if (now - lastCheckNanos >= CHECK_INTERVAL_NANOS) {
            lastCheckNanos = now;
            reloadIfChanged();
        }
        return context;
    }

    private void reloadIfChanged() {
        try {
            var versions = versions();
            if (!versions.equals(loaded)) {
                context = TlsContexts.of(files);
                loaded = versions;
                LOG.info("certificates reloaded files={}", files);
            }
        } catch (IOException | IllegalArgumentException unreadable) {
            LOG.warn("certificates not reloaded, the old ones stay in use files={} reason=\"{}\"", files, unreadable);
        }
    }

    SslHandler handler(SSLContext sslContext, boolean isClient) {
        var engine = sslContext.createSSLEngine();
        engine.setUseClientMode(isClient);
        engine.setNeedClientAuth(true);
        engine.setEnabledProtocols(PROTOCOLS);
        var handler = new SslHandler(engine, executor);
        handler.setHandshakeTimeoutMillis(PeerConnection.HANDSHAKE_TIMEOUT.toMillis());
        handler.setCloseNotifyFlushTimeoutMillis(CLOSE_TIMEOUT.toMillis());
        return handler;
    }

    /** @throws PeerRejectedException if the certificate of the peer does not name the node */
    static void verify(Channel channel, NodeId node) {
        var handler = channel.pipeline().get(SslHandler.class);
        var certificate = handler == null ? null : certificate(handler);
        if (certificate == null || !TlsContexts.names(certificate, node.toString())) {
            throw new PeerRejectedException(
                    node,
                    certificate == null
                            ? "no certificate names " + node
                            : "certificate of '" + TlsContexts.displayName(certificate) + "' does not name " + node);
        }
    }

    private static @Nullable X509Certificate certificate(SslHandler handler) {
        try {
            return handler.engine().getSession().getPeerCertificates()[0] instanceof X509Certificate certificate
                    ? certificate
                    : null;
        } catch (SSLPeerUnverifiedException none) {
            return null;
        }
    }

    @Override
    public void close() {
        executor.shutdown();
    }
}
