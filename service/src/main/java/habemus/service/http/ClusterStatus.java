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

/** What all nodes of a cluster said when they were asked at about the same time, put together. */
final class ClusterStatus {

    /** The election that a node holds from its start. */
    static final String LEADER = "leader";

    private static final long QUERY_TIMEOUT_MILLIS = 1_000; // milliseconds

    private final AlgorithmNode algorithmNode;
    private final Map<NodeId, NodeReport> nodeReports;
    private final List<PeerIncarnation> present;

    private ClusterStatus(AlgorithmNode algorithmNode, Map<NodeId, NodeReport> nodeReports) {
        this.algorithmNode = algorithmNode;
        this.nodeReports = nodeReports;
        present = algorithmNode.presentPeers();
    }

    static ClusterStatus of(AlgorithmNode algorithmNode) {
        return new ClusterStatus(
                algorithmNode, algorithmNode.queryAll(QUERY_TIMEOUT_MILLIS).join());
    }

    /** Who is there but did not answer. */
    List<String> unreachable() {
        return present.stream()
                .map(PeerIncarnation::node)
                .filter(peer -> !nodeReports.containsKey(peer))
                .map(NodeId::toString)
                .toList();
    }

    List<NodeJson> nodes() {
        return algorithmNode.config().members().stream().map(this::describe).toList();
    }

    private NodeJson describe(Member member) {
        var nodeReport = Optional.ofNullable(nodeReports.get(member.node()));
        var life = member.node().equals(algorithmNode.self().node())
                ? Optional.of(algorithmNode.self())
                : present.stream()
                        .filter(peerIncarnation -> peerIncarnation.node().equals(member.node()))
                        .findFirst();
        var leader = nodeReport.flatMap(told -> told.groups().stream()
                .filter(one -> one.group().problem() == Problem.ELECTION)
                .filter(one -> one.group().name().equals(LEADER) && one.leader() > 0)
                .findFirst());
        return new NodeJson(
                member.node().toString(),
                member.address().getHostString() + ":" + member.address().getPort(),
                life.isEmpty() ? "down" : nodeReport.isEmpty() ? "silent" : "up",
                leader.map(one -> name(one.leader())).orElse(null),
                leader.map(GroupStatus::term).orElse(null),
                life.map(PeerIncarnation::incarnation).orElse(null),
                nodeReport.map(NodeReport::pid).orElse(null),
                nodeReport
                        .map(NodeReport::httpAddress)
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
        statusByNode.forEach((at, groupStatus) -> groupStatus
                .holder()
                .forEach(client -> holders.add(new HolderJson(
                        client.name(), at.toString(), groupStatus.fence(), ApiResponses.time(client.sinceMillis())))));
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

    private static List<WaiterJson> waiters(NodeId at, GroupStatus groupStatus) {
        return groupStatus.waiting().stream()
                .map(client -> WaiterJson.of(at.toString(), client))
                .toList();
    }

    List<LeaderJson> leaders() {
        return byName(Problem.ELECTION).values().stream()
                .map(ClusterStatus::leader)
                .toList();
    }

    /** Of several that are named the one in the highest term counts. */
    private static LeaderJson leader(Map<NodeId, GroupStatus> statusByNode) {
        var latest = statusByNode.values().stream()
                .filter(groupStatus -> groupStatus.leader() > 0)
                .max(Comparator.comparingLong(GroupStatus::term));
        var named = statusByNode.entrySet().stream()
                .filter(entry -> latest.filter(one -> agreesOnLeader(entry.getValue(), one))
                        .isPresent())
                .map(entry -> entry.getKey().toString())
                .toList();
        var acting = statusByNode.values().stream()
                .flatMap(groupStatus -> groupStatus.holder().stream())
                .map(GroupStatus.Client::name)
                .findFirst();
        var waiters = statusByNode.entrySet().stream()
                .flatMap(entry -> waiters(entry.getKey(), entry.getValue()).stream())
                .toList();
        return new LeaderJson(
                statusByNode.values().iterator().next().group().name(),
                latest.map(one -> name(one.leader())).orElse(null),
                latest.map(GroupStatus::term).orElse(null),
                named,
                acting.orElse(null),
                waiters);
    }

    private static boolean agreesOnLeader(GroupStatus groupStatus, GroupStatus other) {
        return groupStatus.leader() == other.leader() && groupStatus.term() == other.term();
    }

    private Map<String, Map<NodeId, GroupStatus>> byName(Problem problem) {
        var found = new TreeMap<String, Map<NodeId, GroupStatus>>();
        nodeReports.forEach((at, nodeReport) -> nodeReport.groups().stream()
                .filter(groupStatus -> groupStatus.group().problem() == problem)
                .forEach(
                        groupStatus -> found.computeIfAbsent(groupStatus.group().name(), name -> new TreeMap<>())
                                .put(at, groupStatus)));
        return found;
    }

    /** One account, as an event of a watch. */
    static Object change(NodeId at, GroupStatus groupStatus) {
        var client = groupStatus.holder().stream().findFirst();
        var holder = client.map(GroupStatus.Client::name).orElse(null);
        if (groupStatus.group().problem() == Problem.MUTEX) {
            return new LockChange(
                    groupStatus.group().name(),
                    at.toString(),
                    holder,
                    client.map(one -> groupStatus.fence()).orElse(null),
                    client.map(one -> ApiResponses.time(one.sinceMillis())).orElse(null),
                    waiters(at, groupStatus));
        }
        boolean led = groupStatus.leader() > 0;
        return new LeaderChange(
                groupStatus.group().name(),
                at.toString(),
                led ? name(groupStatus.leader()) : null,
                led ? (Long) groupStatus.term() : null,
                holder,
                waiters(at, groupStatus));
    }
}
