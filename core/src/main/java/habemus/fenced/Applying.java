package habemus.fenced;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/** One entry on its way into the table. It lives no longer than that. */
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
        return new Applied(table(), List.copyOf(news));
    }

    private Table table() {
        return new Table(index, ended, sessions, locks, history, audit);
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
        if (sessions.get(session).filter(guest -> guest.heard() <= asOf).isPresent()) {
            end(session, Past.How.EXPIRED);
        }
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
        guest.answerTo(ask.number()).ifPresentOrElse(answer -> tell(claim, answer), () -> fulfil(claim, ask.wish()));
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
            var turn = new Turn(isElection(wants.getFirst()) ? acquire.rank() : 0, index);
            wants.forEach(want -> put(want, lock(want).joinedBy(turn, claim)));
            bid(claim, new Bid.Waiting(wants, turn, at));
            tell(claim, new Answer.Waiting());
            changed(wants);
        } else {
            var table = table();
            answer(
                    claim,
                    new Answer.Busy(wants.stream()
                            .filter(want -> !isFree(want))
                            .flatMap(want -> table.holders(want.name()).stream())
                            .toList()));
        }
    }

    private Optional<Answer.Fault> faultOf(List<Want> wants) {
        boolean together = wants.size() == 1
                || namesOf(wants).size() == wants.size()
                        && !wants.isEmpty()
                        && wants.stream().noneMatch(Applying::isElection);
        if (!together) {
            return Optional.of(Answer.Fault.NOT_TOGETHER);
        }
        boolean agreed = wants.stream().allMatch(want -> lock(want).size() == want.size());
        return agreed ? Optional.empty() : Optional.of(Answer.Fault.OTHER_SIZE);
    }

    private static boolean isElection(Want want) {
        return want.name().kind() == Name.Kind.ELECTION;
    }

    private static NavigableSet<Name> namesOf(List<Want> wants) {
        var names = new TreeSet<Name>();
        wants.forEach(want -> names.add(want.name()));
        return names;
    }

    private boolean isFree(Want want) {
        return lock(want).isFreeFor(want);
    }

    private Lock lock(Want want) {
        return locks.get(want.name()).orElseGet(() -> Lock.unused(want.size()));
    }

    private void put(Want want, Lock lock) {
        locks = lock.isUnused() ? locks.without(want.name()) : locks.with(want.name(), lock);
    }

    /** It is in no line any more. */
    private void grant(Claim claim, List<Want> wants) {
        wants.forEach(want -> put(want, lock(want).heldBy(claim, want.units())));
        bid(claim, new Bid.Holding(wants, index, at));
        tell(claim, new Answer.Granted(index));
        changed(wants);
    }

    /** Who waits is let in, wherever it stands. */
    private void admit(Claim claim) {
        var waiting = (Bid.Waiting) guest(claim).bids().get(claim.number()).orElseThrow();
        waiting.wants().forEach(want -> put(want, lock(want).leftBy(waiting.turn())));
        grant(claim, waiting.wants());
    }

    /** Whatever becomes of the claim: it is over when this is answered, even if it comes later than this. */
    private void release(Claim asking, Claim claim) {
        var left = drop(claim, Past.How.RELEASED, new Answer.Released());
        var guest = guest(claim);
        if (guest.taken().contains(claim.number())) {
            seat(claim, guest.over(claim.number(), new Answer.Released()));
        } else if (left.isEmpty() && !guest.answers().contains(claim.number())) {
            keep(claim, new Answer.Cancelled());
        }
        answer(asking, new Answer.Released());
        serve(left);
    }

    /**
     * Takes it out of its lines, or out of what it holds.
     *
     * @param over what is said from now on to whoever asks for what it held
     * @return what is to be served
     */
    private List<Want> drop(Claim claim, Past.How how, Answer over) {
        var guest = guest(claim);
        var bid = guest.bids().get(claim.number());
        if (bid.isEmpty()) {
            return List.of();
        }
        var wants = bid.get().wants();
        switch (bid.get()) {
            case Bid.Waiting waiting -> {
                wants.forEach(want -> put(want, lock(want).leftBy(waiting.turn())));
                seat(claim, guest.over(claim.number(), new Answer.Cancelled()));
            }
            case Bid.Holding holding -> {
                wants.forEach(want -> put(want, lock(want).releasedBy(claim, want.units())));
                wants.forEach(want -> remember(want.name(), guest.person(), holding, how));
                seat(claim, guest.over(claim.number(), over));
            }
        }
        changed(wants);
        return wants;
    }

    private void remember(Name name, Person person, Bid.Holding holding, Past.How how) {
        ended++;
        history = history.with(ended, new Past(name, person, holding.fence(), holding.since(), at, how))
                .without(ended - Table.HISTORY);
    }

    /** Lets in whoever is first everywhere and finds room, and then whoever is first then. */
    private void serve(List<Want> wants) {
        var names = namesOf(wants);
        while (!names.isEmpty()) {
            locks.get(names.pollFirst())
                    .flatMap(lock -> lock.line().first())
                    .filter(this::isFirstEverywhere)
                    .ifPresent(claim -> {
                        admit(claim);
                        names.addAll(namesOf(wantsOf(claim)));
                    });
        }
    }

    private boolean isFirstEverywhere(Claim claim) {
        return wantsOf(claim).stream().allMatch(want -> {
            var lock = lock(want);
            return lock.hasRoomFor(want)
                    && lock.line().first().filter(claim::equals).isPresent();
        });
    }

    private List<Want> wantsOf(Claim claim) {
        return guest(claim).bids().get(claim.number()).orElseThrow().wants();
    }

    /** Nothing of it is left before anybody is let in. */
    private void end(long session, Past.How how) {
        var left = new ArrayList<Want>();
        for (long number : sessions.get(session).orElseThrow().bids().keys()) {
            left.addAll(drop(new Claim(session, number), how, new Answer.Released()));
        }
        sessions = sessions.without(session);
        news.add(new News.Gone(session));
        serve(left);
    }

    private void transfer(Claim asking, Claim leading, String to) {
        var election = guest(asking)
                .bids()
                .get(leading.number())
                .filter(bid ->
                        bid instanceof Bid.Holding && isElection(bid.wants().getFirst()))
                .map(bid -> bid.wants().getFirst().name());
        if (election.isEmpty()) {
            answer(asking, new Answer.Refused(Answer.Fault.NOT_LEADING));
            return;
        }
        var heir = candidate(election.get(), to);
        if (heir.isEmpty()) {
            answer(asking, new Answer.Refused(Answer.Fault.NO_CANDIDATE));
            return;
        }
        drop(leading, Past.How.TRANSFERRED, new Answer.Released());
        answer(asking, new Answer.Released());
        admit(heir.get());
    }

    /** The first in line among those who are called so. */
    private Optional<Claim> candidate(Name election, String called) {
        return locks.get(election).stream()
                .flatMap(lock -> lock.line().values().stream())
                .filter(claim -> guest(claim).person().name().equals(called))
                .findFirst();
    }

    private void force(Command.Force force) {
        var effect = switch (force.order()) {
            case Command.Order.Release(var name, var asOf) -> revoke(name, asOf, force);
            case Command.Order.Expire(var session) -> oust(session);
            case Command.Order.Transfer order -> depose(order, force);
        };
        audit = audit.with(index, new Audit(index, force, effect, at));
        if (audit.size() > Table.AUDITED) {
            audit = audit.without(audit.firstKey().orElseThrow());
        }
    }

    private String revoke(Name name, long asOf, Command.Force force) {
        var holders = table().holders(name);
        var meant = holders.stream().filter(holder -> holder.fence() <= asOf).toList();
        var later = holders.stream().filter(holder -> holder.fence() > asOf).toList();
        var left = new ArrayList<Want>();
        meant.forEach(holder -> left.addAll(revoke(holder, Past.How.REVOKED, force)));
        serve(left);
        var effect = meant.isEmpty()
                ? "nobody held it"
                : "taken from " + listed(meant, holder -> holder.person().toString());
        return later.isEmpty() ? effect : effect + staying(later);
    }

    /** For operators who looked before. */
    private static String staying(List<Holder> later) {
        return "; let in later, and not put out: "
                + listed(later, holder -> holder.person() + " by fence " + holder.fence());
    }

    private static String listed(List<Holder> holders, Function<Holder, String> words) {
        return String.join(", ", holders.stream().map(words).toList());
    }

    private List<Want> revoke(Holder holder, Past.How how, Command.Force force) {
        var revoked = new Answer.Revoked(force.operator(), force.reason());
        var left = drop(holder.claim(), how, revoked);
        tell(holder.claim(), revoked);
        return left;
    }

    private String oust(long session) {
        var guest = sessions.get(session);
        if (guest.isEmpty()) {
            return "there was no such session";
        }
        end(session, Past.How.REVOKED);
        return "the session of " + guest.get().person() + " is over";
    }

    private String depose(Command.Order.Transfer order, Command.Force force) {
        var election = Name.election(order.election());
        var leader = table().holders(election).stream().findFirst();
        var heir = candidate(election, order.to());
        if (leader.isEmpty()) {
            return "nobody led";
        }
        if (leader.get().fence() > order.asOf()) {
            return "nobody led" + staying(List.of(leader.get()));
        }
        if (heir.isEmpty()) {
            return "nobody called " + order.to() + " was a candidate";
        }
        revoke(leader.get(), Past.How.TRANSFERRED, force);
        admit(heir.get());
        return "taken from " + leader.get().person() + ", given to "
                + guest(heir.get()).person();
    }

    private Guest guest(Claim claim) {
        return sessions.get(claim.session()).orElseThrow();
    }

    private void seat(Claim claim, Guest guest) {
        sessions = sessions.with(claim.session(), guest);
    }

    private void bid(Claim claim, Bid bid) {
        seat(claim, guest(claim).bidding(claim.number(), bid));
    }

    /** So that the same is said if it is asked again. */
    private void keep(Claim claim, Answer answer) {
        seat(claim, guest(claim).answered(claim.number(), answer));
    }

    private void answer(Claim claim, Answer answer) {
        keep(claim, answer);
        tell(claim, answer);
    }

    private void tell(Claim claim, Answer answer) {
        news.add(new News.Answered(claim.session(), claim.number(), answer));
    }

    private void changed(List<Want> wants) {
        wants.forEach(want -> news.add(new News.Changed(want.name())));
    }
}
