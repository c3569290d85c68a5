package habemus.service.session;

import habemus.fenced.Answer.Fault;
import habemus.fenced.Name;
import habemus.fenced.Parcel;
import habemus.fenced.Person;
import habemus.fenced.Table;
import habemus.fenced.Talk;
import habemus.fenced.Want;
import habemus.fenced.Wish;
import habemus.service.session.Visitor.Right;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What is refused at the door, before anybody else is bothered with it. */
record Screen(Limits limits) {

    /** @param served how many sessions this node has already */
    Optional<Parcel.Refused> opening(Talk.Open open, int served) {
        if (!isFine(open.person())) {
            return Optional.of(new Parcel.Refused(
                    "wrong-name",
                    "a client's name and host have from 1 to " + limits.name() + " characters",
                    "give the client a shorter name"));
        }
        if (open.lease().compareTo(limits.leaseMin()) < 0 || open.lease().compareTo(limits.leaseMax()) > 0) {
            return Optional.of(new Parcel.Refused(
                    "wrong-lease",
                    "a lease is from " + text(limits.leaseMin()) + " to " + text(limits.leaseMax()) + ", not "
                            + text(open.lease()),
                    "ask for another lease"));
        }
        return served < limits.sessions()
                ? Optional.empty()
                : Optional.of(new Parcel.Refused(
                        "too-many-sessions",
                        "this node has " + served + " sessions, and serves no more",
                        "connect to another node, or raise the limit"));
    }

    private boolean isFine(Person person) {
        return isFine(person.name()) && isFine(person.host());
    }

    private boolean isFine(String name) {
        return !name.isBlank() && name.length() <= limits.name();
    }

    private static String text(Duration time) {
        return time.toMillis() % 1_000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    /** What is wrong with it whatever the table says: it is refused the same, however often and wherever asked. */
    Optional<Fault> asking(Talk.Ask ask, Visitor visitor) {
        if (ask.number() - ask.settled() > window(ask.wish())) {
            return Optional.of(Fault.TOO_MANY);
        }
        return switch (ask.wish()) {
            case Wish.Acquire acquire -> acquiring(acquire.wants(), visitor);
            case Wish.Transfer(var claim, var to) -> isFine(to) ? Optional.empty() : Optional.of(Fault.WRONG_NAME);
            case Wish.Release release -> Optional.empty();
            case Wish.Close close -> Optional.empty();
        };
    }

    /**
     * Whoever may not ask for more can still give back all it has, each once, and go: what would be refused here is
     * lost to everybody until the lease ends.
     */
    private long window(Wish wish) {
        return switch (wish) {
            case Wish.Acquire acquire -> limits.window();
            case Wish.Transfer transfer -> limits.window();
            case Wish.Release release -> (long) limits.window() + limits.claims();
            case Wish.Close close -> Long.MAX_VALUE;
        };
    }

    private Optional<Fault> acquiring(List<Want> wants, Visitor visitor) {
        if (wants.size() > limits.wants()) {
            return Optional.of(Fault.TOO_MANY);
        }
        for (var want : wants) {
            if (!isFine(want.name().text())) {
                return Optional.of(Fault.WRONG_NAME);
            }
            if (!visitor.may(Right.USE, want.name())) {
                return Optional.of(Fault.FORBIDDEN);
            }
        }
        return Optional.empty();
    }

    /**
     * Whether there is no room for it, as far as one can see. The same request may be in the log already, though not in
     * this table: so it cannot be refused, only called off there, where it is decided which came first.
     */
    boolean isTooMuch(Talk.Ask ask, Table table) {
        if (!(ask.wish() instanceof Wish.Acquire acquire)) {
            return false;
        }
        boolean known = table.sessions()
                .get(ask.session())
                .filter(guest ->
                        guest.bids().contains(ask.number()) || guest.answers().contains(ask.number()))
                .isPresent();
        boolean many = table.sessions()
                .get(ask.session())
                .filter(guest -> guest.bids().size() >= limits.claims())
                .isPresent();
        return !known && (many || acquire.patient() && acquire.wants().stream().anyMatch(w -> isFull(w.name(), table)));
    }

    private boolean isFull(Name name, Table table) {
        return table.locks()
                .get(name)
                .filter(lock -> lock.line().size() >= limits.waiters())
                .isPresent();
    }
}
