package habemus.service.transport;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * One complete HTTP request and its response. The handler of the request answers it exactly once, with {@link #respond}
 * or {@link #startStream}, on any thread.
 */
public interface HttpExchange {

    String method();

    /** The request target as sent: path and query, percent-encoded. Begins with a slash. */
    String target();

    /** The first header of this name. */
    Optional<String> header(String name);

    byte[] body();

    /** The host of the client. */
    String host();

    /** Host and port of the client. */
    String address();

    /** The common name of the client's certificate, if it has sent one. */
    Optional<String> certificateName();

    /** Whether the client has ended its side of the connection, so that it expects no late response. */
    boolean isDisconnected();

    void respond(int status, Map<String, String> headers, byte[] body);

    /** Begins a response of unknown length. */
    BodyStream startStream(int status, Map<String, String> headers);

    /** The body of a response of unknown length. For one thread. */
    interface BodyStream extends AutoCloseable {

        /**
         * Returns when the socket has taken the bytes.
         *
         * @throws IOException if the connection is closed, also because the client reads nothing
         */
        void write(byte[] bytes) throws IOException, InterruptedException;

        @Override
        void close();
    }
}
