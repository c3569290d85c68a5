package habemus.cli.serve;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.admin.NodeQuery;
import habemus.lab.table.AnsiColors;
import habemus.lab.table.TextTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The state of a cluster, assembled from the events of its nodes. Not thread-safe. */
final class ClusterView {

    /**
     * Something that changed.
     *
     * @param kind {@code node}, {@code ready}, {@code log-leader}, {@code leader} (of an election), {@code lock}
     */
    record ClusterEvent(String kind, String text, JsonObject json) {}

    private static final String STARTING = "starting";
    private static final String UP = "up";
    private static final String UNREACHABLE = "unreachable";
    private static final String DOWN = "down";
    private static final String LEFT = "left";

    /** The process of a node, and what the node reports. */
    private static final class NodeView {

        private final String address;
        private final String http;
        private String state = STARTING;
        private long pid;
        private final Map<String, JsonObject> locks = new TreeMap<>();
        private final Map<String, JsonObject> elections = new TreeMap<>();
        private Optional<String> logLeader = Optional.empty(); // production service only

        NodeView(String address, String http) {
            this.address = address;
            this.http = http;
        }
    }

    private record Leadership(String leader, long term, List<String> announcedBy) {
        boolean isSameTerm(@Nullable Leadership other) {
            return other != null && leader.equals(other.leader) && term == other.term;
        }
    }

    private static final String LOG_KEY = "\0log"; // not a valid name of an election

    private final Map<String, NodeView> nodeViews = new TreeMap<>(Comparator.comparingInt(ClusterView::number));
    private final Map<String, Leadership> leaderships = new TreeMap<>(); // by election, as last reported
    private final Map<String, Long> leaderDownSince = new TreeMap<>(); // by election, in nanoseconds
    private final Map<String, String> lockTexts = new TreeMap<>(); // by lock, as last reported
    private boolean production; // every node reports the state of the whole service
    private boolean wasReady;
    private String logLeader = "";

    private static int number(String node) {
        return Integer.parseInt(node.substring(1));
    }

    void add(String node, String address, String http) {
        nodeViews.put(node, new NodeView(address, http));
    }

    /** Whether the process has ended. A node that another command has started is not known. */
    private boolean hasEnded(String node) {
        var nodeView = nodeViews.get(node);
        return nodeView != null && (nodeView.state.equals(DOWN) || nodeView.state.equals(LEFT));
    }

    private NodeView view(String node) {
        return Objects.requireNonNull(nodeViews.get(node));
    }

    List<ClusterEvent> onStarted(String node, long pid) {
        var nodeView = view(node);
        nodeView.state = STARTING;
        nodeView.pid = pid;
        return List.of(nodeEvent(node, "pid " + pid));
    }

    List<ClusterEvent> onReady(String node) {
        view(node).state = UP;
        return withChanges(nodeEvent(node, "HTTP " + view(node).http + ", pid " + view(node).pid));
    }

    /** The process runs, but does not respond: it is paused, or the machine is overloaded. */
    ClusterEvent onUnreachable(String node) {
        view(node).state = UNREACHABLE;
        return nodeEvent(node, "paused, or the machine is overloaded");
    }

    List<ClusterEvent> onReachable(String node) {
        if (!view(node).state.equals(UNREACHABLE)) {
            return List.of();
        }
        view(node).state = UP;
        return List.of(nodeEvent(node, "responds again"));
    }

    /** @param reason why the process has ended */
    List<ClusterEvent> onExited(String node, String reason) {
        return onEnded(node, DOWN, reason);
    }

    /** The node has left, and its process has ended. */
    List<ClusterEvent> onLeft(String node) {
        return onEnded(node, LEFT, "no member any more");
    }

    /** The node does not leave. */
    ClusterEvent onLeaveRefused(String node, String reason) {
        return nodeEvent(node, "does not leave: " + reason);
    }

    private List<ClusterEvent> onEnded(String node, String state, String reason) {
        var nodeView = view(node);
        nodeView.state = state;
        leaderships.forEach((election, leadership) -> {
            if (leadership.leader.equals(node)) {
                leaderDownSince.put(election, System.nanoTime());
            }
        });
        boolean wasLeader = logLeader.equals(node);
        if (wasLeader) {
            leaderDownSince.put(LOG_KEY, System.nanoTime());
        }
        nodeView.locks.clear();
        nodeView.elections.clear();
        nodeView.logLeader = Optional.empty();
        var note =
                (wasLeader ? "; it was the leader" : "") + (hasMajority() ? "" : "; no majority is up: requests wait");
        return withChanges(nodeEvent(node, reason + note));
    }

    private boolean hasMajority() {
        long up = nodeViews.values().stream()
                .filter(nodeView -> nodeView.state.equals(UP))
                .count();
        return !production || 2 * up > nodeViews.size();
    }

    private ClusterEvent nodeEvent(String node, String details) {
        var json = new JsonObject();
        json.addProperty("name", node);
        json.addProperty("state", view(node).state);
        json.addProperty("pid", view(node).pid);
        json.addProperty("details", details);
        return new ClusterEvent("node", node + " is " + view(node).state + " (" + details + ")", json);
    }

    /** An event of the watch stream of a node. */
    List<ClusterEvent> onNodeEvent(String node, String kind, JsonObject data) {
        var nodeView = view(node);
        if (hasEnded(node)) {
            return List.of();
        }
        switch (kind) {
            case "lock" -> nodeView.locks.put(data.get("name").getAsString(), data);
            case "leader" -> nodeView.elections.put(data.get("name").getAsString(), data);
            case "log-leader" -> {
                production = true;
                nodeView.logLeader =
                        Optional.of(NodeQuery.textOrDash(data, "leader")).filter(leader -> !leader.equals("-"));
            }
            default -> {} // the states of the nodes are known from their processes
        }
        return changes();
    }

    private List<ClusterEvent> withChanges(ClusterEvent event) {
        var all = new ArrayList<>(List.of(event));
        all.addAll(changes());
        return all;
    }

    private List<ClusterEvent> changes() {
        var all = new ArrayList<ClusterEvent>(logLeaderChange());
        for (String election : names(true)) {
            var before = leaderships.get(election);
            leadership(election).filter(now -> !now.isSameTerm(before)).ifPresent(now -> {
                leaderships.put(election, now);
                all.add(leaderChanged(election, now, before));
            });
        }
        for (String lock : names(false)) {
            var now = describeLock(lock);
            if (!now.equals(lockTexts.put(lock, now))) {
                all.add(lockChanged(lock, now));
            }
        }
        all.addAll(firstReady());
        return all;
    }

    /** The leader of the production service, as the leader itself reports it, or else the first node that is up. */
    private List<ClusterEvent> logLeaderChange() {
        var now = sources().values().stream()
                .flatMap(nodeView -> nodeView.logLeader.stream())
                .filter(leader -> !hasEnded(leader))
                .findFirst();
        if (!production || now.isEmpty() || now.get().equals(logLeader)) {
            return List.of();
        }
        var before = logLeader;
        logLeader = now.get();
        var json = new JsonObject();
        json.addProperty("leader", logLeader);
        var text = before.isEmpty()
                ? "leader elected: " + logLeader
                : "leader changed: " + logLeader + " leads" + outage(LOG_KEY, before, json) + "; "
                        + describeHeldLocks();
        return List.of(new ClusterEvent("log-leader", text, json));
    }

    private String describeHeldLocks() {
        var held = names(false).stream()
                .filter(lock -> !holders(lock).isEmpty())
                .map(lock -> lock + " by " + String.join(" AND BY ", holders(lock)))
                .collect(Collectors.joining("; "));
        return held.isEmpty() ? "no locks are held" : "locks still held: " + held;
    }

    /** The time without a leader; empty if the old leader did not go down. */
    private String outage(String election, String before, JsonObject json) {
        var since = leaderDownSince.remove(election);
        if (since == null || before.isEmpty()) {
            return "";
        }
        double seconds = (System.nanoTime() - since) / 1e9;
        json.addProperty("secondsAfterDown", Math.round(seconds * 1_000) / 1e3);
        return ", %.2f s after %s went down".formatted(seconds, before);
    }

    /** Once: when all nodes are up and a leader is elected. */
    private List<ClusterEvent> firstReady() {
        boolean allUp = nodeViews.values().stream().allMatch(nodeView -> nodeView.state.equals(UP));
        if (wasReady || !allUp || leader().isEmpty()) {
            return List.of();
        }
        wasReady = true;
        var json = new JsonObject();
        json.addProperty("leader", leader());
        var addresses = new JsonArray();
        nodeViews.values().forEach(nodeView -> addresses.add(nodeView.http));
        json.add("http", addresses);
        var count = nodeViews.size() == 1 ? "1 node is" : "all " + nodeViews.size() + " nodes are";
        var text = "ready: " + count + " up, " + leader() + " is the leader\n\n" + nodeTable() + "\n" + nextSteps();
        return List.of(new ClusterEvent("ready", text, json));
    }

    /** The leader of the production service, or of the first election of classic algorithms; empty if unknown. */
    private String leader() {
        return production || leaderships.isEmpty()
                ? logLeader
                : leaderships.values().iterator().next().leader;
    }

    /** Commands to try next. */
    private String nextSteps() {
        var addresses =
                nodeViews.values().stream().map(nodeView -> nodeView.http).collect(Collectors.joining(","));
        var text = new StringBuilder("Next, in another terminal:\n");
        text.append("  export HABEMUS_AT=").append(addresses).append('\n');
        text.append("  ./habemus lock orders -- sleep 60   # runs a command while it holds the lock orders\n");
        text.append("  ./habemus locks                     # lists the holders and waiters\n");
        if (nodeViews.size() > 2 && !leader().isEmpty()) {
            text.append("  %-36s# kills the leader %s: watch what happens here%n"
                    .formatted("kill -9 " + view(leader()).pid, leader()));
        }
        return text.toString();
    }

    /** In the production service one node reports everything: the leader, or else the first node that is up. */
    private Map<String, NodeView> sources() {
        if (!production) {
            return nodeViews;
        }
        return nodeViews.entrySet().stream()
                .filter(entry -> entry.getValue().state.equals(UP))
                .min(Comparator.comparing(entry -> !entry.getValue().logLeader.equals(Optional.of(entry.getKey()))))
                .map(entry -> Map.of(entry.getKey(), entry.getValue()))
                .orElse(Map.of());
    }

    private List<String> names(boolean elections) {
        return sources().values().stream()
                .flatMap(nodeView -> (elections ? nodeView.elections : nodeView.locks).keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }

    /** The reported leader with the highest term. A node of a classic algorithm that is down leads nothing. */
    private Optional<Leadership> leadership(String election) {
        return sources().values().stream()
                .map(nodeView -> nodeView.elections.get(election))
                .filter(Objects::nonNull)
                .filter(report -> !report.get("leader").isJsonNull())
                .filter(report -> production || !hasEnded(report.get("leader").getAsString()))
                .max(Comparator.comparingLong(report -> report.get("term").getAsLong()))
                .map(report -> new Leadership(
                        report.get("leader").getAsString(),
                        report.get("term").getAsLong(),
                        announcers(election, report.get("leader").getAsString())));
    }

    private List<String> announcers(String election, String leader) {
        var announcers = new ArrayList<String>();
        sources().forEach((node, nodeView) -> {
            var report = nodeView.elections.get(election);
            if (report != null && NodeQuery.textOrDash(report, "leader").equals(leader)) {
                announcers.add(node);
            }
        });
        return announcers;
    }

    private ClusterEvent leaderChanged(String election, Leadership now, @Nullable Leadership before) {
        var json = new JsonObject();
        json.addProperty("name", election);
        json.addProperty("leader", now.leader);
        json.addProperty("term", now.term);
        var text = "election " + election + ": " + now.leader + " leads, term " + now.term;
        return new ClusterEvent("leader", text + outage(election, before == null ? "" : before.leader, json), json);
    }

    private static ClusterEvent lockChanged(String lock, String text) {
        var json = new JsonObject();
        json.addProperty("name", lock);
        json.addProperty("text", text);
        return new ClusterEvent("lock", "lock " + lock + ": " + text, json);
    }

    /** More than one holder is a violation of mutual exclusion, or a shared lock. */
    private List<String> holders(String lock) {
        var holders = new ArrayList<String>();
        sources().forEach((node, nodeView) -> {
            var report = nodeView.locks.get(lock);
            if (report != null && !report.get("holder").isJsonNull()) {
                holders.add(NodeQuery.textOrDash(report, "holder") + at(node) + " (fence "
                        + NodeQuery.textOrDash(report, "fence") + ")");
            }
        });
        return holders;
    }

    private String describeLock(String lock) {
        var waiters = new ArrayList<String>();
        sources().forEach((node, nodeView) -> {
            var report = nodeView.locks.get(lock);
            if (report != null) {
                report.getAsJsonArray("waiters")
                        .forEach(waiter ->
                                waiters.add(NodeQuery.textOrDash(waiter.getAsJsonObject(), "client") + at(node)));
            }
        });
        var holders = holders(lock);
        var text = holders.isEmpty() ? "not held" : "held by " + String.join(" AND BY ", holders);
        return waiters.isEmpty() ? text : text + "; waiting: " + String.join(", ", waiters);
    }

    private String at(String node) {
        return production ? "" : " at " + node;
    }

    private String nodeTable() {
        var table = new TextTable("node", "state", "pid", "address", "HTTP", "leader");
        nodeViews.forEach((node, nodeView) -> table.row(
                node,
                nodeView.state,
                hasEnded(node) ? "-" : nodeView.pid,
                nodeView.address,
                nodeView.http,
                production ? nodeView.logLeader.orElse("-") : announcedLeaders(nodeView)));
        return table.text();
    }

    /** The dashboard of a terminal. */
    String render(AnsiColors colors) {
        var text = new StringBuilder();
        nodeTable()
                .lines()
                .forEach(line -> text.append(
                                line.contains(" down ")
                                        ? colors.red(line)
                                        : line.contains(" unreachable ") ? colors.faint(line) : line)
                        .append('\n'));
        text.append('\n');
        names(true)
                .forEach(election -> text.append("election ")
                        .append(election)
                        .append(": ")
                        .append(leadership(election)
                                .map(leadership -> describe(leadership, colors))
                                .orElse("no leader"))
                        .append('\n'));
        names(false)
                .forEach(lock -> text.append("lock ")
                        .append(lock)
                        .append(": ")
                        .append(describeLock(lock))
                        .append('\n'));
        return text + (wasReady ? "\n" + nextSteps() : "");
    }

    private String describe(Leadership leadership, AnsiColors colors) {
        return colors.bold(leadership.leader + " leads, term " + leadership.term)
                + (production ? "" : ", announced by " + String.join(" ", leadership.announcedBy));
    }

    private static String announcedLeaders(NodeView nodeView) {
        var all = nodeView.elections.entrySet().stream()
                .filter(entry -> !entry.getValue().get("leader").isJsonNull())
                .map(entry -> (entry.getKey().equals(ServeOptions.DEFAULT_ELECTION) ? "" : entry.getKey() + ": ")
                        + NodeQuery.textOrDash(entry.getValue(), "leader") + ", term "
                        + NodeQuery.textOrDash(entry.getValue(), "term"))
                .collect(Collectors.joining("; "));
        return all.isEmpty() ? "-" : all;
    }
}
