package habemus.service.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.SocketOptions;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Detects that an HTTP client has closed its connection while its request waits, for example in the queue of a lock.
 * Helidon gives handlers no access to the socket, so a connection selector of our own puts it into a thread local.
 */
final class ClientDisconnect {

    /** Helidon runs one thread per connection. */
    private static final ThreadLocal<HelidonSocket> CURRENT = new ThreadLocal<>();

    private static final Duration READ_TIMEOUT = Duration.ofMinutes(11); // longer than the longest wait of a request

    private final HelidonSocket socket;
    private boolean isMonitoring;

    private ClientDisconnect(HelidonSocket socket) {
        this.socket = socket;
    }

    /** For the request that the calling thread handles. */
    static ClientDisconnect current() {
        return new ClientDisconnect(CURRENT.get());
    }

    /** Whether the client is gone. The first call starts the detection and may miss a disconnect. */
    boolean isDisconnected() {
        if (!isMonitoring) {
            isMonitoring = true;
            socket.idle();
        }
        return !socket.isConnected();
    }

    static SocketOptions options() {
        return new ReadTimeoutOptions(SocketOptions.builder().tcpNoDelay(true).build());
    }

    /** HTTP/1.1 connections whose socket is visible to the handlers of their requests. */
    static ServerConnectionSelector selector() {
        var http =
                Http1ConnectionSelector.builder().config(Http1Config.create()).build();
        return new ServerConnectionSelector() {
            @Override
            public int bytesToIdentifyConnection() {
                return http.bytesToIdentifyConnection();
            }

            @Override
            public Support supports(BufferData data) {
                return http.supports(data);
            }

            @Override
            public Set<String> supportedApplicationProtocols() {
                return http.supportedApplicationProtocols();
            }

            @Override
            public ServerConnection connection(ConnectionContext context) {
                return new TrackedConnection(http.connection(context), context.serverSocket());
            }
        };
    }

    private record TrackedConnection(ServerConnection connection, HelidonSocket socket) implements ServerConnection {

        @Override
        public void handle(Limit limit) throws InterruptedException {
            CURRENT.set(socket);
            try {
                connection.handle(limit);
            } finally {
                CURRENT.remove();
            }
        }

        @Override
        public Duration idleTime() {
            return connection.idleTime();
        }

        @Override
        public void close(boolean interrupt) {
            connection.close(interrupt);
        }
    }

    /** Default options with a read timeout: without one Helidon reports an idle socket as closed. */
    private record ReadTimeoutOptions(SocketOptions options) implements SocketOptions {

        @Override
        public void configureSocket(Socket socket) {
            options.configureSocket(socket);
            try {
                socket.setSoTimeout((int) READ_TIMEOUT.toMillis());
            } catch (SocketException closed) {
                throw new UncheckedIOException(closed);
            }
        }

        @Override
        public Map<SocketOption<?>, Object> socketOptions() {
            return options.socketOptions();
        }

        @Override
        public Duration connectTimeout() {
            return options.connectTimeout();
        }

        @Override
        public Duration readTimeout() {
            return options.readTimeout();
        }

        @Override
        public Optional<Integer> socketReceiveBufferSize() {
            return options.socketReceiveBufferSize();
        }

        @Override
        public Optional<Integer> socketSendBufferSize() {
            return options.socketSendBufferSize();
        }

        @Override
        public boolean socketReuseAddress() {
            return options.socketReuseAddress();
        }

        @Override
        public boolean socketKeepAlive() {
            return options.socketKeepAlive();
        }

        @Override
        public boolean tcpNoDelay() {
            return options.tcpNoDelay();
        }
    }
}
