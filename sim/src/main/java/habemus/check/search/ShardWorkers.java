package habemus.check.search;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A thread for each shard; nobody begins with the next thing before everybody is done with the last. */
public final class ShardWorkers implements AutoCloseable {

    private final SearchShard[] searchShards;
    private final @Nullable ExecutorService threads; // null where one does it all

    ShardWorkers(SearchShard[] searchShards) {
        this.searchShards = searchShards;
        threads = searchShards.length == 1
                ? null
                : Executors.newFixedThreadPool(
                        searchShards.length, Thread.ofPlatform().daemon().factory());
    }

    public void forEachShard(Consumer<SearchShard> what) {
        if (threads == null) {
            what.accept(searchShards[0]);
            return;
        }
        List<Callable<Void>> tasks = new ArrayList<>();
        for (SearchShard searchShard : searchShards) {
            tasks.add(() -> {
                what.accept(searchShard);
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
