package habemus.service.http;

import habemus.protocol.NodeId;
import habemus.service.algorithm.AlgorithmNode;
import habemus.service.algorithm.GroupStatus;
import habemus.service.algorithm.NodeReport;
import habemus.service.http.ApiResponses.HolderJson;
import habemus.service.http.ApiResponses.LeaderChange;
import habemus.service.http.ApiResponses.LeaderJson;
import habemus.service.http.ApiResponses.LockChange;
import habemus.service.http.ApiResponses.LockJson;
import habemus.service.http.ApiResponses.NodeJson;
import habemus.service.http.ApiResponses.WaiterJson;
import habemus.service.transport.Member;
import habemus.service.transport.PeerIncarnation;
import habemus.world.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The status of a cluster of algorithm nodes: the reports of all nodes to one query, merged. */
final class ClusterStatus {

    /** The election that a node starts by itself. */
    static final String LEADER = "leader";

    private static final long QUERY_TIMEOUT_MILLIS = 1_000;

    private final AlgorithmNode node;
    private final Map<NodeId, NodeReport> reports;
    private final List<PeerIncarnation> present;

    private ClusterStatus(AlgorithmNode node, Map<NodeId, NodeReport> reports) {
        this.node = node;
        this.reports = reports;
        present = node.presentPeers();
    }

    static ClusterStatus of(AlgorithmNode node) {
        return new ClusterStatus(node, node.queryAll(QUERY_TIMEOUT_MILLIS).join());
    }

    /** The connected nodes that did not respond in time. */
    List<String> unreachable() {
        return present.stream()
                .map(PeerIncarnation::node)
                .filter(peer -> !reports.containsKey(peer))
                .map(NodeId::toString)
                .toList();
    }

    List<NodeJson> nodes() {
        return node.members().stream().map(this::describe).toList();
    }

    private NodeJson describe(Member member) {
        var report = Optional.ofNullable(reports.get(member.node()));
        var incarnation = member.node().equals(node.self().node())
                ? Optional.of(node.self())
                : present.stream()
                        .filter(peer -> peer.node().equals(member.node()))
                        .findFirst();
        var leader = report.flatMap(any -> any.groups().stream()
                .filter(status -> status.group().problem() == Problem.ELECTION)
                .filter(status -> status.group().name().equals(LEADER) && status.leader() > 0)
                .findFirst());
        return new NodeJson(
                member.node().toString(),
                member.addressText(),
                incarnation.isEmpty() ? "down" : report.isEmpty() ? "unreachable" : "up",
                leader.map(status -> name(status.leader())).orElse(null),
                leader.map(GroupStatus::term).orElse(null),
                incarnation.map(PeerIncarnation::incarnation).orElse(null),
                report.map(NodeReport::pid).orElse(null),
                report.map(NodeReport::httpAddress)
                        .filter(http -> !http.isEmpty())
                        .orElse(null));
    }

    private static String name(int number) {
        return new NodeId(number).toString();
    }

    List<LockJson> locks() {
        return byName(Problem.MUTEX).values().stream().map(ClusterStatus::lock).toList();
    }

    private static LockJson lock(Map<NodeId, GroupStatus> statusByNode) {
        var holders = new ArrayList<HolderJson>();
        statusByNode.forEach((at, status) -> status.holder()
                .forEach(client -> holders.add(new HolderJson(
                        client.name(), at.toString(), status.fence(), ApiResponses.time(client.sinceMillis())))));
        holders.sort(Comparator.comparingLong(HolderJson::fence).reversed());
        var waiters = statusByNode.entrySet().stream()
                .flatMap(entry -> waiters(entry.getKey(), entry.getValue()).stream())
                .sorted(Comparator.comparing(WaiterJson::since))
                .toList();
        var name = statusByNode.values().iterator().next().group().name();
        if (holders.isEmpty()) {
            return new LockJson(name, null, null, null, null, List.of(), waiters);
        }
        var first = holders.removeFirst();
        return new LockJson(name, first.holder(), first.node(), first.fence(), first.since(), holders, waiters);
    }

    private static List<WaiterJson> waiters(NodeId at, GroupStatus status) {
        return status.waiting().stream()
                .map(client -> WaiterJson.of(at.toString(), client))
                .toList();
    }

    List<LeaderJson> leaders() {
        return byName(Problem.ELECTION).values().stream()
                .map(ClusterStatus::leader)
                .toList();
    }

    /** If nodes announce different leaders, the one with the highest term is shown. */
    private static LeaderJson leader(Map<NodeId, GroupStatus> statusByNode) {
        var latest = statusByNode.values().stream()
                .filter(status -> status.leader() > 0)
                .max(Comparator.comparingLong(GroupStatus::term));
        var announcedBy = statusByNode.entrySet().stream()
                .filter(entry -> latest.filter(other -> agreesOnLeader(entry.getValue(), other))
                        .isPresent())
                .map(entry -> entry.getKey().toString())
                .toList();
        var leadingClient = statusByNode.values().stream()
                .flatMap(status -> status.holder().stream())
                .map(GroupStatus.Client::name)
                .findFirst();
        var waiters = statusByNode.entrySet().stream()
                .flatMap(entry -> waiters(entry.getKey(), entry.getValue()).stream())
                .toList();
        return new LeaderJson(
                statusByNode.values().iterator().next().group().name(),
                latest.map(status -> name(status.leader())).orElse(null),
                latest.map(GroupStatus::term).orElse(null),
                announcedBy,
                leadingClient.orElse(null),
                waiters);
    }

    private static boolean agreesOnLeader(GroupStatus status, GroupStatus other) {
        return status.leader() == other.leader() && status.term() == other.term();
    }

    private Map<String, Map<NodeId, GroupStatus>> byName(Problem problem) {
        var found = new TreeMap<String, Map<NodeId, GroupStatus>>();
        reports.forEach((at, report) -> report.groups().stream()
                .filter(status -> status.group().problem() == problem)
                .forEach(status -> found.computeIfAbsent(status.group().name(), name -> new TreeMap<>())
                        .put(at, status)));
        return found;
    }

    /** The status of a group at one node, as the data of a watch event. */
    static Object change(NodeId at, GroupStatus status) {
        var client = status.holder().stream().findFirst();
        var holder = client.map(GroupStatus.Client::name).orElse(null);
        if (status.group().problem() == Problem.MUTEX) {
            return new LockChange(
                    status.group().name(),
                    at.toString(),
                    holder,
                    client.map(any -> status.fence()).orElse(null),
                    client.map(GroupStatus.Client::sinceMillis)
                            .map(ApiResponses::time)
                            .orElse(null),
                    waiters(at, status));
        }
        boolean hasLeader = status.leader() > 0;
        return new LeaderChange(
                status.group().name(),
                at.toString(),
                hasLeader ? name(status.leader()) : null,
                hasLeader ? (Long) status.term() : null,
                holder,
                waiters(at, status));
    }
}
