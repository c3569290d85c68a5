package habemus.service.http;

import habemus.lockservice.Operation;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.protocol.Message;
import habemus.lockservice.table.LockTable;
import habemus.protocol.NodeId;
import habemus.service.http.ApiResponses.LeaderJson;
import habemus.service.http.ApiResponses.Leaders;
import habemus.service.http.ApiResponses.LogChange;
import habemus.service.http.ApiResponses.MultiLockTicketJson;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A node of the production service. */
final class LockServerApi implements NodeApi {

    private static final int NAME_MAX_CHARS = 200; // characters

    private final LockServerNode node;
    private final String self;
    private final TicketService ticketService;
    private final PeerStatusClient peerStatusClient;
    private final AdminApi adminApi;
    private final Map<ChangeFeed, ClientConnection> watchers = new ConcurrentHashMap<>();

    LockServerApi(LockServerNode node) {
        this.node = node;
        self = node.config().self().toString();
        ticketService = new TicketService(node.loop());
        peerStatusClient = new PeerStatusClient(node);
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
        if (node.failure().isDone()) {
            throw new ApiException(503, "failed", "this node has stopped by itself", "its log says why");
        }
        return peerStatusClient.health();
    }

    @Override
    public Object status(ApiCall apiCall) {
        return peerStatusClient.status();
    }

    private static ResourceName name(ResourceName.Kind kind, String text) {
        if (text.isBlank() || text.length() > NAME_MAX_CHARS || text.chars().anyMatch(Character::isISOControl)) {
            throw ApiException.badRequest(
                    "this is no name", "it has 1 to " + NAME_MAX_CHARS + " characters that can be seen");
        }
        return new ResourceName(kind, text);
    }

    /** What the call names, if it may be looked at. */
    private ResourceName inspectableName(ResourceName.Kind kind, ApiCall apiCall) {
        var resourceName = name(kind, apiCall.name());
        AdminApi.require(access(), apiCall, Permission.INSPECT, resourceName);
        return resourceName;
    }

    private List<ResourceName> inspectableNames(ResourceName.Kind kind, ApiCall apiCall) {
        return table().namesWithPrefix("").stream()
                .filter(resourceName ->
                        resourceName.kind() == kind && apiCall.principal().isAllowed(Permission.INSPECT, resourceName))
                .toList();
    }

    @Override
    public ApiResponses.Locks locks(ApiCall apiCall) {
        var tableViews = views();
        return new ApiResponses.Locks(
                inspectableNames(ResourceName.Kind.LOCK, apiCall).stream()
                        .map(tableViews::lock)
                        .toList(),
                List.of());
    }

    @Override
    public Object lock(ApiCall apiCall) {
        var resourceName = inspectableName(ResourceName.Kind.LOCK, apiCall);
        var story = views().lockWithHistory(resourceName);
        if (story.history().isEmpty() && !table().resources().contains(resourceName)) {
            throw ApiException.notFound(
                    "nobody has a lock of this name, or waits for it, or had it lately",
                    "GET /locks shows all; acquire begins one");
        }
        return story;
    }

    @Override
    public Leaders leaders(ApiCall apiCall) {
        var tableViews = views();
        return new Leaders(
                inspectableNames(ResourceName.Kind.ELECTION, apiCall).stream()
                        .map(tableViews::leader)
                        .toList(),
                List.of());
    }

    @Override
    public LeaderJson leader(ApiCall apiCall) {
        var resourceName = inspectableName(ResourceName.Kind.ELECTION, apiCall);
        if (!table().resources().contains(resourceName)) {
            throw ApiException.notFound("nobody leads there, or wants to", "GET /leaders shows all; stand begins one");
        }
        return views().leader(resourceName);
    }

    private Semaphores semaphores(ApiCall apiCall) {
        var tableViews = views();
        return new Semaphores(inspectableNames(ResourceName.Kind.SEMAPHORE, apiCall).stream()
                .map(tableViews::semaphore)
                .toList());
    }

    private Object semaphore(ApiCall apiCall) {
        var resourceName = inspectableName(ResourceName.Kind.SEMAPHORE, apiCall);
        if (!table().resources().contains(resourceName)) {
            throw ApiException.notFound(
                    "nobody has permits there, or waits for some", "GET /semaphores shows all; acquire begins one");
        }
        return views().semaphore(resourceName);
    }

    @Override
    public List<String> requestFields() {
        return List.of("client", "wait", "lease", "ticket");
    }

    private static List<String> concat(List<String> members, String... more) {
        var all = new ArrayList<>(members);
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
    public Object acquire(ApiCall apiCall) {
        return acquireTicket(
                apiCall,
                lock(
                        name(ResourceName.Kind.LOCK, apiCall.name()).text(),
                        apiCall.jsonBody().text("mode")),
                0);
    }

    private static ResourceShare lock(String name, Optional<String> mode) {
        return switch (mode.orElse("exclusive")) {
            case "exclusive" -> ResourceShare.exclusive(name);
            case "shared" -> ResourceShare.shared(name);
            default ->
                throw ApiException.badRequest("there is no mode '" + mode.get() + "'", "it is exclusive, or shared");
        };
    }

    private Object acquireAll(ApiCall apiCall) {
        var resourceShares = apiCall.jsonBody().texts("locks").stream()
                .map(text -> ResourceShare.exclusive(
                        name(ResourceName.Kind.LOCK, text).text()))
                .toList();
        return describe(ticketService.acquire(apiCall, new Operation.Acquire(resourceShares, true, 0)));
    }

    private Object acquirePermits(ApiCall apiCall) {
        int size = (int) apiCall.jsonBody().number("size", 1, 1, Integer.MAX_VALUE);
        int permits = (int) apiCall.jsonBody().number("permits", 1, 1, size);
        var name = name(ResourceName.Kind.SEMAPHORE, apiCall.name()).text();
        return acquireTicket(apiCall, ResourceShare.permits(name, permits, size), 0);
    }

    @Override
    public Object campaign(ApiCall apiCall) {
        int rank = (int) apiCall.jsonBody().number("rank", 0, Integer.MIN_VALUE, Integer.MAX_VALUE);
        return acquireTicket(
                apiCall,
                ResourceShare.leadership(
                        name(ResourceName.Kind.ELECTION, apiCall.name()).text()),
                rank);
    }

    private Object acquireTicket(ApiCall apiCall, ResourceShare resourceShare, int rank) {
        return describe(ticketService.acquire(apiCall, new Operation.Acquire(List.of(resourceShare), true, rank)));
    }

    @Override
    public Object describeTicket(ApiCall apiCall) {
        return describe(ticketService.awaitNotHeld(apiCall));
    }

    @Override
    public Object renew(ApiCall apiCall) {
        return describe(ticketService.renew(apiCall));
    }

    @Override
    public Object release(ApiCall apiCall) {
        return describe(ticketService.release(apiCall, false));
    }

    @Override
    public Object resign(ApiCall apiCall) {
        return describe(ticketService.release(apiCall, true));
    }

    /** A ticket in the form that fits what it is about. */
    private Object describe(TicketState ticketState) {
        var state = ticketState.refresh(table());
        boolean over = !state.equals("held");
        Long fence = ticketState.fence() == 0 ? null : (Long) ticketState.fence();
        Long left = over ? (Long) 0L : ticketState.remainingLeaseMillis().orElse(null);
        var resourceNames =
                ticketState.wants().stream().map(ResourceShare::resourceName).toList();
        if (resourceNames.size() > 1) {
            var texts = resourceNames.stream().map(ResourceName::text).toList();
            return new MultiLockTicketJson(ticketState.id, texts, ticketState.client(), self, state, fence, left);
        }
        var resourceName = resourceNames.isEmpty() ? null : resourceNames.getFirst();
        if (resourceName != null && resourceName.kind() == ResourceName.Kind.SEMAPHORE) {
            int permits = ticketState.wants().getFirst().units();
            return new SemaphoreTicketJson(
                    ticketState.id, resourceName.text(), permits, ticketState.client(), self, state, fence, left);
        }
        boolean elects = ticketState.isElection();
        return new TicketJson(
                ticketState.id,
                elects ? null : text(resourceName),
                elects ? text(resourceName) : null,
                ticketState.client(),
                self,
                state,
                elects ? null : fence,
                elects ? fence : null,
                left);
    }

    private static @Nullable String text(@Nullable ResourceName resourceName) {
        return resourceName == null ? null : resourceName.text();
    }

    /** The same at every node, so that the scope says nothing here. */
    @Override
    public void watch(ApiCall apiCall, ChangeFeed changeFeed, boolean clusterWide) {
        var clientConnection = node.loop()
                .connect(
                        apiCall.principal(),
                        serverReplies -> serverReplies.forEach(serverReply -> {
                            if (serverReply instanceof Message.ResourceChanged(var resourceName)) {
                                changeFeed.put(resourceName, change(resourceName));
                            }
                        }))
                .orElseThrow(
                        () -> new ApiException(429, "too-many", "this node has too many clients", "try another node"));
        watchers.put(changeFeed, clientConnection);
        clientConnection.submit(new Message.Watch());
        publishLogLeader(changeFeed);
        for (ResourceName.Kind kind : ResourceName.Kind.values()) {
            inspectableNames(kind, apiCall).forEach(resourceName -> changeFeed.put(resourceName, change(resourceName)));
        }
    }

    private Supplier<ChangeFeed.Change> change(ResourceName resourceName) {
        return () -> views().change(self, resourceName);
    }

    private void publishLogLeader(ChangeFeed changeFeed) {
        changeFeed.put(
                "log",
                () -> new ChangeFeed.Change(
                        "log",
                        new LogChange(
                                self, node.loop().leader().map(NodeId::toString).orElse(null)),
                        false));
    }

    @Override
    public void refresh(ChangeFeed changeFeed) {
        publishLogLeader(changeFeed);
    }

    @Override
    public void unwatch(ChangeFeed changeFeed) {
        var clientConnection = watchers.remove(changeFeed);
        if (clientConnection != null) {
            clientConnection.close();
        }
    }

    @Override
    public void close() {
        ticketService.close();
    }
}
