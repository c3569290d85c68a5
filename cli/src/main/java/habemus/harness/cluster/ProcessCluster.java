package habemus.harness.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.cli.Main;
import habemus.cli.serve.ServeCommand;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ShellSyntax;
import habemus.harness.site.ClusterSite;
import habemus.service.server.LockServerConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Path;
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

/** Nodes as processes of this machine: the same program with {@code serve}. They end when this process does. */
public final class ProcessCluster implements AutoCloseable {

    /** Who is told. */
    public interface Listener {

        void onStarted(int node, long pid);

        /** It answers clients. */
        void onReady(int node);

        /** To what it was told. */
        default void onAnswer(int node, String line) {}

        /** On its standard error. */
        void onLogLine(int node, String line);

        /** @param code larger than 128 if it was killed */
        void onExit(int node, int code);
    }

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(6);

    private final int nodes;
    private final ClusterSite clusterSite;
    private final List<String> options;
    private final Map<String, Path> folders;
    private final Map<Integer, Process> processes = new ConcurrentHashMap<>();
    private volatile boolean closing;

    /**
     * @param clusterSite is given back in the end
     * @param options of all nodes
     * @param folders options whose value is a folder of the node's own, or of all
     */
    public ProcessCluster(int nodes, ClusterSite clusterSite, List<String> options, Map<String, Path> folders) {
        this.nodes = nodes;
        this.clusterSite = clusterSite;
        this.options = options;
        this.folders = folders;
    }

    public String address(int node) {
        return addressAtOffset(node, 0);
    }

    public String httpAddress(int node) {
        return addressAtOffset(node, ServeCommand.HTTP_PORT_OFFSET);
    }

    private String addressAtOffset(int node, int ports) {
        return clusterSite.host(node) + ":" + (clusterSite.port(node) + ports);
    }

    /** Where clients of the library come in. */
    String clientAddresses() {
        return nodes().stream()
                .map(node -> addressAtOffset(node, LockServerConfig.CLIENT_PORT_OFFSET))
                .collect(Collectors.joining(","));
    }

    public List<Integer> nodes() {
        return IntStream.rangeClosed(1, nodes).boxed().toList();
    }

    /** Also again, after it has ended. */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener is told
    public void start(int node, Listener listener) {
        try {
            var process = new ProcessBuilder(command(node)).start();
            processes.put(node, process);
            listener.onStarted(node, process.pid());
            Thread.ofVirtual().start(() -> readOutput(process, node, listener));
            Thread.ofVirtual().start(() -> readLines(process.getErrorStream(), line -> listener.onLogLine(node, line)));
            process.onExit().thenAccept(ended -> {
                if (!closing) {
                    listener.onExit(node, ended.exitValue());
                }
            });
        } catch (IOException refused) {
            throw CommandException.failure(
                    "cannot start a process: " + refused.getMessage(), "is there enough memory?");
        }
    }

    private static void readOutput(Process process, int node, Listener listener) {
        var silent = new AtomicBoolean(true);
        readLines(process.getInputStream(), line -> {
            if (silent.getAndSet(false)) {
                listener.onReady(node);
            } else {
                listener.onAnswer(node, line);
            }
        });
    }

    /** Writes it to its standard input. */
    void writeLine(int node, String line) {
        var process = processes.get(node);
        if (process == null) {
            throw new IllegalStateException("n" + node + " was never started");
        }
        try {
            var input = process.getOutputStream(); // closing it would end the node
            input.write((line + "\n").getBytes(UTF_8));
            input.flush();
        } catch (IOException gone) {
            throw CommandException.failure("n" + node + " no longer listens", "--verbose shows what the nodes log");
        }
    }

    private static void readLines(InputStream from, Consumer<String> what) {
        try (var lines = new BufferedReader(new InputStreamReader(from, UTF_8))) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                what.accept(line);
            }
        } catch (IOException ended) {
            // with the process
        }
    }

    /** This program once more, without its arguments. */
    public static List<String> programCommand() {
        var words = new ArrayList<String>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
        var more = System.getenv("HABEMUS_JAVA_OPTS");
        if (more != null) {
            words.addAll(ShellSyntax.split(more));
        }
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        return words;
    }

    private List<String> command(int node) {
        var words = new ArrayList<>(clusterSite.commandPrefix(node));
        words.addAll(programCommand());
        words.addAll(List.of("serve", "--until-eof", "--me", "n" + node, "--cluster", memberList()));
        words.addAll(options);
        folders.forEach((option, folder) -> words.addAll(
                List.of(option, (option.equals("--data") ? folder.resolve("n" + node) : folder).toString())));
        return words;
    }

    private String memberList() {
        return IntStream.rangeClosed(1, nodes)
                .mapToObj(node -> "n" + node + "=" + address(node))
                .collect(Collectors.joining(","));
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
            } catch (InterruptedException hurry) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
        clusterSite.close();
    }
}
