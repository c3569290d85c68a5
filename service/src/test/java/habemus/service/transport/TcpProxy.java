package habemus.service.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Forwards TCP connections to an address. It can close them all, or hold back all bytes. */
final class TcpProxy implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final InetSocketAddress target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private boolean isPaused;

    TcpProxy(InetSocketAddress target) throws IOException {
        this.target = target;
        Thread.ofVirtual().start(this::accept);
    }

    Member member(Member original) {
        return new Member(original.node(), (InetSocketAddress) server.getLocalSocketAddress());
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                var client = server.accept();
                sockets.add(client);
                var there = new Socket(target.getAddress(), target.getPort());
                sockets.add(there);
                Thread.ofVirtual().start(() -> forward(client, there));
                Thread.ofVirtual().start(() -> forward(there, client));
            } catch (IOException closed) {
                cut();
            }
        }
    }

    private void forward(Socket from, Socket to) {
        var buffer = new byte[64 << 10];
        try (from;
                to) {
            for (int n = from.getInputStream().read(buffer);
                    n >= 0;
                    n = from.getInputStream().read(buffer)) {
                awaitResumed();
                to.getOutputStream().write(buffer, 0, n);
            }
        } catch (IOException closed) {
            return;
        } finally {
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private synchronized void awaitResumed() throws IOException {
        while (isPaused) {
            try {
                wait();
            } catch (InterruptedException interrupted) {
                throw new IOException(interrupted);
            }
        }
    }

    /** Holds back all bytes, or forwards them again. */
    synchronized void setPaused(boolean paused) {
        isPaused = paused;
        notifyAll();
    }

    /** Closes all connections at once, with whatever is in their buffers. */
    void cut() {
        for (Socket socket : List.copyOf(sockets)) {
            sockets.remove(socket);
            reset(socket);
        }
    }

    private static void reset(Socket socket) {
        try (socket) {
            socket.setSoLinger(true, 0);
        } catch (IOException closed) {
            return; // by the other side
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        setPaused(false);
        cut();
    }
}
