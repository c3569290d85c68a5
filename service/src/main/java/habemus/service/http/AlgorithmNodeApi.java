package habemus.service.http;

import habemus.protocol.NodeId;
import habemus.service.algorithm.AlgorithmNode;
import habemus.service.algorithm.GroupId;
import habemus.service.algorithm.GroupStatus;
import habemus.service.algorithm.Ticket;
import habemus.service.http.ApiResponses.FrameCounts;
import habemus.service.http.ApiResponses.Health;
import habemus.service.http.ApiResponses.LeaderJson;
import habemus.service.http.ApiResponses.Leaders;
import habemus.service.http.ApiResponses.LockJson;
import habemus.service.http.ApiResponses.Locks;
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
import java.util.function.Function;

/** A node with algorithms of the catalogue. Whoever reaches it may do everything. */
final class AlgorithmNodeApi implements NodeApi {

    private final AlgorithmNode algorithmNode;
    private final LeasedTickets leasedTickets;
    private final AccessPolicy accessPolicy = AccessPolicy.allowAll();
    private final Map<ChangeFeed, AlgorithmNode.ChangeListener> changeListeners = new ConcurrentHashMap<>();

    AlgorithmNodeApi(AlgorithmNode algorithmNode) {
        this.algorithmNode = algorithmNode;
        leasedTickets = new LeasedTickets(algorithmNode);
    }

    @Override
    public AccessPolicy access() {
        return accessPolicy;
    }

    @Override
    public void setHttpAddress(String http) {
        algorithmNode.setHttpAddress(http);
    }

    @Override
    public List<String> requestFields() {
        return List.of("client", "wait", "lease", "ticket");
    }

    @Override
    public List<Route> extraRoutes() {
        return List.of(Route.post("/leaders/{name}/campaign", List.of(), this::startElection));
    }

    @Override
    public Health health() {
        if (algorithmNode.failure().isDone()) {
            throw new ApiException(503, "failed", "this node has stopped by itself", "its log says why");
        }
        return new Health(algorithmNode.self().node().toString(), "up");
    }

    @Override
    public Status status(ApiCall apiCall) {
        var frameCounters = algorithmNode.counters();
        return new Status(
                algorithmNode.self().node().toString(),
                algorithmNode.config().lockAlgorithm().text(),
                algorithmNode.config().electionAlgorithm().text(),
                new FrameCounts(
                        frameCounters.framesSent(), frameCounters.framesReceived(), frameCounters.framesRejected()),
                ClusterStatus.of(algorithmNode).nodes());
    }

    @Override
    public Locks locks(ApiCall apiCall) {
        var clusterStatus = ClusterStatus.of(algorithmNode);
        return new Locks(clusterStatus.locks(), clusterStatus.unreachable());
    }

    @Override
    public LockJson lock(ApiCall apiCall) {
        var name = group(Problem.MUTEX, apiCall).name();
        return locks(apiCall).locks().stream()
                .filter(lock -> lock.name().equals(name))
                .findFirst()
                .orElseThrow(() -> ApiException.notFound(
                        "nobody has ever asked for a lock of this name", "GET /locks shows all; acquire begins one"));
    }

    @Override
    public Leaders leaders(ApiCall apiCall) {
        var clusterStatus = ClusterStatus.of(algorithmNode);
        return new Leaders(clusterStatus.leaders(), clusterStatus.unreachable());
    }

    @Override
    public LeaderJson leader(ApiCall apiCall) {
        var name = group(Problem.ELECTION, apiCall).name();
        return leaders(apiCall).leaders().stream()
                .filter(election -> election.name().equals(name))
                .findFirst()
                .orElseThrow(() -> ApiException.notFound(
                        "there was never an election of this name", "GET /leaders shows all; campaign begins one"));
    }

    private static GroupId group(Problem problem, ApiCall apiCall) {
        try {
            return new GroupId(problem, apiCall.name());
        } catch (IllegalArgumentException wrong) {
            throw ApiException.badRequest(String.valueOf(wrong.getMessage()), "choose a shorter, plainer one");
        }
    }

    @Override
    public TicketJson acquire(ApiCall apiCall) {
        var group = group(Problem.MUTEX, apiCall);
        return acquireTicket(group, apiCall, client -> algorithmNode.acquire(group.name(), client));
    }

    @Override
    public TicketJson campaign(ApiCall apiCall) {
        var group = group(Problem.ELECTION, apiCall);
        return acquireTicket(group, apiCall, client -> algorithmNode.campaign(group.name(), client));
    }

    private TicketJson acquireTicket(GroupId group, ApiCall apiCall, Function<String, Ticket> ask) {
        long wait = apiCall.bodyWaitMillis();
        long lease = apiCall.leaseMillis();
        var client = apiCall.client();
        var id = apiCall.jsonBody().ticket().orElseGet(leasedTickets::newTicketId);
        return leasedTickets.awaitGrant(id, group, ask.apply(client), wait, lease);
    }

    private Object startElection(ApiCall apiCall) {
        var group = group(Problem.ELECTION, apiCall);
        algorithmNode.campaign(group.name());
        return new ElectionStartedJson(group.name(), algorithmNode.self().node().toString());
    }

    private record ElectionStartedJson(String name, String node) {}

    @Override
    public TicketJson describeTicket(ApiCall apiCall) {
        return leasedTickets.awaitNotHeld(apiCall.id(), apiCall.queryWaitMillis());
    }

    @Override
    public TicketJson renew(ApiCall apiCall) {
        return leasedTickets.renew(apiCall.id(), apiCall.leaseMillis());
    }

    @Override
    public TicketJson release(ApiCall apiCall) {
        return leasedTickets.end(apiCall.id(), Problem.MUTEX);
    }

    @Override
    public TicketJson resign(ApiCall apiCall) {
        return leasedTickets.end(apiCall.id(), Problem.ELECTION);
    }

    @Override
    public void watch(ApiCall apiCall, ChangeFeed changeFeed, boolean clusterWide) {
        var feedWatcher = new FeedWatcher(algorithmNode, changeFeed);
        changeListeners.put(changeFeed, feedWatcher);
        algorithmNode.addListener(feedWatcher, clusterWide);
    }

    @Override
    public void unwatch(ChangeFeed changeFeed) {
        var changeListener = changeListeners.remove(changeFeed);
        if (changeListener != null) {
            algorithmNode.removeListener(changeListener);
        }
    }

    /** Passes on what changes. */
    private record FeedWatcher(AlgorithmNode algorithmNode, ChangeFeed changeFeed)
            implements AlgorithmNode.ChangeListener {

        /** What can change: a node, or a group at a node. */
        private record Subject(NodeId node, Optional<GroupId> group) {}

        @Override
        public void onPeersChanged(List<PeerIncarnation> peerIncarnations) {
            for (Member member : algorithmNode.config().members()) {
                var id = member.node();
                Optional<Long> life = id.equals(algorithmNode.self().node())
                        ? Optional.of(algorithmNode.self().incarnation())
                        : peerIncarnations.stream()
                                .filter(peerIncarnation ->
                                        peerIncarnation.node().equals(id))
                                .map(PeerIncarnation::incarnation)
                                .findFirst();
                if (life.isEmpty()) {
                    changeFeed.forget(
                            known -> known instanceof Subject(var at, var group) && at.equals(id) && group.isPresent(),
                            known -> known instanceof Subject(var at, var group) && at.equals(id));
                }
                var state = life.isPresent() ? "up" : "down";
                var change =
                        new ChangeFeed.Change("node", new NodeChange(id.toString(), state, life.orElse(null)), false);
                changeFeed.put(new Subject(id, Optional.empty()), () -> change);
            }
        }

        @Override
        public void onGroupChanged(NodeId at, GroupStatus groupStatus) {
            var kind = groupStatus.group().problem() == Problem.MUTEX ? "lock" : "leader";
            var change = new ChangeFeed.Change(kind, ClusterStatus.change(at, groupStatus), false);
            changeFeed.put(new Subject(at, Optional.of(groupStatus.group())), () -> change);
        }
    }

    /** Clients have some time to give back what they hold. */
    @Override
    public void close() {
        leasedTickets.close();
    }
}
