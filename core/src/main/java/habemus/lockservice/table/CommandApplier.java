package habemus.lockservice.table;

import habemus.lockservice.AuditRecord;
import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.Holder;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.PastHold;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/** One entry on its way into the table. It lives no longer than that. */
final class CommandApplier {

    private final long at;
    private final List<Notification> notification = new ArrayList<>();
    private long index;
    private long ended;
    private PersistentSortedMap<Long, SessionEntry> sessions;
    private PersistentSortedMap<ResourceName, ResourceState> locks;
    private PersistentSortedMap<Long, PastHold> history;
    private PersistentSortedMap<Long, AuditRecord> audit;

    CommandApplier(LockTable lockTable, long at) {
        this.at = at;
        index = lockTable.index();
        ended = lockTable.endedHolds();
        sessions = lockTable.sessions();
        locks = lockTable.resources();
        history = lockTable.history();
        audit = lockTable.audit();
    }

    ApplyResult result() {
        return new ApplyResult(table(), List.copyOf(notification));
    }

    private LockTable table() {
        return new LockTable(index, ended, sessions, locks, history, audit);
    }

    void apply(Command command) {
        index++;
        switch (command) {
            case Command.OpenSession openSession -> openSession(openSession);
            case Command.RenewSessions(var renewals) -> renewals.forEach(this::renew);
            case Command.Submit submit -> submit(submit);
            case Command.ExpireSession(var session, var asOf) -> expireSession(session, asOf);
            case Command.AdminCommand adminCommand -> administer(adminCommand);
        }
    }

    private void openSession(Command.OpenSession openSession) {
        sessions = sessions.with(index, SessionEntry.opened(openSession, index));
        notification.add(new Notification.SessionOpened(openSession.nonce(), index));
    }

    private void renew(Command.Renewal renewal) {
        long session = renewal.session();
        var sessionEntry = sessions.get(session);
        sessionEntry.ifPresent(known -> sessions = sessions.with(session, known.withLastRenewedAt(index)));
        notification.add(
                sessionEntry.isPresent()
                        ? new Notification.SessionRenewed(session, renewal.number())
                        : new Notification.SessionExpired(session));
    }

    /** Whoever was heard of since lives: its renewal may have been acknowledged. */
    private void expireSession(long session, long asOf) {
        if (sessions.get(session)
                .filter(sessionEntry -> sessionEntry.lastRenewedAt() <= asOf)
                .isPresent()) {
            end(session, PastHold.EndReason.EXPIRED);
        }
    }

    private void submit(Command.Submit submit) {
        var known = sessions.get(submit.session());
        if (known.isEmpty()) {
            notification.add(new Notification.SessionExpired(submit.session()));
            return;
        }
        var sessionEntry = known.get().withLastRenewedAt(index).withAcknowledgedUpTo(submit.acknowledgedUpTo());
        sessions = sessions.with(submit.session(), sessionEntry);
        var requestId = new RequestId(submit.session(), submit.number());
        sessionEntry
                .resultOf(submit.number())
                .ifPresentOrElse(
                        operationResult -> notifyResult(requestId, operationResult),
                        () -> execute(requestId, submit.operation()));
    }

    private void execute(RequestId requestId, Operation operation) {
        switch (operation) {
            case Operation.Acquire acquire -> acquire(requestId, acquire);
            case Operation.Release(var number) -> release(requestId, new RequestId(requestId.session(), number));
            case Operation.Transfer(var number, var to) ->
                transfer(requestId, new RequestId(requestId.session(), number), to);
            case Operation.Close() -> {
                notifyResult(requestId, new OperationResult.Closed());
                end(requestId.session(), PastHold.EndReason.CLOSED);
            }
        }
    }

    private void acquire(RequestId requestId, Operation.Acquire acquire) {
        var resourceShares = acquire.shares();
        var rejectionReason = validate(resourceShares);
        if (rejectionReason.isPresent()) {
            finish(requestId, new OperationResult.Rejected(rejectionReason.get()));
        } else if (resourceShares.stream().allMatch(this::isFree)) {
            grant(requestId, resourceShares);
        } else if (acquire.waitInQueue()) {
            var queueKey = new QueueKey(isElection(resourceShares.getFirst()) ? acquire.rank() : 0, index);
            resourceShares.forEach(
                    resourceShare -> put(resourceShare, lock(resourceShare).withWaiter(queueKey, requestId)));
            bid(requestId, new AcquireState.Waiting(resourceShares, queueKey, at));
            notifyResult(requestId, new OperationResult.Waiting());
            notifyChanged(resourceShares);
        } else {
            var lockTable = table();
            finish(
                    requestId,
                    new OperationResult.Busy(resourceShares.stream()
                            .filter(resourceShare -> !isFree(resourceShare))
                            .flatMap(resourceShare -> lockTable.holders(resourceShare.resourceName()).stream())
                            .toList()));
        }
    }

    private Optional<OperationResult.RejectionReason> validate(List<ResourceShare> resourceShares) {
        boolean together = resourceShares.size() == 1
                || namesOf(resourceShares).size() == resourceShares.size()
                        && !resourceShares.isEmpty()
                        && resourceShares.stream().noneMatch(CommandApplier::isElection);
        if (!together) {
            return Optional.of(OperationResult.RejectionReason.INVALID_COMBINATION);
        }
        boolean agreed = resourceShares.stream()
                .allMatch(resourceShare -> lock(resourceShare).size() == resourceShare.size());
        return agreed ? Optional.empty() : Optional.of(OperationResult.RejectionReason.SIZE_MISMATCH);
    }

    private static boolean isElection(ResourceShare resourceShare) {
        return resourceShare.resourceName().kind() == ResourceName.Kind.ELECTION;
    }

    private static NavigableSet<ResourceName> namesOf(List<ResourceShare> resourceShares) {
        var resourceNames = new TreeSet<ResourceName>();
        resourceShares.forEach(resourceShare -> resourceNames.add(resourceShare.resourceName()));
        return resourceNames;
    }

    private boolean isFree(ResourceShare resourceShare) {
        return lock(resourceShare).isFreeFor(resourceShare);
    }

    private ResourceState lock(ResourceShare resourceShare) {
        return locks.get(resourceShare.resourceName()).orElseGet(() -> ResourceState.unused(resourceShare.size()));
    }

    private void put(ResourceShare resourceShare, ResourceState resourceState) {
        locks = resourceState.isUnused()
                ? locks.without(resourceShare.resourceName())
                : locks.with(resourceShare.resourceName(), resourceState);
    }

    /** It is in no line any more. */
    private void grant(RequestId requestId, List<ResourceShare> resourceShares) {
        resourceShares.forEach(
                resourceShare -> put(resourceShare, lock(resourceShare).withHolder(requestId, resourceShare.units())));
        bid(requestId, new AcquireState.Holding(resourceShares, index, at));
        notifyResult(requestId, new OperationResult.Granted(index));
        notifyChanged(resourceShares);
    }

    /** Who waits is let in, wherever it stands. */
    private void grantWaiter(RequestId requestId) {
        var waiting = (AcquireState.Waiting)
                guest(requestId).acquires().get(requestId.number()).orElseThrow();
        waiting.shares()
                .forEach(resourceShare -> put(resourceShare, lock(resourceShare).withoutWaiter(waiting.queueKey())));
        grant(requestId, waiting.shares());
    }

    /** Whatever becomes of the claim: it is over when this is answered, even if it comes later than this. */
    private void release(RequestId asking, RequestId requestId) {
        var left = endAcquire(requestId, PastHold.EndReason.RELEASED, new OperationResult.Released());
        var sessionEntry = guest(requestId);
        if (sessionEntry.revoked().contains(requestId.number())) {
            putSession(requestId, sessionEntry.withEndedAcquire(requestId.number(), new OperationResult.Released()));
        } else if (left.isEmpty() && !sessionEntry.results().contains(requestId.number())) {
            storeResult(requestId, new OperationResult.Cancelled());
        }
        finish(asking, new OperationResult.Released());
        grantWaiters(left);
    }

    /**
     * Takes it out of its lines, or out of what it holds.
     *
     * @param over what is said from now on to whoever asks for what it held
     * @return what is to be served
     */
    private List<ResourceShare> endAcquire(RequestId requestId, PastHold.EndReason endReason, OperationResult over) {
        var sessionEntry = guest(requestId);
        var acquireState = sessionEntry.acquires().get(requestId.number());
        if (acquireState.isEmpty()) {
            return List.of();
        }
        var resourceShares = acquireState.get().shares();
        switch (acquireState.get()) {
            case AcquireState.Waiting waiting -> {
                resourceShares.forEach(
                        resourceShare -> put(resourceShare, lock(resourceShare).withoutWaiter(waiting.queueKey())));
                putSession(
                        requestId, sessionEntry.withEndedAcquire(requestId.number(), new OperationResult.Cancelled()));
            }
            case AcquireState.Holding holding -> {
                resourceShares.forEach(resourceShare ->
                        put(resourceShare, lock(resourceShare).withoutHolder(requestId, resourceShare.units())));
                resourceShares.forEach(resourceShare ->
                        addToHistory(resourceShare.resourceName(), sessionEntry.client(), holding, endReason));
                putSession(requestId, sessionEntry.withEndedAcquire(requestId.number(), over));
            }
        }
        notifyChanged(resourceShares);
        return resourceShares;
    }

    private void addToHistory(
            ResourceName resourceName,
            ClientInfo clientInfo,
            AcquireState.Holding holding,
            PastHold.EndReason endReason) {
        ended++;
        history = history.with(
                        ended, new PastHold(resourceName, clientInfo, holding.fence(), holding.since(), at, endReason))
                .without(ended - LockTable.HISTORY_LIMIT);
    }

    /** Lets in whoever is first everywhere and finds room, and then whoever is first then. */
    private void grantWaiters(List<ResourceShare> resourceShares) {
        var resourceNames = namesOf(resourceShares);
        while (!resourceNames.isEmpty()) {
            locks.get(resourceNames.pollFirst())
                    .flatMap(resourceState -> resourceState.queue().firstValue())
                    .filter(this::canBeGranted)
                    .ifPresent(requestId -> {
                        grantWaiter(requestId);
                        resourceNames.addAll(namesOf(wantsOf(requestId)));
                    });
        }
    }

    private boolean canBeGranted(RequestId requestId) {
        return wantsOf(requestId).stream().allMatch(resourceShare -> {
            var resourceState = lock(resourceShare);
            return resourceState.hasCapacityFor(resourceShare)
                    && resourceState
                            .queue()
                            .firstValue()
                            .filter(requestId::equals)
                            .isPresent();
        });
    }

    private List<ResourceShare> wantsOf(RequestId requestId) {
        return guest(requestId).acquires().get(requestId.number()).orElseThrow().shares();
    }

    /** Nothing of it is left before anybody is let in. */
    private void end(long session, PastHold.EndReason endReason) {
        var left = new ArrayList<ResourceShare>();
        for (long number : sessions.get(session).orElseThrow().acquires().keys()) {
            left.addAll(endAcquire(new RequestId(session, number), endReason, new OperationResult.Released()));
        }
        sessions = sessions.without(session);
        notification.add(new Notification.SessionExpired(session));
        grantWaiters(left);
    }

    private void transfer(RequestId asking, RequestId leading, String to) {
        var election = guest(asking)
                .acquires()
                .get(leading.number())
                .filter(acquireState -> acquireState instanceof AcquireState.Holding
                        && isElection(acquireState.shares().getFirst()))
                .map(acquireState -> acquireState.shares().getFirst().resourceName());
        if (election.isEmpty()) {
            finish(asking, new OperationResult.Rejected(OperationResult.RejectionReason.NOT_LEADER));
            return;
        }
        var heir = candidate(election.get(), to);
        if (heir.isEmpty()) {
            finish(asking, new OperationResult.Rejected(OperationResult.RejectionReason.NO_CANDIDATE));
            return;
        }
        endAcquire(leading, PastHold.EndReason.TRANSFERRED, new OperationResult.Released());
        finish(asking, new OperationResult.Released());
        grantWaiter(heir.get());
    }

    /** The first in line among those who are called so. */
    private Optional<RequestId> candidate(ResourceName election, String called) {
        return locks.get(election).stream()
                .flatMap(resourceState -> resourceState.queue().values().stream())
                .filter(requestId -> guest(requestId).client().name().equals(called))
                .findFirst();
    }

    private void administer(Command.AdminCommand adminCommand) {
        var effect = switch (adminCommand.action()) {
            case Command.AdminAction.Release(var resourceName, var asOf) -> revoke(resourceName, asOf, adminCommand);
            case Command.AdminAction.Expire(var session) -> forceExpire(session);
            case Command.AdminAction.Transfer order -> forceTransfer(order, adminCommand);
        };
        audit = audit.with(index, new AuditRecord(index, adminCommand, effect, at));
        if (audit.size() > LockTable.AUDIT_LIMIT) {
            audit = audit.without(audit.firstKey().orElseThrow());
        }
    }

    private String revoke(ResourceName resourceName, long asOf, Command.AdminCommand adminCommand) {
        var holders = table().holders(resourceName);
        var meant = holders.stream().filter(holder -> holder.fence() <= asOf).toList();
        var later = holders.stream().filter(holder -> holder.fence() > asOf).toList();
        var left = new ArrayList<ResourceShare>();
        meant.forEach(holder -> left.addAll(revoke(holder, PastHold.EndReason.REVOKED, adminCommand)));
        grantWaiters(left);
        var effect = meant.isEmpty()
                ? "nobody held it"
                : "taken from " + listed(meant, holder -> holder.client().toString());
        return later.isEmpty() ? effect : effect + staying(later);
    }

    /** For operators who looked before. */
    private static String staying(List<Holder> later) {
        return "; let in later, and not put out: "
                + listed(later, holder -> holder.client() + " by fence " + holder.fence());
    }

    private static String listed(List<Holder> holders, Function<Holder, String> words) {
        return String.join(", ", holders.stream().map(words).toList());
    }

    private List<ResourceShare> revoke(Holder holder, PastHold.EndReason endReason, Command.AdminCommand adminCommand) {
        var revoked = new OperationResult.Revoked(adminCommand.operator(), adminCommand.reason());
        var left = endAcquire(holder.request(), endReason, revoked);
        notifyResult(holder.request(), revoked);
        return left;
    }

    private String forceExpire(long session) {
        var sessionEntry = sessions.get(session);
        if (sessionEntry.isEmpty()) {
            return "there was no such session";
        }
        end(session, PastHold.EndReason.REVOKED);
        return "the session of " + sessionEntry.get().client() + " is over";
    }

    private String forceTransfer(Command.AdminAction.Transfer order, Command.AdminCommand adminCommand) {
        var election = ResourceName.election(order.election());
        var leader = table().holders(election).stream().findFirst();
        var heir = candidate(election, order.to());
        if (leader.isEmpty()) {
            return "nobody led";
        }
        if (leader.get().fence() > order.upToTerm()) {
            return "nobody led" + staying(List.of(leader.get()));
        }
        if (heir.isEmpty()) {
            return "nobody called " + order.to() + " was a candidate";
        }
        revoke(leader.get(), PastHold.EndReason.TRANSFERRED, adminCommand);
        grantWaiter(heir.get());
        return "taken from " + leader.get().client() + ", given to "
                + guest(heir.get()).client();
    }

    private SessionEntry guest(RequestId requestId) {
        return sessions.get(requestId.session()).orElseThrow();
    }

    private void putSession(RequestId requestId, SessionEntry sessionEntry) {
        sessions = sessions.with(requestId.session(), sessionEntry);
    }

    private void bid(RequestId requestId, AcquireState acquireState) {
        putSession(requestId, guest(requestId).withAcquire(requestId.number(), acquireState));
    }

    /** So that the same is said if it is asked again. */
    private void storeResult(RequestId requestId, OperationResult operationResult) {
        putSession(requestId, guest(requestId).withResult(requestId.number(), operationResult));
    }

    private void finish(RequestId requestId, OperationResult operationResult) {
        storeResult(requestId, operationResult);
        notifyResult(requestId, operationResult);
    }

    private void notifyResult(RequestId requestId, OperationResult operationResult) {
        notification.add(new Notification.Result(requestId.session(), requestId.number(), operationResult));
    }

    private void notifyChanged(List<ResourceShare> resourceShares) {
        resourceShares.forEach(
                resourceShare -> notification.add(new Notification.ResourceChanged(resourceShare.resourceName())));
    }
}
