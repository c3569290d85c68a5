package habemus.service.http;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Operation;
import habemus.lockservice.protocol.Message;
import habemus.service.server.LockServerLoop;
import habemus.service.server.Principal;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
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
 * The tickets of HTTP clients of the lock service. Each ticket is a session of its own in the replicated lock table, so
 * every node can renew, show and release it. A ticket is 32 hexadecimal digits: the session id, then the nonce, which
 * proves that the client owns the session. If the client has chosen the ticket itself, the first half has no meaning,
 * and the session is found by the nonce.
 */
final class TicketService implements AutoCloseable {

    private static final long RESEND_INTERVAL_MILLIS = 1_000; // until a request without a reply is sent again
    private static final long POLL_INTERVAL_MILLIS = 200; // between two checks whether the client is still connected
    private static final long COMMIT_TIMEOUT_MILLIS = 5_000; // for requests that wait for the log, but for no lock
    private static final long ENDED_RETENTION_MILLIS = 60_000;
    private static final int HALF_TICKET_DIGITS = 16;

    private final LockServerLoop loop;
    private final TicketConnection releaseConnection; // opened at the start, so that limits never block a release
    private final Map<Principal, TicketConnection> connections = new ConcurrentHashMap<>();
    private final Map<String, TicketState> tickets = new ConcurrentHashMap<>();
    private final AtomicLong lastSweepNanos = new AtomicLong(System.nanoTime());
    private final AtomicLong lastRenewalNumber = new AtomicLong();
    private final SecureRandom random = new SecureRandom();
    private volatile boolean stopping;

    /** An acquire request with its deadline. */
    private record AcquireAttempt(
            ApiCall call, TicketConnection connection, Operation.Acquire operation, long deadlineNanos) {
        long remainingMillis() {
            return TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
        }
    }

    /**
     * A ticket in the queue of a lock.
     *
     * @param closeRequestNumber the request number by which this attempt closes the session if it is not granted
     */
    private record QueuePlace(TicketState ticket, long closeRequestNumber) {}

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
        var attempt = new AcquireAttempt(call, connection(call.principal()), operation, deadline);
        while (true) {
            var place = enterQueue(attempt);
            if (awaitGrant(attempt, place)) {
                return place.ticket;
            }
        }
    }

    private QueuePlace enterQueue(AcquireAttempt attempt) {
        var chosen = attempt.call.body().ticket();
        if (chosen.isPresent()) {
            var known = find(chosen.get(), attempt.connection);
            if (known.isPresent() && known.get().refresh(loop.table()).matches("waiting|held")) {
                return takeOver(attempt, known.get());
            }
        }
        long nonce = chosen.map(TicketService::nonce).orElseGet(random::nextLong);
        long sentAt = System.nanoTime();
        long session = open(attempt, nonce);
        var ticket = new TicketState(chosen.orElseGet(() -> hex(session) + hex(nonce)), session, nonce);
        ticket.setRenewedAt(sentAt);
        remember(ticket);
        attempt.connection.attach(ticket);
        return new QueuePlace(ticket, TicketState.ACQUIRE_REQUEST_NUMBER + 1);
    }

    /**
     * Continues an earlier attempt with the same ticket. That attempt may still run at a node that was paused, and must
     * not close the session when it times out. So this one uses up the request number that the close would have.
     */
    private QueuePlace takeOver(AcquireAttempt attempt, TicketState ticket) {
        attempt.connection.attach(ticket);
        long number = ticket.nextRequestNumber(loop.table());
        Runnable useUpNumber = () ->
                attempt.connection.send(new Message.Submit(ticket.session, number, 0, new Operation.Release(number)));
        useUpNumber.run();
        await(
                ticket,
                Math.max(RESEND_INTERVAL_MILLIS, attempt.remainingMillis()),
                () -> ticket.isAnswered(number, loop.table()),
                useUpNumber);
        return new QueuePlace(ticket, number + 1);
    }

    private void remember(TicketState ticket) {
        tickets.put(ticket.id, ticket);
    }

    private static String hex(long number) {
        return HexFormat.of().toHexDigits(number);
    }

    private static long nonce(String ticket) {
        return HexFormat.fromHexDigitsToLong(ticket, HALF_TICKET_DIGITS, 2 * HALF_TICKET_DIGITS);
    }

    /** Opens a session. A resend may open a second one, which holds nothing and expires. */
    private long open(AcquireAttempt attempt, long nonce) {
        var call = attempt.call;
        var opened = attempt.connection.sessionFuture(nonce);
        var client = new ClientInfo(call.client(), call.host(), 0, call.owner());
        while (!stopping && attempt.remainingMillis() > 0) {
            attempt.connection.send(new Message.OpenSession(nonce, client, Duration.ofMillis(call.leaseMillis())));
            try {
                return opened.get(
                        Math.min(RESEND_INTERVAL_MILLIS, Math.max(1, attempt.remainingMillis())),
                        TimeUnit.MILLISECONDS);
            } catch (TimeoutException notYet) {
                failIfDisconnected(call);
            } catch (ExecutionException refused) {
                throw refused.getCause() instanceof ApiException reason ? reason : TicketErrors.stopping();
            } catch (CancellationException closed) {
                throw TicketErrors.stopping();
            } catch (InterruptedException interrupted) {
                throw TicketErrors.interrupted();
            }
        }
        attempt.connection.cancelOpening(nonce);
        throw stopping ? TicketErrors.stopping() : TicketErrors.noMajority();
    }

    private static void failIfDisconnected(ApiCall call) {
        if (call.isClientDisconnected()) {
            throw TicketErrors.clientDisconnected();
        }
    }

    /** Returns false if the session expired in the queue; then a new session has to be opened. */
    private boolean awaitGrant(AcquireAttempt attempt, QueuePlace place) {
        var ticket = place.ticket;
        long acquireSentAt = sendAcquire(attempt, ticket);
        long renewalSentAt = acquireSentAt;
        long renewal = 0; // number of the renewal in flight, 0 if there is none
        long renewalInterval = TimeUnit.MILLISECONDS.toNanos(attempt.call.leaseMillis() / 4);
        while (true) {
            var state = ticket.refresh(loop.table());
            ticket.rejectionReason().ifPresent(rejectionReason -> {
                closeSession(attempt, place);
                var client = attempt.call.principal();
                throw TicketErrors.rejected(
                        rejectionReason, TicketErrors.namesWithoutRight(attempt.operation, client), client);
            });
            if (!state.equals("waiting")) {
                return isGranted(state);
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
            abandonIfDone(attempt, place);
            ticket.awaitChange(Math.min(POLL_INTERVAL_MILLIS, Math.max(1, attempt.remainingMillis())));
        }
    }

    private static boolean isGranted(String state) {
        return switch (state) {
            case "held" -> true;
            case "expired" -> false;
            default ->
                throw new ApiException(410, state, "ticket was released while it waited", "acquire with a new ticket");
        };
    }

    private static long sendAcquire(AcquireAttempt attempt, TicketState ticket) {
        attempt.connection.send(
                new Message.Submit(ticket.session, TicketState.ACQUIRE_REQUEST_NUMBER, 0, attempt.operation));
        return System.nanoTime();
    }

    /**
     * Leaves the queue if the deadline has passed, the client is gone, or the node is stopping. In the last two cases a
     * ticket that the client has chosen keeps its place: the client may retry at another node.
     */
    private void abandonIfDone(AcquireAttempt attempt, QueuePlace place) {
        boolean isLate = attempt.remainingMillis() <= 0;
        boolean isClientDisconnected = !isLate && attempt.call.isClientDisconnected();
        if (isLate
                || (isClientDisconnected || stopping)
                        && attempt.call.body().ticket().isEmpty()) {
            closeSession(attempt, place);
        }
        if (stopping) {
            throw TicketErrors.stopping();
        }
        if (isClientDisconnected) {
            throw TicketErrors.clientDisconnected();
        }
        if (isLate) {
            var ticket = place.ticket;
            for (long tries = RESEND_INTERVAL_MILLIS / POLL_INTERVAL_MILLIS;
                    tries > 0 && ticket.refresh(loop.table()).equals("waiting");
                    tries--) {
                ticket.awaitChange(POLL_INTERVAL_MILLIS);
            }
            throw ticket.shares().isEmpty()
                    ? TicketErrors.noMajority()
                    : TicketErrors.busy(ticket.target(), ticket.isElection(), attempt.call.bodyWaitMillis());
        }
    }

    private static void closeSession(AcquireAttempt attempt, QueuePlace place) {
        place.ticket.markReleasing();
        attempt.connection.send(
                new Message.Submit(place.ticket.session, place.closeRequestNumber, 0, new Operation.Close()));
    }

    /** Finds a ticket, whichever node issued it. */
    private TicketState find(ApiCall call) {
        return find(call, connection(call.principal()));
    }

    private TicketState find(ApiCall call, TicketConnection connection) {
        if (!call.id().matches("[0-9a-f]{32}")) {
            throw TicketErrors.unknown();
        }
        return find(call.id(), connection).orElseThrow(TicketErrors::unknown);
    }

    private Optional<TicketState> find(String id, TicketConnection connection) {
        var known = Optional.ofNullable(tickets.get(id));
        if (known.filter(ticket -> !ticket.isEnded()).isPresent()) {
            return known;
        }
        var found = lookup(id); // the client may have acquired again with it, at another node
        long session = HexFormat.fromHexDigitsToLong(id, 0, HALF_TICKET_DIGITS);
        boolean isInPast = session > 0 && session <= loop.table().index();
        boolean isCurrent = found.map(this::isHeld).orElse(isInPast); // else other nodes may be ahead of this one
        if (!isCurrent && known.isEmpty()) {
            catchUp(connection);
            found = lookup(id);
        }
        found.ifPresent(ticket -> {
            remember(ticket);
            connection.attach(ticket);
        });
        return found.or(() -> known);
    }

    private Optional<TicketState> lookup(String id) {
        long nonce = nonce(id);
        var sessions = loop.table().sessions();
        long session = HexFormat.fromHexDigitsToLong(id, 0, HALF_TICKET_DIGITS);
        if (sessions.get(session).filter(entry -> entry.nonce() == nonce).isPresent()) {
            return Optional.of(new TicketState(id, session, nonce));
        }
        return sessions.keys().stream()
                .filter(key -> sessions.get(key).orElseThrow().nonce() == nonce)
                .findFirst()
                .map(key -> new TicketState(id, key, nonce));
    }

    /**
     * Makes the next read linearizable: attaches a session that does not exist. The reply to that says that this node
     * has applied everything that was committed before the call.
     */
    private void catchUp(TicketConnection connection) {
        long unusedSession = Long.MAX_VALUE - random.nextInt(Integer.MAX_VALUE);
        var probe = new TicketState("", unusedSession, 0);
        connection.attach(probe);
        await(probe, COMMIT_TIMEOUT_MILLIS, probe::isEnded, () -> connection.attach(probe));
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
        connection.attach(ticket);
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
        releaseConnection.attach(ticket);
        ticket.markReleasing();
        sendRelease(ticket);
        await(
                ticket,
                COMMIT_TIMEOUT_MILLIS,
                () -> !ticket.refresh(loop.table()).matches("held|waiting"),
                () -> sendRelease(ticket));
        return ticket;
    }

    /** The caller checks the effect in the table: another node may have used these request numbers already. */
    private void sendRelease(TicketState ticket) {
        long number = ticket.nextRequestNumber(loop.table());
        releaseConnection.send(new Message.Submit(
                ticket.session, number, 0, new Operation.Release(TicketState.ACQUIRE_REQUEST_NUMBER)));
        releaseConnection.send(new Message.Submit(ticket.session, number + 1, number, new Operation.Close()));
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
