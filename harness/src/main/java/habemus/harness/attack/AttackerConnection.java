package habemus.harness.attack;

import habemus.codec.Codec;
import habemus.lockservice.ClientInfo;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;

/** A client that speaks the protocol, and keeps none of its manners. */
final class AttackerConnection implements AutoCloseable {

    private static final Codec<ClientFrame.ToClient> REPLIES = Codec.of(ClientFrame.ToClient.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration LEASE = Duration.ofSeconds(20);

    private final Socket socket;
    private final DataInputStream in;

    /** Sends the handshake. The answer comes with {@link #read}. */
    AttackerConnection(Socket socket, String token) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(Math.toIntExact(TIMEOUT.toMillis()));
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        socket.getOutputStream().write(ValidFrames.withLength(ValidFrames.hello(token)));
    }

    void send(List<? extends Message.ClientRequest> requests) throws IOException {
        var bytes = new ByteArrayOutputStream();
        for (var request : requests) {
            bytes.writeBytes(ValidFrames.withLength(ValidFrames.TO_SERVICE.write(new ClientFrame.Request(request))));
        }
        socket.getOutputStream().write(bytes.toByteArray());
    }

    /** @throws IOException if the node has ended the connection, or sends nothing in time */
    ClientFrame.ToClient read() throws IOException {
        var frame = new byte[in.readInt()];
        in.readFully(frame);
        return REPLIES.read(frame);
    }

    /** @throws IOException if the node refuses the session */
    long openSession(long nonce) throws IOException {
        send(List.of(new Message.OpenSession(nonce, new ClientInfo("attacker", "here", 1), LEASE)));
        while (true) {
            var frame = read();
            if (frame instanceof ClientFrame.Reply(Message.SessionOpened(var opened, var session)) && opened == nonce) {
                return session;
            }
            if (frame instanceof ClientFrame.ConnectionRejected rejected) {
                throw new IOException("session refused: " + rejected.message());
            }
        }
    }

    /** Ends {@link #read} on another thread. */
    void disconnect() throws IOException {
        socket.close();
    }

    @Override
    public void close() throws IOException {
        disconnect();
    }
}
