package habemus.lockservice;

import habemus.protocol.WireTags;
import java.time.Duration;
import java.util.List;

/**
 * A command of the replicated log. The log counts commands, not entries: the n-th command of the log has index n.
 */
@WireTags({
    Command.Submit.class,
    Command.RenewSessions.class,
    Command.ExpireSession.class,
    Command.AdminCommand.class,
    Command.OpenSession.class,
    Command.SetQuotas.class,
    Command.RecordDenial.class
})
public sealed interface Command {

    /**
     * Opens a session. The index of this command becomes the session id.
     *
     * @param nonce a secret of the client, with which it attaches to the session at another node
     * @param lease how long the session lives without a renewal
     */
    record OpenSession(long nonce, ClientInfo client, Duration lease, SessionOrigin origin) implements Command {
        public OpenSession(long nonce, ClientInfo client, Duration lease) {
            this(nonce, client, lease, new SessionOrigin.FirstSession());
        }

        /** Does not show the nonce. */
        @Override
        public String toString() {
            return "OpenSession[client=" + client + ", lease=" + lease + "]";
        }
    }

    /** Renews sessions. A node collects renewals and proposes them in one command. */
    record RenewSessions(List<Renewal> renewals) implements Command {}

    /** @param number the client's number for this renewal, repeated in the acknowledgement */
    record Renewal(long session, long number) {}

    /**
     * Submits an operation of a session. A repeated submission changes nothing and gets the same result.
     *
     * @param number of the request in its session
     * @param acknowledgedUpTo the client has the results of all requests up to this number and will not repeat them
     */
    record Submit(long session, long number, long acknowledgedUpTo, Operation operation) implements Command {}

    /**
     * Expires a session. The leader proposes it one lease after it applied the session's last renewal.
     *
     * @param lastRenewedAt index of that renewal; if the session was renewed later, it does not expire
     */
    record ExpireSession(long session, long lastRenewedAt) implements Command {}

    /** Sets the quotas of the table. The leader proposes its own if the table has others. */
    record SetQuotas(Quotas quotas) implements Command {}

    /**
     * An operator's action, kept in the audit.
     *
     * @param address of the operator's client
     */
    record AdminCommand(AdminAction action, String operator, String address, String reason) implements Command {}

    /**
     * Keeps in the audit that a node denied a request for lack of a right. Changes nothing else.
     *
     * @param client principal of the policy, or the name in the client's certificate
     * @param address of the client
     * @param request that was denied
     * @param count how often, since the last such command of the node
     */
    record RecordDenial(String client, String address, String request, long count) implements Command {}

    @WireTags({
        AdminAction.Expire.class,
        AdminAction.Release.class,
        AdminAction.Transfer.class,
        AdminAction.Performed.class
    })
    sealed interface AdminAction {

        /**
         * Revokes the holds of a resource without warning the holders.
         *
         * @param upToFence the largest fence to revoke; later holders stay, so a late or repeated command does not
         *     revoke the next hold
         */
        record Release(ResourceName name, long upToFence) implements AdminAction {}

        /** Ends a session and all its holds. */
        record Expire(long session) implements AdminAction {}

        /**
         * Moves leadership to the first waiting candidate of the given client name.
         *
         * @param upToTerm the term of the leader to depose; a leader of a later term stays
         * @param to client name of the candidate
         */
        record Transfer(String election, long upToTerm, String to) implements AdminAction {}

        /** An action outside the table, such as a change of members: the table only keeps it in the audit. */
        record Performed(String action, String effect) implements AdminAction {}
    }
}
