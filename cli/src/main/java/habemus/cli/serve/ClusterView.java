package habemus.cli.serve;

import com.google.gson.JsonObject;
import habemus.cli.admin.NodeQuery;
import habemus.cli.terminal.AnsiColors;
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

/** How a cluster is, put together from what each of its nodes tells of itself. Used by one thread. */
final class ClusterView {

    /** Something that somebody who looks wants to know. */
    record ClusterEvent(String event, String text, JsonObject json) {}

    /** One node: its process, and what it says of its groups. */
    private static final class NodeView {

        private final String address;
        private final String http;
        private String state = "starting";
        private long pid;
        private final Map<String, JsonObject> locks = new TreeMap<>();
        private final Map<String, JsonObject> elections = new TreeMap<>();
        private Optional<String> logLeader = Optional.empty(); // whom it names as leader of the log, if there is one

        NodeView(String address, String http) {
            this.address = address;
            this.http = http;
        }
    }

    /** Who leads, as those say who are up. */
    private record Leadership(String leader, long term, List<String> announcedBy) {
        boolean isSameTerm(@Nullable Leadership other) {
            return other != null && leader.equals(other.leader) && term == other.term;
        }
    }

    private static final String LOG_KEY = "\0log"; // no election is called so

    private final Map<String, NodeView> nodeViews = new TreeMap<>(Comparator.comparingInt(ClusterView::number));
    private final Map<String, Leadership> leaderships = new TreeMap<>(); // as told last
    private final Map<String, Long> leaderDownSince = new TreeMap<>(); // elections, and when their leader went down
    private final Map<String, String> lockTexts = new TreeMap<>();
    private boolean production; // the production service, where every node tells of all of it
    private String logLeader = "";

    private static int number(String node) {
        return Integer.parseInt(node.substring(1));
    }

    void add(String node, String address, String http) {
        nodeViews.put(node, new NodeView(address, http));
    }

    private NodeView view(String node) {
        return Objects.requireNonNull(nodeViews.get(node));
    }

    List<ClusterEvent> onStarted(String node, long pid) {
        var nodeView = view(node);
        nodeView.state = "starting";
        nodeView.pid = pid;
        return List.of(nodeEvent(node, "pid " + pid));
    }

    List<ClusterEvent> onReady(String node) {
        view(node).state = "up";
        return List.of(nodeEvent(node, "address " + view(node).address + ", HTTP " + view(node).http));
    }

    /** It is there, but says nothing: it was stopped, or the machine is very busy. */
    ClusterEvent onUnresponsive(String node) {
        view(node).state = "silent";
        return nodeEvent(node, "it says nothing any more");
    }

    /** Again. */
    List<ClusterEvent> onResponsive(String node) {
        if (!view(node).state.equals("silent")) {
            return List.of();
        }
        view(node).state = "up";
        return List.of(nodeEvent(node, "it is heard again"));
    }

    List<ClusterEvent> onExited(String node, String how) {
        var nodeView = view(node);
        nodeView.state = "down";
        leaderships.forEach((election, leadership) -> {
            if (leadership.leader.equals(node)) {
                leaderDownSince.put(election, System.nanoTime());
            }
        });
        if (logLeader.equals(node)) {
            leaderDownSince.put(LOG_KEY, System.nanoTime());
        }
        nodeView.locks.clear();
        nodeView.elections.clear();
        nodeView.logLeader = Optional.empty();
        var all = new ArrayList<>(List.of(nodeEvent(node, how)));
        all.addAll(changes());
        return all;
    }

    private ClusterEvent nodeEvent(String node, String how) {
        var json = new JsonObject();
        json.addProperty("name", node);
        json.addProperty("state", view(node).state);
        json.addProperty("pid", view(node).pid);
        json.addProperty("how", how);
        return new ClusterEvent("node", node + " is " + view(node).state + " (" + how + ")", json);
    }

    /** Something that the node tells of itself. */
    List<ClusterEvent> onNodeEvent(String node, String kind, JsonObject data) {
        var nodeView = view(node);
        if (nodeView.state.equals("down")) {
            return List.of();
        }
        switch (kind) {
            case "lock" -> nodeView.locks.put(data.get("name").getAsString(), data);
            case "leader" -> nodeView.elections.put(data.get("name").getAsString(), data);
            case "log" -> {
                production = true;
                nodeView.logLeader =
                        Optional.of(NodeQuery.textOrDash(data, "leader")).filter(leader -> !leader.equals("-"));
            }
            default -> {} // who is up is known here
        }
        return changes();
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
        return all;
    }

    /** Who leads the log beneath the production service, as somebody says who leads itself or is up. */
    private List<ClusterEvent> logLeaderChange() {
        var now = sources().values().stream()
                .flatMap(nodeView -> nodeView.logLeader.stream())
                .filter(leader -> !view(leader).state.equals("down"))
                .findFirst();
        if (!production || now.isEmpty() || now.get().equals(logLeader)) {
            return List.of();
        }
        var before = logLeader;
        logLeader = now.get();
        var json = new JsonObject();
        json.addProperty("leader", logLeader);
        return List.of(new ClusterEvent("log", logLeader + " leads the log" + outage(LOG_KEY, before, json), json));
    }

    /** How long it was missed. */
    private String outage(String missing, String before, JsonObject json) {
        var since = leaderDownSince.remove(missing);
        if (since == null || before.isEmpty()) {
            return "";
        }
        double seconds = (System.nanoTime() - since) / 1e9;
        json.addProperty("secondsAfterDown", Math.round(seconds * 1_000) / 1e3);
        return ", %.2f s after %s went down".formatted(seconds, before);
    }

    /** Of the production service one node tells of all of it: who leads, or else the first that is up. */
    private Map<String, NodeView> sources() {
        if (!production) {
            return nodeViews;
        }
        return nodeViews.entrySet().stream()
                .filter(each -> each.getValue().state.equals("up"))
                .min(Comparator.comparing(each -> !each.getValue().logLeader.equals(Optional.of(each.getKey()))))
                .map(each -> Map.of(each.getKey(), each.getValue()))
                .orElse(Map.of());
    }

    private List<String> names(boolean elections) {
        return sources().values().stream()
                .flatMap(nodeView -> (elections ? nodeView.elections : nodeView.locks).keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }

    /** Of several the one with the highest term; who is down leads nothing. */
    private Optional<Leadership> leadership(String election) {
        return sources().values().stream()
                .map(nodeView -> nodeView.elections.get(election))
                .filter(Objects::nonNull)
                .filter(told -> !told.get("leader").isJsonNull())
                .filter(told -> production
                        || !view(told.get("leader").getAsString()).state.equals("down"))
                .max(Comparator.comparingLong(told -> told.get("term").getAsLong()))
                .map(told -> new Leadership(
                        told.get("leader").getAsString(),
                        told.get("term").getAsLong(),
                        announcers(election, told.get("leader").getAsString())));
    }

    private List<String> announcers(String election, String leader) {
        var named = new ArrayList<String>();
        sources().forEach((node, nodeView) -> {
            var told = nodeView.elections.get(election);
            if (told != null && NodeQuery.textOrDash(told, "leader").equals(leader)) {
                named.add(node);
            }
        });
        return named;
    }

    private ClusterEvent leaderChanged(String election, Leadership now, @Nullable Leadership before) {
        var json = new JsonObject();
        json.addProperty("name", election);
        json.addProperty("leader", now.leader);
        json.addProperty("term", now.term);
        var text = "election " + election + ": " + now.leader + " leads, term " + now.term;
        return new ClusterEvent("leader", text + outage(election, before == null ? "" : before.leader, json), json);
    }

    private ClusterEvent lockChanged(String lock, String now) {
        var json = new JsonObject();
        json.addProperty("name", lock);
        json.addProperty("words", now);
        return new ClusterEvent("lock", "lock " + lock + ": " + now, json);
    }

    /** Who holds it, be it several, and who waits. */
    private String describeLock(String lock) {
        var holders = new ArrayList<String>();
        var waiters = new ArrayList<String>();
        sources()
                .forEach((node, nodeView) -> Optional.ofNullable(nodeView.locks.get(lock))
                        .ifPresent(told -> {
                            if (!told.get("holder").isJsonNull()) {
                                holders.add(NodeQuery.textOrDash(told, "holder") + at(node) + ", fence "
                                        + NodeQuery.textOrDash(told, "fence"));
                            }
                            told.getAsJsonArray("waiters")
                                    .forEach(one -> waiters.add(
                                            NodeQuery.textOrDash(one.getAsJsonObject(), "client") + at(node)));
                        }));
        var words = holders.isEmpty() ? "nobody holds it" : "held by " + String.join(" AND BY ", holders);
        return waiters.isEmpty() ? words : words + "; waiting: " + String.join(", ", waiters);
    }

    private String at(String node) {
        return production ? "" : " at " + node;
    }

    /** All of it, for a terminal. */
    String render(AnsiColors ansiColors) {
        var textTable = new TextTable(
                "node", "state", "pid", "address", "HTTP", production ? "leader of the log" : "names as leader");
        nodeViews.forEach((node, nodeView) -> textTable.row(
                node,
                nodeView.state,
                nodeView.state.equals("down") ? "-" : nodeView.pid,
                nodeView.address,
                nodeView.http,
                production ? nodeView.logLeader.orElse("-") : announcedLeaders(nodeView)));
        var text = new StringBuilder();
        textTable
                .text()
                .lines()
                .forEach(line -> text.append(
                                line.contains(" down ")
                                        ? ansiColors.red(line)
                                        : line.contains(" silent ") ? ansiColors.faint(line) : line)
                        .append('\n'));
        text.append('\n');
        names(true)
                .forEach(election -> text.append("election ")
                        .append(election)
                        .append(": ")
                        .append(leadership(election)
                                .map(leadership -> ansiColors.bold(
                                                leadership.leader + " leads, term " + leadership.term)
                                        + (production ? "" : ", say " + String.join(" ", leadership.announcedBy)))
                                .orElse("nobody leads"))
                        .append('\n'));
        names(false)
                .forEach(lock -> text.append("lock ")
                        .append(lock)
                        .append(": ")
                        .append(describeLock(lock))
                        .append('\n'));
        return text.toString();
    }

    private static String announcedLeaders(NodeView nodeView) {
        var all = nodeView.elections.entrySet().stream()
                .filter(each -> !each.getValue().get("leader").isJsonNull())
                .map(each -> (each.getKey().equals(ServeOptions.DEFAULT_ELECTION) ? "" : each.getKey() + ": ")
                        + NodeQuery.textOrDash(each.getValue(), "leader") + ", term "
                        + NodeQuery.textOrDash(each.getValue(), "term"))
                .collect(Collectors.joining("; "));
        return all.isEmpty() ? "-" : all;
    }
}
