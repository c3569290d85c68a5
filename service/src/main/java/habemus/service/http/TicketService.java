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
 * Tickets of the production service. Each is a session of its own in the table that all nodes have, so that any of them
 * can renew it, look at it and end it. A ticket is 32 hexadecimal digits: the number of its session, and the nonce by
 * which a node knows that whoever shows it has it from there. If the client has drawn it itself, the first half says
 * nothing, and the session is found by the nonce.
 */
final class TicketService implements AutoCloseable {

    private static final long RESEND_INTERVAL_MILLIS =
            1_000; // milliseconds after which is said again what was not answered
    private static final long POLL_INTERVAL_MILLIS = 200; // between two looks at whether there still is a client
    private static final long COMMIT_TIMEOUT_MILLIS = 5_000; // for what needs no lock
    private static final long ENDED_RETENTION_MILLIS = 60_000;
    private static final int HALF_TICKET_DIGITS = 16; // digits

    private final LockServerLoop lockServerLoop;
    private final TicketConnection releaseConnection; // for whatever is given back: there is always room for that
    private final Map<Principal, TicketConnection> ticketConnections = new ConcurrentHashMap<>();
    private final Map<String, TicketState> ticketStates = new ConcurrentHashMap<>();
    private final AtomicLong lastSweepNanos = new AtomicLong(System.nanoTime());
    private final AtomicLong lastRenewalNumber = new AtomicLong();
    private final SecureRandom random = new SecureRandom();
    private volatile boolean stopping;

    /** What somebody wants, and how long it may take. */
    record AcquireAttempt(
            ApiCall apiCall, TicketConnection ticketConnection, Operation.Acquire wish, long deadlineNanos) {
        long remainingMillis() {
            return TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
        }
    }

    /** @param closeRequestNumber the number of the request by which this attempt ends the session, if it is in vain */
    private record QueuePlace(TicketState ticketState, long closeRequestNumber) {}

    TicketService(LockServerLoop lockServerLoop) {
        this.lockServerLoop = lockServerLoop;
        releaseConnection = new TicketConnection(lockServerLoop, Principal.ANONYMOUS);
    }

    private TicketConnection speaker(Principal principal) {
        return ticketConnections.computeIfAbsent(principal, any -> new TicketConnection(lockServerLoop, principal));
    }

    /**
     * Waits until it is granted. Who asks again with the same ticket, here or elsewhere, keeps its place in line.
     *
     * @throws ApiException if it was not
     */
    TicketState acquire(ApiCall apiCall, Operation.Acquire wish) {
        forgetEnded();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(apiCall.bodyWaitMillis());
        var acquireAttempt = new AcquireAttempt(apiCall, speaker(apiCall.principal()), wish, end);
        while (true) {
            var queuePlace = enterQueue(acquireAttempt);
            if (awaitGrant(acquireAttempt, queuePlace)) {
                return queuePlace.ticketState;
            }
        }
    }

    private QueuePlace enterQueue(AcquireAttempt acquireAttempt) {
        var drawn = acquireAttempt.apiCall.jsonBody().ticket();
        if (drawn.isPresent()) {
            var known = find(drawn.get(), acquireAttempt.ticketConnection);
            if (known.isPresent() && known.get().refresh(lockServerLoop.table()).matches("waiting|held")) {
                return takeOver(acquireAttempt, known.get());
            }
        }
        long nonce = drawn.map(TicketService::nonce).orElseGet(random::nextLong);
        long asked = System.nanoTime();
        long session = open(acquireAttempt, nonce);
        var ticketState = new TicketState(drawn.orElseGet(() -> hex(session) + hex(nonce)), session, nonce);
        ticketState.setRenewedAt(asked);
        remember(ticketState);
        acquireAttempt.ticketConnection.attach(ticketState);
        return new QueuePlace(ticketState, TicketState.ACQUIRE_REQUEST_NUMBER + 1);
    }

    /**
     * Whoever waited with this ticket before, at a node that stood still perhaps, must not end it any more when its
     * time is up: the number that it would do so by is used for something else.
     */
    private QueuePlace takeOver(AcquireAttempt acquireAttempt, TicketState ticketState) {
        acquireAttempt.ticketConnection.attach(ticketState);
        long number = ticketState.nextRequestNumber(lockServerLoop.table());
        Runnable burn = () -> acquireAttempt.ticketConnection.send(
                new Message.Submit(ticketState.session, number, 0, new Operation.Release(number)));
        burn.run();
        await(
                ticketState,
                Math.max(RESEND_INTERVAL_MILLIS, acquireAttempt.remainingMillis()),
                () -> ticketState.isAnswered(number, lockServerLoop.table()),
                burn);
        return new QueuePlace(ticketState, number + 1);
    }

    private void remember(TicketState ticketState) {
        ticketStates.put(ticketState.id, ticketState);
    }

    private static String hex(long number) {
        return HexFormat.of().toHexDigits(number);
    }

    private static long nonce(String ticket) {
        return HexFormat.fromHexDigitsToLong(ticket, HALF_TICKET_DIGITS, 2 * HALF_TICKET_DIGITS);
    }

    /** If it is opened twice by this, one of them has no claims, and ends by itself. */
    private long open(AcquireAttempt acquireAttempt, long nonce) {
        var apiCall = acquireAttempt.apiCall;
        var opened = acquireAttempt.ticketConnection.sessionFuture(nonce);
        var clientInfo = new ClientInfo(apiCall.client(), apiCall.host(), 0);
        while (!stopping && acquireAttempt.remainingMillis() > 0) {
            acquireAttempt.ticketConnection.send(
                    new Message.OpenSession(nonce, clientInfo, Duration.ofMillis(apiCall.leaseMillis())));
            try {
                return opened.get(
                        Math.min(RESEND_INTERVAL_MILLIS, Math.max(1, acquireAttempt.remainingMillis())),
                        TimeUnit.MILLISECONDS);
            } catch (TimeoutException notYet) {
                failIfDisconnected(apiCall);
            } catch (ExecutionException | CancellationException closed) {
                throw TicketErrors.stopping();
            } catch (InterruptedException interrupted) {
                throw TicketErrors.interrupted();
            }
        }
        acquireAttempt.ticketConnection.cancelOpening(nonce);
        throw stopping ? TicketErrors.stopping() : TicketErrors.noMajority();
    }

    private static void failIfDisconnected(ApiCall apiCall) {
        if (apiCall.clientDisconnect().isDisconnected()) {
            throw new ApiException(499, "gone", "whoever asked is gone", "ask again");
        }
    }

    /** Whether it was granted; if not, its session is over. */
    private boolean awaitGrant(AcquireAttempt acquireAttempt, QueuePlace queuePlace) {
        var ticketState = queuePlace.ticketState;
        long asked = sendAcquire(acquireAttempt, ticketState);
        long said = asked;
        long number = 0;
        long beat = TimeUnit.MILLISECONDS.toNanos(acquireAttempt.apiCall.leaseMillis() / 4);
        while (true) {
            var state = ticketState.refresh(lockServerLoop.table());
            ticketState.fault().ifPresent(rejectionReason -> {
                closeSession(acquireAttempt, queuePlace);
                throw TicketErrors.rejected(rejectionReason);
            });
            if (!state.equals("waiting")) {
                return state.equals("held") || over(state);
            }
            if (ticketState.isRenewed(number) && number > 0) {
                ticketState.setRenewedAt(said);
                number = 0;
            }
            long now = System.nanoTime();
            if (now - said > beat) {
                said = number == 0 ? now : said;
                number = number == 0 ? lastRenewalNumber.incrementAndGet() : number;
                acquireAttempt.ticketConnection.send(new Message.Renew(ticketState.session, number));
            }
            if (ticketState.wants().isEmpty() && now - asked > TimeUnit.MILLISECONDS.toNanos(RESEND_INTERVAL_MILLIS)) {
                asked = sendAcquire(acquireAttempt, ticketState);
            }
            abandonIfDone(acquireAttempt, queuePlace);
            ticketState.awaitChange(Math.min(POLL_INTERVAL_MILLIS, Math.max(1, acquireAttempt.remainingMillis())));
        }
    }

    private static boolean over(String state) {
        if (!state.equals("expired")) {
            throw new ApiException(410, state, "the ticket was given back while it waited", "draw another one");
        }
        return false;
    }

    private static long sendAcquire(AcquireAttempt acquireAttempt, TicketState ticketState) {
        acquireAttempt.ticketConnection.send(
                new Message.Submit(ticketState.session, TicketState.ACQUIRE_REQUEST_NUMBER, 0, acquireAttempt.wish));
        return System.nanoTime();
    }

    /** Out of the line, if the client is gone or the time is up. A ticket that the client drew may go on elsewhere. */
    private void abandonIfDone(AcquireAttempt acquireAttempt, QueuePlace queuePlace) {
        boolean late = acquireAttempt.remainingMillis() <= 0;
        boolean cut = !late && acquireAttempt.apiCall.clientDisconnect().isDisconnected();
        if (late
                || (cut || stopping)
                        && acquireAttempt.apiCall.jsonBody().ticket().isEmpty()) {
            closeSession(acquireAttempt, queuePlace);
        }
        if (stopping) {
            throw TicketErrors.stopping();
        }
        if (cut) {
            throw new ApiException(499, "gone", "whoever asked is gone", "ask again");
        }
        if (late) {
            var ticketState = queuePlace.ticketState;
            for (long tries = RESEND_INTERVAL_MILLIS / POLL_INTERVAL_MILLIS;
                    tries > 0 && ticketState.refresh(lockServerLoop.table()).equals("waiting");
                    tries--) {
                ticketState.awaitChange(POLL_INTERVAL_MILLIS);
            }
            throw ticketState.wants().isEmpty()
                    ? TicketErrors.noMajority()
                    : TicketErrors.busy(ticketState, acquireAttempt.apiCall.bodyWaitMillis());
        }
    }

    private static void closeSession(AcquireAttempt acquireAttempt, QueuePlace queuePlace) {
        queuePlace.ticketState.markReleasing();
        acquireAttempt.ticketConnection.send(new Message.Submit(
                queuePlace.ticketState.session, queuePlace.closeRequestNumber, 0, new Operation.Close()));
    }

    /** The ticket, wherever it was given. */
    private TicketState find(ApiCall apiCall) {
        return find(apiCall, speaker(apiCall.principal()));
    }

    private TicketState find(ApiCall apiCall, TicketConnection ticketConnection) {
        if (!apiCall.id().matches("[0-9a-f]{32}")) {
            throw TicketErrors.unknown();
        }
        return find(apiCall.id(), ticketConnection).orElseThrow(TicketErrors::unknown);
    }

    private Optional<TicketState> find(String id, TicketConnection ticketConnection) {
        var known = Optional.ofNullable(ticketStates.get(id));
        if (known.filter(ticketState -> !ticketState.isEnded()).isPresent()) {
            return known;
        }
        var found = lookup(id); // it may have begun anew, at another node
        long session = HexFormat.fromHexDigitsToLong(id, 0, HALF_TICKET_DIGITS);
        boolean past = session > 0 && session <= lockServerLoop.table().index();
        boolean isSure = found.map(this::isHeld).orElse(past); // else another node may know more
        if (!isSure && known.isEmpty()) {
            catchUp(ticketConnection);
            found = lookup(id);
        }
        found.ifPresent(ticketState -> {
            remember(ticketState);
            ticketConnection.attach(ticketState);
        });
        return found.or(() -> known);
    }

    private Optional<TicketState> lookup(String id) {
        long nonce = nonce(id);
        var sessions = lockServerLoop.table().sessions();
        long session = HexFormat.fromHexDigitsToLong(id, 0, HALF_TICKET_DIGITS);
        if (sessions.get(session)
                .filter(sessionEntry -> sessionEntry.nonce() == nonce)
                .isPresent()) {
            return Optional.of(new TicketState(id, session, nonce));
        }
        return sessions.keys().stream()
                .filter(key -> sessions.get(key).orElseThrow().nonce() == nonce)
                .findFirst()
                .map(key -> new TicketState(id, key, nonce));
    }

    /** When this returns, this node knows all that any node knew before. */
    private void catchUp(TicketConnection ticketConnection) {
        long nobody = Long.MAX_VALUE - random.nextInt(Integer.MAX_VALUE); // a session that will never be
        var probe = new TicketState("", nobody, 0);
        ticketConnection.attach(probe);
        await(probe, COMMIT_TIMEOUT_MILLIS, probe::isEnded, () -> ticketConnection.attach(probe));
    }

    /** @param again says once more what was not answered */
    private void await(TicketState ticketState, long patience, BooleanSupplier condition, Runnable again) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patience);
        long said = System.nanoTime();
        while (!condition.getAsBoolean()) {
            long now = System.nanoTime();
            if (stopping || now - end > 0) {
                throw stopping ? TicketErrors.stopping() : TicketErrors.noMajority();
            }
            if (now - said > TimeUnit.MILLISECONDS.toNanos(RESEND_INTERVAL_MILLIS)) {
                said = now;
                again.run();
            }
            ticketState.awaitChange(POLL_INTERVAL_MILLIS);
        }
    }

    /** How it is, as soon as that is something other than held, and after so long at most. */
    TicketState awaitNotHeld(ApiCall apiCall) {
        var ticketState = find(apiCall);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(apiCall.queryWaitMillis());
        while (isHeld(ticketState) && end - System.nanoTime() > 0) {
            if (stopping) {
                throw TicketErrors.stopping();
            }
            failIfDisconnected(apiCall);
            ticketState.awaitChange(
                    Math.min(POLL_INTERVAL_MILLIS, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
        }
        return ticketState;
    }

    /** Answers when it is in the log that the renewal has arrived. */
    TicketState renew(ApiCall apiCall) {
        var ticketConnection = speaker(apiCall.principal());
        var ticketState = find(apiCall, ticketConnection);
        if (ticketState.refresh(lockServerLoop.table()).equals("waiting")) {
            catchUp(ticketConnection);
        }
        requireHeld(ticketState);
        if (apiCall.jsonBody().object().has("lease") && apiCall.leaseMillis() != ticketState.leaseMillis()) {
            throw ApiException.badRequest(
                    "the lease of this ticket is " + ticketState.leaseMillis() + " ms, and stays so",
                    "leave lease out");
        }
        long number = lastRenewalNumber.incrementAndGet();
        long asked = System.nanoTime();
        ticketConnection.attach(ticketState);
        ticketConnection.send(new Message.Renew(ticketState.session, number));
        await(
                ticketState,
                Math.min(COMMIT_TIMEOUT_MILLIS, ticketState.leaseMillis()),
                () -> ticketState.isRenewed(number) || !isHeld(ticketState),
                () -> ticketConnection.send(new Message.Renew(ticketState.session, number)));
        requireHeld(ticketState);
        ticketState.setRenewedAt(asked);
        return ticketState;
    }

    private boolean isHeld(TicketState ticketState) {
        return ticketState.refresh(lockServerLoop.table()).equals("held");
    }

    private void requireHeld(TicketState ticketState) {
        var state = ticketState.refresh(lockServerLoop.table());
        if (!state.equals("held")) {
            throw TicketErrors.notHeld(ticketState, state);
        }
    }

    /** Gives it back, or leaves the line. */
    TicketState release(ApiCall apiCall, boolean election) {
        var ticketState = find(apiCall, releaseConnection);
        var state = ticketState.refresh(lockServerLoop.table());
        if (!state.matches("held|waiting")) {
            throw TicketErrors.notHeld(ticketState, state);
        }
        if (ticketState.isElection() != election) {
            throw new ApiException(
                    409,
                    "other-kind",
                    "this is a ticket of " + (election ? "a lock" : "an election"),
                    election ? "use release in place of resign" : "use resign in place of release");
        }
        releaseConnection.attach(ticketState);
        ticketState.markReleasing();
        sendRelease(ticketState);
        await(
                ticketState,
                COMMIT_TIMEOUT_MILLIS,
                () -> !ticketState.refresh(lockServerLoop.table()).matches("held|waiting"),
                () -> sendRelease(ticketState));
        return ticketState;
    }

    /** What comes of it is seen in the table: the numbers may have been used already, by another node. */
    private void sendRelease(TicketState ticketState) {
        long number = ticketState.nextRequestNumber(lockServerLoop.table());
        releaseConnection.send(new Message.Submit(
                ticketState.session, number, 0, new Operation.Release(TicketState.ACQUIRE_REQUEST_NUMBER)));
        releaseConnection.send(new Message.Submit(ticketState.session, number + 1, number, new Operation.Close()));
    }

    /** How a ticket ended is remembered for a while. */
    private void forgetEnded() {
        long now = System.nanoTime();
        long last = lastSweepNanos.get();
        long old = now - TimeUnit.MILLISECONDS.toNanos(ENDED_RETENTION_MILLIS);
        if (last - old < 0 && lastSweepNanos.compareAndSet(last, now)) {
            var lockTable = lockServerLoop.table();
            ticketStates.values().forEach(ticketState -> ticketState.refresh(lockTable));
            ticketStates.values().removeIf(ticketState -> ticketState.isEndedBefore(old));
        }
    }

    /** Who waits is sent away; tickets are as good at another node. */
    @Override
    public void close() {
        stopping = true;
        ticketStates.values().forEach(TicketState::wakeWaiters);
        ticketConnections.values().forEach(TicketConnection::close);
        releaseConnection.close();
    }
}
