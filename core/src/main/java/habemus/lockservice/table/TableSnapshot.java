package habemus.lockservice.table;

import habemus.lockservice.AuditRecord;
import habemus.lockservice.ClientInfo;
import habemus.lockservice.DenialRecord;
import habemus.lockservice.OperationResult;
import habemus.lockservice.PastHold;
import habemus.lockservice.Quotas;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.SessionOrigin;
import habemus.lockservice.TicketId;
import habemus.lockservice.Usage;
import habemus.lockservice.table.TicketRegistry.TicketEntry;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A lock table as plain lists, to be stored and sent. Holders, queues and usage are not in it: they follow from the
 * sessions. All lists are sorted, the oldest element first.
 */
public record TableSnapshot(
        long index,
        long endedHolds,
        List<SessionSnapshot> sessions,
        List<PastHold> history,
        List<AuditRecord> audit,
        List<DenialRecord> denials,
        Quotas quotas,
        List<EndedTicket> endedTickets,
        long ticketsForgottenUpTo) {

    /** A session with its id. */
    public record SessionSnapshot(
            long session,
            ClientInfo client,
            Duration lease,
            long nonce,
            SessionOrigin origin,
            long lastRenewedAt,
            long acknowledgedUpTo,
            List<OpenAcquire> acquires,
            List<StoredResult> results) {
        /** Does not show the nonce. */
        @Override
        public String toString() {
            return "SessionSnapshot[session=" + session + ", client=" + client + "]";
        }
    }

    /** An acquire that waits or holds. */
    public record OpenAcquire(long number, AcquireState state) {}

    /** A stored result. If its number is acknowledged, it belongs to a revoked hold. */
    public record StoredResult(long number, OperationResult result) {}

    /** @param index of the command that ended it */
    public record EndedTicket(long index, TicketId ticket, TicketEntry.Ended entry) {}

    static TableSnapshot of(LockTable table) {
        return new TableSnapshot(
                table.index(),
                table.endedHolds(),
                table.sessions().view(TableSnapshot::sessionSnapshot),
                table.history().values(),
                table.audit().values(),
                table.denials().values(),
                table.quotas(),
                table.tickets().ended().map((index, ticket) -> endedTicket(table.tickets(), index, ticket)),
                table.tickets().forgottenUpTo());
    }

    private static EndedTicket endedTicket(TicketRegistry tickets, long index, TicketId ticket) {
        return new EndedTicket(
                index, ticket, (TicketEntry.Ended) tickets.get(ticket).orElseThrow());
    }

    private static SessionSnapshot sessionSnapshot(long id, SessionEntry session) {
        return new SessionSnapshot(
                id,
                session.client(),
                session.lease(),
                session.nonce(),
                session.origin(),
                session.lastRenewedAt(),
                session.acknowledgedUpTo(),
                session.acquires().map(OpenAcquire::new),
                storedResults(session));
    }

    private static List<StoredResult> storedResults(SessionEntry session) {
        var acknowledged = session.revoked().map(StoredResult::new).stream()
                .filter(stored -> stored.number <= session.acknowledgedUpTo());
        return Stream.concat(acknowledged, session.results().map(StoredResult::new).stream())
                .toList();
    }

    /** {@return the table of which this is the snapshot} */
    public LockTable toTable() {
        long dropped = endedHolds - history.size();
        var entries = PersistentSortedMap.of(sessions, SessionSnapshot::session, TableSnapshot::sessionEntry);
        var resources = resources();
        return new LockTable(
                index,
                endedHolds,
                entries,
                resources,
                PersistentSortedMap.of(
                        IntStream.range(0, history.size()).boxed().toList(), i -> dropped + 1 + i, history::get),
                PersistentSortedMap.of(audit, AuditRecord::index, record -> record),
                PersistentSortedMap.of(denials, DenialRecord::index, record -> record),
                quotas,
                usage(entries, resources),
                tickets());
    }

    private static TableUsage usage(
            PersistentSortedMap<Long, SessionEntry> sessions,
            PersistentSortedMap<ResourceName, ResourceState> resources) {
        var usage = TableUsage.NONE.withTotal(Usage.ofNames(resources.size()));
        for (var session : sessions.values()) {
            usage = usage.withTotal(session.usage())
                    .withPrincipal(session.client().principal(), session.usage());
        }
        for (var resource : resources.values()) {
            for (var principal : resource.principals().keys()) {
                usage = usage.withPrincipal(principal, Usage.ofNames(1));
            }
        }
        return usage;
    }

    private TicketRegistry tickets() {
        PersistentSortedMap<TicketId, TicketEntry> entries =
                PersistentSortedMap.of(endedTickets, EndedTicket::ticket, EndedTicket::entry);
        for (var session : sessions) {
            if (session.origin instanceof SessionOrigin.TicketRequest request) {
                entries = entries.with(request.ticket(), new TicketEntry.Open(session.session));
            }
        }
        return new TicketRegistry(
                entries,
                PersistentSortedMap.of(endedTickets, EndedTicket::index, EndedTicket::ticket),
                ticketsForgottenUpTo);
    }

    private static SessionEntry sessionEntry(SessionSnapshot session) {
        var later = session.results.stream()
                .filter(stored -> stored.number > session.acknowledgedUpTo)
                .toList();
        var revoked = session.results.stream()
                .filter(stored -> stored.result instanceof OperationResult.Revoked)
                .toList();
        var entry = new SessionEntry(
                session.client,
                session.lease,
                session.nonce,
                session.origin,
                session.lastRenewedAt,
                session.acknowledgedUpTo,
                PersistentSortedMap.of(session.acquires, OpenAcquire::number, OpenAcquire::state),
                PersistentSortedMap.of(later, StoredResult::number, StoredResult::result),
                PersistentSortedMap.of(revoked, StoredResult::number, StoredResult::result),
                Usage.NONE);
        return entry.withComputedUsage();
    }

    private PersistentSortedMap<ResourceName, ResourceState> resources() {
        PersistentSortedMap<ResourceName, ResourceState> resources = PersistentSortedMap.empty();
        for (var session : sessions) {
            for (var acquire : session.acquires) {
                var request = new RequestId(session.session, acquire.number);
                for (var share : acquire.state.shares()) {
                    var resource = resources.get(share.name()).orElseGet(() -> ResourceState.unused(share.size()));
                    resources = resources.with(
                            share.name(),
                            withAcquire(resource, request, acquire.state, share, session.client.principal()));
                }
            }
        }
        return resources;
    }

    private static ResourceState withAcquire(
            ResourceState resource, RequestId request, AcquireState state, ResourceShare share, String principal) {
        return switch (state) {
            case AcquireState.Waiting waiting -> resource.withWaiter(waiting.queueKey(), request, principal);
            case AcquireState.Holding holding -> resource.withHolder(request, share.units(), principal);
        };
    }
}
