package habemus.bench.product;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The running nodes of a product. Each writes its output to a log file. */
final class NodeProcesses implements AutoCloseable {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    private final List<Process> running = new CopyOnWriteArrayList<>();
    private final List<NodeProcess> nodeProcesses;
    private final Path folder;

    NodeProcesses(List<NodeProcess> nodeProcesses, Path folder) {
        this.nodeProcesses = nodeProcesses;
        this.folder = folder;
    }

    /** @throws IOException if a node does not listen on its client port in time */
    void start() throws IOException, InterruptedException {
        for (NodeProcess nodeProcess : nodeProcesses) {
            var builder = new ProcessBuilder(nodeProcess.command()).redirectErrorStream(true);
            builder.environment().putAll(nodeProcess.environment());
            running.add(builder.redirectOutput(log(nodeProcess).toFile()).start());
        }
        for (int i = 0; i < nodeProcesses.size(); i++) {
            await(nodeProcesses.get(i), running.get(i));
        }
    }

    private Path log(NodeProcess nodeProcess) {
        return folder.resolve(nodeProcess.port() + ".log");
    }

    private void await(NodeProcess nodeProcess, Process process) throws IOException, InterruptedException {
        long end = System.nanoTime() + START_TIMEOUT.toNanos();
        while (!isListening(nodeProcess.port())) {
            if (!process.isAlive() || System.nanoTime() > end) {
                throw new IOException(
                        String.join(" ", nodeProcess.command()) + "\ndoes not listen on port " + nodeProcess.port()
                                + "; end of its log:\n"
                                + logTail(nodeProcess));
            }
            Thread.sleep(20);
        }
    }

    private static boolean isListening(int port) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    private String logTail(NodeProcess nodeProcess) throws IOException {
        var lines = Files.readAllLines(log(nodeProcess));
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    }

    /** Kills a node with SIGKILL, and waits for its end. */
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
