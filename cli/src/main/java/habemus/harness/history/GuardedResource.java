package habemus.harness.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.cli.terminal.CommandException;
import habemus.client.FenceGuard;
import habemus.client.StaleFenceException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * What the locks protect: it takes writes that carry a fence, and refuses old ones. It is in no process that is struck,
 * and remembers every write in the order in which they came.
 */
public final class GuardedResource implements AutoCloseable {

    /** What it answers. */
    static final String ACCEPTED = "taken";

    static final String REJECTED = "refused";

    /** One write, or what would have been one. */
    public record Write(String name, long fence, String client, boolean isAccepted) {

        @Override
        public String toString() {
            return client + " by fence " + fence;
        }
    }

    private final FenceGuard guard = FenceGuard.inMemory();
    private final List<Write> writes = new ArrayList<>();
    private final ServerSocket socket;

    /** @param host of this machine, at which clients reach it */
    public GuardedResource(String host) {
        try {
            socket = new ServerSocket(0, 50, InetAddress.getByName(host));
        } catch (IOException refused) {
            throw CommandException.failure(
                    "there is no port for the guarded resource: " + refused.getMessage(), "try again");
        }
        Thread.ofVirtual().start(this::listen);
    }

    public String address() {
        return socket.getInetAddress().getHostAddress() + ":" + socket.getLocalPort();
    }

    /** So far, in their order. */
    public List<Write> writes() {
        synchronized (writes) {
            return List.copyOf(writes);
        }
    }

    private void listen() {
        try {
            while (true) {
                var client = socket.accept();
                Thread.ofVirtual().start(() -> serve(client));
            }
        } catch (IOException closed) {
            // nobody writes any more
        }
    }

    private void serve(Socket client) {
        try (client;
                var lines = new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8))) {
            client.setTcpNoDelay(true);
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                var words = line.split(" ", -1);
                boolean taken = write(words[0], Long.parseLong(words[1]), words[2]);
                client.getOutputStream().write(((taken ? ACCEPTED : REJECTED) + "\n").getBytes(UTF_8));
            }
        } catch (IOException gone) {
            // it was killed
        }
    }

    /** Whether it was taken. */
    boolean write(String name, long fence, String client) {
        synchronized (writes) {
            try {
                guard.run(name, fence, () -> writes.add(new Write(name, fence, client, true)));
                return true;
            } catch (StaleFenceException old) {
                writes.add(new Write(name, fence, client, false));
                return false;
            }
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException closed) {
            // which was wanted
        }
    }
}
