package habemus.lockservice;

import habemus.protocol.WireTags;
import java.time.Duration;
import java.util.List;

/** What the log is made of. Its place there, counted in commands, is its index. */
@WireTags({
    Command.Submit.class,
    Command.RenewSessions.class,
    Command.ExpireSession.class,
    Command.AdminCommand.class,
    Command.OpenSession.class
})
public sealed interface Command {

    /**
     * A session begins; the index of this command is its id.
     *
     * @param nonce known to its client only: with it the client can speak for the session at another node
     * @param lease how long it lives without being heard of
     */
    record OpenSession(long nonce, ClientInfo client, Duration lease) implements Command {}

    /** These renewals have arrived. One such command serves all that a node has heard in a while. */
    record RenewSessions(List<Renewal> renewals) implements Command {}

    /** A session's renewal, by the number that its client gave it. */
    record Renewal(long session, long number) {}

    /**
     * A session's request. Repeated, it does nothing more and gets the same answer.
     *
     * @param acknowledgedUpTo the client has the answers of all requests up to this number, and will not repeat them
     */
    record Submit(long session, long number, long acknowledgedUpTo, Operation operation) implements Command {}

    /**
     * A whole lease has passed since the entry of this index was applied by whoever says so.
     *
     * @param lastRenewedAt of the last command by which the session was heard of; if there is a later one, it lives on
     */
    record ExpireSession(long session, long lastRenewedAt) implements Command {}

    /** An operator interferes; it is kept who and why. */
    record AdminCommand(AdminAction action, String operator, String reason) implements Command {}

    @WireTags({AdminAction.Expire.class, AdminAction.Release.class, AdminAction.Transfer.class})
    sealed interface AdminAction {

        /**
         * Whoever holds it loses it now, without having been told before.
         *
         * @param upToFence the fence of whoever is meant, the largest if there are several: who was let in later stays, so
         *     that an order that comes late, or twice, does not meet the next one
         */
        record Release(ResourceName resourceName, long upToFence) implements AdminAction {}

        record Expire(long session) implements AdminAction {}

        /**
         * To the first in line among those who are called so.
         *
         * @param upToTerm the term of the leader that is meant: who leads since a later one stays
         */
        record Transfer(String election, long upToTerm, String to) implements AdminAction {}
    }
}
