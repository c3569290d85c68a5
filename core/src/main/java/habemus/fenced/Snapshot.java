package habemus.fenced;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table as plain lists, to be kept and sent. What follows from the rest is not in it: who holds and who waits is
 * known from the claims of the sessions.
 *
 * @param sessions the oldest first, as everything here
 */
public record Snapshot(long index, long ended, List<Seat> sessions, List<Past> history, List<Audit> audit) {

    /** A session. */
    public record Seat(
            long session,
            Person person,
            Duration lease,
            long nonce,
            long heard,
            long settled,
            List<Open> open,
            List<Said> said) {}

    /** A claim that is not over. */
    public record Open(long number, Bid bid) {}

    /** An answer that is kept; one that was settled is about a claim that an operator has ended. */
    public record Said(long number, Answer answer) {}

    static Snapshot of(Table table) {
        return new Snapshot(
                table.index(),
                table.ended(),
                table.sessions().map(Snapshot::seat),
                table.history().values(),
                table.audit().values());
    }

    private static Seat seat(long session, Guest guest) {
        return new Seat(
                session,
                guest.person(),
                guest.lease(),
                guest.nonce(),
                guest.heard(),
                guest.settled(),
                guest.bids().map(Open::new),
                said(guest));
    }

    private static List<Said> said(Guest guest) {
        var settled = guest.taken().map(Said::new).stream().filter(said -> said.number <= guest.settled());
        return Stream.concat(settled, guest.answers().map(Said::new).stream()).toList();
    }

    /** The same table again. */
    public Table table() {
        long forgotten = ended - history.size();
        return new Table(
                index,
                ended,
                Tree.of(sessions, Seat::session, Snapshot::guest),
                locks(),
                Tree.of(IntStream.range(0, history.size()).boxed().toList(), i -> forgotten + 1 + i, history::get),
                Tree.of(audit, Audit::index, one -> one));
    }

    private static Guest guest(Seat seat) {
        var later =
                seat.said.stream().filter(said -> said.number > seat.settled).toList();
        var taken = seat.said.stream()
                .filter(said -> said.answer instanceof Answer.Revoked)
                .toList();
        return new Guest(
                seat.person,
                seat.lease,
                seat.nonce,
                seat.heard,
                seat.settled,
                Tree.of(seat.open, Open::number, Open::bid),
                Tree.of(later, Said::number, Said::answer),
                Tree.of(taken, Said::number, Said::answer));
    }

    private Tree<Name, Lock> locks() {
        Tree<Name, Lock> locks = Tree.empty();
        for (var seat : sessions) {
            for (var open : seat.open) {
                var claim = new Claim(seat.session, open.number);
                for (var want : open.bid.wants()) {
                    var lock = locks.get(want.name()).orElseGet(() -> Lock.unused(want.size()));
                    locks = locks.with(want.name(), used(lock, claim, open.bid, want));
                }
            }
        }
        return locks;
    }

    private static Lock used(Lock lock, Claim claim, Bid bid, Want want) {
        return switch (bid) {
            case Bid.Waiting waiting -> lock.joinedBy(waiting.turn(), claim);
            case Bid.Holding holding -> lock.heldBy(claim, want.units());
        };
    }
}
