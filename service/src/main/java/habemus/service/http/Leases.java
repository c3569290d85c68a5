package habemus.service.http;

import habemus.service.http.Answers.TicketOf;
import habemus.service.node.GroupId;
import habemus.service.node.Node;
import habemus.service.node.Ticket;
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
final class Leases implements AutoCloseable {

    private static final int TICKETS_MAX = 10_000;
    private static final int ID_BYTES = 16;
    private static final long REMEMBERED = 60_000; // milliseconds
    private static final long LEAVING = 5_000; // in which clients can give back when the node stops

    private final Node node;
    private final Map<String, Lease> leases = new ConcurrentHashMap<>();
    private final SecureRandom random = new SecureRandom();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("leases").factory());
    private volatile boolean stopping;

    Leases(Node node) {
        this.node = node;
    }

    /** A ticket; its time begins to run when it is granted. */
    private final class Lease {

        final String id;
        final GroupId group;
        final Ticket ticket;
        final CompletableFuture<String> over = new CompletableFuture<>(); // how it ended
        final CompletableFuture<Void> news = new CompletableFuture<>(); // that it ended, or soon will
        private long until; // of the monotonic clock

        @SuppressWarnings("FutureReturnValueIgnored") // nothing of it can fail
        Lease(String id, GroupId group, Ticket ticket) {
            this.id = id;
            this.group = group;
            this.ticket = ticket;
            ticket.ended().thenAccept(how -> over.complete(how == Ticket.End.LOST ? "lost" : "released"));
            over.thenRun(() -> news.complete(null));
            over.thenRun(() -> clock.schedule(() -> leases.remove(id, this), REMEMBERED, TimeUnit.MILLISECONDS));
        }

        /** Whether it still had some. */
        @SuppressWarnings("FutureReturnValueIgnored")
        synchronized boolean renew(long millis) {
            if (over.isDone()) {
                return false;
            }
            until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            clock.schedule(this::look, millis, TimeUnit.MILLISECONDS);
            return true;
        }

        private synchronized void look() {
            if (until - System.nanoTime() <= 0 && over.complete("expired")) {
                giveBack();
            }
        }

        void giveBack() {
            if (group.problem() == Problem.MUTEX) {
                node.release(group.name(), ticket);
            } else {
                node.resign(group.name(), ticket);
            }
        }

        private String state() {
            return stopping ? "stopping" : ticket.granted().isDone() ? "held" : "waiting";
        }

        synchronized TicketOf describe() {
            boolean lock = group.problem() == Problem.MUTEX;
            boolean held = !over.isDone();
            long number = ticket.granted().isCompletedExceptionally()
                    ? 0
                    : ticket.granted().getNow(0L);
            return new TicketOf(
                    id,
                    lock ? group.name() : null,
                    lock ? null : group.name(),
                    ticket.client(),
                    node.self().node().toString(),
                    held ? state() : over.join(),
                    lock ? number : null,
                    lock ? null : number,
                    held ? Math.max(0, TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime())) : 0);
        }
    }

    /** A ticket that nobody has. */
    String draw() {
        var bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /**
     * Waits until the ticket is granted, and so long at most; or until it is given back by {@link #end}.
     *
     * @throws Trouble if it was not
     */
    TicketOf take(String id, GroupId group, Ticket ticket, long wait, long lease) {
        var taken = new Lease(id, group, ticket);
        if (stopping || leases.size() >= TICKETS_MAX) {
            taken.giveBack();
            throw stopping
                    ? stopping()
                    : new Trouble(429, "too-many", "this node has too many clients", "try another node, or later");
        }
        if (leases.putIfAbsent(id, taken) != null) {
            taken.giveBack();
            throw new Trouble(409, "taken", "there is such a ticket already", "draw another one, or leave it out");
        }
        try {
            ticket.granted().get(wait, TimeUnit.MILLISECONDS);
            taken.renew(lease);
            return taken.describe();
        } catch (TimeoutException busy) {
            forget(taken);
            boolean lock = group.problem() == Problem.MUTEX;
            throw new Trouble(
                    409,
                    "busy",
                    (lock ? "the lock " : "the leadership of ") + group.name() + " was not granted within " + wait
                            + " ms",
                    lock ? "GET /locks/… tells who has it" : "GET /leaders/… tells who leads");
        } catch (CancellationException ended) {
            throw stopping ? stopping() : over(taken.describe());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            forget(taken);
            throw stopping();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void forget(Lease lease) {
        leases.remove(lease.id, lease);
        lease.giveBack();
    }

    private static Trouble stopping() {
        return new Trouble(503, "stopping", "this node is about to stop", "ask another node");
    }

    private Lease find(String id) {
        var lease = leases.get(id);
        if (lease == null) {
            throw Trouble.unknown("there is no such ticket", "it was never given, or is over for more than a minute");
        }
        return lease;
    }

    /** How the ticket is, as soon as that is something other than held, and after so long at most. */
    TicketOf look(String id, long wait) {
        var lease = find(id);
        if (!stopping && wait > 0) {
            try {
                lease.news.get(wait, TimeUnit.MILLISECONDS);
            } catch (TimeoutException | ExecutionException asBefore) {
                // it is held
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return lease.describe();
    }

    TicketOf renew(String id, long millis) {
        var lease = find(id);
        if (stopping || !lease.renew(millis)) {
            throw over(lease.describe());
        }
        return lease.describe();
    }

    /** Gives it back. */
    TicketOf end(String id, Problem problem) {
        var lease = find(id);
        if (lease.group.problem() != problem) {
            throw new Trouble(
                    409,
                    "other-kind",
                    "this is a ticket of " + lease.group,
                    problem == Problem.MUTEX ? "use resign in place of release" : "use release in place of resign");
        }
        if (!lease.over.complete("released")) {
            throw over(lease.describe());
        }
        lease.giveBack();
        return lease.describe();
    }

    private static Trouble over(TicketOf ticket) {
        var what = ticket.lock() != null ? "the lock" : "the leadership";
        return new Trouble(
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
        leases.values().forEach(lease -> lease.news.complete(null));
        leases.values().stream()
                .filter(lease -> !lease.ticket.granted().isDone())
                .forEach(Lease::giveBack);
        var held = leases.values().stream().map(lease -> lease.over).toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(held)
                .completeOnTimeout(null, LEAVING, TimeUnit.MILLISECONDS)
                .join();
        clock.shutdownNow();
    }
}
