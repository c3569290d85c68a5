package habemus.mutex;

import habemus.protocol.NodeId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Who asked for a grant, first come first served; the first one has it. Nobody is in it twice. */
public record Waitlist(List<Ticket> tickets) {

    /** @param number which request of that node it is; later ones have higher numbers */
    public record Ticket(NodeId node, long number) {
        private boolean outdates(Ticket other) {
            return node.equals(other.node) && number > other.number;
        }
    }

    public static final Waitlist EMPTY = new Waitlist(List.of());

    /** Nobody gets anything before this node, which has asked for nothing, is taken out again. */
    public static Waitlist closedBy(NodeId node) {
        return new Waitlist(List.of(new Ticket(node, Long.MAX_VALUE)));
    }

    /** Who asks anew has given up what it asked for before; what it asked before that comes too late. */
    public Waitlist with(Ticket latest) {
        var others = tickets.stream().filter(ticket -> !latest.outdates(ticket)).toList();
        boolean known = others.stream().anyMatch(ticket -> ticket.node.equals(latest.node));
        return new Waitlist(
                known
                        ? others
                        : Stream.concat(others.stream(), Stream.of(latest)).toList());
    }

    /** Without this one, and all that it outdates. */
    public Waitlist without(Ticket last) {
        return new Waitlist(tickets.stream()
                .filter(ticket -> !last.equals(ticket) && !last.outdates(ticket))
                .toList());
    }

    public Waitlist withoutFirst() {
        return new Waitlist(tickets.stream().skip(1).toList());
    }

    /** Who is first now and was not before. */
    public Optional<Ticket> newFirst(Waitlist before) {
        return tickets.stream()
                .findFirst()
                .filter(first ->
                        before.tickets.isEmpty() || !before.tickets.getFirst().equals(first));
    }
}
