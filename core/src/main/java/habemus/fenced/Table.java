package habemus.fenced;

import java.util.List;
import java.util.Optional;

/**
 * Who holds and who waits: what every node makes of the log. Equal entries give equal tables, everywhere.
 *
 * <p>Whoever asks waits in the line of everything it wants, and is let in everywhere at once, in one command, as soon
 * as it is first in each of these lines and there is room. Nobody is overtaken; since a turn is the same in all lines,
 * nobody waits for each other in a circle. The fence is the index of the command that let it in, so it grows over all
 * locks, and of what nobody uses nothing is left.
 *
 * <p>A request is known by its session and its number. Repeated, it changes nothing and is answered as before.
 *
 * @param index how many commands there were
 * @param ended how many holdings are over; the last of them are the history
 */
public record Table(
        long index,
        long ended,
        Tree<Long, Guest> sessions,
        Tree<Name, Lock> locks,
        Tree<Long, Past> history,
        Tree<Long, Audit> audit) {

    /** Of an empty log. */
    public static final Table EMPTY = new Table(0, 0, Tree.empty(), Tree.empty(), Tree.empty(), Tree.empty());

    /** How many holdings that are over are remembered. */
    public static final int HISTORY = 1_000;

    /** How many interferences of operators. */
    public static final int AUDITED = 10_000;

    public Applied apply(Entry entry) {
        var applying = new Applying(this, entry.at());
        entry.commands().forEach(applying::take);
        return applying.done();
    }

    /** The bid behind a claim, unless it is over. */
    public Optional<Bid> bid(Claim claim) {
        return sessions.get(claim.session()).flatMap(guest -> guest.bids().get(claim.number()));
    }

    /** Whether whoever asks for that now can only stand in line. */
    public boolean isTaken(Wish wish) {
        return wish instanceof Wish.Acquire acquire
                && acquire.patient()
                && acquire.wants().stream()
                        .anyMatch(want -> locks.get(want.name())
                                .filter(lock -> !lock.isFreeFor(want))
                                .isPresent());
    }

    /** What somebody holds or waits for, whose text begins so. */
    public List<Name> names(String prefix) {
        return locks.keys().stream()
                .filter(name -> name.text().startsWith(prefix))
                .toList();
    }

    public Description describe(Name name) {
        var past = history.values().reversed().stream()
                .filter(one -> one.name().equals(name))
                .toList();
        return new Description(name, locks.get(name).map(Lock::size).orElse(0), holders(name), waiters(name), past);
    }

    /** Who is inside, by claim. */
    public List<Holder> holders(Name name) {
        return locks.get(name).map(Lock::holders).orElse(Tree.empty()).keys().stream()
                .map(claim -> holder(claim, name))
                .toList();
    }

    private Holder holder(Claim claim, Name name) {
        var guest = guest(claim);
        var holding = (Bid.Holding) bid(claim).orElseThrow();
        return new Holder(claim, guest.person(), holding.unitsOf(name), holding.fence(), holding.since());
    }

    /** Who is in line, the first one first. */
    public List<Waiter> waiters(Name name) {
        return locks.get(name).map(Lock::line).orElse(Tree.empty()).values().stream()
                .map(claim -> waiter(claim, name))
                .toList();
    }

    private Waiter waiter(Claim claim, Name name) {
        var guest = guest(claim);
        var waiting = (Bid.Waiting) bid(claim).orElseThrow();
        return new Waiter(
                claim, guest.person(), waiting.unitsOf(name), waiting.turn().rank(), waiting.since());
    }

    private Guest guest(Claim claim) {
        return sessions.get(claim.session()).orElseThrow();
    }

    /** Sessions that will never be let in, since they wait for each other. No circle is told twice. */
    public List<Deadlock> deadlocks() {
        return Circles.in(this);
    }

    public Snapshot snapshot() {
        return Snapshot.of(this);
    }
}
