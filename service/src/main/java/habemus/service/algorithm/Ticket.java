package habemus.service.algorithm;

import java.util.concurrent.CompletableFuture;

/** A client's request for a lock or a leadership: first it is queued, then granted, then ended. */
public final class Ticket {

    /** How a ticket has ended. */
    public enum End {
        /** The client has released it, or has left the queue. */
        RELEASED,
        /** The algorithm has lost the lock, or the node is no longer the leader. */
        LOST
    }

    private final String client;
    private final CompletableFuture<Long> granted = new CompletableFuture<>();
    private final CompletableFuture<End> ended = new CompletableFuture<>();
    private volatile long sinceMillis = System.currentTimeMillis();

    Ticket(String client) {
        this.client = client;
    }

    public String client() {
        return client;
    }

    /** Completes with the fence of the grant, or the term. Cancelled if the ticket ends before. */
    public CompletableFuture<Long> granted() {
        return granted;
    }

    public CompletableFuture<End> ended() {
        return ended;
    }

    public boolean isValid() {
        return granted.isDone() && !ended.isDone();
    }

    void grant(long fence) {
        sinceMillis = System.currentTimeMillis();
        granted.complete(fence);
    }

    void end(End end) {
        ended.complete(end);
        granted.cancel(false);
    }

    GroupStatus.Client asClient() {
        return new GroupStatus.Client(client, sinceMillis);
    }
}
