package habemus.client;

import habemus.lockservice.Deadlock;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceStatus;
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

/** Questions that change nothing, and who wants to be told of changes. For the driver's thread alone. */
final class PendingQueries {

    /** Told on the driver's thread: it must not block. */
    interface Watcher {
        void onChanged(ResourceName resourceName);

        /** Changes may have been missed, of anything. */
        void onChangesMissed();
    }

    /** Who waits for whom. */
    record Deadlocks(List<Deadlock> circles) {}

    private record Query(ClientFrame.ToService question, Consumer<Object> answer, BooleanSupplier isMoot) {}

    private final Map<Long, Query> queries = new TreeMap<>();
    private final List<Watcher> watchers = new ArrayList<>();
    private long last;

    ClientFrame.ToService ask(
            LongFunction<ClientFrame.ToService> question, Consumer<Object> answer, BooleanSupplier isMoot) {
        queries.values().removeIf(query -> query.isMoot.getAsBoolean());
        var parcel = question.apply(++last);
        queries.put(last, new Query(parcel, answer, isMoot));
        return parcel;
    }

    /** What was asked and not answered. */
    List<ClientFrame.ToService> unanswered() {
        queries.values().removeIf(query -> query.isMoot.getAsBoolean());
        return queries.values().stream().map(Query::question).toList();
    }

    void seen(long number, Object answer) {
        var query = queries.remove(number);
        if (query != null) {
            query.answer.accept(answer);
        }
    }

    static ResourceStatus describe(SessionDriver sessionDriver, ResourceName resourceName) throws InterruptedException {
        return seen(sessionDriver, sessionDriver.describe(resourceName));
    }

    /** Waits for the answer, but not for ever. */
    static <T> T seen(SessionDriver sessionDriver, CompletableFuture<T> look) throws InterruptedException {
        try {
            return look.get(sessionDriver.requestTimeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw Futures.unwrap(e);
        } catch (TimeoutException e) {
            throw Acquirer.unavailable(sessionDriver, sessionDriver.requestTimeout());
        } finally {
            look.cancel(false);
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

    void notifyChanged(ResourceName resourceName) {
        List.copyOf(watchers).forEach(watcher -> watcher.onChanged(resourceName));
    }

    void notifyChangesMissed() {
        List.copyOf(watchers).forEach(Watcher::onChangesMissed);
    }
}
