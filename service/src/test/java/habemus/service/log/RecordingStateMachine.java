package habemus.service.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.protocol.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Records the applied entries, and violations of the order of calls. */
public final class RecordingStateMachine implements ReplicatedLog.StateMachine {

    private final List<String> entries = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private Optional<NodeId> leader = Optional.empty();
    private long last;
    private int applied;
    private int restored;
    private final AtomicBoolean isCalled = new AtomicBoolean();
    private final String firstEntries;

    public RecordingStateMachine() {
        this("");
    }

    /** @param firstEntries of a new log, in its first snapshot */
    public RecordingStateMachine(String firstEntries) {
        this.firstEntries = firstEntries;
    }

    @Override
    public void apply(long index, byte[] entry) {
        exclusively(() -> {
            if (index <= last) {
                violations.add(index + " after " + last);
            }
            last = index;
            applied++;
            return entries.add(new String(entry, UTF_8));
        });
    }

    private <T> T exclusively(Supplier<T> call) {
        boolean first = isCalled.compareAndSet(false, true);
        synchronized (this) {
            if (!first) {
                violations.add("overlapping calls");
            }
            var result = call.get();
            isCalled.set(false);
            return result;
        }
    }

    @Override
    public Supplier<byte[]> snapshot() {
        var captured = exclusively(() -> List.copyOf(entries));
        return () -> String.join("\n", captured).getBytes(UTF_8);
    }

    @Override
    public byte[] firstSnapshot() {
        return firstEntries.getBytes(UTF_8);
    }

    @Override
    public void restore(byte[] snapshot) {
        exclusively(() -> {
            entries.clear();
            if (snapshot.length > 0) {
                entries.addAll(List.of(new String(snapshot, UTF_8).split("\n", -1)));
            }
            return ++restored;
        });
    }

    @Override
    public void onLeaderChanged(Optional<NodeId> now) {
        exclusively(() -> leader = now);
    }

    public synchronized List<String> entries() {
        return List.copyOf(entries);
    }

    public synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    public synchronized Optional<NodeId> leader() {
        return leader;
    }

    /** The entries that were applied one by one, not by a snapshot. */
    public synchronized int applied() {
        return applied;
    }

    public synchronized int restored() {
        return restored;
    }
}
