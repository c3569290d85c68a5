package habemus.service.http;

import habemus.protocol.NodeId;
import habemus.service.algorithm.AlgorithmNode;
import habemus.service.algorithm.GroupId;
import habemus.service.algorithm.GroupStatus;
import habemus.service.algorithm.MembershipException;
import habemus.service.algorithm.Ticket;
import habemus.service.http.ApiResponses.FrameCounts;
import habemus.service.http.ApiResponses.Health;
import habemus.service.http.ApiResponses.HolderJson;
import habemus.service.http.ApiResponses.LeaderJson;
import habemus.service.http.ApiResponses.Leaders;
import habemus.service.http.ApiResponses.LockJson;
import habemus.service.http.ApiResponses.Locks;
import habemus.service.http.ApiResponses.MemberJson;
import habemus.service.http.ApiResponses.Members;
import habemus.service.http.ApiResponses.NodeChange;
import habemus.service.http.ApiResponses.Status;
import habemus.service.http.ApiResponses.TicketJson;
import habemus.service.server.AccessPolicy;
import habemus.service.transport.Member;
import habemus.service.transport.PeerIncarnation;
import habemus.world.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;

/** The HTTP API of a node that runs classic algorithms. It has no access control: every client may do everything. */
final class AlgorithmNodeApi implements NodeApi {

    private static final long REMOVE_TIMEOUT_SECONDS = 10;
    private static final int CONFLICT = 409;
    private static final int UNAVAILABLE = 503;

    private final AlgorithmNode node;
    private final LeasedTickets tickets;
    private final AccessPolicy policy = AccessPolicy.allowAll();
    private final Map<ChangeFeed, AlgorithmNode.ChangeListener> changeListeners = new ConcurrentHashMap<>();

    AlgorithmNodeApi(AlgorithmNode node) {
        this.node = node;
        tickets = new LeasedTickets(node);
    }

    @Override
    public AccessPolicy access() {
        return policy;
    }

    @Override
    public void setHttpAddress(String http) {
        node.setHttpAddress(http);
    }

    @Override
    public List<String> requestFields() {
        return List.of("client", "wait", "lease", "ticket");
    }

    @Override
    public List<Route> extraRoutes() {
        return List.of(
                Route.post("/leaders/{name}/start-election", List.of(), this::startElection),
                Route.get("/members", call -> members()),
                Route.post("/members", List.of("name", "address"), call -> {
                    throw ApiException.badRequest(
                            "a node of classic algorithms joins by itself",
                            "start it: habemus serve --join --cluster n1=HOST:PORT,n4=HOST:PORT --node n4 …");
                }),
                Route.delete("/members/{name}", this::remove));
    }

    private Members members() {
        return new Members(
                node.members().stream()
                        .map(member -> new MemberJson(member.node().toString(), member.addressText()))
                        .toList(),
                null);
    }

    /** Returns when the node has left. */
    private Members remove(ApiCall call) {
        try {
            node.remove(Member.parseNode(call.name())).get(REMOVE_TIMEOUT_SECONDS, TimeUnit.SECONDS);
            return members();
        } catch (IllegalArgumentException invalid) {
            throw ApiException.badRequest(String.valueOf(invalid.getMessage()), "list all with GET /members");
        } catch (ExecutionException refused) {
            throw refused.getCause() instanceof MembershipException reason
                    ? new ApiException(CONFLICT, "rejected", String.valueOf(reason.getMessage()), reason.hint())
                    : new IllegalStateException(refused);
        } catch (TimeoutException late) {
            throw new ApiException(
                    UNAVAILABLE,
                    "timeout",
                    call.name() + " has not left within " + REMOVE_TIMEOUT_SECONDS + " s",
                    "list the members with GET /members, and try again");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    @Override
    public Health health() {
        if (node.failure().isDone()) {
            throw TicketErrors.nodeFailed();
        }
        return new Health(node.self().node().toString(), "up");
    }

    @Override
    public Status status(ApiCall call) {
        var counters = node.counters();
        return new Status(
                node.self().node().toString(),
                node.config().lockAlgorithm().text(),
                node.config().electionAlgorithm().text(),
                new FrameCounts(counters.framesSent(), counters.framesReceived(), counters.framesRejected()),
                ClusterStatus.of(node).nodes());
    }

    @Override
    public Locks locks(ApiCall call) {
        var clusterStatus = ClusterStatus.of(node);
        var locks = clusterStatus.locks().stream()
                .filter(lock -> isWanted(
                        call,
                        lock.name(),
                        Stream.concat(
                                Stream.ofNullable(lock.holder()),
                                lock.otherHolders().stream().map(HolderJson::holder))));
        var page = ListingPage.of(locks, call.limit(), LockJson::name, lock -> lock);
        return new Locks(page.items(), page.next(), clusterStatus.unreachable());
    }

    @Override
    public LockJson lock(ApiCall call) {
        var name = group(Problem.MUTEX, call).name();
        return ClusterStatus.of(node).locks().stream()
                .filter(lock -> lock.name().equals(name))
                .findFirst()
                .orElseThrow(() -> ApiException.notFound(
                        "unknown lock: '" + name + "'",
                        "list all with GET /locks; POST /locks/NAME/acquire creates one"));
    }

    @Override
    public Leaders leaders(ApiCall call) {
        var clusterStatus = ClusterStatus.of(node);
        var elections = clusterStatus.leaders().stream()
                .filter(election -> isWanted(call, election.name(), Stream.ofNullable(election.leadingClient())));
        var page = ListingPage.of(elections, call.limit(), LeaderJson::name, election -> election);
        return new Leaders(page.items(), page.next(), clusterStatus.unreachable());
    }

    private static boolean isWanted(ApiCall call, String name, Stream<String> holders) {
        return name.startsWith(call.prefix())
                && name.compareTo(call.after()) > 0
                && call.holder().map(client -> holders.anyMatch(client::equals)).orElse(true);
    }

    @Override
    public LeaderJson leader(ApiCall call) {
        var name = group(Problem.ELECTION, call).name();
        return ClusterStatus.of(node).leaders().stream()
                .filter(election -> election.name().equals(name))
                .findFirst()
                .orElseThrow(() -> ApiException.notFound(
                        "unknown election: '" + name + "'",
                        "list all with GET /leaders; POST /leaders/NAME/start-election starts one"));
    }

    private static GroupId group(Problem problem, ApiCall call) {
        try {
            return new GroupId(problem, call.name());
        } catch (IllegalArgumentException invalid) {
            throw ApiException.badRequest(String.valueOf(invalid.getMessage()), "choose 1 to 100 printable characters");
        }
    }

    @Override
    public TicketJson acquire(ApiCall call) {
        var group = group(Problem.MUTEX, call);
        return acquireTicket(group, call, client -> node.acquire(group.name(), client));
    }

    @Override
    public TicketJson campaign(ApiCall call) {
        var group = group(Problem.ELECTION, call);
        return acquireTicket(group, call, client -> node.campaign(group.name(), client));
    }

    private TicketJson acquireTicket(GroupId group, ApiCall call, Function<String, Ticket> request) {
        long wait = call.bodyWaitMillis();
        long lease = call.leaseMillis();
        var client = call.client();
        var id = call.body().ticket().orElseGet(tickets::newTicketId);
        return tickets.awaitGrant(id, group, () -> request.apply(client), wait, lease);
    }

    private Object startElection(ApiCall call) {
        var group = group(Problem.ELECTION, call);
        node.campaign(group.name());
        return new ElectionStartedJson(group.name(), node.self().node().toString());
    }

    private record ElectionStartedJson(String name, String node) {}

    @Override
    public TicketJson describeTicket(ApiCall call) {
        return tickets.awaitNotHeld(call.id(), call.queryWaitMillis());
    }

    @Override
    public TicketJson renew(ApiCall call) {
        return tickets.renew(call.id(), call.leaseMillis());
    }

    @Override
    public TicketJson release(ApiCall call) {
        return tickets.end(call.id(), Problem.MUTEX, call.fence());
    }

    @Override
    public TicketJson resign(ApiCall call) {
        return tickets.end(call.id(), Problem.ELECTION, call.fence());
    }

    @Override
    public void watch(ApiCall call, ChangeFeed feed, boolean clusterWide) {
        var feedWatcher = new FeedWatcher(node, feed);
        changeListeners.put(feed, feedWatcher);
        node.addListener(feedWatcher, clusterWide);
    }

    @Override
    public void unwatch(ChangeFeed feed) {
        var changeListener = changeListeners.remove(feed);
        if (changeListener != null) {
            node.removeListener(changeListener);
        }
    }

    /** Forwards the changes that the node reports to one feed. */
    private record FeedWatcher(AlgorithmNode node, ChangeFeed feed) implements AlgorithmNode.ChangeListener {

        /** The key of a change: a node, or a group at a node. */
        private record Subject(NodeId node, Optional<GroupId> group) {}

        @Override
        public void onPeersChanged(List<PeerIncarnation> peers) {
            for (Member member : node.members()) {
                var id = member.node();
                Optional<Long> incarnation = id.equals(node.self().node())
                        ? Optional.of(node.self().incarnation())
                        : peers.stream()
                                .filter(peer -> peer.node().equals(id))
                                .map(PeerIncarnation::incarnation)
                                .findFirst();
                if (incarnation.isEmpty()) {
                    feed.forget(
                            known -> known instanceof Subject(var at, var group) && at.equals(id) && group.isPresent(),
                            known -> known instanceof Subject(var at, var group) && at.equals(id));
                }
                var state = incarnation.isPresent() ? "up" : "down";
                var change = new ChangeFeed.Change(
                        "node", new NodeChange(id.toString(), state, incarnation.orElse(null)), false);
                feed.put(new Subject(id, Optional.empty()), () -> change);
            }
        }

        @Override
        public void onGroupChanged(NodeId at, GroupStatus status) {
            var kind = status.group().problem() == Problem.MUTEX ? "lock" : "leader";
            var change = new ChangeFeed.Change(kind, ClusterStatus.change(at, status), false);
            feed.put(new Subject(at, Optional.of(status.group())), () -> change);
        }
    }

    @Override
    public void close() {
        tickets.close();
    }
}
