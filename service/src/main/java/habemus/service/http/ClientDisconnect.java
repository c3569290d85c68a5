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

/** The connection of a client, while its request waits for something: tells whether there still is a client. */
final class ClientDisconnect {

    private static final ThreadLocal<HelidonSocket> CURRENT = new ThreadLocal<>(); // a connection has its own thread

    private static final Duration READ_TIMEOUT = Duration.ofMinutes(11); // longer than anybody may wait for an answer

    private final HelidonSocket socket;
    private boolean isMonitoring;

    private ClientDisconnect(HelidonSocket socket) {
        this.socket = socket;
    }

    /** Of the request that this thread answers. */
    static ClientDisconnect current() {
        return new ClientDisconnect(CURRENT.get());
    }

    /** Nobody waits for the answer any more. The first look does not know yet. */
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

    /** The same as always, but each connection is known to those who answer its requests. */
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

    /** The same as always, but with an end to silence: without one a look would take every pause for the end. */
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
