package habemus.log.etcd;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** What the parts of the log need of it. All of them run on its loop. */
interface LogTasks {

    /** Runs a task later, unless the log is closed. Stops the node if the task fails. */
    void schedule(Duration delay, Runnable task);

    /** Passes the result of a call on the loop, unless the log is closed. A failure is reported first. */
    <T> void await(CompletableFuture<T> call, Consumer<T> onResult, Consumer<StoreException> onFailure);

    /** Stops the node. */
    void fail(Throwable cause);

    long nanoTime();
}
