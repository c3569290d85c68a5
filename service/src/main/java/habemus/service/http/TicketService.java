package habemus.service.http;

import static java.util.Objects.requireNonNull;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Operation;
import habemus.lockservice.SessionOrigin;
import habemus.lockservice.TicketId;
import habemus.lockservice.protocol.Message;
import habemus.lockservice.table.LockTable;
import habemus.lockservice.table.SessionEntry;
import habemus.service.server.LockServerLoop;
import habemus.service.server.Principal;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * The tickets of HTTP clients of the lock service. A ticket is one request in the replicated lock table, wherever it
 * arrives and however often: it has a session of its own, in which the acquire, the release and the end of the session
 * have fixed numbers. Every node can continue, renew, show and release it.
 */
final class TicketService implements AutoCloseable {

    private static final long RESEND_INTERVAL_MILLIS = 1_000; // until a request without a reply is sent again
    private static final long POLL_INTERVAL_MILLIS = 200; // between two checks whether the client is still connected
    private static final long COMMIT_TIMEOUT_MILLIS = 5_000; // for requests that wait for the log, but for no lock
    private static final long ENDED_RETENTION_MILLIS = 60_000;
    private static final long GRACE_MILLIS = 500; // for the log, after the time that the client wants to wait

    private static final long RELEASE_REQUEST_NUMBER = TicketState.ACQUIRE_REQUEST_NUMBER + 1;
    private static final long CLOSE_REQUEST_NUMBER = RELEASE_REQUEST_NUMBER + 1;

    private final LockServerLoop loop;
    private final TicketConnection releaseConnection; // opened at the start, so that limits never block a release
    private final Map<Principal, TicketConnection> connections = new ConcurrentHashMap<>();
    private final Map<TicketId, TicketState> tickets = new ConcurrentHashMap<>();
    private final AtomicLong lastSweepNanos = new AtomicLong(System.nanoTime());
    private final AtomicLong lastRenewalNumber = new AtomicLong();
    private final SecureRandom random = new SecureRandom();
    private volatile boolean stopping;

    /** An acquire request with its deadline. */
    private record AcquireAttempt(
            ApiCall call,
            TicketConnection connection,
            Operation.Acquire operation,
            SessionOrigin.TicketRequest request,
            long deadlineNanos) {

        long remainingMillis() {
            return TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
        }
    }

    TicketService(LockServerLoop loop) {
        this.loop = loop;
        releaseConnection = new TicketConnection(loop, Principal.ANONYMOUS);
    }

    private TicketConnection connection(Principal principal) {
        return connections.computeIfAbsent(principal, any -> new TicketConnection(loop, principal));
    }

    /**
     * Waits until the ticket is granted. A client that retries with the same ticket, at any node, keeps its place in
     * the queue.
     *
     * @throws ApiException if the ticket was not granted
     */
    TicketState acquire(ApiCall call, Operation.Acquire operation) {
        forgetEnded();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(call.bodyWaitMillis());
        var chosen = call.body().ticket().map(TicketId::parse);
        long seenIndex = chosen.isPresent() ? loop.table().index() : Long.MAX_VALUE;
        var request = new SessionOrigin.TicketRequest(
                chosen.orElseGet(() -> new TicketId(random.nextLong(), random.nextLong())),
                random.nextLong(),
                seenIndex);
        var attempt = new AcquireAttempt(call, connection(call.principal()), operation, request, deadline);
        while (true) {
            var ticket = open(attempt);
            if (awaitGrant(attempt, ticket)) {
                return ticket;
            }
        }
    }

    private TicketState remember(TicketId id, long session) {
        return requireNonNull(tickets.compute(
                id, (same, known) -> known != null && known.session == session ? known : new TicketState(id, session)));
    }

    /** Opens the session of the ticket, or joins it if it is open already. */
    private TicketState open(AcquireAttempt attempt) {
        long sentAt = System.nanoTime();
        long session = awaitSession(attempt);
        if (session == LockTable.NO_SESSION) {
            throw TicketErrors.tooLate();
        }
        var ticket = remember(attempt.request.ticket(), session);
        ticket.setRenewedAt(sentAt);
        attach(attempt.connection, ticket);
        return ticket;
    }

    private void attach(TicketConnection connection, TicketState ticket) {
        long nonce = loop.table()
                .sessions()
                .get(ticket.session)
                .map(SessionEntry::nonce)
                .orElse(0L);
        connection.attach(ticket, nonce);
    }

    private long awaitSession(AcquireAttempt attempt) {
        var call = attempt.call;
        long nonce = attempt.request.asking();
        var opened = attempt.connection.sessionFuture(nonce);
        var client = new ClientInfo(call.client(), call.host(), 0, call.owner());
        var open = new Message.OpenSession(nonce, client, Duration.ofMillis(call.leaseMillis()), attempt.request);
        try {
            long left = attempt.remainingMillis() + GRACE_MILLIS;
            for (; !stopping && left > 0; left = attempt.remainingMillis() + GRACE_MILLIS) {
                attempt.connection.send(open);
                try {
                    return opened.get(Math.min(RESEND_INTERVAL_MILLIS, left), TimeUnit.MILLISECONDS);
                } catch (TimeoutException notYet) {
                    failIfDisconnected(call);
                }
            }
        } catch (ExecutionException refused) {
            throw refused.getCause() instanceof ApiException reason ? reason : TicketErrors.stopping();
        } catch (CancellationException closed) {
            throw TicketErrors.stopping();
        } catch (InterruptedException interrupted) {
            throw TicketErrors.interrupted();
        } finally {
            attempt.connection.cancelOpening(nonce);
        }
        throw stopping ? TicketErrors.stopping() : TicketErrors.noMajority();
    }

    private static void failIfDisconnected(ApiCall call) {
        if (call.isClientDisconnected()) {
            throw TicketErrors.clientDisconnected();
        }
    }

    /** Returns false if the session expired in the queue; then a new session has to be opened. */
    private boolean awaitGrant(AcquireAttempt attempt, TicketState ticket) {
        long acquireSentAt = sendAcquire(attempt, ticket);
        long renewalSentAt = acquireSentAt;
        long renewal = 0; // number of the renewal in flight, 0 if there is none
        long renewalInterval = TimeUnit.MILLISECONDS.toNanos(attempt.call.leaseMillis() / 4);
        while (true) {
            var state = ticket.refresh(loop.table());
            failIfRejected(attempt, ticket);
            if (!state.equals("waiting")) {
                return isGranted(ticket, state);
            }
            if (ticket.isRenewed(renewal) && renewal > 0) {
                ticket.setRenewedAt(renewalSentAt);
                renewal = 0;
            }
            long now = System.nanoTime();
            if (now - renewalSentAt > renewalInterval) {
                renewalSentAt = renewal == 0 ? now : renewalSentAt;
                renewal = renewal == 0 ? lastRenewalNumber.incrementAndGet() : renewal;
                attempt.connection.send(new Message.Renew(ticket.session, renewal));
            }
            if (ticket.shares().isEmpty()
                    && now - acquireSentAt > TimeUnit.MILLISECONDS.toNanos(RESEND_INTERVAL_MILLIS)) {
                acquireSentAt = sendAcquire(attempt, ticket);
            }
            boolean isQueued = !ticket.shares().isEmpty();
            long left = attempt.remainingMillis() + (isQueued ? 0 : GRACE_MILLIS);
            if (left <= 0) {
                return abandonLate(attempt, ticket);
            }
            failIfUnwanted(attempt, ticket);
            ticket.awaitChange(Math.min(POLL_INTERVAL_MILLIS, left));
        }
    }

    private static void failIfRejected(AcquireAttempt attempt, TicketState ticket) {
        ticket.rejectionReason().ifPresent(rejectionReason -> {
            abandon(attempt, ticket);
            var client = attempt.call.principal();
            throw TicketErrors.rejected(
                    rejectionReason, TicketErrors.namesWithoutRight(attempt.operation, client), client);
        });
        if (!ticket.shares().isEmpty() && !ticket.shares().equals(attempt.operation.shares())) {
            throw TicketErrors.inUse(ticket.id.hex());
        }
    }

    private boolean isGranted(TicketState ticket, String state) {
        if (state.equals("held")) {
            return true;
        }
        if (loop.table().tickets().get(ticket.id).isEmpty()) {
            return false; // expired in the queue
        }
        throw TicketErrors.ended(state);
    }

    private static long sendAcquire(AcquireAttempt attempt, TicketState ticket) {
        attempt.connection.send(
                new Message.Submit(ticket.session, TicketState.ACQUIRE_REQUEST_NUMBER, 0, attempt.operation));
        return System.nanoTime();
    }

    /**
     * Leaves the queue, because the client has waited long enough. If the ticket was asked for again since, it stays.
     *
     * @return true if the ticket was granted nevertheless
     */
    private boolean abandonLate(AcquireAttempt attempt, TicketState ticket) {
        long earlier = ticket.committedAbandons();
        abandon(attempt, ticket);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GRACE_MILLIS);
        while (ticket.refresh(loop.table()).equals("waiting")
                && ticket.committedAbandons() == earlier
                && deadline - System.nanoTime() > 0) {
            ticket.awaitChange(GRACE_MILLIS / 10);
        }
        var state = ticket.refresh(loop.table());
        if (state.equals("held")) {
            return true;
        }
        throw state.equals("waiting") && ticket.committedAbandons() == earlier
                ? TicketErrors.noMajority()
                : TicketErrors.busy(ticket.target(), ticket.isElection(), attempt.call.bodyWaitMillis());
    }

    /**
     * Fails if the client is gone or the node is stopping. A ticket that the client has chosen keeps its place: the
     * client may retry at another node.
     */
    private void failIfUnwanted(AcquireAttempt attempt, TicketState ticket) {
        boolean isClientDisconnected = attempt.call.isClientDisconnected();
        if (!stopping && !isClientDisconnected) {
            return;
        }
        if (attempt.call.body().ticket().isEmpty()) {
            abandon(attempt, ticket);
        }
        throw stopping ? TicketErrors.stopping() : TicketErrors.clientDisconnected();
    }

    private static void abandon(AcquireAttempt attempt, TicketState ticket) {
        var abandon = new Operation.Abandon(attempt.request.asking());
        attempt.connection.send(new Message.Submit(ticket.session, CLOSE_REQUEST_NUMBER, 0, abandon));
    }

    /** Finds a ticket, whichever node issued it. */
    private TicketState find(ApiCall call) {
        return find(call, connection(call.principal()));
    }

    private TicketState find(ApiCall call, TicketConnection connection) {
        if (!TicketId.isValid(call.id())) {
            throw TicketErrors.unknown();
        }
        return find(TicketId.parse(call.id()), connection).orElseThrow(TicketErrors::unknown);
    }

    private Optional<TicketState> find(TicketId id, TicketConnection connection) {
        var known = Optional.ofNullable(tickets.get(id));
        if (known.filter(ticket -> !ticket.isEnded()).isPresent()) {
            return known;
        }
        var found = lookup(id); // the client may have acquired again with it, at another node
        if (found.isEmpty() && known.isEmpty()) {
            catchUp(connection); // other nodes may be ahead of this one
            found = lookup(id);
        }
        found.ifPresent(ticket -> attach(connection, ticket));
        return found.or(() -> known);
    }

    private Optional<TicketState> lookup(TicketId id) {
        return loop.table().tickets().get(id).map(entry -> remember(id, entry.session()));
    }

    /**
     * Makes the next read linearizable: attaches a session that does not exist. The reply to that says that this node
     * has applied everything that was committed before the call.
     */
    private void catchUp(TicketConnection connection) {
        long unusedSession = Long.MAX_VALUE - random.nextInt(Integer.MAX_VALUE);
        var probe = new TicketState(new TicketId(0, 0), unusedSession);
        connection.attach(probe, 0);
        await(probe, COMMIT_TIMEOUT_MILLIS, probe::isSessionUnknown, () -> connection.attach(probe, 0));
    }

    /** @param resend sends the request again, called every {@link #RESEND_INTERVAL_MILLIS} */
    private void await(TicketState ticket, long timeoutMillis, BooleanSupplier condition, Runnable resend) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        long sentAt = System.nanoTime();
        while (!condition.getAsBoolean()) {
            long now = System.nanoTime();
            if (stopping || now - deadline > 0) {
                throw stopping ? TicketErrors.stopping() : TicketErrors.noMajority();
            }
            if (now - sentAt > TimeUnit.MILLISECONDS.toNanos(RESEND_INTERVAL_MILLIS)) {
                sentAt = now;
                resend.run();
            }
            ticket.awaitChange(POLL_INTERVAL_MILLIS);
        }
    }

    /** Waits until the ticket is no longer held, at most as long as the call says. */
    TicketState awaitNotHeld(ApiCall call) {
        var ticket = find(call);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(call.queryWaitMillis());
        while (isHeld(ticket) && deadline - System.nanoTime() > 0) {
            if (stopping) {
                throw TicketErrors.stopping();
            }
            failIfDisconnected(call);
            ticket.awaitChange(
                    Math.min(POLL_INTERVAL_MILLIS, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
        }
        return ticket;
    }

    /** Returns when the renewal is committed. */
    TicketState renew(ApiCall call) {
        var connection = connection(call.principal());
        var ticket = find(call, connection);
        if (ticket.refresh(loop.table()).equals("waiting")) {
            catchUp(connection);
        }
        requireHeld(ticket);
        if (call.body().object().has("lease") && call.leaseMillis() != ticket.leaseMillis()) {
            throw ApiException.badRequest(
                    "lease cannot change: " + call.leaseMillis() + " (is " + ticket.leaseMillis() + " ms)",
                    "omit lease");
        }
        long number = lastRenewalNumber.incrementAndGet();
        long sentAt = System.nanoTime();
        attach(connection, ticket);
        connection.send(new Message.Renew(ticket.session, number));
        await(
                ticket,
                Math.min(COMMIT_TIMEOUT_MILLIS, ticket.leaseMillis()),
                () -> ticket.isRenewed(number) || !isHeld(ticket),
                () -> connection.send(new Message.Renew(ticket.session, number)));
        requireHeld(ticket);
        ticket.setRenewedAt(sentAt);
        return ticket;
    }

    private boolean isHeld(TicketState ticket) {
        return ticket.refresh(loop.table()).equals("held");
    }

    private void requireHeld(TicketState ticket) {
        var state = ticket.refresh(loop.table());
        if (!state.equals("held")) {
            throw TicketErrors.notHeld(ticket.target(), state);
        }
    }

    /** Releases the ticket, or removes it from the queue. */
    TicketState release(ApiCall call, boolean isElection) {
        var ticket = find(call, releaseConnection);
        var state = ticket.refresh(loop.table());
        if (!state.matches("held|waiting")) {
            throw TicketErrors.notHeld(ticket.target(), state);
        }
        if (ticket.isElection() != isElection) {
            throw TicketErrors.wrongKind(ticket.isElection());
        }
        requireFence(call, ticket);
        attach(releaseConnection, ticket);
        sendRelease(ticket);
        await(
                ticket,
                COMMIT_TIMEOUT_MILLIS,
                () -> !ticket.refresh(loop.table()).matches("held|waiting"),
                () -> sendRelease(ticket));
        return ticket;
    }

    /** If the client names the fence that it means, no other grant is released. */
    private void requireFence(ApiCall call, TicketState ticket) {
        call.fence().ifPresent(fence -> {
            if (ticket.refresh(loop.table()).equals("waiting")) {
                catchUp(releaseConnection);
                ticket.refresh(loop.table());
            }
            if (ticket.fence() != fence) {
                throw TicketErrors.fenceMismatch(ticket.target(), fence);
            }
        });
    }

    private void sendRelease(TicketState ticket) {
        var release = new Operation.Release(TicketState.ACQUIRE_REQUEST_NUMBER, ticket.fence());
        releaseConnection.send(new Message.Submit(ticket.session, RELEASE_REQUEST_NUMBER, 0, release));
        releaseConnection.send(new Message.Submit(ticket.session, CLOSE_REQUEST_NUMBER, 0, new Operation.Close()));
    }

    /** Removes the tickets that ended more than a minute ago. */
    private void forgetEnded() {
        long now = System.nanoTime();
        long last = lastSweepNanos.get();
        long oldest = now - TimeUnit.MILLISECONDS.toNanos(ENDED_RETENTION_MILLIS);
        if (last - oldest < 0 && lastSweepNanos.compareAndSet(last, now)) {
            var table = loop.table();
            tickets.values().forEach(ticket -> ticket.refresh(table));
            tickets.values().removeIf(ticket -> ticket.isEndedBefore(oldest));
        }
    }

    /** Ends all waiting requests. The tickets stay valid at the other nodes. */
    @Override
    public void close() {
        stopping = true;
        tickets.values().forEach(TicketState::wakeWaiters);
        connections.values().forEach(TicketConnection::close);
        releaseConnection.close();
    }
}
