package habemus.harness.cluster;

import habemus.cli.admin.ServiceClient;
import habemus.cli.terminal.CommandException;
import habemus.harness.faults.FaultTargets;
import habemus.harness.faults.RandomFaults;
import habemus.harness.site.NamespacedSite;
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

/** A fleet whose nodes are waited for, told things, killed, stopped for a while, and started again. */
public final class ControlledCluster implements FaultTargets, ProcessCluster.Listener, AutoCloseable {

    private static final long STARTUP_TIMEOUT_SECONDS = 120; // seconds: the machine may have much else to do

    /** What a node has said on its standard error, and when by {@link System#nanoTime}. */
    public record LogLine(long atNanos, int node, String line) {}

    /** From a start of a node to its end. */
    private record NodeProcess(long pid, CompletableFuture<Void> ready, CompletableFuture<Integer> exited) {}

    private final ProcessCluster processCluster;
    private final Map<Integer, NodeProcess> lives = new ConcurrentHashMap<>();
    private final Queue<LogLine> logLines = new ConcurrentLinkedQueue<>();
    private final Map<Integer, CompletableFuture<String>> answers = new ConcurrentHashMap<>();
    private final Map<Integer, ServiceClient> serviceClients = new ConcurrentHashMap<>();
    private final Set<Long> killed = ConcurrentHashMap.newKeySet(); // pids
    private final List<String> failures = new CopyOnWriteArrayList<>();

    private final Optional<NamespacedSite> wires;

    public ControlledCluster(ProcessCluster processCluster) {
        this(processCluster, Optional.empty());
    }

    /** @param wires that are cut, if it is there that the fleet is */
    public ControlledCluster(ProcessCluster processCluster, Optional<NamespacedSite> wires) {
        this.processCluster = processCluster;
        this.wires = wires;
    }

    @Override
    public List<Integer> nodes() {
        return processCluster.nodes();
    }

    @Override
    public List<RandomFaults.Kind> kinds() {
        return wires.isPresent() ? List.of(RandomFaults.Kind.values()) : RandomFaults.Kind.PROCESS_FAULTS;
    }

    public ServiceClient httpClient(int node) {
        return serviceClients.computeIfAbsent(node, any -> new ServiceClient(processCluster.httpAddress(node)));
    }

    public String clientAddresses() {
        return processCluster.clientAddresses();
    }

    public String httpAddress(int node) {
        return processCluster.httpAddress(node);
    }

    /**
     * Starts all, and waits until they answer.
     *
     * @throws CommandException if one of them does not
     */
    public ControlledCluster start() {
        nodes().forEach(node -> processCluster.start(node, this));
        nodes().forEach(this::awaitReady);
        return this;
    }

    @Override
    public void restart(int node) {
        processCluster.start(node, this);
        awaitReady(node);
    }

    private void awaitReady(int node) {
        try {
            process(node)
                    .ready
                    .orTimeout(STARTUP_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof CommandException commandException
                    ? commandException
                    : startupTimeout(node);
        }
    }

    private static CommandException startupTimeout(int node) {
        return CommandException.failure(
                "n" + node + " did not come up, or answer, in time", "is this machine very busy?");
    }

    private NodeProcess process(int node) {
        var nodeProcess = lives.get(node);
        if (nodeProcess == null) {
            throw new IllegalStateException("n" + node + " was never started");
        }
        return nodeProcess;
    }

    @Override
    public void kill(int node) {
        var nodeProcess = process(node);
        killed.add(nodeProcess.pid);
        ProcessHandle.of(nodeProcess.pid).ifPresent(ProcessHandle::destroyForcibly);
        nodeProcess.exited.join();
    }

    @Override
    public void pause(int node, Duration time) throws InterruptedException {
        FaultTargets.pause(process(node).pid, time);
    }

    @Override
    public void partition(int node, RandomFaults.Kind how, Duration time, Random random) throws InterruptedException {
        wires.orElseThrow().partition(node, how, time, random);
    }

    /** Who has ended, though nobody killed it, and why. */
    public List<String> failures() {
        return List.copyOf(failures);
    }

    /** What it answers. */
    public CompletableFuture<String> request(int node, String line) {
        var answer = new CompletableFuture<String>();
        answers.put(node, answer);
        processCluster.writeLine(node, line);
        return answer;
    }

    /** What all of them answer, in their order. */
    public List<String> requestAll(String line) {
        var answered = nodes().stream().map(node -> request(node, line)).toList();
        return answered.stream().map(CompletableFuture::join).toList();
    }

    @Override
    public void onStarted(int node, long pid) {
        lives.put(node, new NodeProcess(pid, new CompletableFuture<>(), new CompletableFuture<>()));
    }

    @Override
    public void onReady(int node) {
        process(node).ready.complete(null);
    }

    @Override
    public void onAnswer(int node, String line) {
        var waiting = answers.remove(node);
        if (waiting != null) {
            waiting.complete(line);
        }
    }

    @Override
    public void onLogLine(int node, String line) {
        logLines.add(new LogLine(System.nanoTime(), node, line));
    }

    @Override
    public void onExit(int node, int code) {
        var nodeProcess = process(node);
        var commandException = CommandException.failure(
                "n" + node + " has ended with exit code " + code + "; its last words: " + lastLogLineOf(node),
                "is the machine out of memory, or of ports?");
        if (!killed.contains(nodeProcess.pid)) {
            failures.add(commandException.message());
        }
        nodeProcess.ready.completeExceptionally(commandException);
        fail(answers.remove(node), commandException);
        nodeProcess.exited.complete(code);
    }

    private String lastLogLineOf(int node) {
        return logLines.stream()
                .filter(logLine -> logLine.node == node)
                .reduce((earlier, later) -> later)
                .map(LogLine::line)
                .orElse("none");
    }

    /** All that nodes have said so far. */
    public List<LogLine> logLines() {
        return List.copyOf(logLines);
    }

    private static void fail(@Nullable CompletableFuture<String> answer, CommandException commandException) {
        if (answer != null) {
            answer.completeExceptionally(commandException);
        }
    }

    @Override
    public void close() {
        processCluster.close();
    }
}
