package habemus.harness.cluster;

import habemus.harness.HarnessException;
import habemus.harness.faults.FaultTargets;
import habemus.harness.faults.RandomFaults;
import habemus.harness.site.NamespacedSite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A {@link ProcessCluster} whose nodes an experiment awaits, asks, kills, pauses, partitions and restarts. */
public final class ControlledCluster implements FaultTargets, ProcessCluster.Listener, AutoCloseable {

    /** Long, since the machine may be busy with other processes. */
    private static final Duration STARTUP_TIMEOUT = Duration.ofMinutes(2);

    /** A line of a node's standard error, with its time on {@link System#nanoTime}. */
    public record LogLine(long atNanos, int node, String line) {}

    /** One process of a node, from its start to its exit. */
    private record NodeProcess(long pid, CompletableFuture<Void> ready, CompletableFuture<Integer> exited) {}

    private final ProcessCluster cluster;
    private final Optional<NamespacedSite> namespaces;
    private final Map<Integer, NodeProcess> processes = new ConcurrentHashMap<>();
    private final Queue<LogLine> logLines = new ConcurrentLinkedQueue<>();
    private final Map<Integer, CompletableFuture<String>> answers = new ConcurrentHashMap<>();
    private final Map<Integer, NodeHttpClient> httpClients = new ConcurrentHashMap<>();
    private final Set<Long> killedPids = ConcurrentHashMap.newKeySet();
    private final List<String> failures = new CopyOnWriteArrayList<>();

    public ControlledCluster(ProcessCluster cluster) {
        this(cluster, Optional.empty());
    }

    /** @param namespaces in which the cluster runs, so that links can be cut */
    public ControlledCluster(ProcessCluster cluster, Optional<NamespacedSite> namespaces) {
        this.cluster = cluster;
        this.namespaces = namespaces;
    }

    @Override
    public List<Integer> nodes() {
        return cluster.nodes();
    }

    @Override
    public List<RandomFaults.Kind> kinds() {
        return namespaces.isPresent() ? List.of(RandomFaults.Kind.values()) : RandomFaults.Kind.PROCESS_FAULTS;
    }

    public NodeHttpClient httpClient(int node) {
        return httpClients.computeIfAbsent(node, any -> new NodeHttpClient(cluster.httpAddress(node)));
    }

    /** Where clients of the lock service connect, separated by commas. */
    public String clientAddresses() {
        return cluster.clientAddresses();
    }

    public String httpAddress(int node) {
        return cluster.httpAddress(node);
    }

    /**
     * Starts all nodes, and waits until they serve clients.
     *
     * @throws HarnessException if a node does not come up
     */
    public ControlledCluster start() {
        nodes().forEach(node -> cluster.start(node, this));
        nodes().forEach(this::awaitReady);
        return this;
    }

    @Override
    public void restart(int node) {
        cluster.start(node, this);
        awaitReady(node);
    }

    private void awaitReady(int node) {
        try {
            process(node)
                    .ready
                    .orTimeout(STARTUP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof HarnessException exited ? exited : startupTimeout(node);
        }
    }

    /** Of the process that runs the node now. */
    public long pid(int node) {
        return process(node).pid;
    }

    private static HarnessException startupTimeout(int node) {
        return new HarnessException(
                "node n" + node + " did not start within " + STARTUP_TIMEOUT.toSeconds() + " s",
                "check the load of this machine");
    }

    private NodeProcess process(int node) {
        var process = processes.get(node);
        if (process == null) {
            throw new IllegalStateException("node n" + node + " was never started");
        }
        return process;
    }

    @Override
    public void kill(int node) {
        var process = process(node);
        killedPids.add(process.pid);
        ProcessHandle.of(process.pid).ifPresent(ProcessHandle::destroyForcibly);
        process.exited.join();
    }

    @Override
    public void pause(int node, Duration time) throws InterruptedException {
        FaultTargets.pause(process(node).pid, time);
    }

    /** Pauses a node for this time, and returns as soon as it is paused. */
    public void startPause(int node, Duration time) throws InterruptedException {
        Thread.ofVirtual().start(() -> {
            try {
                pause(node, time);
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        });
        while (!isPaused(process(node).pid)) {
            Thread.sleep(1);
        }
    }

    /** The state of a process follows its name, which is in parentheses. */
    private static boolean isPaused(long pid) {
        try {
            var text = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return text.startsWith(" T", text.lastIndexOf(')') + 1);
        } catch (IOException exited) {
            throw new UncheckedIOException(exited);
        }
    }

    @Override
    public void partition(int node, RandomFaults.Kind kind, Duration time, Random random) throws InterruptedException {
        namespaces.orElseThrow().partition(node, kind.linkCut(), time, random);
    }

    /** One line for each node that exited without being killed. */
    public List<String> failures() {
        return List.copyOf(failures);
    }

    /** Writes a line to the standard input of a node; the future holds the line with which the node answers. */
    public CompletableFuture<String> request(int node, String line) {
        var answer = new CompletableFuture<String>();
        answers.put(node, answer);
        cluster.writeLine(node, line);
        return answer;
    }

    /** The answers of all nodes, in the order of the nodes. */
    public List<String> requestAll(String line) {
        var requests = nodes().stream().map(node -> request(node, line)).toList();
        return requests.stream().map(CompletableFuture::join).toList();
    }

    @Override
    public void onStarted(int node, long pid) {
        processes.put(node, new NodeProcess(pid, new CompletableFuture<>(), new CompletableFuture<>()));
    }

    @Override
    public void onReady(int node) {
        process(node).ready.complete(null);
    }

    @Override
    public void onAnswer(int node, String line) {
        var answer = answers.remove(node);
        if (answer != null) {
            answer.complete(line);
        }
    }

    @Override
    public void onLogLine(int node, String line) {
        logLines.add(new LogLine(System.nanoTime(), node, line));
    }

    @Override
    public void onExit(int node, int code) {
        var process = process(node);
        var exited = new HarnessException(
                "node n" + node + " exited with code " + code + ": " + lastLogLineOf(node),
                "check the memory and the ports of this machine");
        if (!killedPids.contains(process.pid)) {
            failures.add(exited.message());
        }
        process.ready.completeExceptionally(exited);
        fail(answers.remove(node), exited);
        process.exited.complete(code);
    }

    private String lastLogLineOf(int node) {
        return logLines.stream()
                .filter(logLine -> logLine.node == node)
                .reduce((earlier, later) -> later)
                .map(LogLine::line)
                .orElse("no output");
    }

    /** What the nodes have logged so far. */
    public List<LogLine> logLines() {
        return List.copyOf(logLines);
    }

    private static void fail(@Nullable CompletableFuture<String> answer, HarnessException cause) {
        if (answer != null) {
            answer.completeExceptionally(cause);
        }
    }

    @Override
    public void close() {
        cluster.close();
    }
}
