package habemus.service.server;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.codec.Codec;
import habemus.lockservice.ClientInfo;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.function.Predicate;

/** A client that sends exactly the frames of the test. */
final class RawClient implements AutoCloseable {

    static final Duration LEASE = Duration.ofSeconds(10);

    private static final Codec<ClientFrame.ToService> OUT_CODEC = Codec.of(ClientFrame.ToService.class);
    private static final Codec<ClientFrame.ToClient> IN_CODEC = Codec.of(ClientFrame.ToClient.class);
    private static final int READ_TIMEOUT_MILLIS = 10_000; // milliseconds

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    RawClient(Socket socket) {
        this.socket = socket;
        try {
            socket.setSoTimeout(READ_TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            out = new DataOutputStream(socket.getOutputStream());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static RawClient connect(InetSocketAddress address) {
        try {
            return new RawClient(new Socket(address.getAddress(), address.getPort()));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** A client after its handshake. */
    static RawClient connectAndHandshake(InetSocketAddress address) {
        var client = connect(address);
        client.handshake("");
        return client;
    }

    ClientFrame.Welcome handshake(String token) {
        send(new ClientFrame.Hello(ClientFrame.VERSION, token, ""));
        return (ClientFrame.Welcome) read();
    }

    Socket socket() {
        return socket;
    }

    void write(byte... bytes) {
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    void send(ClientFrame.ToService... frames) {
        var bytes = new ByteArrayOutputStream();
        try (var data = new DataOutputStream(bytes)) {
            for (var frame : frames) {
                var body = OUT_CODEC.write(frame);
                data.writeInt(body.length);
                data.write(body);
            }
        } catch (IOException never) {
            throw new UncheckedIOException(never);
        }
        write(bytes.toByteArray());
    }

    void sendRequest(Message.ClientRequest clientRequest) {
        send(new ClientFrame.Request(clientRequest));
    }

    ClientFrame.ToClient read() {
        try {
            var bytes = new byte[in.readInt()];
            in.readFully(bytes);
            return IN_CODEC.read(bytes);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** The next frame of this type that matches; skips others. */
    <T> T read(Class<T> type, Predicate<T> condition) {
        while (true) {
            var frame = read();
            Object found = frame instanceof ClientFrame.Reply(var serverReply) ? serverReply : frame;
            if (type.isInstance(found) && condition.test(type.cast(found))) {
                return type.cast(found);
            }
        }
    }

    /** The rejection, which must be the last frame. */
    ClientFrame.ConnectionRejected readRejection() {
        var connectionRejected = read(ClientFrame.ConnectionRejected.class, any -> true);
        assertThat(isClosed()).isTrue();
        return connectionRejected;
    }

    /** Waits until the server has closed the connection; ignores what it has sent before. */
    boolean isClosed() {
        try {
            while (in.read() >= 0) {
                Thread.onSpinWait();
            }
            return true;
        } catch (EOFException | SocketException reset) {
            return true;
        } catch (IOException timeout) {
            return false;
        }
    }

    long open(long nonce) {
        return open(nonce, LEASE);
    }

    long open(long nonce, Duration lease) {
        sendRequest(new Message.OpenSession(nonce, new ClientInfo("worker-" + nonce, "here", 1), lease));
        return read(Message.SessionOpened.class, sessionOpened -> sessionOpened.nonce() == nonce)
                .session();
    }

    void submit(long session, long number, Operation operation) {
        sendRequest(new Message.Submit(session, number, number - 1, operation));
    }

    void acquire(long session, long number, String lock) {
        submit(session, number, Operation.Acquire.of(ResourceShare.exclusive(lock)));
    }

    OperationResult readResult(long session, long number) {
        return read(Message.Result.class, result -> result.session() == session && result.number() == number)
                .result();
    }

    void renew(long session, long number) {
        sendRequest(new Message.Renew(session, number));
        read(Message.Renewed.class, renewed -> renewed.session() == session && renewed.number() == number);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
