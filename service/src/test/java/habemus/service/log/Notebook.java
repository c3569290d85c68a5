package habemus.service.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.protocol.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A machine that writes down what it is told, and whether it was told in order. */
final class Notebook implements Log.Machine {

    private final List<String> lines = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    private Optional<NodeId> leader = Optional.empty();
    private long last;
    private int restored;
    private Thread thread;

    @Override
    public synchronized void apply(long index, byte[] entry) {
        alone();
        if (index <= last) {
            wrong.add(index + " after " + last);
        }
        last = index;
        lines.add(new String(entry, UTF_8));
    }

    private void alone() {
        if (thread != null && !thread.equals(Thread.currentThread())) {
            wrong.add("told by " + thread + " and by " + Thread.currentThread());
        }
        thread = Thread.currentThread();
    }

    @Override
    public synchronized byte[] snapshot() {
        alone();
        return String.join("\n", lines).getBytes(UTF_8);
    }

    @Override
    public synchronized void restore(byte[] snapshot) {
        alone();
        restored++;
        lines.clear();
        if (snapshot.length > 0) {
            lines.addAll(List.of(new String(snapshot, UTF_8).split("\n", -1)));
        }
    }

    @Override
    public synchronized void leader(Optional<NodeId> now) {
        alone();
        leader = now;
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
