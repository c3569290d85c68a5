package habemus.service.raft;

import habemus.protocol.ByteString;
import habemus.protocol.EntryId;
import habemus.protocol.Event;
import habemus.protocol.LogCall;
import habemus.service.log.ReplicatedLog;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Replaces applied entries by a snapshot. The snapshot is encoded and written in the background; only its last step is
 * on the loop, so that the log never pauses for long.
 */
final class LogCompaction {

    private final LogEnvironment environment;
    private final RaftDriver driver;
    private final RaftStorage storage;
    private final RaftDriver.Application application;
    private final AtomicLong count = new AtomicLong();
    private @Nullable CompletableFuture<Void> running; // only on the loop

    LogCompaction(
            LogEnvironment environment, RaftDriver driver, RaftStorage storage, RaftDriver.Application application) {
        this.environment = environment;
        this.driver = driver;
        this.storage = storage;
        this.application = application;
    }

    /** The snapshots since the start, taken or received. May be called by any thread. */
    long count() {
        return count.get();
    }

    void onSnapshotReceived() {
        count.incrementAndGet();
    }

    boolean isRunning() {
        return running != null;
    }

    /**
     * Completes with the compaction that is running, or is started now.
     *
     * @param appliedIndex of the last entry in the state; all entries up to it are synced
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback handles the failure
    CompletableFuture<Void> run(long appliedIndex, AddressBook addresses, ReplicatedLog.StateMachine stateMachine) {
        if (running != null) {
            return running;
        }
        var result = new CompletableFuture<Void>();
        running = result;
        var base = driver.log().idAt(appliedIndex);
        var configuration = driver.log().configurationAt(appliedIndex);
        if (base.index() > driver.log().baseIndex()) {
            storage.startSegment();
        }
        var state = stateMachine.snapshot();
        CompletableFuture.supplyAsync(
                        () -> {
                            var snapshot = SnapshotEnvelope.encode(addresses, state.get());
                            storage.stageSnapshot(base, configuration, snapshot);
                            return snapshot;
                        },
                        environment.background())
                .whenComplete((snapshot, failed) ->
                        environment.loop().execute(() -> application.guard(() -> finish(base, snapshot, failed))));
        return result;
    }

    private void finish(EntryId base, @Nullable ByteString snapshot, @Nullable Throwable failed) {
        var result = Objects.requireNonNull(running);
        running = null;
        if (snapshot == null) {
            throw new IllegalStateException("cannot write a snapshot", failed);
        }
        driver.step(new Event.Call<>(new LogCall.Compact(base.index(), snapshot)));
        count.incrementAndGet();
        result.complete(null);
    }
}
