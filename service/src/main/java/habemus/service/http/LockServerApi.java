package habemus.service.http;

import habemus.lockservice.Operation;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.protocol.Message;
import habemus.lockservice.table.LockTable;
import habemus.protocol.NodeId;
import habemus.service.http.ApiResponses.LeaderJson;
import habemus.service.http.ApiResponses.Leaders;
import habemus.service.http.ApiResponses.Liveness;
import habemus.service.http.ApiResponses.LogChange;
import habemus.service.http.ApiResponses.MultiLockTicketJson;
import habemus.service.http.ApiResponses.Readiness;
import habemus.service.http.ApiResponses.SemaphoreTicketJson;
import habemus.service.http.ApiResponses.Semaphores;
import habemus.service.http.ApiResponses.TicketJson;
import habemus.service.server.AccessPolicy;
import habemus.service.server.ClientConnection;
import habemus.service.server.LockServerNode;
import habemus.service.server.Principal.Permission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The HTTP API of a lock server. Reads come from the local copy of the lock table and may be slightly stale. */
final class LockServerApi implements NodeApi {

    private final LockServerNode node;
    private final String self;
    private final TicketService ticketService;
    private final PeerStatusClient peerStatusClient;
    private final AdminApi adminApi;
    private final NodeHealth nodeHealth;
    private final Map<ChangeFeed, ClientConnection> watchers = new ConcurrentHashMap<>();

    LockServerApi(LockServerNode node) {
        this.node = node;
        self = node.config().self().toString();
        ticketService = new TicketService(node.loop());
        nodeHealth = new NodeHealth(node);
        peerStatusClient = new PeerStatusClient(node, nodeHealth);
        adminApi = new AdminApi(node);
    }

    @Override
    public AccessPolicy access() {
        return node.policy();
    }

    @Override
    public void setHttpAddress(String http) {
        peerStatusClient.setHttpAddress(http);
    }

    private LockTable table() {
        return node.loop().table();
    }

    private TableViews views() {
        return new TableViews(table());
    }

    @Override
    public Object health() {
        nodeHealth.requireLive();
        return peerStatusClient.health();
    }

    @Override
    public Object live() {
        nodeHealth.requireLive();
        return new Liveness(self, true);
    }

    @Override
    public Object ready() {
        var reasons = nodeHealth.reasons();
        return new Route.StatusResponse(reasons.isEmpty() ? 200 : 503, new Readiness(self, reasons.isEmpty(), reasons));
    }

    @Override
    public Optional<String> staleSince() {
        return nodeHealth.staleSince();
    }

    @Override
    public Object status(ApiCall call) {
        return peerStatusClient.status();
    }

    /** @throws ApiException 403 if the caller may not inspect the name */
    private ResourceName inspectableName(ResourceName.Kind kind, ApiCall call) {
        var name = new ResourceName(kind, call.name());
        AdminApi.require(access(), call, Permission.INSPECT, name);
        return name;
    }

    private Stream<ResourceName> inspectableNames(String prefix, String after, ApiCall call) {
        return table().names(prefix, after).filter(name -> call.principal().isAllowed(Permission.INSPECT, name));
    }

    private <T> ListingPage<T> page(ResourceName.Kind kind, ApiCall call, Function<ResourceName, T> view) {
        var table = table();
        var names = inspectableNames(call.prefix(), call.after(), call)
                .filter(name -> name.kind() == kind)
                .filter(name -> call.holder()
                        .map(client -> table.holders(name).stream()
                                .anyMatch(holder -> holder.client().name().equals(client)))
                        .orElse(true));
        return ListingPage.of(names, call.limit(), ResourceName::text, view);
    }

    @Override
    public ApiResponses.Locks locks(ApiCall call) {
        var page = page(ResourceName.Kind.LOCK, call, views()::lock);
        return new ApiResponses.Locks(page.items(), page.next(), List.of());
    }

    @Override
    public Object lock(ApiCall call) {
        var name = inspectableName(ResourceName.Kind.LOCK, call);
        var lock = views().lockWithHistory(name);
        if (lock.history().isEmpty() && !table().resources().contains(name)) {
            throw ApiException.notFound(
                    "unknown lock: '" + name.text() + "' (no holder, waiter or history)",
                    "list all with GET /locks; POST /locks/NAME/acquire creates one");
        }
        return lock;
    }

    @Override
    public Leaders leaders(ApiCall call) {
        var page = page(ResourceName.Kind.ELECTION, call, views()::leader);
        return new Leaders(page.items(), page.next(), List.of());
    }

    @Override
    public LeaderJson leader(ApiCall call) {
        var name = inspectableName(ResourceName.Kind.ELECTION, call);
        if (!table().resources().contains(name)) {
            throw ApiException.notFound(
                    "unknown election: '" + name.text() + "' (no candidate)",
                    "list all with GET /leaders; POST /leaders/NAME/campaign starts one");
        }
        return views().leader(name);
    }

    private Semaphores semaphores(ApiCall call) {
        var page = page(ResourceName.Kind.SEMAPHORE, call, views()::semaphore);
        return new Semaphores(page.items(), page.next());
    }

    private Object semaphore(ApiCall call) {
        var name = inspectableName(ResourceName.Kind.SEMAPHORE, call);
        if (!table().resources().contains(name)) {
            throw ApiException.notFound(
                    "unknown semaphore: '" + name.text() + "' (no holder or waiter)",
                    "list all with GET /semaphores; POST /semaphores/NAME/acquire creates one");
        }
        return views().semaphore(name);
    }

    @Override
    public List<String> requestFields() {
        return List.of("client", "owner", "wait", "lease", "ticket");
    }

    private static List<String> concat(List<String> fields, String... more) {
        var all = new ArrayList<>(fields);
        all.addAll(List.of(more));
        return List.copyOf(all);
    }

    @Override
    public List<String> lockRequestFields() {
        return concat(requestFields(), "mode");
    }

    @Override
    public List<String> campaignRequestFields() {
        return concat(requestFields(), "rank");
    }

    @Override
    public List<Route> extraRoutes() {
        var routes = new ArrayList<>(List.of(
                Route.get("/semaphores", this::semaphores),
                Route.get("/semaphores/{name}", this::semaphore),
                Route.post("/locks/acquire", concat(requestFields(), "locks"), this::acquireAll),
                Route.post(
                        "/semaphores/{name}/acquire",
                        concat(requestFields(), "permits", "size"),
                        this::acquirePermits)));
        routes.addAll(adminApi.routes());
        return routes;
    }

    @Override
    public Object acquire(ApiCall call) {
        return acquireTicket(call, List.of(lock(call.name(), call.body().text("mode"))), 0);
    }

    private static ResourceShare lock(String name, Optional<String> mode) {
        return switch (mode.orElse("exclusive")) {
            case "exclusive" -> ResourceShare.exclusive(name);
            case "shared" -> ResourceShare.shared(name);
            default -> throw ApiException.badRequest("invalid mode: '" + mode.get() + "'", "use exclusive or shared");
        };
    }

    private Object acquireAll(ApiCall call) {
        var shares = call.body().texts("locks").stream()
                .map(text -> ResourceShare.exclusive(JsonBody.checkName("name", text)))
                .toList();
        return acquireTicket(call, shares, 0);
    }

    private Object acquirePermits(ApiCall call) {
        int size = (int) call.body().number("size", 1, 1, Integer.MAX_VALUE);
        int permits = (int) call.body().number("permits", 1, 1, size);
        return acquireTicket(call, List.of(ResourceShare.permits(call.name(), permits, size)), 0);
    }

    @Override
    public Object campaign(ApiCall call) {
        int rank = (int) call.body().number("rank", 0, Integer.MIN_VALUE, Integer.MAX_VALUE);
        return acquireTicket(call, List.of(ResourceShare.leadership(call.name())), rank);
    }

    private Object acquireTicket(ApiCall call, List<ResourceShare> shares, int rank) {
        shares.forEach(share -> AdminApi.require(access(), call, Permission.USE, share.name()));
        return describe(ticketService.acquire(call, new Operation.Acquire(shares, true, rank)));
    }

    @Override
    public Object describeTicket(ApiCall call) {
        return describe(ticketService.awaitNotHeld(call));
    }

    @Override
    public Object renew(ApiCall call) {
        return describe(ticketService.renew(call));
    }

    @Override
    public Object release(ApiCall call) {
        return describe(ticketService.release(call, false));
    }

    @Override
    public Object resign(ApiCall call) {
        return describe(ticketService.release(call, true));
    }

    /** The JSON form depends on what the ticket is for: one lock, an election, a semaphore, or several locks. */
    private Object describe(TicketState ticket) {
        var state = ticket.refresh(table());
        boolean isHeld = state.equals("held");
        Long fence = ticket.fence() == 0 ? null : (Long) ticket.fence();
        Long lease = isHeld ? ticket.remainingLeaseMillis().orElse(null) : (Long) 0L;
        var names = ticket.shares().stream().map(ResourceShare::name).toList();
        if (names.size() > 1) {
            var texts = names.stream().map(ResourceName::text).toList();
            return new MultiLockTicketJson(ticket.id.hex(), texts, ticket.client(), self, state, fence, lease);
        }
        var name = names.isEmpty() ? null : names.getFirst();
        if (name != null && name.kind() == ResourceName.Kind.SEMAPHORE) {
            int permits = ticket.shares().getFirst().units();
            return new SemaphoreTicketJson(
                    ticket.id.hex(), name.text(), permits, ticket.client(), self, state, fence, lease);
        }
        boolean isElection = ticket.isElection();
        return new TicketJson(
                ticket.id.hex(),
                isElection ? null : text(name),
                isElection ? text(name) : null,
                ticket.client(),
                self,
                state,
                isElection ? null : fence,
                isElection ? fence : null,
                lease);
    }

    private static @Nullable String text(@Nullable ResourceName name) {
        return name == null ? null : name.text();
    }

    /** Every node has the whole lock table, so the scope makes no difference. */
    @Override
    public void watch(ApiCall call, ChangeFeed feed, boolean clusterWide) {
        var connection = node.loop()
                .connect(
                        call.principal(),
                        replies -> replies.forEach(reply -> {
                            if (reply instanceof Message.ResourceChanged(var name)) {
                                feed.put(name, change(name));
                            }
                        }))
                .orElseThrow(TicketErrors::tooManyClients);
        watchers.put(feed, connection);
        connection.submit(new Message.Watch());
        publishLogLeader(feed);
        inspectableNames("", "", call).forEach(name -> feed.put(name, change(name)));
    }

    private Supplier<ChangeFeed.Change> change(ResourceName name) {
        return () -> views().change(self, name);
    }

    private void publishLogLeader(ChangeFeed feed) {
        feed.put(
                "log-leader",
                () -> new ChangeFeed.Change(
                        "log-leader",
                        new LogChange(
                                self, node.loop().leader().map(NodeId::toString).orElse(null)),
                        false));
    }

    @Override
    public void refresh(ChangeFeed feed) {
        publishLogLeader(feed);
    }

    @Override
    public void unwatch(ChangeFeed feed) {
        var connection = watchers.remove(feed);
        if (connection != null) {
            connection.close();
        }
    }

    @Override
    public void close() {
        ticketService.close();
    }
}
