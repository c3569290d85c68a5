package habemus.service.algorithm;

import java.util.concurrent.CompletableFuture;

/** A client's place in a line; then its grant; then nothing any more. */
public final class Ticket {

    /** How it ended. */
    public enum End {
        /** The client gave it back, or no longer wants it. */
        RELEASED,
        /** The algorithm took it back, or the node is no longer the leader. */
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

    /** With the fence of the grant, or the term. Cancelled if the ticket ends before. */
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

    void end(End how) {
        ended.complete(how);
        granted.cancel(false);
    }

    GroupStatus.Client asClient() {
        return new GroupStatus.Client(client, sinceMillis);
    }
}
