package habemus.lockservice.table;

import habemus.lockservice.PastHold.EndReason;
import habemus.lockservice.SessionOrigin;
import habemus.lockservice.TicketId;
import habemus.protocol.WireTags;
import java.util.Optional;

/**
 * The tickets of HTTP clients. An ended ticket is remembered until {@link #ENDED_LIMIT} other tickets have ended after
 * it, so a late request with it opens nothing. A request that arrived at its node before the last forgotten ticket
 * ended is refused if its ticket is unknown: that ticket may be one of the forgotten.
 *
 * @param entries open and ended tickets
 * @param ended ended tickets, by the index of the command that ended them
 * @param forgottenUpTo index at which the last forgotten ticket ended
 */
public record TicketRegistry(
        PersistentSortedMap<TicketId, TicketEntry> entries,
        PersistentSortedMap<Long, TicketId> ended,
        long forgottenUpTo) {

    /** Number of ended tickets that the table remembers. */
    public static final int ENDED_LIMIT = 10_000;

    public static final TicketRegistry EMPTY =
            new TicketRegistry(PersistentSortedMap.empty(), PersistentSortedMap.empty(), 0);

    /** A ticket of which the table knows. */
    @WireTags({TicketEntry.Open.class, TicketEntry.Ended.class})
    public sealed interface TicketEntry {

        long session();

        record Open(long session) implements TicketEntry {}

        record Ended(long session, EndReason reason) implements TicketEntry {}
    }

    public Optional<TicketEntry> get(TicketId ticket) {
        return entries.get(ticket);
    }

    /** {@return whether an unknown ticket may be one that was forgotten} */
    boolean mayHaveForgotten(long seenIndex) {
        return seenIndex < forgottenUpTo;
    }

    /** {@return after the end of a session} A ticket whose lease ends while it waits may be asked for again. */
    TicketRegistry withEndedSession(long id, SessionEntry session, EndReason reason, long index) {
        if (!(session.origin() instanceof SessionOrigin.TicketRequest request)) {
            return this;
        }
        boolean hasEndedBefore =
                session.acquires().isEmpty() && !session.results().isEmpty();
        boolean isHeld = session.acquires().values().stream().anyMatch(AcquireState.Holding.class::isInstance);
        if (reason == EndReason.EXPIRED && !hasEndedBefore && !isHeld) {
            return new TicketRegistry(entries.without(request.ticket()), ended, forgottenUpTo);
        }
        var end = session.revoked().isEmpty() ? hasEndedBefore ? EndReason.RELEASED : reason : EndReason.REVOKED;
        return withEnded(request.ticket(), new TicketEntry.Ended(id, end), index);
    }

    TicketRegistry withOpen(TicketId ticket, long session) {
        return new TicketRegistry(entries.with(ticket, new TicketEntry.Open(session)), ended, forgottenUpTo);
    }

    private TicketRegistry withEnded(TicketId ticket, TicketEntry.Ended entry, long index) {
        var next = new TicketRegistry(entries.with(ticket, entry), ended.with(index, ticket), forgottenUpTo);
        return next.ended.size() > ENDED_LIMIT ? next.withoutOldest() : next;
    }

    private TicketRegistry withoutOldest() {
        long oldest = ended.firstKey().orElseThrow();
        return new TicketRegistry(entries.without(ended.firstValue().orElseThrow()), ended.without(oldest), oldest);
    }
}
