package habemus.lockservice;

import habemus.protocol.WireTags;
import java.util.List;

/** Why a session is opened, and what that means for an earlier one. */
@WireTags({SessionOrigin.FirstSession.class, SessionOrigin.Successor.class, SessionOrigin.TicketRequest.class})
public sealed interface SessionOrigin {

    /** Nothing of the client is left. */
    record FirstSession() implements SessionOrigin {}

    /**
     * The client has lost its last session. The new session ends the old one, so a late command of the old one has no
     * effect. Only the grants that the client knew stay until the lease of the old session ends: their holders have
     * been notified, and need that time to stop.
     *
     * @param session the old one
     * @param nonce of the old session
     * @param known numbers of the acquires whose grants the client knew
     */
    record Successor(long session, long nonce, List<Long> known) implements SessionOrigin {
        /** Does not show the nonce. */
        @Override
        public String toString() {
            return "Successor(" + session + ")";
        }
    }

    /**
     * A client requests something with a ticket. If the ticket has a session, no other is opened.
     *
     * @param asking a random number of this HTTP request; a ticket may be asked for at several nodes, and repeatedly
     * @param seenIndex index of the node's table when the HTTP request arrived; see {@code TicketRegistry}
     */
    record TicketRequest(TicketId ticket, long asking, long seenIndex) implements SessionOrigin {
        /** Does not show the ticket. */
        @Override
        public String toString() {
            return "TicketRequest";
        }
    }
}
