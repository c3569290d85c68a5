package habemus.service.session;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.archive.Archive;
import habemus.fenced.Command;
import habemus.fenced.Entry;
import habemus.protocol.NodeId;
import habemus.service.log.Counts;
import habemus.service.log.Log;
import habemus.service.log.Undecided;
import habemus.service.net.Member;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** A log that commits what it is told to. */
final class HeldLog implements Log {

    /** What was proposed and not yet looked at. */
    private final BlockingQueue<Entry> proposed = new LinkedBlockingQueue<>();

    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private volatile CompletableFuture<Void> last = new CompletableFuture<>();
    private final Executor thread =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());

    private @Nullable Machine machine;
    private long index;

    @Override
    public void start(Machine told) {
        machine = told;
    }

    Machine machine() {
        return requireNonNull(machine);
    }

    @Override
    public CompletableFuture<Void> put(byte[] entry) {
        var outcome = new CompletableFuture<Void>();
        last = outcome;
        proposed.add(Archive.entry(entry));
        return outcome;
    }

    @Override
    public void attend() {}

    /** What was proposed last goes down with its leader. */
    void lose() {
        last.completeExceptionally(new Undecided("the leader was lost"));
    }

    Entry next() throws InterruptedException {
        var entry = proposed.poll(10, SECONDS);
        assertThat(entry).as("an entry").isNotNull();
        return requireNonNull(entry);
    }

    boolean hasNone() {
        return proposed.isEmpty();
    }

    /** By a thread of the log, which whoever is told may keep. */
    void commit(Entry entry) {
        long next = ++index;
        thread.execute(() -> {
            machine().apply(next, Archive.write(entry));
            machine().rest();
        });
    }

    /** After all that was committed. */
    CompletableFuture<byte[]> snapshot() {
        return CompletableFuture.supplyAsync(() -> machine().snapshot(), thread);
    }

    void commit(Command... commands) {
        commit(Entry.of(1, commands));
    }

    @Override
    public CompletableFuture<Void> add(Member member) {
        return new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<Void> remove(NodeId node) {
        return new CompletableFuture<>();
    }

    @Override
    public List<Member> members() {
        return List.of();
    }

    @Override
    public CompletableFuture<Void> compact() {
        return new CompletableFuture<>();
    }

    @Override
    public Counts counts() {
        return new Counts(index, 0, 0, 0, 0, 0);
    }

    @Override
    public CompletableFuture<Throwable> failure() {
        return failure;
    }

    void leads(int node) {
        machine().leader(Optional.of(new NodeId(node)));
    }

    @Override
    public void close() {}
}
