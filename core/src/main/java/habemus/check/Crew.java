package habemus.check;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A thread for each shard; nobody begins with the next thing before everybody is done with the last. */
final class Crew implements AutoCloseable {

    private final Shard[] shards;
    private final @Nullable ExecutorService threads; // null where one does it all

    Crew(Shard[] shards) {
        this.shards = shards;
        threads = shards.length == 1
                ? null
                : Executors.newFixedThreadPool(
                        shards.length, Thread.ofPlatform().daemon().factory());
    }

    void all(Consumer<Shard> what) {
        if (threads == null) {
            what.accept(shards[0]);
            return;
        }
        List<Callable<Void>> tasks = new ArrayList<>();
        for (Shard shard : shards) {
            tasks.add(() -> {
                what.accept(shard);
                return null;
            });
        }
        try {
            for (var done : threads.invokeAll(tasks)) {
                done.get();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", stop);
        } catch (ExecutionException failed) {
            throw new IllegalStateException(failed.getCause());
        }
    }

    @Override
    public void close() {
        if (threads != null) {
            threads.shutdownNow();
        }
    }
}
