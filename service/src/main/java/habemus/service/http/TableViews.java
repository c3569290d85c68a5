package habemus.service.http;

import habemus.lockservice.AuditRecord;
import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.Deadlock;
import habemus.lockservice.DenialRecord;
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
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Converts a lock table into the JSON records of the HTTP API. */
record TableViews(LockTable table) {

    /** The host of a client, and its process id if known. */
    private static String location(ClientInfo client) {
        return client.pid() == 0 ? client.host() : client.host() + "/" + client.pid();
    }

    LockJson lock(ResourceName name) {
        var holders = holders(name);
        var waiters = waiters(name);
        if (holders.isEmpty()) {
            return new LockJson(name.text(), null, null, null, null, List.of(), waiters);
        }
        var first = holders.removeFirst();
        return new LockJson(name.text(), first.holder(), first.node(), first.fence(), first.since(), holders, waiters);
    }

    LockHistoryJson lockWithHistory(ResourceName name) {
        var lock = lock(name);
        var history = table.describe(name).history().stream()
                .map(TableViews::pastHolder)
                .toList();
        return new LockHistoryJson(
                lock.name(),
                lock.holder(),
                lock.node(),
                lock.fence(),
                lock.since(),
                lock.otherHolders(),
                lock.waiters(),
                history);
    }

    private List<HolderJson> holders(ResourceName name) {
        var holders = new ArrayList<HolderJson>();
        table.holders(name)
                .forEach(holder -> holders.add(new HolderJson(
                        holder.client().name(),
                        location(holder.client()),
                        holder.fence(),
                        ApiResponses.time(holder.since()))));
        return holders;
    }

    private List<WaiterJson> waiters(ResourceName name) {
        return table.waiters(name).stream()
                .map(waiter -> new WaiterJson(
                        waiter.client().name(), location(waiter.client()), ApiResponses.time(waiter.since())))
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

    LeaderJson leader(ResourceName name) {
        var leader = table.holders(name).stream().findFirst();
        var leaderName = leader.map(Holder::client).map(ClientInfo::name).orElse(null);
        return new LeaderJson(
                name.text(), leaderName, leader.map(Holder::fence).orElse(null), List.of(), leaderName, waiters(name));
    }

    SemaphoreJson semaphore(ResourceName name) {
        var resourceState = table.resources().get(name);
        return new SemaphoreJson(
                name.text(),
                resourceState.map(state -> state.size()).orElse(null),
                resourceState.map(state -> state.unitsInUse()).orElse(0),
                permits(name),
                waiters(name));
    }

    private List<PermitHolderJson> permits(ResourceName name) {
        return table.holders(name).stream()
                .map(holder -> new PermitHolderJson(
                        holder.client().name(),
                        location(holder.client()),
                        holder.units(),
                        holder.fence(),
                        ApiResponses.time(holder.since())))
                .toList();
    }

    /** The current state as a watch event. The event is the last one if the resource has no holder and no waiter. */
    ChangeFeed.Change change(String node, ResourceName name) {
        boolean isLast = !table.resources().contains(name);
        return switch (name.kind()) {
            case LOCK -> {
                var lock = lock(name);
                yield new ChangeFeed.Change(
                        "lock",
                        new LockChange(name.text(), node, lock.holder(), lock.fence(), lock.since(), lock.waiters()),
                        isLast);
            }
            case ELECTION -> {
                var election = leader(name);
                yield new ChangeFeed.Change(
                        "leader",
                        new LeaderChange(
                                name.text(),
                                node,
                                election.leader(),
                                election.term(),
                                election.leadingClient(),
                                election.waiters()),
                        isLast);
            }
            case SEMAPHORE -> {
                var semaphore = semaphore(name);
                yield new ChangeFeed.Change(
                        "semaphore",
                        new SemaphoreChange(
                                name.text(), node, semaphore.permitsInUse(), semaphore.holders(), semaphore.waiters()),
                        isLast);
            }
        };
    }

    /** @param after the id of a session; empty: from the first one */
    ListingPage<SessionJson> sessions(String after, int limit) {
        return ListingPage.of(
                table.sessions().tailMap(numberAfter(after)).view(TableViews::session).stream(),
                limit,
                session -> Long.toString(session.session()),
                session -> session);
    }

    private static long numberAfter(String after) {
        if (!after.matches("\\d{0,18}")) {
            throw ApiException.badRequest("invalid after: " + after, "use the next of the page before");
        }
        return after.isEmpty() ? 0 : Long.parseLong(after) + 1;
    }

    private static SessionJson session(long id, SessionEntry session) {
        return new SessionJson(
                id,
                session.client().name(),
                session.client().owner(),
                location(session.client()),
                session.lease().toMillis(),
                names(session, true),
                names(session, false));
    }

    private static List<String> names(SessionEntry session, boolean isHeld) {
        return session.acquires().values().stream()
                .filter(acquireState -> acquireState instanceof AcquireState.Holding == isHeld)
                .flatMap(acquireState -> acquireState.shares().stream())
                .map(ResourceShare::name)
                .map(ResourceName::toString)
                .toList();
    }

    /**
     * Operators' actions and denied requests, the oldest first.
     *
     * @param after the index of a record; empty: from the first one
     */
    ListingPage<AuditJson> audit(String after, int limit) {
        long first = numberAfter(after);
        var actions = table.audit().tailMap(first).view((index, record) -> audit(record)).stream()
                .limit(limit + 1L);
        var denials = table.denials().tailMap(first).view((index, record) -> denial(record)).stream()
                .limit(limit + 1L);
        return ListingPage.of(
                Stream.concat(actions, denials).sorted(Comparator.comparingLong(AuditJson::index)),
                limit,
                record -> Long.toString(record.index()),
                record -> record);
    }

    private static AuditJson denial(DenialRecord record) {
        var denial = record.denial();
        return new AuditJson(
                record.index(),
                "denial",
                denial.request(),
                denial.client(),
                denial.address(),
                "no right",
                denial.count() == 1 ? "denied" : "denied " + denial.count() + " times",
                ApiResponses.time(record.timestampMillis()));
    }

    /** The latest audit record of this command. */
    Optional<AuditJson> audit(Command.AdminCommand command) {
        return table.audit().values().reversed().stream()
                .filter(record -> record.command().equals(command))
                .findFirst()
                .map(TableViews::audit);
    }

    private static AuditJson audit(AuditRecord record) {
        var command = record.command();
        var description = switch (command.action()) {
            case Command.AdminAction.Release(var name, var asOf) -> "release " + name + " as of fence " + asOf;
            case Command.AdminAction.Expire(var session) -> "expire session " + session;
            case Command.AdminAction.Transfer(var election, var asOf, var to) ->
                "transfer election " + election + " as of term " + asOf + " to " + to;
            case Command.AdminAction.Performed(var action, var effect) -> action;
        };
        return new AuditJson(
                record.index(),
                "action",
                description,
                command.operator(),
                command.address(),
                command.reason(),
                record.effect(),
                ApiResponses.time(record.timestampMillis()));
    }

    List<DeadlockJson> deadlocks() {
        return table.deadlocks().stream()
                .map(deadlock -> new DeadlockJson(
                        deadlock.cycle().stream().map(TableViews::waitEdge).toList()))
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
