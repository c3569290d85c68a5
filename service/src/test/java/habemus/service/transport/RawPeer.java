package habemus.service.transport;

import static java.util.Objects.requireNonNull;

import habemus.protocol.ByteString;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;

/** The node protocol over a blocking socket, by hand. */
final class RawPeer implements AutoCloseable {

    final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    RawPeer(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(20_000);
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
    }

    static RawPeer connectTo(Member member) throws IOException {
        return new RawPeer(
                new Socket(member.address().getAddress(), member.address().getPort()));
    }

    void write(byte[] frame) throws IOException {
        out.writeInt(frame.length);
        out.write(frame);
        out.flush();
    }

    void write(HandshakeFrame frame) throws IOException {
        write(frame.toBytes());
    }

    void ping() throws IOException {
        write(new byte[0]);
    }

    HandshakeFrame read() throws IOException {
        var frame = new byte[in.readInt()];
        in.readFully(frame);
        return requireNonNull(HandshakeFrame.read(frame));
    }

    static HandshakeFrame hello(PeerHandshake handshake) {
        return new HandshakeFrame.Hello(ByteString.of(handshake.hello()));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
