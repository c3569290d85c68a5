package habemus.service.session;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.fenced.Answer;
import habemus.fenced.Parcel;
import habemus.fenced.Person;
import habemus.fenced.Talk;
import habemus.fenced.Want;
import habemus.fenced.Wish;
import habemus.wire.Codec;
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

/** A client that says just what it is told to say. */
final class RawClient implements AutoCloseable {

    static final Duration LEASE = Duration.ofSeconds(10);

    private static final Codec<Parcel.ToService> OUT = Codec.of(Parcel.ToService.class);
    private static final Codec<Parcel.ToClient> IN = Codec.of(Parcel.ToClient.class);
    private static final int LONG = 10_000; // milliseconds

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    RawClient(Socket socket) {
        this.socket = socket;
        try {
            socket.setSoTimeout(LONG);
            socket.setTcpNoDelay(true);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            out = new DataOutputStream(socket.getOutputStream());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    static RawClient connect(InetSocketAddress address) {
        try {
            return new RawClient(new Socket(address.getAddress(), address.getPort()));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** One that has said hello, and was welcome. */
    static RawClient welcomeAt(InetSocketAddress address) {
        var client = connect(address);
        client.hello("");
        return client;
    }

    Parcel.Welcome hello(String token) {
        send(new Parcel.Hello(Parcel.VERSION, token));
        return (Parcel.Welcome) read();
    }

    Socket socket() {
        return socket;
    }

    void write(byte... bytes) {
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    void send(Parcel.ToService... parcels) {
        var frames = new ByteArrayOutputStream();
        try (var data = new DataOutputStream(frames)) {
            for (var parcel : parcels) {
                var body = OUT.write(parcel);
                data.writeInt(body.length);
                data.write(body);
            }
        } catch (IOException never) {
            throw new UncheckedIOException(never);
        }
        write(frames.toByteArray());
    }

    void say(Talk.Request request) {
        send(new Parcel.Said(request));
    }

    Parcel.ToClient read() {
        try {
            var bytes = new byte[in.readInt()];
            in.readFully(bytes);
            return IN.read(bytes);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** The next that is like this; others are skipped. */
    <T> T read(Class<T> kind, Predicate<T> like) {
        while (true) {
            var parcel = read();
            Object found = parcel instanceof Parcel.Told(var reply) ? reply : parcel;
            if (kind.isInstance(found) && like.test(kind.cast(found))) {
                return kind.cast(found);
            }
        }
    }

    /** Why it is not served; nothing is said after that. */
    Parcel.Refused refusal() {
        var refused = read(Parcel.Refused.class, any -> true);
        assertThat(isClosed()).isTrue();
        return refused;
    }

    /** Whether the other side has hung up, after all that it has said; waits for it. */
    boolean isClosed() {
        try {
            while (in.read() >= 0) {
                Thread.onSpinWait();
            }
            return true;
        } catch (EOFException | SocketException reset) {
            return true;
        } catch (IOException silent) {
            return false;
        }
    }

    long open(long nonce) {
        return open(nonce, LEASE);
    }

    long open(long nonce, Duration lease) {
        say(new Talk.Open(nonce, new Person("worker-" + nonce, "here", 1), lease));
        return read(Talk.Opened.class, opened -> opened.nonce() == nonce).session();
    }

    void ask(long session, long number, Wish wish) {
        say(new Talk.Ask(session, number, number - 1, wish));
    }

    void acquire(long session, long number, String lock) {
        ask(session, number, Wish.Acquire.of(Want.exclusive(lock)));
    }

    Answer answer(long session, long number) {
        return read(Talk.Answered.class, answered -> answered.session() == session && answered.number() == number)
                .answer();
    }

    void renew(long session, long number) {
        say(new Talk.Renew(session, number));
        read(Talk.Renewed.class, renewed -> renewed.session() == session && renewed.number() == number);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
