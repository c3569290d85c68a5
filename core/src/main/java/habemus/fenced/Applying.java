package habemus.fenced;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** One entry on its way into the table. */
final class Applying {

    private final long at;
    private final List<News> news = new ArrayList<>();
    private long index;
    private long ended;
    private Tree<Long, Guest> sessions;
    private Tree<Name, Lock> locks;
    private Tree<Long, Past> history;
    private Tree<Long, Audit> audit;

    Applying(Table table, long at) {
        this.at = at;
        index = table.index();
        ended = table.ended();
        sessions = table.sessions();
        locks = table.locks();
        history = table.history();
        audit = table.audit();
    }

    Applied done() {
        return new Applied(new Table(index, ended, sessions, locks, history, audit), List.copyOf(news));
    }

    void take(Command command) {
        index++;
        switch (command) {
            case Command.Open open -> open(open);
            case Command.Beat(var renewals) -> renewals.forEach(this::hear);
            case Command.Ask ask -> ask(ask);
            case Command.Expire(var session, var asOf) -> expire(session, asOf);
            case Command.Force force -> force(force);
        }
    }

    private void open(Command.Open open) {
        sessions = sessions.with(index, Guest.arriving(open, index));
        news.add(new News.Opened(open.nonce(), index));
    }

    private void hear(Command.Renewal renewal) {
        long session = renewal.session();
        var guest = sessions.get(session);
        guest.ifPresent(known -> sessions = sessions.with(session, known.heardAt(index)));
        news.add(guest.isPresent() ? new News.Heard(session, renewal.number()) : new News.Gone(session));
    }

    /** Whoever was heard of since lives: its renewal may have been acknowledged. */
    private void expire(long session, long asOf) {
        sessions.get(session)
                .filter(guest -> guest.heard() <= asOf)
                .ifPresent(guest -> end(session, Past.How.EXPIRED));
    }

    private void ask(Command.Ask ask) {
        var known = sessions.get(ask.session());
        if (known.isEmpty()) {
            news.add(new News.Gone(ask.session()));
            return;
        }
        var guest = known.get().heardAt(index).settledUpTo(ask.settled());
        sessions = sessions.with(ask.session(), guest);
        var claim = new Claim(ask.session(), ask.number());
        answerOf(guest, ask.number()).ifPresentOrElse(answer -> tell(claim, answer), () -> fulfil(claim, ask.wish()));
    }

    /** What a request was answered before, if it was made before. */
    private static Optional<Answer> answerOf(Guest guest, long number) {
        return guest.bids()
                .get(number)
                .map(bid -> switch (bid) {
                    case Bid.Waiting waiting -> new Answer.Waiting();
                    case Bid.Holding holding -> (Answer) new Answer.Granted(holding.fence());
                })
                .or(() -> guest.answers().get(number))
                .or(() -> number <= guest.settled() ? Optional.of(new Answer.Released()) : Optional.empty());
    }

    private void fulfil(Claim claim, Wish wish) {
        switch (wish) {
            case Wish.Acquire acquire -> acquire(claim, acquire);
            case Wish.Release(var number) -> release(claim, new Claim(claim.session(), number));
            case Wish.Transfer(var number, var to) -> transfer(claim, new Claim(claim.session(), number), to);
            case Wish.Close() -> {
                tell(claim, new Answer.Closed());
                end(claim.session(), Past.How.CLOSED);
            }
        }
    }

    private void acquire(Claim claim, Wish.Acquire acquire) {
        var wants = acquire.wants();
        var fault = faultOf(wants);
        if (fault.isPresent()) {
            answer(claim, new Answer.Refused(fault.get()));
        } else if (wants.stream().allMatch(this::isFree)) {
            grant(claim, wants);
        } else if (acquire.patient()) {
            var turn = new Turn(acquire.rank(), index);
            wants.forEach(want -> put(want, unusedOr(want).joinedBy(turn, claim)));
            bid(claim, new Bid.Waiting(wants, turn, at));
            tell(claim, new Answer.Waiting());
            changed(wants);
        } else {
            var taken = wants.stream().filter(want -> !isFree(want)).findFirst().orElseThrow();
            answer(claim, new Answer.Busy(done().table().holders(taken.name())));
        }
    }

    private Optional<Answer.Fault> faultOf(List<Want> wants) {
        var names = wants.stream().map(Want::name).collect(Collectors.toCollection(TreeSet::new));
        boolean elects = names.stream().anyMatch(name -> name.kind() == Name.Kind.ELECTION);
        if (wants.isEmpty() || names.size() < wants.size() || elects && wants.size() > 1) {
            return Optional.of(Answer.Fault.NOT_TOGETHER);
        }
        boolean agreed = wants.stream()
                .allMatch(want -> locks.get(want.name()).map(Lock::size).orElse(want.size()) == want.size());
        return agreed ? Optional.empty() : Optional.of(Answer.Fault.OTHER_SIZE);
    }

    private boolean isFree(Want want) {
        var lock = unusedOr(want);
        return lock.line().isEmpty() && lock.hasRoomFor(want);
    }

    private Lock unusedOr(Want want) {
        return locks.get(want.name()).orElse(Lock.unused(want.size()));
    }

    private void put(Want want, Lock lock) {
        locks = lock.isUnused() ? locks.without(want.name()) : locks.with(want.name(), lock);
    }

    /** It is in no line any more. */
    private void grant(Claim claim, List<Want> wants) {
        wants.forEach(want -> put(want, unusedOr(want).heldBy(claim, want.units())));
        bid(claim, new Bid.Holding(wants, index, at));
        tell(claim, new Answer.Granted(index));
        changed(wants);
    }

    /** Whatever becomes of the claim: it is over when this is answered, even if it comes later than this. */
    private void release(Claim asking, Claim claim) {
        drop(claim, Past.How.RELEASED)
                .ifPresentOrElse(this::serve, () -> {
                    var guest = guest(claim);
                    if (guest.answers().get(claim.number()).isEmpty()) {
                        sessions = sessions.with(
                                claim.session(), guest.answered(claim.number(), new Answer.Cancelled()));
                    }
                });
        answer(asking, new Answer.Released());
    }

    /** Takes it out of its lines, or out of what it holds; what it wanted is to be served. */
    private Optional<List<Want>> drop(Claim claim, Past.How how) {
        var guest = guest(claim);
        var bid = guest.bids().get(claim.number());
        bid.ifPresent(open -> {
            switch (open) {
                case Bid.Waiting(var wants, var turn, var since) -> {
                    wants.forEach(want -> put(want, unusedOr(want).leftBy(turn)));
                    over(claim, guest, new Answer.Cancelled());
                }
                case Bid.Holding holding -> {
                    holding.wants().forEach(want -> put(want, unusedOr(want).releasedBy(claim, want.units())));
                    holding.wants().forEach(want -> remember(want.name(), guest.person(), holding, how));
                    over(claim, guest, new Answer.Released());
                }
            }
            changed(open.wants());
        });
        return bid.map(Bid::wants);
    }

    private void over(Claim claim, Guest guest, Answer answer) {
        sessions = sessions.with(claim.session(), guest.without(claim.number()).answered(claim.number(), answer));
    }

    private void remember(Name name, Person person, Bid.Holding holding, Past.How how) {
        history = history.with(++ended, new Past(name, person, holding.fence(), holding.since(), at, how));
        history = history.without(ended - Table.HISTORY);
    }

    /** Lets in whoever is first everywhere and finds room, and then whoever is first then. */
    private void serve(List<Want> wants) {
        var names = wants.stream().map(Want::name).collect(Collectors.toCollection(TreeSet::new));
        while (!names.isEmpty()) {
            var name = names.pollFirst();
            var next = locks.get(name).flatMap(lock -> lock.line().first()).filter(this::isFirstEverywhere);
            next.ifPresent(claim -> {
                var waiting = (Bid.Waiting) guest(claim).bids().get(claim.number()).orElseThrow();
                waiting.wants().forEach(want -> put(want, unusedOr(want).leftBy(waiting.turn())));
                grant(claim, waiting.wants());
                waiting.wants().forEach(want -> names.add(want.name()));
            });
        }
    }

    private boolean isFirstEverywhere(Claim claim) {
        return guest(claim).bids().get(claim.number()).orElseThrow().wants().stream().allMatch(want -> {
            var lock = unusedOr(want);
            return lock.line().first().equals(Optional.of(claim)) && lock.hasRoomFor(want);
        });
    }

    /** Nothing of it is left before anybody is let in. */
    private void end(long session, Past.How how) {
        var served = new ArrayList<Want>();
        for (long number : sessions.get(session).orElseThrow().bids().keys()) {
            drop(new Claim(session, number), how).ifPresent(served::addAll);
        }
        sessions = sessions.without(session);
        news.add(new News.Gone(session));
        serve(served);
    }

    private void transfer(Claim asking, Claim leading, String to) {
        var election = guest(asking).bids().get(leading.number())
                .filter(bid -> bid instanceof Bid.Holding)
                .map(bid -> bid.wants().getFirst().name())
                .filter(name -> name.kind() == Name.Kind.ELECTION);
        if (election.isEmpty()) {
            answer(asking, new Answer.Refused(Answer.Fault.NOT_LEADING));
            return;
        }
        var heir = candidate(election.get(), to);
        heir.ifPresent(claim -> succeed(leading, claim));
        answer(asking, heir.isPresent() ? new Answer.Released() : new Answer.Refused(Answer.Fault.NO_CANDIDATE));
    }

    /** The first in line among those who are called so. */
    private Optional<Claim> candidate(Name election, String called) {
        return locks.get(election).stream()
                .flatMap(lock -> lock.line().values().stream())
                .filter(claim -> guest(claim).person().name().equals(called))
                .findFirst();
    }

    private void succeed(Claim leading, Claim heir) {
        drop(leading, Past.How.TRANSFERRED);
        var waiting = (Bid.Waiting) guest(heir).bids().get(heir.number()).orElseThrow();
        waiting.wants().forEach(want -> put(want, unusedOr(want).leftBy(waiting.turn())));
        grant(heir, waiting.wants());
    }

    private void force(Command.Force force) {
        var effect = switch (force.order()) {
            case Command.Order.Release(var name) -> revoke(name, force);
            case Command.Order.Expire(var session) when sessions.contains(session) -> {
                var person = sessions.get(session).orElseThrow().person();
                end(session, Past.How.REVOKED);
                yield "the session of " + person + " is over";
            }
            case Command.Order.Expire gone -> "there was no such session";
            case Command.Order.Transfer(var election, var to) -> depose(Name.election(election), to, force);
        };
        audit = audit.with(index, new Audit(index, force, effect, at));
        if (audit.size() > Table.AUDITED) {
            audit = audit.without(audit.firstKey().orElseThrow());
        }
    }

    private String revoke(Name name, Command.Force force) {
        var holders = done().table().holders(name);
        var served = new ArrayList<Want>();
        for (var holder : holders) {
            drop(holder.claim(), Past.How.REVOKED).ifPresent(served::addAll);
            answer(holder.claim(), new Answer.Revoked(force.operator(), force.reason()));
        }
        serve(served);
        return holders.isEmpty()
                ? "nobody held it"
                : "taken from " + holders.stream().map(h -> h.person().toString()).collect(Collectors.joining(", "));
    }

    private String depose(Name election, String to, Command.Force force) {
        var leader = done().table().holders(election).stream().findFirst();
        var heir = candidate(election, to);
        if (leader.isEmpty() || heir.isEmpty()) {
            return leader.isEmpty() ? "nobody led" : "nobody called " + to + " was a candidate";
        }
        succeed(leader.get().claim(), heir.get());
        answer(leader.get().claim(), new Answer.Revoked(force.operator(), force.reason()));
        return "taken from " + leader.get().person() + ", given to " + guest(heir.get()).person();
    }

    private Guest guest(Claim claim) {
        return sessions.get(claim.session()).orElseThrow();
    }

    private void bid(Claim claim, Bid bid) {
        sessions = sessions.with(claim.session(), guest(claim).bidding(claim.number(), bid));
    }

    /** So that the same is said if it is asked again. */
    private void answer(Claim claim, Answer answer) {
        sessions = sessions.with(claim.session(), guest(claim).answered(claim.number(), answer));
        tell(claim, answer);
    }

    private void tell(Claim claim, Answer answer) {
        news.add(new News.Answered(claim.session(), claim.number(), answer));
    }

    private void changed(List<Want> wants) {
        wants.forEach(want -> news.add(new News.Changed(want.name())));
    }
}
