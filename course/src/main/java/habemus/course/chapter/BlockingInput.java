package habemus.course.chapter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;

/** Blocking input needs a thread for each open connection; with non-blocking input one thread serves all. */
final class BlockingInput implements Demonstration {

    private static final int CONNECTIONS = 50;
    private static final int READ_TIMEOUT_MILLIS = 10_000;
    private static final int NO_REPLY_MILLIS = 100;

    @Override
    public String name() {
        return "io";
    }

    @Override
    public String claim() {
        return "Blocking input needs a thread for each connection; a selector needs one for all.";
    }

    @Override
    public List<Observation> run() {
        try {
            return List.of(
                    oneThread(),
                    nonBlockingRead(),
                    allConnections(
                            "with a blocking thread per connection",
                            new BlockingEcho(Executors.newCachedThreadPool()),
                            CONNECTIONS),
                    allConnections(
                            "with a blocking virtual thread per connection",
                            new BlockingEcho(Executors.newVirtualThreadPerTaskExecutor()),
                            CONNECTIONS),
                    allConnections("with a selector", new SelectorEcho(), 1));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Observation oneThread() throws IOException {
        try (var server = new BlockingEcho(Executors.newSingleThreadExecutor());
                var silent = connect(server);
                var second = connect(server)) {
            second.getOutputStream().write('a');
            second.setSoTimeout(NO_REPLY_MILLIS);
            boolean blocked = !replies(second);
            silent.shutdownOutput();
            second.setSoTimeout(READ_TIMEOUT_MILLIS);
            boolean served = replies(second);
            return Observation.of(
                    "one blocking thread serves one connection: a silent client stops all others",
                    "second client: " + (blocked ? "no reply" : "a reply") + " while the first is silent, "
                            + (served ? "a reply" : "no reply") + " after it ends",
                    blocked && served);
        }
    }

    private static Observation nonBlockingRead() throws IOException {
        try (var server = new SelectorEcho();
                var channel = SocketChannel.open(server.address())) {
            channel.configureBlocking(false);
            int bytes = channel.read(ByteBuffer.allocate(1));
            return Observation.of("a non-blocking read returns at once", bytes + " bytes", bytes == 0);
        }
    }

    /** All connections are open at the same time. */
    private static Observation allConnections(String how, LoopbackEcho server, int expectedThreads) throws IOException {
        var clients = new ArrayList<Socket>();
        try (server) {
            int replies = 0;
            for (int i = 0; i < CONNECTIONS; i++) {
                clients.add(connect(server));
            }
            for (var client : clients) {
                client.getOutputStream().write('a');
            }
            for (var client : clients) {
                replies += replies(client) ? 1 : 0;
            }
            int threads = server.threads().size();
            return Observation.of(
                    how + " " + CONNECTIONS + " open connections need " + expectedThreads
                            + (expectedThreads == 1 ? " thread" : " threads"),
                    replies + " replies, threads: " + threads,
                    replies == CONNECTIONS && threads == expectedThreads);
        } finally {
            for (var client : clients) {
                client.close();
            }
        }
    }

    private static Socket connect(LoopbackEcho server) throws IOException {
        var socket = new Socket();
        socket.connect(server.address(), READ_TIMEOUT_MILLIS);
        socket.setSoTimeout(READ_TIMEOUT_MILLIS);
        return socket;
    }

    private static boolean replies(Socket client) throws IOException {
        try {
            return client.getInputStream().read() == 'a';
        } catch (SocketTimeoutException silence) {
            return false;
        }
    }
}
