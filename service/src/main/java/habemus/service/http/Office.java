package habemus.service.http;

import habemus.service.http.Answers.LeaderOf;
import habemus.service.http.Answers.Leaders;
import habemus.service.http.Answers.Locks;
import habemus.service.session.Access;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What is behind the door: a node with algorithms of the catalogue, or one of the production service. What both are
 * asked they answer in the same form, so that clients need not know which it is.
 *
 * @see Trouble for whatever is not answered as hoped
 */
interface Office extends AutoCloseable {

    /** Who may do what. */
    Access access();

    /** It can be reached here, host and port. */
    void reachableAt(String http);

    Object health();

    Object status(Call call);

    Locks locks(Call call);

    /** The lock that the call names. */
    Object lock(Call call);

    Leaders leaders(Call call);

    LeaderOf leader(Call call);

    /** What the body of a wish may say. */
    List<String> wish();

    default List<String> lockWish() {
        return wish();
    }

    default List<String> standWish() {
        return wish();
    }

    /** Waits in line, and gives the ticket. */
    Object acquire(Call call);

    /** Waits until it leads, and gives the ticket. */
    Object stand(Call call);

    /** How the ticket is, as soon as it is not held, and after the patience of the call at most. */
    Object look(Call call);

    Object renew(Call call);

    Object release(Call call);

    Object resign(Call call);

    /** What only this one can be asked. */
    List<Route> more();

    /** Tells the watch how everything is, and then every change, until {@link #unwatch}. */
    void watch(Call call, Watch watch, boolean everywhere);

    /** Called before every change, and at least every second. */
    default void stirred(Watch watch) {}

    void unwatch(Watch watch);

    /** Whoever waits is sent away. */
    @Override
    void close();

    /** All that can be asked, but for the watch; what reads as it stands comes first. */
    default List<Route> routes() {
        var routes = new ArrayList<>(List.of(
                Route.get("/health", call -> health()),
                Route.get("/status", this::status),
                Route.get("/locks", this::locks),
                Route.get("/leaders", this::leaders),
                Route.get("/locks/{name}", this::lock),
                Route.get("/leaders/{name}", this::leader),
                Route.get("/tickets/{id}", this::look),
                Route.post("/locks/{name}/acquire", lockWish(), this::acquire),
                Route.post("/leaders/{name}/stand", standWish(), this::stand),
                Route.post("/tickets/{id}/renew", List.of("lease"), this::renew),
                Route.post("/tickets/{id}/release", List.of(), this::release),
                Route.post("/tickets/{id}/resign", List.of(), this::resign)));
        routes.addAll(more());
        routes.sort(Comparator.comparing(Route::isPlain).reversed());
        return List.copyOf(routes);
    }
}
