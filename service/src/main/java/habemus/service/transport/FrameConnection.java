package habemus.service.transport;

import java.util.Optional;

/**
 * A connection that a {@link FrameServer} has accepted: first a handshake, then frames in both directions. Only on the
 * event loop. Its text is the address of the client, such as {@code 10.0.0.1:40718}.
 */
public interface FrameConnection {

    /** What the connection tells its owner, on the event loop. */
    public interface Handler {

        void onFrame(byte[] frame);

        /** The bytes are not frames. No frame follows. */
        void onMalformed(String reason);

        /** The TLS handshake has failed. The connection is closed next. */
        void onTlsFailed(String reason);

        /** Whether the connection stays open although nothing arrives. */
        boolean mayBeIdle();

        /** Called once. */
        void onClosed();
    }

    /** The common name of the certificate that the client has shown. */
    Optional<String> certificateName();

    /**
     * Ends the handshake.
     *
     * @param principal of the client; the clients of one principal share what one principal gets
     */
    void open(int maxFrameBytes, String principal);

    /**
     * Sends a frame at the end of the current turn of the loop. Closes the connection if too many bytes are pending.
     * Before that, it stops to read, so that a client that sends requests without reading replies is only delayed.
     */
    void send(byte[] frame);

    /** Sends a last frame and ends the connection. The client can read the frame whatever it has sent. */
    void end(byte[] lastFrame);

    /** Closes the connection now, and logs why. */
    void disconnect(String reason);
}
