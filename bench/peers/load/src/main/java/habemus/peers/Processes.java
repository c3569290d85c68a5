package habemus.peers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The nodes of a product, running. What they say is in a file each. */
final class Processes implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<Process> running = new CopyOnWriteArrayList<>();
    private final List<Node> nodes;
    private final Path folder;

    Processes(List<Node> nodes, Path folder) {
        this.nodes = nodes;
        this.folder = folder;
    }

    /** @throws IOException if one does not listen for clients in time */
    void start() throws IOException, InterruptedException {
        for (Node node : nodes) {
            var builder = new ProcessBuilder(node.command()).redirectErrorStream(true);
            builder.environment().putAll(node.environment());
            running.add(builder.redirectOutput(log(node).toFile()).start());
        }
        for (int i = 0; i < nodes.size(); i++) {
            await(nodes.get(i), running.get(i));
        }
    }

    private Path log(Node node) {
        return folder.resolve(node.port() + ".log");
    }

    private void await(Node node, Process process) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!listens(node.port())) {
            if (!process.isAlive() || System.nanoTime() > end) {
                throw new IOException(
                        String.join(" ", node.command()) + "\ndoes not listen; it said:\n" + lastWords(node));
            }
            Thread.sleep(20);
        }
    }

    private static boolean listens(int port) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    private String lastWords(Node node) throws IOException {
        var lines = Files.readAllLines(log(node));
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    }

    /** Kill −9; returns when it is dead. */
    void kill(int node) throws InterruptedException {
        running.get(node).destroyForcibly().waitFor();
    }

    long[] pids() {
        return running.stream().mapToLong(Process::pid).toArray();
    }

    @Override
    public void close() {
        running.forEach(Process::destroyForcibly);
        for (Process process : running) {
            process.onExit().join();
        }
    }
}
