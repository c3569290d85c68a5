package habemus.service.session;

import habemus.archive.Archive;
import habemus.fenced.Table;
import habemus.protocol.NodeId;
import habemus.service.log.Log;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/** The {@link Reception} as its log sees it. All of this is called by the log's thread. */
final class Replica implements Log.Machine {

    /** Entries that may wait to be applied; then the log waits. */
    private static final int ROOM = 1_000;

    private final Reception reception;
    private final Semaphore room = new Semaphore(ROOM);
    private final CompletableFuture<Table> end = new CompletableFuture<>(); // fails when nothing is applied any more

    Replica(Reception reception) {
        this.reception = reception;
    }

    @Override
    public void apply(long index, byte[] entry) {
        if (!room.tryAcquire()) {
            reception.attend();
            room.acquireUninterruptibly();
        }
        if (end.isDone()) {
            throw new IllegalStateException("the node has stopped");
        }
        reception.put(new Event.Committed(Archive.entry(entry)));
    }

    @Override
    public void rest() {
        reception.attend();
    }

    void taken() {
        room.release();
    }

    void end() {
        if (end.completeExceptionally(new IllegalStateException("the node has stopped"))) {
            room.release(Integer.MAX_VALUE / 2);
        }
    }

    /** The reception waits for nothing, so this does not wait long. */
    @Override
    public byte[] snapshot() {
        var table = new CompletableFuture<Table>();
        reception.add(new Event.Asked(table));
        return Archive.write((Table) CompletableFuture.anyOf(table, end).join());
    }

    @Override
    public void restore(byte[] snapshot) {
        reception.add(new Event.Restored(Archive.table(snapshot)));
    }

    @Override
    public void leader(Optional<NodeId> leader) {
        reception.add(new Event.Led(leader));
    }
}
