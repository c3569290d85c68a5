package habemus.service.http;

import habemus.lockservice.AuditRecord;
import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.Deadlock;
import habemus.lockservice.Holder;
import habemus.lockservice.PastHold;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.table.AcquireState;
import habemus.lockservice.table.LockTable;
import habemus.lockservice.table.SessionEntry;
import habemus.service.http.ApiResponses.AuditJson;
import habemus.service.http.ApiResponses.DeadlockJson;
import habemus.service.http.ApiResponses.HolderJson;
import habemus.service.http.ApiResponses.LeaderChange;
import habemus.service.http.ApiResponses.LeaderJson;
import habemus.service.http.ApiResponses.LockChange;
import habemus.service.http.ApiResponses.LockHistoryJson;
import habemus.service.http.ApiResponses.LockJson;
import habemus.service.http.ApiResponses.PastHolderJson;
import habemus.service.http.ApiResponses.PermitHolderJson;
import habemus.service.http.ApiResponses.SemaphoreChange;
import habemus.service.http.ApiResponses.SemaphoreJson;
import habemus.service.http.ApiResponses.SessionJson;
import habemus.service.http.ApiResponses.WaitJson;
import habemus.service.http.ApiResponses.WaiterJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the table looks like to clients. */
record TableViews(LockTable lockTable) {

    /** Where somebody runs: its host, and its process if that is known. */
    private static String location(ClientInfo clientInfo) {
        return clientInfo.pid() == 0 ? clientInfo.host() : clientInfo.host() + "/" + clientInfo.pid();
    }

    LockJson lock(ResourceName resourceName) {
        var holders = holders(resourceName);
        var waiters = waiters(resourceName);
        if (holders.isEmpty()) {
            return new LockJson(resourceName.text(), null, null, null, null, List.of(), waiters);
        }
        var first = holders.removeFirst();
        return new LockJson(
                resourceName.text(), first.holder(), first.node(), first.fence(), first.since(), holders, waiters);
    }

    LockHistoryJson lockWithHistory(ResourceName resourceName) {
        var lock = lock(resourceName);
        var history = lockTable.describe(resourceName).history().stream()
                .map(TableViews::pastHolder)
                .toList();
        return new LockHistoryJson(
                lock.name(),
                lock.holder(),
                lock.node(),
                lock.fence(),
                lock.since(),
                lock.conflictingHolders(),
                lock.waiters(),
                history);
    }

    private List<HolderJson> holders(ResourceName resourceName) {
        var holders = new ArrayList<HolderJson>();
        lockTable
                .holders(resourceName)
                .forEach(one -> holders.add(new HolderJson(
                        one.client().name(), location(one.client()), one.fence(), ApiResponses.time(one.since()))));
        return holders;
    }

    private List<WaiterJson> waiters(ResourceName resourceName) {
        return lockTable.waiters(resourceName).stream()
                .map(one -> new WaiterJson(one.client().name(), location(one.client()), ApiResponses.time(one.since())))
                .toList();
    }

    private static PastHolderJson pastHolder(PastHold pastHold) {
        return new PastHolderJson(
                pastHold.client().name(),
                location(pastHold.client()),
                pastHold.fence(),
                ApiResponses.time(pastHold.since()),
                ApiResponses.time(pastHold.until()),
                pastHold.endReason().toString());
    }

    LeaderJson leader(ResourceName resourceName) {
        var leader = lockTable.holders(resourceName).stream().findFirst();
        var called = leader.map(Holder::client).map(ClientInfo::name).orElse(null);
        return new LeaderJson(
                resourceName.text(),
                called,
                leader.map(Holder::fence).orElse(null),
                List.of(),
                called,
                waiters(resourceName));
    }

    SemaphoreJson semaphore(ResourceName resourceName) {
        var resourceState = lockTable.resources().get(resourceName);
        return new SemaphoreJson(
                resourceName.text(),
                resourceState.map(one -> one.size()).orElse(null),
                resourceState.map(one -> one.unitsInUse()).orElse(0),
                permits(resourceName),
                waiters(resourceName));
    }

    private List<PermitHolderJson> permits(ResourceName resourceName) {
        return lockTable.holders(resourceName).stream()
                .map(one -> new PermitHolderJson(
                        one.client().name(),
                        location(one.client()),
                        one.units(),
                        one.fence(),
                        ApiResponses.time(one.since())))
                .toList();
    }

    /** As an event of a watch; it is the last if nobody uses it any more. */
    ChangeFeed.Change change(String node, ResourceName resourceName) {
        boolean last = !lockTable.resources().contains(resourceName);
        return switch (resourceName.kind()) {
            case LOCK -> {
                var lock = lock(resourceName);
                yield new ChangeFeed.Change(
                        "lock",
                        new LockChange(
                                resourceName.text(), node, lock.holder(), lock.fence(), lock.since(), lock.waiters()),
                        last);
            }
            case ELECTION -> {
                var led = leader(resourceName);
                yield new ChangeFeed.Change(
                        "leader",
                        new LeaderChange(
                                resourceName.text(), node, led.leader(), led.term(), led.acting(), led.waiters()),
                        last);
            }
            case SEMAPHORE -> {
                var seen = semaphore(resourceName);
                yield new ChangeFeed.Change(
                        "semaphore",
                        new SemaphoreChange(resourceName.text(), node, seen.taken(), seen.holders(), seen.waiters()),
                        last);
            }
        };
    }

    List<SessionJson> sessions() {
        return lockTable.sessions().keys().stream()
                .map(id -> session(id, lockTable.sessions().get(id).orElseThrow()))
                .toList();
    }

    private static SessionJson session(long id, SessionEntry sessionEntry) {
        return new SessionJson(
                id,
                sessionEntry.client().name(),
                location(sessionEntry.client()),
                sessionEntry.lease().toMillis(),
                names(sessionEntry, true),
                names(sessionEntry, false));
    }

    private static List<String> names(SessionEntry sessionEntry, boolean held) {
        return sessionEntry.acquires().values().stream()
                .filter(acquireState -> acquireState instanceof AcquireState.Holding == held)
                .flatMap(acquireState -> acquireState.shares().stream())
                .map(ResourceShare::resourceName)
                .map(ResourceName::toString)
                .toList();
    }

    List<AuditJson> audit() {
        return lockTable.audit().values().stream().map(TableViews::audit).toList();
    }

    /** What came of an order: of several that are equal the last. */
    Optional<AuditJson> audit(Command.AdminCommand adminCommand) {
        return lockTable.audit().values().reversed().stream()
                .filter(one -> one.command().equals(adminCommand))
                .findFirst()
                .map(TableViews::audit);
    }

    private static AuditJson audit(AuditRecord auditRecord) {
        var adminCommand = auditRecord.command();
        var order = switch (adminCommand.action()) {
            case Command.AdminAction.Release(var resourceName, var asOf) ->
                "release " + resourceName + " as of fence " + asOf;
            case Command.AdminAction.Expire(var session) -> "expire session " + session;
            case Command.AdminAction.Transfer(var election, var asOf, var to) ->
                "transfer election " + election + " as of term " + asOf + " to " + to;
        };
        return new AuditJson(
                auditRecord.index(),
                order,
                adminCommand.operator(),
                adminCommand.reason(),
                auditRecord.effect(),
                ApiResponses.time(auditRecord.timestampMillis()));
    }

    List<DeadlockJson> deadlocks() {
        return lockTable.deadlocks().stream()
                .map(one -> new DeadlockJson(
                        one.cycle().stream().map(TableViews::waitEdge).toList()))
                .toList();
    }

    private static WaitJson waitEdge(Deadlock.Wait wait) {
        return new WaitJson(
                wait.client().name(),
                location(wait.client()),
                wait.resource().toString(),
                wait.blockingClient().name(),
                location(wait.blockingClient()));
    }
}
