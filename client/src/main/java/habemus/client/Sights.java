package habemus.client;

import habemus.fenced.Deadlock;
import habemus.fenced.Description;
import habemus.fenced.Name;
import habemus.fenced.Parcel;
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
final class Sights {

    /** Told on the driver's thread: it must not block. */
    interface Watcher {
        void changed(Name name);

        /** Changes may have been missed, of anything. */
        void missed();
    }

    /** Who waits for whom. */
    record Circles(List<Deadlock> circles) {}

    private record Look(Parcel.ToService question, Consumer<Object> answer, BooleanSupplier isMoot) {}

    private final Map<Long, Look> looks = new TreeMap<>();
    private final List<Watcher> watchers = new ArrayList<>();
    private long last;

    Parcel.ToService ask(LongFunction<Parcel.ToService> question, Consumer<Object> answer, BooleanSupplier isMoot) {
        looks.values().removeIf(look -> look.isMoot.getAsBoolean());
        var parcel = question.apply(++last);
        looks.put(last, new Look(parcel, answer, isMoot));
        return parcel;
    }

    /** What was asked and not answered. */
    List<Parcel.ToService> open() {
        looks.values().removeIf(look -> look.isMoot.getAsBoolean());
        return looks.values().stream().map(Look::question).toList();
    }

    void seen(long number, Object answer) {
        var look = looks.remove(number);
        if (look != null) {
            look.answer.accept(answer);
        }
    }

    static Description describe(Driver driver, Name name) throws InterruptedException {
        return seen(driver, driver.look(name));
    }

    /** Waits for the answer, but not for ever. */
    static <T> T seen(Driver driver, CompletableFuture<T> look) throws InterruptedException {
        try {
            return look.get(driver.patience().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw Waits.unwrapped(e);
        } catch (TimeoutException e) {
            throw Gate.unreachable(driver, driver.patience());
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

    boolean isWatched() {
        return !watchers.isEmpty();
    }

    boolean isAnybodyInterested() {
        return isWatched() || !open().isEmpty();
    }

    void changed(Name name) {
        List.copyOf(watchers).forEach(watcher -> watcher.changed(name));
    }

    void missed() {
        List.copyOf(watchers).forEach(Watcher::missed);
    }
}
