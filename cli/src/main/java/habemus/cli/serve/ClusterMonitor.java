package habemus.cli.serve;

import com.google.gson.JsonObject;
import habemus.cli.serve.ClusterView.ClusterEvent;
import habemus.harness.cluster.NodeHttpClient;
import habemus.harness.cluster.ProcessCluster;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Runs a cluster and shows its events. One thread updates the view: callbacks enqueue tasks for it. */
final class ClusterMonitor implements ProcessCluster.Listener, AutoCloseable {

    private static final int SIGNAL_EXIT_BASE = 128; // exit codes above are signals
    /** More than two keep-alives of the HTTP API. */
    private static final Duration SILENCE_TIMEOUT = Duration.ofMillis(2_500);

    private static final Duration LIVENESS_CHECK_INTERVAL = Duration.ofMillis(500);

    private final ProcessCluster processCluster;
    private final ClusterDisplay display;
    private final boolean restartKilled;
    private final List<PlannedChange> changes;
    private final ClusterView clusterView = new ClusterView();
    private final LinkedBlockingQueue<Supplier<List<ClusterEvent>>> tasks = new LinkedBlockingQueue<>();
    private final Map<Integer, String> lastLogLines = new ConcurrentHashMap<>();
    private final Map<Integer, Long> lastHeardNanos = new ConcurrentHashMap<>(); // of the nodes that are up
    private final Set<Integer> unreachable = ConcurrentHashMap.newKeySet();
    private final Set<Integer> ready = ConcurrentHashMap.newKeySet(); // at least once
    private final Set<Integer> left = ConcurrentHashMap.newKeySet();
    private int running; // nodes
    private volatile boolean stopped;

    /** @param changes of the members, by time */
    ClusterMonitor(
            ProcessCluster processCluster, ClusterDisplay display, boolean restartKilled, List<PlannedChange> changes) {
        this.processCluster = processCluster;
        this.display = display;
        this.restartKilled = restartKilled;
        this.changes = changes;
        processCluster.nodes().forEach(this::add);
    }

    private void add(int node) {
        running++;
        clusterView.add(name(node), processCluster.address(node), processCluster.httpAddress(node));
    }

    private static String name(int node) {
        return "n" + node;
    }

    /** Runs until {@link #stop}, or until no node is left. */
    int run() {
        display.begin(clusterView);
        processCluster.nodes().forEach(node -> processCluster.start(node, this));
        while (!stopped && running > 0) {
            try {
                var task = tasks.poll(LIVENESS_CHECK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
                var events = new ArrayList<ClusterEvent>(task == null ? List.of() : task.get());
                events.addAll(newlyUnreachable());
                if (task != null || !events.isEmpty()) {
                    display.show(events, clusterView, tasks.isEmpty());
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                stopped = true;
            }
        }
        if (!stopped) {
            throw CommandException.failure(
                    "all nodes have stopped; last log line of n1: " + lastLogLines.getOrDefault(1, "none"),
                    "--verbose shows the logs");
        }
        return ExitCode.OK;
    }

    /** Nodes that are up, but have sent nothing for some time. */
    private List<ClusterEvent> newlyUnreachable() {
        long now = System.nanoTime();
        return lastHeardNanos.entrySet().stream()
                .filter(last -> now - last.getValue() > SILENCE_TIMEOUT.toNanos() && unreachable.add(last.getKey()))
                .map(last -> clusterView.onUnreachable(name(last.getKey())))
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
        if (ready.add(node) && ready.size() == processCluster.nodes().size()) {
            Thread.ofVirtual().start(this::changeMembers);
        }
        tasks.add(() -> {
            Thread.ofVirtual().start(() -> watch(node));
            return clusterView.onReady(name(node));
        });
    }

    /** Makes the planned changes. */
    private void changeMembers() {
        long start = System.nanoTime();
        try {
            for (var change : changes) {
                TimeUnit.NANOSECONDS.sleep(start + change.at().toNanos() - System.nanoTime());
                if (change.joins()) {
                    tasks.add(() -> {
                        add(change.node());
                        processCluster.start(change.node(), this);
                        return List.of();
                    });
                } else {
                    Thread.ofVirtual().start(() -> leave(change.node()));
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void leave(int node) {
        var error = "";
        try {
            var reply = new NodeHttpClient(processCluster.httpAddress(1))
                    .delete("/members/" + name(node), NodeHttpClient.REQUEST_TIMEOUT.multipliedBy(3));
            error = reply.isSuccess() ? "" : reply.error("message") + " (" + reply.error("hint") + ")";
        } catch (IOException unreachable) {
            error = "n1 does not answer (start it again)";
        }
        var reason = error;
        if (!reason.isEmpty()) {
            tasks.add(() -> List.of(clusterView.onLeaveRefused(name(node), reason)));
        }
    }

    @Override
    public void onAnswer(int node, String line) {
        if (line.equals(ServeCommand.leftLine(name(node)))) {
            left.add(node);
        }
    }

    private void watch(int node) {
        try {
            new NodeHttpClient(processCluster.httpAddress(node))
                    .watch("node", (kind, data) -> onNodeEvent(node, kind, data));
        } catch (UncheckedIOException ended) {
            // the node has stopped
        }
    }

    private void onNodeEvent(int node, String kind, JsonObject data) {
        lastHeardNanos.computeIfPresent(node, (any, before) -> System.nanoTime());
        if (unreachable.remove(node)) {
            tasks.add(() -> clusterView.onReachable(name(node)));
        }
        if (!kind.equals(NodeHttpClient.KEEP_ALIVE)) {
            tasks.add(() -> clusterView.onNodeEvent(name(node), kind, data));
        }
    }

    @Override
    public void onLogLine(int node, String line) {
        lastLogLines.put(node, line);
        tasks.add(() -> {
            display.log(name(node), line);
            return List.of();
        });
    }

    @Override
    public void onExit(int node, int code) {
        lastHeardNanos.remove(node);
        unreachable.remove(node);
        tasks.add(() -> {
            var how = code > SIGNAL_EXIT_BASE
                    ? "killed by signal " + (code - SIGNAL_EXIT_BASE)
                    : "exit code " + code + ": " + lastLogLines.getOrDefault(node, "no log");
            var events = left.contains(node) ? clusterView.onLeft(name(node)) : clusterView.onExited(name(node), how);
            if (restartKilled && code > SIGNAL_EXIT_BASE) {
                processCluster.start(node, this);
            } else {
                running--;
            }
            return events;
        });
    }

    @Override
    public void close() {
        processCluster.close();
    }
}
