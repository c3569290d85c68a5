package habemus.service.http;

import habemus.service.http.ApiResponses.LeaderJson;
import habemus.service.http.ApiResponses.Leaders;
import habemus.service.http.ApiResponses.Locks;
import habemus.service.server.AccessPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What is behind the door: a node with algorithms of the catalogue, or one of the production service. What both are
 * asked they answer in the same form, so that clients need not know which it is.
 *
 * @see ApiException for whatever is not answered as hoped
 */
interface NodeApi extends AutoCloseable {

    /** Who may do what. */
    AccessPolicy access();

    /** It can be reached here, host and port. */
    void setHttpAddress(String http);

    Object health();

    Object status(ApiCall apiCall);

    Locks locks(ApiCall apiCall);

    /** The lock that the call names. */
    Object lock(ApiCall apiCall);

    Leaders leaders(ApiCall apiCall);

    LeaderJson leader(ApiCall apiCall);

    /** What the body of a wish may say. */
    List<String> requestFields();

    default List<String> lockRequestFields() {
        return requestFields();
    }

    default List<String> campaignRequestFields() {
        return requestFields();
    }

    /** Waits in line, and gives the ticket. */
    Object acquire(ApiCall apiCall);

    /** Waits until it leads, and gives the ticket. */
    Object campaign(ApiCall apiCall);

    /** How the ticket is, as soon as it is not held, and after the patience of the call at most. */
    Object describeTicket(ApiCall apiCall);

    Object renew(ApiCall apiCall);

    Object release(ApiCall apiCall);

    Object resign(ApiCall apiCall);

    /** What only this one can be asked. */
    List<Route> extraRoutes();

    /** Tells the watch how everything is, and then every change, until {@link #unwatch}. */
    void watch(ApiCall apiCall, ChangeFeed changeFeed, boolean clusterWide);

    /** Called before every change, and at least every second. */
    default void refresh(ChangeFeed changeFeed) {}

    void unwatch(ChangeFeed changeFeed);

    /** Whoever waits is sent away. */
    @Override
    void close();

    /** All that can be asked, but for the watch; what reads as it stands comes first. */
    default List<Route> routes() {
        var routes = new ArrayList<>(List.of(
                Route.get("/health", apiCall -> health()),
                Route.get("/status", this::status),
                Route.get("/locks", this::locks),
                Route.get("/leaders", this::leaders),
                Route.get("/locks/{name}", this::lock),
                Route.get("/leaders/{name}", this::leader),
                Route.get("/tickets/{id}", this::describeTicket),
                Route.post("/locks/{name}/acquire", lockRequestFields(), this::acquire),
                Route.post("/leaders/{name}/stand", campaignRequestFields(), this::campaign),
                Route.post("/tickets/{id}/renew", List.of("lease"), this::renew),
                Route.post("/tickets/{id}/release", List.of(), this::release),
                Route.post("/tickets/{id}/resign", List.of(), this::resign)));
        routes.addAll(extraRoutes());
        routes.sort(Comparator.comparing(Route::hasFixedPath).reversed());
        return List.copyOf(routes);
    }
}
