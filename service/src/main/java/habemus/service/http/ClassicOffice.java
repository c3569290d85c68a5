package habemus.service.http;

import habemus.protocol.NodeId;
import habemus.service.http.Answers.Frames;
import habemus.service.http.Answers.Health;
import habemus.service.http.Answers.LeaderOf;
import habemus.service.http.Answers.Leaders;
import habemus.service.http.Answers.LockOf;
import habemus.service.http.Answers.Locks;
import habemus.service.http.Answers.NodeChange;
import habemus.service.http.Answers.Status;
import habemus.service.http.Answers.TicketOf;
import habemus.service.net.Member;
import habemus.service.net.Peer;
import habemus.service.node.Account;
import habemus.service.node.GroupId;
import habemus.service.node.Node;
import habemus.service.node.Ticket;
import habemus.service.session.Access;
import habemus.world.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** A node with algorithms of the catalogue. Whoever reaches it may do everything. */
final class ClassicOffice implements Office {

    private final Node node;
    private final Leases leases;
    private final Access access = Access.open();
    private final Map<Watch, Node.Watcher> watchers = new ConcurrentHashMap<>();

    ClassicOffice(Node node) {
        this.node = node;
        leases = new Leases(node);
    }

    @Override
    public Access access() {
        return access;
    }

    @Override
    public void reachableAt(String http) {
        node.reachableAt(http);
    }

    @Override
    public List<String> wish() {
        return List.of("client", "wait", "lease", "ticket");
    }

    @Override
    public List<Route> more() {
        return List.of(Route.post("/leaders/{name}/campaign", List.of(), this::campaign));
    }

    @Override
    public Health health() {
        if (node.failure().isDone()) {
            throw new Trouble(503, "failed", "this node has stopped by itself", "its log says why");
        }
        return new Health(node.self().node().toString(), "up");
    }

    @Override
    public Status status(Call call) {
        var counts = node.counts();
        return new Status(
                node.self().node().toString(),
                node.config().locks().text(),
                node.config().elections().text(),
                new Frames(counts.framesSent(), counts.framesReceived(), counts.framesRefused()),
                Survey.of(node).nodes());
    }

    @Override
    public Locks locks(Call call) {
        var survey = Survey.of(node);
        return new Locks(survey.locks(), survey.silent());
    }

    @Override
    public LockOf lock(Call call) {
        var name = group(Problem.MUTEX, call).name();
        return locks(call).locks().stream()
                .filter(lock -> lock.name().equals(name))
                .findFirst()
                .orElseThrow(() -> Trouble.unknown(
                        "nobody has ever asked for a lock of this name", "GET /locks shows all; acquire begins one"));
    }

    @Override
    public Leaders leaders(Call call) {
        var survey = Survey.of(node);
        return new Leaders(survey.leaders(), survey.silent());
    }

    @Override
    public LeaderOf leader(Call call) {
        var name = group(Problem.ELECTION, call).name();
        return leaders(call).leaders().stream()
                .filter(election -> election.name().equals(name))
                .findFirst()
                .orElseThrow(() -> Trouble.unknown(
                        "there was never an election of this name", "GET /leaders shows all; campaign begins one"));
    }

    private static GroupId group(Problem problem, Call call) {
        try {
            return new GroupId(problem, call.name());
        } catch (IllegalArgumentException wrong) {
            throw Trouble.wrong(String.valueOf(wrong.getMessage()), "choose a shorter, plainer one");
        }
    }

    @Override
    public TicketOf acquire(Call call) {
        var group = group(Problem.MUTEX, call);
        return take(group, call, client -> node.acquire(group.name(), client));
    }

    @Override
    public TicketOf stand(Call call) {
        var group = group(Problem.ELECTION, call);
        return take(group, call, client -> node.stand(group.name(), client));
    }

    private TicketOf take(GroupId group, Call call, Function<String, Ticket> ask) {
        long wait = call.waiting();
        long lease = call.lease();
        var client = call.client();
        var id = call.body().ticket().orElseGet(leases::draw);
        return leases.take(id, group, ask.apply(client), wait, lease);
    }

    private Object campaign(Call call) {
        var group = group(Problem.ELECTION, call);
        node.campaign(group.name());
        return new Campaigning(group.name(), node.self().node().toString());
    }

    private record Campaigning(String name, String node) {}

    @Override
    public TicketOf look(Call call) {
        return leases.look(call.id(), call.patience());
    }

    @Override
    public TicketOf renew(Call call) {
        return leases.renew(call.id(), call.lease());
    }

    @Override
    public TicketOf release(Call call) {
        return leases.end(call.id(), Problem.MUTEX);
    }

    @Override
    public TicketOf resign(Call call) {
        return leases.end(call.id(), Problem.ELECTION);
    }

    @Override
    public void watch(Call call, Watch watch, boolean everywhere) {
        var watcher = new Watcher(node, watch);
        watchers.put(watch, watcher);
        node.watch(watcher, everywhere);
    }

    @Override
    public void unwatch(Watch watch) {
        var watcher = watchers.remove(watch);
        if (watcher != null) {
            node.unwatch(watcher);
        }
    }

    /** Passes on what changes. */
    private record Watcher(Node node, Watch watch) implements Node.Watcher {

        /** What can change: a node, or a group at a node. */
        private record Subject(NodeId node, Optional<GroupId> group) {}

        @Override
        public void present(List<Peer> peers) {
            for (Member member : node.config().members()) {
                var id = member.node();
                Optional<Long> life = id.equals(node.self().node())
                        ? Optional.of(node.self().incarnation())
                        : peers.stream()
                                .filter(peer -> peer.node().equals(id))
                                .map(Peer::incarnation)
                                .findFirst();
                if (life.isEmpty()) {
                    watch.forget(
                            known -> known instanceof Subject(var at, var group) && at.equals(id) && group.isPresent(),
                            known -> known instanceof Subject(var at, var group) && at.equals(id));
                }
                var state = life.isPresent() ? "up" : "down";
                var change = new Watch.Change("node", new NodeChange(id.toString(), state, life.orElse(null)), false);
                watch.put(new Subject(id, Optional.empty()), () -> change);
            }
        }

        @Override
        public void changed(NodeId at, Account account) {
            var kind = account.group().problem() == Problem.MUTEX ? "lock" : "leader";
            var change = new Watch.Change(kind, Survey.change(at, account), false);
            watch.put(new Subject(at, Optional.of(account.group())), () -> change);
        }
    }

    /** Clients have some time to give back what they hold. */
    @Override
    public void close() {
        leases.close();
    }
}
