package habemus.service.http;

import habemus.service.algorithm.AlgorithmNode;
import habemus.service.algorithm.GroupId;
import habemus.service.algorithm.Ticket;
import habemus.service.http.ApiResponses.TicketJson;
import habemus.world.Problem;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The tickets of clients that are not in this process, and can vanish without a word: each has a lease, and is given
 * back when that runs out. How a ticket ended is remembered for a while, so that its client can be told.
 */
final class LeasedTickets implements AutoCloseable {

    private static final int TICKETS_MAX = 10_000;
    private static final int ID_BYTES = 16;
    private static final long ENDED_RETENTION_MILLIS = 60_000; // milliseconds
    private static final long CLOSE_GRACE_MILLIS = 5_000; // in which clients can give back when the node stops

    private final AlgorithmNode algorithmNode;
    private final Map<String, Lease> leases = new ConcurrentHashMap<>();
    private final SecureRandom random = new SecureRandom();
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("leases").factory());
    private volatile boolean stopping;

    LeasedTickets(AlgorithmNode algorithmNode) {
        this.algorithmNode = algorithmNode;
    }

    /** A ticket; its time begins to run when it is granted. */
    private final class Lease {

        final String id;
        final GroupId group;
        final Ticket ticket;
        final CompletableFuture<String> endState = new CompletableFuture<>(); // how it ended
        final CompletableFuture<Void> notHeld = new CompletableFuture<>(); // that it ended, or soon will
        private long expiresAtNanos; // of the monotonic clock

        @SuppressWarnings("FutureReturnValueIgnored") // nothing of it can fail
        Lease(String id, GroupId group, Ticket ticket) {
            this.id = id;
            this.group = group;
            this.ticket = ticket;
            ticket.ended().thenAccept(how -> endState.complete(how == Ticket.End.LOST ? "lost" : "released"));
            endState.thenRun(() -> notHeld.complete(null));
            endState.thenRun(() ->
                    scheduler.schedule(() -> leases.remove(id, this), ENDED_RETENTION_MILLIS, TimeUnit.MILLISECONDS));
        }

        /** Whether it still had some. */
        @SuppressWarnings("FutureReturnValueIgnored")
        synchronized boolean renew(long millis) {
            if (endState.isDone()) {
                return false;
            }
            expiresAtNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            scheduler.schedule(this::expireIfDue, millis, TimeUnit.MILLISECONDS);
            return true;
        }

        private synchronized void expireIfDue() {
            if (expiresAtNanos - System.nanoTime() <= 0 && endState.complete("expired")) {
                release();
            }
        }

        void release() {
            if (group.problem() == Problem.MUTEX) {
                algorithmNode.release(group.name(), ticket);
            } else {
                algorithmNode.resign(group.name(), ticket);
            }
        }

        private String state() {
            return stopping ? "stopping" : ticket.granted().isDone() ? "held" : "waiting";
        }

        synchronized TicketJson describe() {
            boolean lock = group.problem() == Problem.MUTEX;
            boolean held = !endState.isDone();
            long number = ticket.granted().isCompletedExceptionally()
                    ? 0
                    : ticket.granted().getNow(0L);
            return new TicketJson(
                    id,
                    lock ? group.name() : null,
                    lock ? null : group.name(),
                    ticket.client(),
                    algorithmNode.self().node().toString(),
                    held ? state() : endState.join(),
                    lock ? number : null,
                    lock ? null : number,
                    held ? Math.max(0, TimeUnit.NANOSECONDS.toMillis(expiresAtNanos - System.nanoTime())) : 0);
        }
    }

    /** A ticket that nobody has. */
    String newTicketId() {
        var bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /**
     * Waits until the ticket is granted, and so long at most; or until it is given back by {@link #end}.
     *
     * @throws ApiException if it was not
     */
    TicketJson awaitGrant(String id, GroupId group, Ticket ticket, long wait, long lease) {
        var taken = new Lease(id, group, ticket);
        if (stopping || leases.size() >= TICKETS_MAX) {
            taken.release();
            throw stopping
                    ? stoppingError()
                    : new ApiException(429, "too-many", "this node has too many clients", "try another node, or later");
        }
        if (leases.putIfAbsent(id, taken) != null) {
            taken.release();
            throw new ApiException(409, "taken", "there is such a ticket already", "draw another one, or leave it out");
        }
        try {
            ticket.granted().get(wait, TimeUnit.MILLISECONDS);
            taken.renew(lease);
            return taken.describe();
        } catch (TimeoutException busy) {
            discard(taken);
            boolean lock = group.problem() == Problem.MUTEX;
            throw new ApiException(
                    409,
                    "busy",
                    (lock ? "the lock " : "the leadership of ") + group.name() + " was not granted within " + wait
                            + " ms",
                    lock ? "GET /locks/… tells who has it" : "GET /leaders/… tells who leads");
        } catch (CancellationException ended) {
            throw stopping ? stoppingError() : endedError(taken.describe());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            discard(taken);
            throw stoppingError();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void discard(Lease lease) {
        leases.remove(lease.id, lease);
        lease.release();
    }

    private static ApiException stoppingError() {
        return new ApiException(503, "stopping", "this node is about to stop", "ask another node");
    }

    private Lease find(String id) {
        var lease = leases.get(id);
        if (lease == null) {
            throw ApiException.notFound(
                    "there is no such ticket", "it was never given, or is over for more than a minute");
        }
        return lease;
    }

    /** How the ticket is, as soon as that is something other than held, and after so long at most. */
    TicketJson awaitNotHeld(String id, long wait) {
        var lease = find(id);
        if (!stopping && wait > 0) {
            try {
                lease.notHeld.get(wait, TimeUnit.MILLISECONDS);
            } catch (TimeoutException | ExecutionException asBefore) {
                // it is held
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return lease.describe();
    }

    TicketJson renew(String id, long millis) {
        var lease = find(id);
        if (stopping || !lease.renew(millis)) {
            throw endedError(lease.describe());
        }
        return lease.describe();
    }

    /** Gives it back. */
    TicketJson end(String id, Problem problem) {
        var lease = find(id);
        if (lease.group.problem() != problem) {
            throw new ApiException(
                    409,
                    "other-kind",
                    "this is a ticket of " + lease.group,
                    problem == Problem.MUTEX ? "use resign in place of release" : "use release in place of resign");
        }
        if (!lease.endState.complete("released")) {
            throw endedError(lease.describe());
        }
        lease.release();
        return lease.describe();
    }

    private static ApiException endedError(TicketJson ticket) {
        var what = ticket.lock() != null ? "the lock" : "the leadership";
        return new ApiException(
                410,
                ticket.state(),
                switch (ticket.state()) {
                    case "expired" -> "the lease ran out: " + what + " was given back";
                    case "lost" -> what + " was lost";
                    case "stopping" -> "this node is about to stop";
                    default -> "the ticket was given back already";
                },
                "whatever " + what + " protects must not be touched any more");
    }

    /** Who waits goes away; who holds something is told, and has some time to give it back. */
    @Override
    public void close() {
        stopping = true;
        leases.values().forEach(lease -> lease.notHeld.complete(null));
        leases.values().stream()
                .filter(lease -> !lease.ticket.granted().isDone())
                .forEach(Lease::release);
        var held = leases.values().stream().map(lease -> lease.endState).toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(held)
                .completeOnTimeout(null, CLOSE_GRACE_MILLIS, TimeUnit.MILLISECONDS)
                .join();
        scheduler.shutdownNow();
    }
}
