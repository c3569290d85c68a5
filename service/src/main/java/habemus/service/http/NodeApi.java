package habemus.service.http;

import habemus.service.http.ApiResponses.LeaderJson;
import habemus.service.http.ApiResponses.Leaders;
import habemus.service.http.ApiResponses.Locks;
import habemus.service.server.AccessPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The requests that a node answers over HTTP. Lock servers and nodes with classic algorithms answer the common requests
 * in the same form, so that clients need not distinguish them. Methods throw {@link ApiException} for error responses.
 */
interface NodeApi extends AutoCloseable {

    AccessPolicy access();

    /** Called once the server listens, with host and port. */
    void setHttpAddress(String http);

    Object health();

    /** @throws ApiException if only a new start of the process can help */
    default Object live() {
        return health();
    }

    /** A response with status 503 if clients should use another node now. */
    default Object ready() {
        return health();
    }

    /** The last time when the answers of this node were certainly current; empty if they are. */
    default Optional<String> staleSince() {
        return Optional.empty();
    }

    Object status(ApiCall call);

    Locks locks(ApiCall call);

    Object lock(ApiCall call);

    Leaders leaders(ApiCall call);

    LeaderJson leader(ApiCall call);

    /** The body fields of all acquire requests. */
    List<String> requestFields();

    default List<String> lockRequestFields() {
        return requestFields();
    }

    default List<String> campaignRequestFields() {
        return requestFields();
    }

    /** Waits until the lock is granted, and returns the ticket. */
    Object acquire(ApiCall call);

    /** Waits until the client is elected, and returns the ticket. */
    Object campaign(ApiCall call);

    /** Returns the ticket as soon as it is no longer held, or after the {@code wait} of the call. */
    Object describeTicket(ApiCall call);

    Object renew(ApiCall call);

    Object release(ApiCall call);

    Object resign(ApiCall call);

    /** The routes that only this kind of node has. */
    List<Route> extraRoutes();

    /** Publishes the current state and then every change to the feed, until {@link #unwatch}. */
    void watch(ApiCall call, ChangeFeed feed, boolean clusterWide);

    /** Called before each event is sent, at least once a second: publishes what changes without notification. */
    default void refresh(ChangeFeed feed) {}

    void unwatch(ChangeFeed feed);

    /** Ends all waiting requests. */
    @Override
    void close();

    /** All routes except {@code /watch}. Fixed paths come first, since the first match wins. */
    default List<Route> routes() {
        var routes = new ArrayList<>(List.of(
                Route.get("/health", call -> health()),
                Route.get("/live", call -> live()),
                Route.get("/ready", call -> ready()),
                Route.get("/status", this::status),
                Route.get("/locks", this::locks),
                Route.get("/leaders", this::leaders),
                Route.get("/locks/{name}", this::lock),
                Route.get("/leaders/{name}", this::leader),
                Route.get("/tickets/{id}", this::describeTicket),
                Route.post("/locks/{name}/acquire", lockRequestFields(), this::acquire),
                Route.post("/leaders/{name}/campaign", campaignRequestFields(), this::campaign),
                Route.post("/tickets/{id}/renew", List.of("lease"), this::renew),
                Route.post("/tickets/{id}/release", List.of("fence"), this::release),
                Route.post("/tickets/{id}/resign", List.of("fence"), this::resign)));
        routes.addAll(extraRoutes());
        routes.sort(Comparator.comparing(Route::hasFixedPath).reversed());
        return List.copyOf(routes);
    }
}
