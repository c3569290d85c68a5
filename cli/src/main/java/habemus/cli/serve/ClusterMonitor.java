package habemus.cli.serve;

import com.google.gson.JsonObject;
import habemus.cli.admin.ServiceClient;
import habemus.cli.serve.ClusterView.ClusterEvent;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ExitCode;
import habemus.harness.cluster.ProcessCluster;
import habemus.service.transport.JGroupsTransport;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Runs a fleet and shows how it is. Whatever the nodes do becomes a task for the one thread that shows it. */
final class ClusterMonitor implements ProcessCluster.Listener, AutoCloseable {

    private static final int SIGNAL_EXIT_BASE = 128; // larger exit codes are signals
    private static final Duration LIVENESS_CHECK_INTERVAL = Duration.ofMillis(500); // how often it looks who is silent

    private final ProcessCluster processCluster;
    private final ClusterDisplay clusterDisplay;
    private final boolean restartKilled;
    private final ClusterView clusterView = new ClusterView();
    private final LinkedBlockingQueue<Supplier<List<ClusterEvent>>> tasks = new LinkedBlockingQueue<>();
    private final Map<Integer, String> lastLogLines = new ConcurrentHashMap<>();
    private final Map<Integer, Long> lastHeardNanos =
            new ConcurrentHashMap<>(); // who is up, and when it said something last
    private final Set<Integer> unresponsive = ConcurrentHashMap.newKeySet();
    private final Set<Integer> exited = new HashSet<>();
    private volatile boolean stopped;

    ClusterMonitor(ProcessCluster processCluster, ClusterDisplay clusterDisplay, boolean restarts) {
        this.processCluster = processCluster;
        this.clusterDisplay = clusterDisplay;
        this.restartKilled = restarts;
        processCluster
                .nodes()
                .forEach(node ->
                        clusterView.add(name(node), processCluster.address(node), processCluster.httpAddress(node)));
    }

    private static String name(int node) {
        return "n" + node;
    }

    /** Until it is ended, or there is no node left to show. */
    int run() {
        clusterDisplay.begin(clusterView);
        processCluster.nodes().forEach(node -> processCluster.start(node, this));
        while (!stopped && exited.size() < processCluster.nodes().size()) {
            try {
                var task = tasks.poll(LIVENESS_CHECK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
                var happened = new ArrayList<ClusterEvent>(task == null ? List.of() : task.get());
                happened.addAll(newlyUnresponsive());
                if (task != null || !happened.isEmpty()) {
                    clusterDisplay.show(happened, clusterView, tasks.isEmpty());
                }
            } catch (InterruptedException enough) {
                Thread.currentThread().interrupt();
                stopped = true;
            }
        }
        if (!stopped) {
            throw CommandException.failure(
                    "no node is left; the last words of n1: " + lastLogLines.getOrDefault(1, "none"),
                    "--verbose shows what the nodes log");
        }
        return ExitCode.OK;
    }

    /** Who has stopped to say anything. */
    private List<ClusterEvent> newlyUnresponsive() {
        long now = System.nanoTime();
        return lastHeardNanos.entrySet().stream()
                .filter(last -> now - last.getValue() > JGroupsTransport.HEARTBEAT_TIMEOUT.toNanos()
                        && unresponsive.add(last.getKey()))
                .map(last -> clusterView.onUnresponsive(name(last.getKey())))
                .toList();
    }

    void stop() {
        stopped = true;
        tasks.add(List::of);
    }

    @Override
    public void onStarted(int node, long pid) {
        tasks.add(() -> clusterView.onStarted(name(node), pid));
    }

    @Override
    public void onReady(int node) {
        lastHeardNanos.put(node, System.nanoTime());
        tasks.add(() -> {
            Thread.ofVirtual().start(() -> watch(node));
            return clusterView.onReady(name(node));
        });
    }

    private void watch(int node) {
        try {
            new ServiceClient(processCluster.httpAddress(node))
                    .watch("node", (kind, data) -> onNodeEvent(node, kind, data));
        } catch (UncheckedIOException ended) {
            // so has the node
        }
    }

    private void onNodeEvent(int node, String kind, JsonObject data) {
        lastHeardNanos.computeIfPresent(node, (any, before) -> System.nanoTime());
        if (unresponsive.remove(node)) {
            tasks.add(() -> clusterView.onResponsive(name(node)));
        }
        if (!kind.equals(ServiceClient.KEEP_ALIVE)) {
            tasks.add(() -> clusterView.onNodeEvent(name(node), kind, data));
        }
    }

    @Override
    public void onLogLine(int node, String line) {
        lastLogLines.put(node, line);
        tasks.add(() -> {
            clusterDisplay.log(name(node), line);
            return List.of();
        });
    }

    @Override
    public void onExit(int node, int code) {
        lastHeardNanos.remove(node);
        unresponsive.remove(node);
        tasks.add(() -> {
            var how = code > SIGNAL_EXIT_BASE
                    ? "killed by signal " + (code - SIGNAL_EXIT_BASE)
                    : "exit code " + code + ": " + lastLogLines.getOrDefault(node, "without a word");
            var happened = clusterView.onExited(name(node), how);
            if (restartKilled && code > SIGNAL_EXIT_BASE) {
                processCluster.start(node, this);
            } else {
                exited.add(node);
            }
            return happened;
        });
    }

    @Override
    public void close() {
        processCluster.close();
    }
}
