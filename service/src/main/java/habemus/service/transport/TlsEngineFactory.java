package habemus.service.transport;

import io.netty.channel.Channel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the engines of TLS 1.3 for the connections of one port. The certificate files are read again after they have
 * changed. The computations of a handshake run on threads of their own, so that they delay no other connection.
 */
final class TlsEngineFactory implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TlsEngineFactory.class);
    private static final String[] PROTOCOLS = {"TLSv1.3"};
    private static final int THREADS = 2;
    private static final int MAX_WAITING_TASKS = 4_096; // a thread runs about a thousand in a second
    private static final long CHECK_INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();
    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(200);

    private final TransportSecurity.Certificates files;
    private final ClientAuth clientAuth;
    private final ThreadPoolExecutor executor;
    private Versions loaded;
    private SSLContext context;
    private long lastCheckNanos = System.nanoTime();

    /** The modification times of the files. */
    private record Versions(FileTime keystore, FileTime truststore) {}

    /**
     * @param clientAuth whether an accepted connection must show a certificate
     * @param threadName prefix of the names of its threads
     * @throws IllegalArgumentException if the files cannot be read with their password
     */
    TlsEngineFactory(TransportSecurity.Certificates files, ClientAuth clientAuth, String threadName) {
        this.files = files;
        this.clientAuth = clientAuth;
        context = TlsContexts.of(files);
        try {
            loaded = versions();
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("cannot read the certificates " + files + ": " + unreadable, unreadable);
        }
        executor = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name(threadName + "-tls-", 1).factory());
    }

    private Versions versions() throws IOException {
        return new Versions(Files.getLastModifiedTime(files.keystore()), Files.getLastModifiedTime(files.truststore()));
    }

    /** Runs a task on the threads of the handshakes. */
    void execute(Runnable task) {
        executor.execute(task);
    }

    /** Whether so many handshakes wait for a thread that a new one would not end in time. */
    boolean isOverloaded() {
        return executor.getQueue().size() > MAX_WAITING_TASKS;
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

    SslHandler dialingHandler(SSLContext sslContext) {
        var engine = sslContext.createSSLEngine();
        engine.setUseClientMode(true);
        return handler(engine);
    }

    SslHandler acceptingHandler(SSLContext sslContext) {
        var engine = sslContext.createSSLEngine();
        engine.setUseClientMode(false);
        if (clientAuth == ClientAuth.REQUIRE) {
            engine.setNeedClientAuth(true);
        } else {
            engine.setWantClientAuth(clientAuth == ClientAuth.OPTIONAL);
        }
        return handler(engine);
    }

    /** The handler has no timeout of its own: the connection limits its whole handshake. */
    private SslHandler handler(SSLEngine engine) {
        engine.setEnabledProtocols(PROTOCOLS);
        var handler = new SslHandler(engine, executor);
        handler.setHandshakeTimeoutMillis(0);
        handler.setCloseNotifyFlushTimeoutMillis(CLOSE_TIMEOUT.toMillis());
        return handler;
    }

    /** The certificate that the other side of the channel has shown and this side trusts. */
    static Optional<X509Certificate> peerCertificate(Channel channel) {
        var handler = channel.pipeline().get(SslHandler.class);
        try {
            return handler != null
                            && handler.engine().getSession().getPeerCertificates()[0]
                                    instanceof X509Certificate certificate
                    ? Optional.of(certificate)
                    : Optional.empty();
        } catch (SSLPeerUnverifiedException none) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        executor.shutdown();
    }
}
