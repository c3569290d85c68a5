package habemus.harness.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.harness.HarnessException;
import habemus.harness.site.ClusterSite;
import habemus.service.server.LockServerConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Nodes as child processes of this one. They exit when this process does. */
public final class ProcessCluster implements AutoCloseable {

    /** Notified of what the processes do, by threads of the cluster. */
    public interface Listener {

        void onStarted(int node, long pid);

        /** The node serves clients. */
        void onReady(int node);

        /** The node answered a line that was written to its standard input. */
        default void onAnswer(int node, String line) {}

        /** The node wrote a line to its standard error. */
        void onLogLine(int node, String line);

        /** @param code above 128 if a signal killed the process */
        void onExit(int node, int code);
    }

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(6);

    private final int nodes;
    private final ClusterSite site;
    private final NodeCommandLine commandLine;
    private final NodeSettings settings;
    private final Map<Integer, Process> processes = new ConcurrentHashMap<>();
    private volatile boolean closing;

    /** @param site is closed with the cluster */
    public ProcessCluster(int nodes, ClusterSite site, NodeCommandLine commandLine, NodeSettings settings) {
        this.nodes = nodes;
        this.site = site;
        this.commandLine = commandLine;
        this.settings = settings;
    }

    public String address(int node) {
        return addressAtOffset(node, 0);
    }

    public String httpAddress(int node) {
        return addressAtOffset(node, LockServerConfig.HTTP_PORT_OFFSET);
    }

    private String addressAtOffset(int node, int offset) {
        return site.host(node) + ":" + (site.port(node) + offset);
    }

    /** Where clients of the lock service connect, separated by commas. */
    String clientAddresses() {
        return nodes().stream()
                .map(node -> addressAtOffset(node, LockServerConfig.CLIENT_PORT_OFFSET))
                .collect(Collectors.joining(","));
    }

    /** The nodes of the start. */
    public List<Integer> nodes() {
        return IntStream.rangeClosed(1, nodes).boxed().toList();
    }

    /** Starts a node, for the first time or after its process has exited. A node with a higher number joins. */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener is notified
    public void start(int node, Listener listener) {
        try {
            var process = new ProcessBuilder(command(node)).start();
            processes.put(node, process);
            listener.onStarted(node, process.pid());
            Thread.ofVirtual().start(() -> readOutput(process, node, listener));
            Thread.ofVirtual().start(() -> readLines(process.getErrorStream(), line -> listener.onLogLine(node, line)));
            process.onExit().thenAccept(exited -> {
                if (!closing) {
                    listener.onExit(node, exited.exitValue());
                }
            });
        } catch (IOException failed) {
            throw new HarnessException(
                    "cannot start the process of node n" + node + ": " + failed.getMessage(),
                    "check the memory of this machine");
        }
    }

    private static void readOutput(Process process, int node, Listener listener) {
        var isFirstLine = new AtomicBoolean(true);
        readLines(process.getInputStream(), line -> {
            if (isFirstLine.getAndSet(false)) {
                listener.onReady(node);
            } else {
                listener.onAnswer(node, line);
            }
        });
    }

    /** Writes a line to the standard input of a node. */
    void writeLine(int node, String line) {
        var process = processes.get(node);
        if (process == null) {
            throw new IllegalStateException("node n" + node + " was never started");
        }
        try {
            var input = process.getOutputStream(); // closing it would stop the node
            input.write((line + "\n").getBytes(UTF_8));
            input.flush();
        } catch (IOException exited) {
            throw new HarnessException("node n" + node + " has closed its input", "show its log with --verbose");
        }
    }

    private static void readLines(InputStream input, Consumer<String> listener) {
        try (var lines = new BufferedReader(new InputStreamReader(input, UTF_8))) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                listener.accept(line);
            }
        } catch (IOException exited) {
            // the process has exited
        }
    }

    private List<String> command(int node) {
        var words = new ArrayList<>(site.commandPrefix(node));
        words.addAll(
                node <= nodes
                        ? commandLine.command("n" + node, memberList(), settings)
                        : commandLine.joinCommand("n" + node, memberList() + "," + member(node), settings));
        return words;
    }

    private String memberList() {
        return nodes().stream().map(this::member).collect(Collectors.joining(","));
    }

    private String member(int node) {
        return "n" + node + "=" + address(node);
    }

    @Override
    public void close() {
        closing = true;
        processes.values().forEach(Process::destroy);
        long end = System.nanoTime() + STOP_TIMEOUT.toNanos();
        for (Process process : processes.values()) {
            try {
                if (!process.waitFor(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException interrupted) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
        site.close();
    }
}
