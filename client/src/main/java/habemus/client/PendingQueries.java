package habemus.client;

import habemus.lockservice.Deadlock;
import habemus.lockservice.ResourceName;
import habemus.lockservice.protocol.ClientFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** Queries without a reply yet, and watchers of changes. Used by the driver only, except the static methods. */
final class PendingQueries {

    /** Called by the driver; must not block. */
    interface Watcher {
        void onChanged(ResourceName name);

        /** Called after a reconnect: changes of any resource may have been missed. */
        void onChangesMissed();
    }

    /** The reply to a query for deadlocks. */
    record Deadlocks(List<Deadlock> deadlocks) {}

    private record Query(ClientFrame.ToService frame, Consumer<Object> onReply, BooleanSupplier isCancelled) {}

    private final Map<Long, Query> queries = new TreeMap<>();
    private final List<Watcher> watchers = new ArrayList<>();
    private long last;

    ClientFrame.ToService add(
            LongFunction<ClientFrame.ToService> frameOf, Consumer<Object> onReply, BooleanSupplier isCancelled) {
        queries.values().removeIf(query -> query.isCancelled.getAsBoolean());
        var frame = frameOf.apply(++last);
        queries.put(last, new Query(frame, onReply, isCancelled));
        return frame;
    }

    /** {@return the frames of all unanswered queries, to be sent again on a new connection} */
    List<ClientFrame.ToService> unanswered() {
        queries.values().removeIf(query -> query.isCancelled.getAsBoolean());
        return queries.values().stream().map(Query::frame).toList();
    }

    void onReply(long number, Object reply) {
        var query = queries.remove(number);
        if (query != null) {
            query.onReply.accept(reply);
        }
    }

    static LockStatus describe(SessionDriver driver, ResourceName name) throws InterruptedException {
        return LockStatus.of(await(driver, driver.describe(name)));
    }

    /** Waits for the reply, at most the request timeout. */
    static <T> T await(SessionDriver driver, CompletableFuture<T> reply) throws InterruptedException {
        driver.checkMayWait();
        try {
            return reply.get(driver.requestTimeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw Futures.unwrap(e);
        } catch (TimeoutException e) {
            throw Acquirer.unavailable(driver, driver.requestTimeout());
        } finally {
            reply.cancel(false);
        }
    }

    void add(Watcher watcher) {
        watchers.add(watcher);
    }

    void remove(Watcher watcher) {
        watchers.remove(watcher);
    }

    boolean hasWatchers() {
        return !watchers.isEmpty();
    }

    boolean hasQueriesOrWatchers() {
        return hasWatchers() || !unanswered().isEmpty();
    }

    void notifyChanged(ResourceName name) {
        List.copyOf(watchers).forEach(watcher -> watcher.onChanged(name));
    }

    void notifyChangesMissed() {
        List.copyOf(watchers).forEach(Watcher::onChangesMissed);
    }
}
