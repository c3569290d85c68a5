package habemus.fenced;

import habemus.protocol.WireTags;
import java.time.Duration;
import java.util.List;

/** What the log is made of. Its place there, counted in commands, is its index. */
@WireTags({Command.Ask.class, Command.Beat.class, Command.Expire.class, Command.Force.class, Command.Open.class})
public sealed interface Command {

    /**
     * A session begins; the index of this command is its id.
     *
     * @param nonce known to its client only: with it the client can speak for the session at another node
     * @param lease how long it lives without being heard of
     */
    record Open(long nonce, Person person, Duration lease) implements Command {}

    /** These renewals have arrived. One such command serves all that a node has heard in a while. */
    record Beat(List<Renewal> renewals) implements Command {}

    /** A session's renewal, by the number that its client gave it. */
    record Renewal(long session, long number) {}

    /**
     * A session's request. Repeated, it does nothing more and gets the same answer.
     *
     * @param settled the client has the answers of all requests up to this number, and will not repeat them
     */
    record Ask(long session, long number, long settled, Wish wish) implements Command {}

    /**
     * A whole lease has passed since the entry of this index was applied by whoever says so.
     *
     * @param asOf of the last command by which the session was heard of; if there is a later one, it lives on
     */
    record Expire(long session, long asOf) implements Command {}

    /** An operator interferes; it is kept who and why. */
    record Force(Order order, String operator, String reason) implements Command {}

    @WireTags({Order.Expire.class, Order.Release.class, Order.Transfer.class})
    sealed interface Order {

        /**
         * Whoever holds it loses it now, without having been told before.
         *
         * @param asOf the fence of whoever is meant, the largest if there are several: who was let in later stays, so
         *     that an order that comes late, or twice, does not meet the next one
         */
        record Release(Name name, long asOf) implements Order {}

        record Expire(long session) implements Order {}

        /**
         * To the first in line among those who are called so.
         *
         * @param asOf the term of the leader that is meant: who leads since a later one stays
         */
        record Transfer(String election, long asOf, String to) implements Order {}
    }
}
