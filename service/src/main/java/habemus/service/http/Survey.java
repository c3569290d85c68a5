package habemus.service.http;

import habemus.protocol.NodeId;
import habemus.service.http.Answers.HolderOf;
import habemus.service.http.Answers.LeaderChange;
import habemus.service.http.Answers.LeaderOf;
import habemus.service.http.Answers.LockChange;
import habemus.service.http.Answers.LockOf;
import habemus.service.http.Answers.NodeOf;
import habemus.service.http.Answers.WaiterOf;
import habemus.service.net.Member;
import habemus.service.net.Peer;
import habemus.service.node.Account;
import habemus.service.node.Node;
import habemus.service.node.Report;
import habemus.world.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What all nodes of a cluster said when they were asked at about the same time, put together. */
final class Survey {

    /** The election that a node holds from its start. */
    static final String LEADER = "leader";

    private static final long PATIENCE = 1_000; // milliseconds

    private final Node node;
    private final Map<NodeId, Report> reports;
    private final List<Peer> present;

    private Survey(Node node, Map<NodeId, Report> reports) {
        this.node = node;
        this.reports = reports;
        present = node.present();
    }

    static Survey of(Node node) {
        return new Survey(node, node.inquire(PATIENCE).join());
    }

    /** Who is there but did not answer. */
    List<String> silent() {
        return present.stream()
                .map(Peer::node)
                .filter(peer -> !reports.containsKey(peer))
                .map(NodeId::toString)
                .toList();
    }

    List<NodeOf> nodes() {
        return node.config().members().stream().map(this::describe).toList();
    }

    private NodeOf describe(Member member) {
        var report = Optional.ofNullable(reports.get(member.node()));
        var life = member.node().equals(node.self().node())
                ? Optional.of(node.self())
                : present.stream()
                        .filter(peer -> peer.node().equals(member.node()))
                        .findFirst();
        var leader = report.flatMap(told -> told.accounts().stream()
                .filter(one -> one.group().problem() == Problem.ELECTION)
                .filter(one -> one.group().name().equals(LEADER) && one.leader() > 0)
                .findFirst());
        return new NodeOf(
                member.node().toString(),
                member.address().getHostString() + ":" + member.address().getPort(),
                life.isEmpty() ? "down" : report.isEmpty() ? "silent" : "up",
                leader.map(one -> name(one.leader())).orElse(null),
                leader.map(Account::term).orElse(null),
                life.map(Peer::incarnation).orElse(null),
                report.map(Report::pid).orElse(null),
                report.map(Report::http).filter(http -> !http.isEmpty()).orElse(null));
    }

    private static String name(int number) {
        return new NodeId(number).toString();
    }

    List<LockOf> locks() {
        return byName(Problem.MUTEX).values().stream().map(Survey::lock).toList();
    }

    private static LockOf lock(Map<NodeId, Account> places) {
        var holders = new ArrayList<HolderOf>();
        places.forEach((at, account) -> account.holder()
                .forEach(client -> holders.add(
                        new HolderOf(client.name(), at.toString(), account.fence(), Answers.time(client.since())))));
        holders.sort(Comparator.comparingLong(HolderOf::fence).reversed());
        var waiters = places.entrySet().stream()
                .flatMap(place -> waiters(place.getKey(), place.getValue()).stream())
                .sorted(Comparator.comparing(WaiterOf::since))
                .toList();
        var name = places.values().iterator().next().group().name();
        if (holders.isEmpty()) {
            return new LockOf(name, null, null, null, null, List.of(), waiters);
        }
        var first = holders.removeFirst();
        return new LockOf(name, first.holder(), first.node(), first.fence(), first.since(), holders, waiters);
    }

    private static List<WaiterOf> waiters(NodeId at, Account account) {
        return account.waiting().stream()
                .map(client -> WaiterOf.of(at.toString(), client))
                .toList();
    }

    List<LeaderOf> leaders() {
        return byName(Problem.ELECTION).values().stream().map(Survey::leader).toList();
    }

    /** Of several that are named the one in the highest term counts. */
    private static LeaderOf leader(Map<NodeId, Account> places) {
        var latest = places.values().stream()
                .filter(account -> account.leader() > 0)
                .max(Comparator.comparingLong(Account::term));
        var named = places.entrySet().stream()
                .filter(place ->
                        latest.filter(one -> names(place.getValue(), one)).isPresent())
                .map(place -> place.getKey().toString())
                .toList();
        var acting = places.values().stream()
                .flatMap(account -> account.holder().stream())
                .map(Account.Client::name)
                .findFirst();
        var waiters = places.entrySet().stream()
                .flatMap(place -> waiters(place.getKey(), place.getValue()).stream())
                .toList();
        return new LeaderOf(
                places.values().iterator().next().group().name(),
                latest.map(one -> name(one.leader())).orElse(null),
                latest.map(Account::term).orElse(null),
                named,
                acting.orElse(null),
                waiters);
    }

    private static boolean names(Account account, Account other) {
        return account.leader() == other.leader() && account.term() == other.term();
    }

    private Map<String, Map<NodeId, Account>> byName(Problem problem) {
        var found = new TreeMap<String, Map<NodeId, Account>>();
        reports.forEach((at, report) -> report.accounts().stream()
                .filter(account -> account.group().problem() == problem)
                .forEach(account -> found.computeIfAbsent(account.group().name(), name -> new TreeMap<>())
                        .put(at, account)));
        return found;
    }

    /** One account, as an event of a watch. */
    static Object change(NodeId at, Account account) {
        var client = account.holder().stream().findFirst();
        var holder = client.map(Account.Client::name).orElse(null);
        if (account.group().problem() == Problem.MUTEX) {
            return new LockChange(
                    account.group().name(),
                    at.toString(),
                    holder,
                    client.map(one -> account.fence()).orElse(null),
                    client.map(one -> Answers.time(one.since())).orElse(null),
                    waiters(at, account));
        }
        boolean led = account.leader() > 0;
        return new LeaderChange(
                account.group().name(),
                at.toString(),
                led ? name(account.leader()) : null,
                led ? (Long) account.term() : null,
                holder,
                waiters(at, account));
    }
}
