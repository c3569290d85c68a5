package habemus.harness.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.client.FenceGuard;
import habemus.client.StaleFenceException;
import habemus.harness.HarnessException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * The resource that the locks protect. It accepts writes with a current fence, rejects stale ones, and records all
 * of them in their order. It runs in the process of the experiment, into which no faults are injected.
 */
public final class GuardedResource implements AutoCloseable {

    /** Answers to a write. */
    static final String ACCEPTED = "accepted";

    static final String REJECTED = "rejected";

    /** An accepted or rejected write. */
    public record Write(String name, long fence, String client, boolean isAccepted) {

        @Override
        public String toString() {
            return client + " with fence " + fence;
        }
    }

    private final FenceGuard guard = FenceGuard.inMemory();
    private final List<Write> writes = new ArrayList<>();
    private final ServerSocket socket;

    /** @param host address of this machine at which clients reach the resource */
    public GuardedResource(String host) {
        try {
            socket = new ServerSocket(0, 50, InetAddress.getByName(host));
        } catch (IOException failed) {
            throw new HarnessException(
                    "cannot listen for clients of the guarded resource: " + failed.getMessage(), "try again");
        }
        Thread.ofVirtual().start(this::listen);
    }

    public String address() {
        return socket.getInetAddress().getHostAddress() + ":" + socket.getLocalPort();
    }

    /** All writes so far, in their order. */
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
            // by close()
        }
    }

    private void serve(Socket client) {
        try (client;
                var lines = new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8))) {
            client.setTcpNoDelay(true);
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                var words = line.split(" ", -1);
                boolean accepted = write(words[0], Long.parseLong(words[1]), words[2]);
                client.getOutputStream().write(((accepted ? ACCEPTED : REJECTED) + "\n").getBytes(UTF_8));
            }
        } catch (IOException disconnected) {
            // the client was killed
        }
    }

    /** Returns whether the write was accepted. */
    boolean write(String name, long fence, String client) {
        synchronized (writes) {
            try {
                guard.run(name, fence, () -> writes.add(new Write(name, fence, client, true)));
                return true;
            } catch (StaleFenceException stale) {
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
            // the same
        }
    }
}
