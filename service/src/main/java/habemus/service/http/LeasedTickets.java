package habemus.service.http;

import habemus.service.algorithm.AlgorithmNode;
import habemus.service.algorithm.GroupId;
import habemus.service.algorithm.Ticket;
import habemus.service.http.ApiResponses.TicketJson;
import habemus.world.Problem;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The tickets of HTTP clients of an algorithm node. Such a client may crash unnoticed, so each ticket has a lease; when
 * the lease expires, the node releases the ticket. The end state of a ticket is kept for a minute for its client.
 */
final class LeasedTickets implements AutoCloseable {

    private static final int TICKETS_MAX = 10_000;
    private static final int ID_BYTES = 16;
    private static final long ENDED_RETENTION_MILLIS = 60_000;
    private static final long CLOSE_GRACE_MILLIS = 5_000; // for holders to release when the node stops

    private final AlgorithmNode node;
    private final Map<String, Lease> leases = new ConcurrentHashMap<>();
    private final SecureRandom random = new SecureRandom();
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("leases").factory());
    private volatile boolean stopping;

    LeasedTickets(AlgorithmNode node) {
        this.node = node;
    }

    /** A ticket with its lease, which starts when the ticket is granted. */
    private final class Lease {

        final String id;
        final GroupId group;
        final Ticket ticket;
        final CompletableFuture<String> endState = new CompletableFuture<>(); // released, lost or expired
        final CompletableFuture<Void> notHeld = new CompletableFuture<>(); // ended, or the node is stopping
        final AtomicLong askings = new AtomicLong();
        private long expiresAtNanos; // on the monotonic clock

        @SuppressWarnings("FutureReturnValueIgnored") // the callbacks cannot fail
        Lease(String id, GroupId group, Ticket ticket) {
            this.id = id;
            this.group = group;
            this.ticket = ticket;
            ticket.ended().thenAccept(end -> endState.complete(end == Ticket.End.LOST ? "lost" : "released"));
            endState.thenRun(() -> notHeld.complete(null));
            endState.thenRun(() ->
                    scheduler.schedule(() -> leases.remove(id, this), ENDED_RETENTION_MILLIS, TimeUnit.MILLISECONDS));
        }

        /** Returns false if the ticket has ended. */
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

        /** Ends the request, because its client has waited long enough, unless the ticket was asked for again. */
        void abandon(long asking) {
            if (askings.get() == asking && endState.complete("released")) {
                release();
            }
        }

        void release() {
            if (group.problem() == Problem.MUTEX) {
                node.release(group.name(), ticket);
            } else {
                node.resign(group.name(), ticket);
            }
        }

        private String target() {
            return group.problem() == Problem.MUTEX
                    ? "lock '" + group.name() + "'"
                    : "leadership of '" + group.name() + "'";
        }

        /** The fence or term; zero before the grant. */
        private long fence() {
            return ticket.granted().isCompletedExceptionally()
                    ? 0
                    : ticket.granted().getNow(0L);
        }

        private String state() {
            return stopping ? "stopping" : ticket.granted().isDone() ? "held" : "waiting";
        }

        synchronized TicketJson describe() {
            boolean isLock = group.problem() == Problem.MUTEX;
            boolean isOpen = !endState.isDone();
            long number = fence();
            return new TicketJson(
                    id,
                    isLock ? group.name() : null,
                    isLock ? null : group.name(),
                    ticket.client(),
                    node.self().node().toString(),
                    isOpen ? state() : endState.join(),
                    isLock ? number : null,
                    isLock ? null : number,
                    isOpen ? Math.max(0, TimeUnit.NANOSECONDS.toMillis(expiresAtNanos - System.nanoTime())) : 0);
        }
    }

    /** A new random ticket id. */
    String newTicketId() {
        var bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /**
     * Waits until the ticket is granted, at most {@code wait} milliseconds, or until {@link #end} releases it. However
     * often the ticket is asked for, it is one request.
     *
     * @param request makes the request, if the ticket is new
     * @throws ApiException if the ticket was not granted
     */
    TicketJson awaitGrant(String id, GroupId group, Supplier<Ticket> request, long wait, long lease) {
        var entry = findOrAdd(id, group, request);
        long asking = entry.askings.incrementAndGet();
        try {
            entry.ticket.granted().get(wait, TimeUnit.MILLISECONDS);
        } catch (TimeoutException busy) {
            entry.abandon(asking);
            throw TicketErrors.busy(entry.target(), group.problem() == Problem.ELECTION, wait);
        } catch (CancellationException ended) {
            throw stopping ? TicketErrors.stopping() : notHeld(entry);
        } catch (InterruptedException interrupted) {
            entry.abandon(asking);
            throw TicketErrors.interrupted();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
        if (!entry.renew(lease)) {
            throw TicketErrors.ended(entry.endState.join());
        }
        return entry.describe();
    }

    private Lease findOrAdd(String id, GroupId group, Supplier<Ticket> request) {
        if (!leases.containsKey(id)) {
            if (stopping || leases.size() >= TICKETS_MAX) {
                throw stopping ? TicketErrors.stopping() : TicketErrors.tooManyClients();
            }
            var added = new Lease(id, group, request.get());
            if (leases.putIfAbsent(id, added) == null) {
                return added;
            }
            added.release();
        }
        var known = find(id);
        if (!known.group.equals(group)) {
            throw TicketErrors.inUse(id);
        }
        if (known.endState.isDone()) {
            throw TicketErrors.ended(known.endState.join());
        }
        return known;
    }

    private Lease find(String id) {
        var lease = leases.get(id);
        if (lease == null) {
            throw TicketErrors.unknown();
        }
        return lease;
    }

    /** Waits at most {@code wait} milliseconds until the ticket is no longer held, and describes it. */
    TicketJson awaitNotHeld(String id, long wait) {
        var lease = find(id);
        if (!stopping && wait > 0) {
            try {
                lease.notHeld.get(wait, TimeUnit.MILLISECONDS);
            } catch (TimeoutException | ExecutionException unchanged) {
                // still held
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return lease.describe();
    }

    TicketJson renew(String id, long millis) {
        var lease = find(id);
        if (stopping || !lease.renew(millis)) {
            throw notHeld(lease);
        }
        return lease.describe();
    }

    /**
     * Releases the ticket, or cancels its waiting request.
     *
     * @param fence of the grant to release; empty releases whatever the ticket holds
     */
    TicketJson end(String id, Problem problem, Optional<Long> fence) {
        var lease = find(id);
        if (lease.group.problem() != problem) {
            throw TicketErrors.wrongKind(lease.group.problem() == Problem.ELECTION);
        }
        fence.filter(number -> number != lease.fence()).ifPresent(number -> {
            throw TicketErrors.fenceMismatch(lease.target(), number);
        });
        if (!lease.endState.complete("released")) {
            throw notHeld(lease);
        }
        lease.release();
        return lease.describe();
    }

    private static ApiException notHeld(Lease lease) {
        return TicketErrors.notHeld(lease.target(), lease.describe().state());
    }

    /** Cancels waiting requests, notifies holders, and waits up to 5 s for them to release. */
    @Override
    public void close() {
        stopping = true;
        leases.values().forEach(lease -> lease.notHeld.complete(null));
        leases.values().stream()
                .filter(lease -> !lease.ticket.granted().isDone())
                .forEach(Lease::release);
        var endStates = leases.values().stream().map(lease -> lease.endState).toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(endStates)
                .completeOnTimeout(null, CLOSE_GRACE_MILLIS, TimeUnit.MILLISECONDS)
                .join();
        scheduler.shutdownNow();
    }
}
