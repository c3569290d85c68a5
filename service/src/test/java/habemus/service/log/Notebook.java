package habemus.service.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.protocol.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** A machine that writes down what it is told, and whether it was told in order. */
final class Notebook implements Log.Machine {

    private final List<String> lines = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    private Optional<NodeId> leader = Optional.empty();
    private long last;
    private int restored;
    private final AtomicBoolean inside = new AtomicBoolean();

    @Override
    public void apply(long index, byte[] entry) {
        alone(() -> {
            if (index <= last) {
                wrong.add(index + " after " + last);
            }
            last = index;
            return lines.add(new String(entry, UTF_8));
        });
    }

    private <T> T alone(Supplier<T> call) {
        boolean first = inside.compareAndSet(false, true);
        synchronized (this) {
            if (!first) {
                wrong.add("told two things at once");
            }
            var result = call.get();
            inside.set(false);
            return result;
        }
    }

    @Override
    public byte[] snapshot() {
        return alone(() -> String.join("\n", lines).getBytes(UTF_8));
    }

    @Override
    public void restore(byte[] snapshot) {
        alone(() -> {
            lines.clear();
            if (snapshot.length > 0) {
                lines.addAll(List.of(new String(snapshot, UTF_8).split("\n", -1)));
            }
            return ++restored;
        });
    }

    @Override
    public void leader(Optional<NodeId> now) {
        alone(() -> leader = now);
    }

    synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    synchronized List<String> wrong() {
        return List.copyOf(wrong);
    }

    synchronized Optional<NodeId> leader() {
        return leader;
    }

    synchronized int restored() {
        return restored;
    }
}
