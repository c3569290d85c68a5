package habemus.lockservice.table;

import habemus.lockservice.AuditRecord;
import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.DenialRecord;
import habemus.lockservice.Holder;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.OperationResult.RejectionReason;
import habemus.lockservice.PastHold;
import habemus.lockservice.PastHold.EndReason;
import habemus.lockservice.Quotas;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.SessionOrigin;
import habemus.lockservice.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/** Applies the commands of one batch to a table. An instance serves one batch only. */
final class CommandApplier {

    /** Results that a client may leave unacknowledged in a full table. */
    private static final int RESULTS_WHEN_FULL = 8;

    private final long timestampMillis;
    private final List<Notification> notifications = new ArrayList<>();
    private long index;
    private long endedHolds;
    private PersistentSortedMap<Long, SessionEntry> sessions;
    private PersistentSortedMap<ResourceName, ResourceState> resources;
    private PersistentSortedMap<Long, PastHold> history;
    private PersistentSortedMap<Long, AuditRecord> audit;
    private PersistentSortedMap<Long, DenialRecord> denials;
    private Quotas quotas;
    private TableUsage usage;
    private TicketRegistry tickets;

    CommandApplier(LockTable table, long timestampMillis) {
        this.timestampMillis = timestampMillis;
        index = table.index();
        endedHolds = table.endedHolds();
        sessions = table.sessions();
        resources = table.resources();
        history = table.history();
        audit = table.audit();
        denials = table.denials();
        quotas = table.quotas();
        usage = table.usage();
        tickets = table.tickets();
    }

    ApplyResult result() {
        return new ApplyResult(table(), List.copyOf(notifications));
    }

    private LockTable table() {
        return new LockTable(index, endedHolds, sessions, resources, history, audit, denials, quotas, usage, tickets);
    }

    void apply(Command command) {
        index++;
        switch (command) {
            case Command.OpenSession open -> openSession(open);
            case Command.RenewSessions(var renewals) -> renewals.forEach(this::renew);
            case Command.Submit submit -> submit(submit);
            case Command.ExpireSession(var session, var lastRenewedAt) -> expireSession(session, lastRenewedAt);
            case Command.AdminCommand admin -> administer(admin);
            case Command.SetQuotas(var next) -> quotas = next;
            case Command.RecordDenial denial ->
                denials = withLatest(denials, new DenialRecord(index, denial, timestampMillis), LockTable.DENIAL_LIMIT);
        }
    }

    private void openSession(Command.OpenSession open) {
        switch (open.origin()) {
            case SessionOrigin.FirstSession first -> openIfAllowed(open, Usage.NONE);
            case SessionOrigin.Successor successor -> openSuccessor(open, successor);
            case SessionOrigin.TicketRequest request -> openTicket(open, request);
        }
    }

    /** Opens a session for which the client gives something back. {@return false if a quota is full} */
    private boolean openIfAllowed(Command.OpenSession open, Usage freed) {
        var session = SessionEntry.opened(open, index);
        var growth = session.usage().minus(freed);
        var full = fullQuota(open.client().principal(), growth, growth);
        if (full.isPresent()) {
            notifications.add(new Notification.SessionRefused(open.nonce(), full.get()));
            return false;
        }
        sessions = sessions.with(index, session);
        charge(open.client().principal(), session.usage());
        notifications.add(new Notification.SessionOpened(open.nonce(), index));
        return true;
    }

    private void openSuccessor(Command.OpenSession open, SessionOrigin.Successor successor) {
        long id = successor.session();
        var old = sessions.get(id).filter(session -> session.nonce() == successor.nonce() && !session.isReplaced());
        var held = old.map(session -> session.heldNumbers(successor.known())).orElse(List.of());
        var freed = old.filter(session -> held.isEmpty())
                .filter(session ->
                        session.client().principal().equals(open.client().principal()))
                .map(SessionEntry::usage)
                .orElse(Usage.NONE);
        if (openIfAllowed(open, freed) && old.isPresent()) {
            replace(id, held);
        }
    }

    /** Ends the old session of a client, except the holds that the client knows. */
    private void replace(long id, List<Long> held) {
        if (held.isEmpty()) {
            endSession(id, EndReason.CLOSED);
            return;
        }
        var old = sessions.get(id).orElseThrow();
        putSession(new RequestId(id, 0), old.replaced());
        var freed = new ArrayList<ResourceShare>();
        for (long number : old.acquires().keys()) {
            if (!held.contains(number)) {
                var acquire = new RequestId(id, number);
                freed.addAll(endAcquire(acquire, EndReason.CLOSED, new OperationResult.Released()));
                notifyResult(acquire, new OperationResult.Cancelled());
            }
        }
        grantWaiters(freed);
    }

    /** The session that the ticket has already is opened again. If it has ended, its id says so to the node. */
    private void openTicket(Command.OpenSession open, SessionOrigin.TicketRequest request) {
        var known = tickets.get(request.ticket());
        if (known.isPresent()) {
            long id = known.get().session();
            sessions.get(id)
                    .ifPresent(session -> sessions =
                            sessions.with(id, session.withOrigin(request).withLastRenewedAt(index)));
            notifications.add(new Notification.SessionOpened(open.nonce(), id));
        } else if (tickets.mayHaveForgotten(request.seenIndex())) {
            notifications.add(new Notification.SessionOpened(open.nonce(), LockTable.NO_SESSION));
        } else if (openIfAllowed(open, Usage.NONE)) {
            tickets = tickets.withOpen(request.ticket(), index);
        }
    }

    /**
     * The quota that does not allow a growth. A request that grows nothing of a kind is not refused for that kind, even
     * if its quota was lowered.
     */
    private Optional<RejectionReason> fullQuota(String principal, Usage growth, Usage growthOfPrincipal) {
        return quotas.fullForPrincipal(usage.of(principal).plus(growthOfPrincipal), growthOfPrincipal)
                .or(() -> quotas.fullInTotal(usage.total().plus(growth), growth));
    }

    private void charge(String principal, Usage change) {
        usage = usage.withTotal(change).withPrincipal(principal, change);
    }

    private void renew(Command.Renewal renewal) {
        long id = renewal.session();
        var session = sessions.get(id).filter(known -> !known.isReplaced());
        session.ifPresent(known -> sessions = sessions.with(id, known.withLastRenewedAt(index)));
        notifications.add(
                session.isPresent()
                        ? new Notification.SessionRenewed(id, renewal.number())
                        : new Notification.SessionExpired(id));
    }

    /** If the session was renewed later, it stays: that renewal may have been acknowledged. */
    private void expireSession(long id, long lastRenewedAt) {
        if (sessions.get(id)
                .filter(session -> session.lastRenewedAt() <= lastRenewedAt)
                .isPresent()) {
            endSession(id, EndReason.EXPIRED);
        }
    }

    private void submit(Command.Submit submit) {
        var known = sessions.get(submit.session()).filter(session -> !session.isReplaced());
        if (known.isEmpty()) {
            notifications.add(new Notification.SessionExpired(submit.session()));
            return;
        }
        var session = known.get().withLastRenewedAt(index).withAcknowledgedUpTo(submit.acknowledgedUpTo());
        var request = new RequestId(submit.session(), submit.number());
        putSession(request, session);
        var earlier = session.resultOf(submit.number());
        if (earlier.isEmpty() && addsOnlyResult(request, submit.operation()) && mustSpareResults(session)) {
            return;
        }
        earlier.ifPresentOrElse(result -> notifyResult(request, result), () -> execute(request, submit.operation()));
    }

    /**
     * Whether the bytes are full and the client has left results unacknowledged. Then a request that would add one more
     * result is neither executed nor replied to, as if it were lost. So refused requests cannot fill the memory.
     */
    private boolean mustSpareResults(SessionEntry session) {
        return session.results().size() >= RESULTS_WHEN_FULL
                && (usage.total().bytes() >= quotas.total().bytes()
                        || usage.of(session.client().principal()).bytes()
                                >= quotas.perPrincipal().bytes());
    }

    private boolean addsOnlyResult(RequestId request, Operation operation) {
        return switch (operation) {
            case Operation.Acquire acquire -> true; // a full table grants nothing new
            case Operation.Release(var number, var fence) -> !holdsOrWaits(request, number);
            case Operation.Transfer(var number, var to) -> !holdsOrWaits(request, number);
            case Operation.Close close -> false;
            case Operation.Abandon abandon -> false;
        };
    }

    private boolean holdsOrWaits(RequestId request, long number) {
        return session(request).acquires().contains(number);
    }

    private void execute(RequestId request, Operation operation) {
        switch (operation) {
            case Operation.Acquire acquire -> acquire(request, acquire);
            case Operation.Release(var number, var fence) ->
                release(request, new RequestId(request.session(), number), fence);
            case Operation.Transfer(var number, var to) ->
                transfer(request, new RequestId(request.session(), number), to);
            case Operation.Close() -> {
                notifyResult(request, new OperationResult.Closed());
                endSession(request.session(), EndReason.CLOSED);
            }
            case Operation.Abandon(var asking) -> abandon(request, asking);
        }
    }

    private void acquire(RequestId request, Operation.Acquire acquire) {
        var shares = acquire.shares();
        var rejection = validate(shares);
        boolean isFree = rejection.isEmpty() && shares.stream().allMatch(this::isFree);
        if (rejection.isPresent()) {
            finish(request, new OperationResult.Rejected(rejection.get()));
        } else if (isFree || acquire.waitInQueue()) {
            var key = new QueueKey(isElection(shares.getFirst()) ? acquire.rank() : 0, index);
            var state = isFree
                    ? new AcquireState.Holding(shares, index, timestampMillis)
                    : new AcquireState.Waiting(shares, key, timestampMillis);
            fullQuota(request, state)
                    .ifPresentOrElse(
                            full -> finish(request, new OperationResult.Rejected(full)), () -> enter(request, state));
        } else {
            finish(request, new OperationResult.Busy(holdersOf(shares)));
        }
    }

    private Optional<RejectionReason> fullQuota(RequestId request, AcquireState state) {
        var principal = principal(request);
        var growth = StorageCosts.acquire(state);
        long names = state.shares().stream()
                .filter(share -> !resources.contains(share.name()))
                .count();
        long namesOfPrincipal = state.shares().stream()
                .filter(share -> !resource(share).principals().contains(principal))
                .count();
        return fullQuota(principal, growth.plus(Usage.ofNames(names)), growth.plus(Usage.ofNames(namesOfPrincipal)));
    }

    /** Grants a new request, or adds it to its queues. */
    private void enter(RequestId request, AcquireState state) {
        switch (state) {
            case AcquireState.Holding holding -> grant(request, holding.shares());
            case AcquireState.Waiting waiting -> {
                var principal = principal(request);
                waiting.shares()
                        .forEach(share -> put(
                                share, principal, resource(share).withWaiter(waiting.queueKey(), request, principal)));
                putAcquire(request, waiting);
                notifyResult(request, new OperationResult.Waiting());
                notifyChanged(waiting.shares());
            }
        }
    }

    private List<Holder> holdersOf(List<ResourceShare> shares) {
        var table = table();
        return shares.stream()
                .filter(share -> !isFree(share))
                .flatMap(share -> table.holders(share.name()).stream())
                .limit(LockTable.HOLDERS_IN_RESULT)
                .toList();
    }

    private Optional<RejectionReason> validate(List<ResourceShare> shares) {
        boolean isCombinable = shares.size() == 1
                || namesOf(shares).size() == shares.size()
                        && !shares.isEmpty()
                        && shares.stream().noneMatch(CommandApplier::isElection);
        if (!isCombinable) {
            return Optional.of(RejectionReason.INVALID_COMBINATION);
        }
        boolean sizesAgree = shares.stream().allMatch(share -> resource(share).size() == share.size());
        return sizesAgree ? Optional.empty() : Optional.of(RejectionReason.SIZE_MISMATCH);
    }

    private static boolean isElection(ResourceShare share) {
        return share.name().kind() == ResourceName.Kind.ELECTION;
    }

    private static NavigableSet<ResourceName> namesOf(List<ResourceShare> shares) {
        var names = new TreeSet<ResourceName>();
        shares.forEach(share -> names.add(share.name()));
        return names;
    }

    private boolean isFree(ResourceShare share) {
        return resource(share).isFreeFor(share);
    }

    private ResourceState resource(ResourceShare share) {
        return resources.get(share.name()).orElseGet(() -> ResourceState.unused(share.size()));
    }

    private void put(ResourceShare share, String principal, ResourceState resource) {
        var before = resource(share);
        resources = resource.isUnused() ? resources.without(share.name()) : resources.with(share.name(), resource);
        usage = usage.withTotal(change(!before.isUnused(), !resource.isUnused()))
                .withPrincipal(
                        principal,
                        change(
                                before.principals().contains(principal),
                                resource.principals().contains(principal)));
    }

    private static Usage change(boolean wasUsed, boolean isUsed) {
        return wasUsed == isUsed ? Usage.NONE : Usage.ofNames(isUsed ? 1 : -1);
    }

    private String principal(RequestId request) {
        return session(request).client().principal();
    }

    /** Grants a request that is in no queue. */
    private void grant(RequestId request, List<ResourceShare> shares) {
        var principal = principal(request);
        shares.forEach(share -> put(share, principal, resource(share).withHolder(request, share.units(), principal)));
        putAcquire(request, new AcquireState.Holding(shares, index, timestampMillis));
        notifyResult(request, new OperationResult.Granted(index));
        notifyChanged(shares);
    }

    /** Grants a waiting request, whatever its position in the queues. */
    private void grantWaiter(RequestId request) {
        var waiting = (AcquireState.Waiting)
                session(request).acquires().get(request.number()).orElseThrow();
        var principal = principal(request);
        waiting.shares()
                .forEach(share -> put(share, principal, resource(share).withoutWaiter(waiting.queueKey(), principal)));
        grant(request, waiting.shares());
    }

    /** Ends an acquire, even if its command comes later in the log than its release. */
    private void release(RequestId request, RequestId acquire, long fence) {
        if (fence != 0 && session(acquire).isOtherGrant(acquire.number(), fence)) {
            finish(request, new OperationResult.Released()); // of another grant, which has ended
            return;
        }
        var freed = endAcquire(acquire, EndReason.RELEASED, new OperationResult.Released());
        var session = session(acquire);
        if (session.revoked().contains(acquire.number())) {
            putSession(acquire, session.withEndedAcquire(acquire.number(), new OperationResult.Released()));
        } else if (freed.isEmpty() && !session.results().contains(acquire.number())) {
            storeResult(acquire, new OperationResult.Cancelled());
        }
        finish(request, new OperationResult.Released());
        grantWaiters(freed);
    }

    /** Stores no result: the next request with this ticket may end with the same number. */
    private void abandon(RequestId request, long asking) {
        notifyResult(request, new OperationResult.Closed());
        if (session(request).origin() instanceof SessionOrigin.TicketRequest latest && latest.asking() == asking) {
            endSession(request.session(), EndReason.CLOSED);
        }
    }

    /**
     * Removes an acquire from its queues, or from the holders.
     *
     * @param result the result of the acquire from now on, if it held
     * @return the shares for which waiters may now be granted
     */
    private List<ResourceShare> endAcquire(RequestId acquire, EndReason reason, OperationResult result) {
        var session = session(acquire);
        var state = session.acquires().get(acquire.number());
        if (state.isEmpty()) {
            return List.of();
        }
        var shares = state.get().shares();
        var principal = session.client().principal();
        switch (state.get()) {
            case AcquireState.Waiting waiting -> {
                shares.forEach(
                        share -> put(share, principal, resource(share).withoutWaiter(waiting.queueKey(), principal)));
                putSession(acquire, session.withEndedAcquire(acquire.number(), new OperationResult.Cancelled()));
            }
            case AcquireState.Holding holding -> {
                shares.forEach(share ->
                        put(share, principal, resource(share).withoutHolder(acquire, share.units(), principal)));
                shares.forEach(share -> addToHistory(share.name(), session.client(), holding, reason));
                putSession(acquire, session.withEndedAcquire(acquire.number(), result));
            }
        }
        notifyChanged(shares);
        return shares;
    }

    private void addToHistory(ResourceName name, ClientInfo client, AcquireState.Holding holding, EndReason reason) {
        endedHolds++;
        var hold = new PastHold(name, client, holding.fence(), holding.since(), timestampMillis, reason);
        history = history.with(endedHolds, hold).without(endedHolds - LockTable.HISTORY_LIMIT);
    }

    /** Grants every waiter that is first in all its queues and fits, until no further waiter qualifies. */
    private void grantWaiters(List<ResourceShare> freed) {
        var names = namesOf(freed);
        while (!names.isEmpty()) {
            resources
                    .get(names.pollFirst())
                    .flatMap(resource -> resource.queue().firstValue())
                    .filter(this::canBeGranted)
                    .ifPresent(request -> {
                        grantWaiter(request);
                        names.addAll(namesOf(sharesOf(request)));
                    });
        }
    }

    private boolean canBeGranted(RequestId request) {
        return sharesOf(request).stream().allMatch(share -> {
            var resource = resource(share);
            return resource.hasCapacityFor(share)
                    && resource.queue().firstValue().filter(request::equals).isPresent();
        });
    }

    private List<ResourceShare> sharesOf(RequestId request) {
        return session(request).acquires().get(request.number()).orElseThrow().shares();
    }

    /** Removes the session completely before any waiter is granted. */
    private void endSession(long id, EndReason reason) {
        tickets = tickets.withEndedSession(id, sessions.get(id).orElseThrow(), reason, index);
        var freed = new ArrayList<ResourceShare>();
        for (long number : sessions.get(id).orElseThrow().acquires().keys()) {
            freed.addAll(endAcquire(new RequestId(id, number), reason, new OperationResult.Released()));
        }
        var ended = sessions.get(id).orElseThrow();
        sessions = sessions.without(id);
        charge(ended.client().principal(), Usage.NONE.minus(ended.usage()));
        notifications.add(new Notification.SessionExpired(id));
        grantWaiters(freed);
    }

    private void transfer(RequestId request, RequestId leading, String to) {
        var election = session(request)
                .acquires()
                .get(leading.number())
                .filter(state -> state instanceof AcquireState.Holding
                        && isElection(state.shares().getFirst()))
                .map(state -> state.shares().getFirst().name());
        if (election.isEmpty()) {
            finish(request, new OperationResult.Rejected(RejectionReason.NOT_LEADER));
            return;
        }
        var successor = candidate(election.get(), to);
        if (successor.isEmpty()) {
            finish(request, new OperationResult.Rejected(RejectionReason.NO_CANDIDATE));
            return;
        }
        endAcquire(leading, EndReason.TRANSFERRED, new OperationResult.Released());
        finish(request, new OperationResult.Released());
        grantWaiter(successor.get());
    }

    /** The first waiting candidate whose client has this name. */
    private Optional<RequestId> candidate(ResourceName election, String clientName) {
        return resources.get(election).stream()
                .flatMap(resource -> resource.queue().values().stream())
                .filter(request -> session(request).client().name().equals(clientName))
                .findFirst();
    }

    /** The text of the effect is part of the table, so it must be the same on every node. */
    private void administer(Command.AdminCommand command) {
        var effect = switch (command.action()) {
            case Command.AdminAction.Release(var name, var upToFence) -> revoke(name, upToFence, command);
            case Command.AdminAction.Expire(var session) -> forceExpire(session, command);
            case Command.AdminAction.Transfer transfer -> forceTransfer(transfer, command);
            case Command.AdminAction.Performed(var action, var outcome) -> outcome;
        };
        audit = withLatest(audit, new AuditRecord(index, command, effect, timestampMillis), LockTable.AUDIT_LIMIT);
    }

    /** Adds a record of this command, and drops the oldest one beyond the limit. */
    private <R> PersistentSortedMap<Long, R> withLatest(PersistentSortedMap<Long, R> records, R added, int limit) {
        var all = records.with(index, added);
        return all.size() > limit ? all.without(all.firstKey().orElseThrow()) : all;
    }

    private String revoke(ResourceName name, long upToFence, Command.AdminCommand command) {
        var holders = table().holders(name);
        var revoked =
                holders.stream().filter(holder -> holder.fence() <= upToFence).toList();
        var kept = holders.stream().filter(holder -> holder.fence() > upToFence).toList();
        var freed = new ArrayList<ResourceShare>();
        revoked.forEach(holder -> freed.addAll(revoke(holder, EndReason.REVOKED, command)));
        grantWaiters(freed);
        var effect = revoked.isEmpty()
                ? "no holder"
                : "taken from " + join(revoked, holder -> holder.client().toString());
        return kept.isEmpty() ? effect : effect + describeKept(kept);
    }

    /** Explains to an operator with an outdated status why a hold was not revoked. */
    private static String describeKept(List<Holder> kept) {
        return "; granted later, and kept: " + join(kept, holder -> holder.client() + " with fence " + holder.fence());
    }

    private static String join(List<Holder> holders, Function<Holder, String> format) {
        return String.join(", ", holders.stream().map(format).toList());
    }

    private List<ResourceShare> revoke(Holder holder, EndReason reason, Command.AdminCommand command) {
        var result = new OperationResult.Revoked(command.operator(), command.reason());
        var freed = endAcquire(holder.request(), reason, result);
        notifyResult(holder.request(), result);
        return freed;
    }

    /** Tells the client the reason of the operator for each hold, and then that the session has ended. */
    private String forceExpire(long id, Command.AdminCommand command) {
        var session = sessions.get(id);
        if (session.isEmpty()) {
            return "no such session";
        }
        session.get().acquires().forEach((number, state) -> {
            if (state instanceof AcquireState.Holding) {
                notifyResult(
                        new RequestId(id, number), new OperationResult.Revoked(command.operator(), command.reason()));
            }
        });
        endSession(id, EndReason.REVOKED);
        return "ended the session of " + session.get().client();
    }

    private String forceTransfer(Command.AdminAction.Transfer transfer, Command.AdminCommand command) {
        var election = ResourceName.election(transfer.election());
        var leader = table().holders(election).stream().findFirst();
        var successor = candidate(election, transfer.to());
        if (leader.isEmpty()) {
            return "no leader";
        }
        if (leader.get().fence() > transfer.upToTerm()) {
            return "no leader" + describeKept(List.of(leader.get()));
        }
        if (successor.isEmpty()) {
            return "no candidate named " + transfer.to();
        }
        revoke(leader.get(), EndReason.TRANSFERRED, command);
        grantWaiter(successor.get());
        return "taken from " + leader.get().client() + ", given to "
                + session(successor.get()).client();
    }

    private SessionEntry session(RequestId request) {
        return sessions.get(request.session()).orElseThrow();
    }

    private void putSession(RequestId request, SessionEntry session) {
        var change = session.usage().minus(session(request).usage());
        sessions = sessions.with(request.session(), session);
        if (!change.equals(Usage.NONE)) {
            charge(session.client().principal(), change);
        }
    }

    private void putAcquire(RequestId request, AcquireState state) {
        putSession(request, session(request).withAcquire(request.number(), state));
    }

    /** Stores the result for repeated submissions. */
    private void storeResult(RequestId request, OperationResult result) {
        putSession(request, session(request).withResult(request.number(), result));
    }

    private void finish(RequestId request, OperationResult result) {
        storeResult(request, result);
        notifyResult(request, result);
    }

    private void notifyResult(RequestId request, OperationResult result) {
        notifications.add(new Notification.Result(request.session(), request.number(), result));
    }

    private void notifyChanged(List<ResourceShare> shares) {
        shares.forEach(share -> notifications.add(new Notification.ResourceChanged(share.name())));
    }
}
