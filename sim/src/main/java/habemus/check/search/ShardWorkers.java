package habemus.check.search;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One thread for each shard. Each call waits until all shards are done. */
public final class ShardWorkers implements AutoCloseable {

    private final SearchShard[] shards;
    private final @Nullable ExecutorService threads; // null if there is one shard: the calling thread does the work

    public ShardWorkers(SearchShard[] shards) {
        this.shards = shards;
        threads = shards.length == 1
                ? null
                : Executors.newFixedThreadPool(
                        shards.length, Thread.ofPlatform().daemon().factory());
    }

    public void forEachShard(Consumer<SearchShard> work) {
        if (threads == null) {
            work.accept(shards[0]);
            return;
        }
        List<Callable<Void>> tasks = new ArrayList<>();
        for (SearchShard shard : shards) {
            tasks.add(() -> {
                work.accept(shard);
                return null;
            });
        }
        try {
            for (var result : threads.invokeAll(tasks)) {
                result.get();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the shards", interrupted);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof SearchStoppedException stopped
                    ? stopped
                    : new IllegalStateException(failed.getCause());
        }
    }

    @Override
    public void close() {
        if (threads != null) {
            threads.shutdownNow();
        }
    }
}
