package habemus.check.search;

import habemus.check.model.Workers;
import java.util.Arrays;
import java.util.function.Consumer;

/** One worker for each shard. Each call waits until all shards are done. */
public final class ShardWorkers implements AutoCloseable {

    private final SearchShard[] shards;
    private final Workers.Team team;

    /** @param workers as many as shards */
    public ShardWorkers(SearchShard[] shards, Workers workers) {
        this.shards = shards;
        team = workers.start();
    }

    public void forEachShard(Consumer<SearchShard> work) {
        team.runAll(Arrays.stream(shards)
                .map(shard -> (Runnable) () -> work.accept(shard))
                .toList());
    }

    @Override
    public void close() {
        team.close();
    }
}
