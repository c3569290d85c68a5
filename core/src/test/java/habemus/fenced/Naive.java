package habemus.fenced;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The rules of the table once more, with plain lists that are searched from end to end for every question. */
final class Naive {

    /** @param fence zero while it waits */
    private record Entrant(Claim claim, List<Want> wants, int rank, long index, long fence, long since) {}

    private record Member(
            long id,
            Person person,
            long heard,
            long settled,
            NavigableMap<Long, Answer> said,
            NavigableMap<Long, Answer> taken) {}

    private final List<Member> members = new ArrayList<>();
    private final List<Entrant> entrants = new ArrayList<>();
    private final List<News> news = new ArrayList<>();
    private long index;
    private long at;

    /** All but what has changed. */
    List<News> take(Command command, long time) {
        news.clear();
        index++;
        at = time;
        switch (command) {
            case Command.Open(var nonce, var person, var lease) -> {
                members.add(new Member(index, person, index, 0, new TreeMap<>(), new TreeMap<>()));
                news.add(new News.Opened(nonce, index));
            }
            case Command.Beat(var renewals) ->
                renewals.forEach(one -> news.add(
                        hear(one.session(), 0)
                                ? new News.Heard(one.session(), one.number())
                                : new News.Gone(one.session())));
            case Command.Ask ask -> {
                if (!hear(ask.session(), ask.settled())) {
                    news.add(new News.Gone(ask.session()));
                } else if (!repeated(new Claim(ask.session(), ask.number()))) {
                    fulfil(new Claim(ask.session(), ask.number()), ask.wish());
                }
            }
            case Command.Expire(var session, var asOf) -> {
                if (members.stream().anyMatch(one -> one.id == session && one.heard <= asOf)) {
                    end(session);
                }
            }
            case Command.Force force -> force(force);
        }
        serve();
        return List.copyOf(news);
    }

    private boolean hear(long session, long settled) {
        members.replaceAll(one -> one.id != session
                ? one
                : new Member(session, one.person, index, Math.max(settled, one.settled), one.said, one.taken));
        members.forEach(one -> one.said.headMap(one.settled, true).clear());
        return members.stream().anyMatch(one -> one.id == session);
    }

    private Member member(Claim claim) {
        return members.stream()
                .filter(one -> one.id == claim.session())
                .findFirst()
                .orElseThrow();
    }

    private boolean repeated(Claim claim) {
        var open = entrants.stream().filter(one -> one.claim.equals(claim)).findFirst();
        var member = member(claim);
        if (open.isPresent()) {
            tell(claim, open.get().fence == 0 ? new Answer.Waiting() : new Answer.Granted(open.get().fence));
        } else if (claim.number() <= member.settled) {
            tell(claim, member.taken.getOrDefault(claim.number(), new Answer.Released()));
        } else {
            var said = Optional.ofNullable(member.said.get(claim.number()));
            said.ifPresent(answer -> tell(claim, answer));
            return said.isPresent();
        }
        return true;
    }

    private void fulfil(Claim claim, Wish wish) {
        switch (wish) {
            case Wish.Acquire(var wants, var patient, var rank) -> acquire(claim, wants, patient, rank);
            case Wish.Release(var number) -> {
                var over = new Claim(claim.session(), number);
                leave(over, new Answer.Released());
                if (member(over).taken.remove(over.number()) != null) {
                    member(over).said.replace(over.number(), new Answer.Released());
                }
                keep(over, new Answer.Cancelled());
                answer(claim, new Answer.Released());
            }
            case Wish.Transfer(var number, var to) -> {
                var leading = new Claim(claim.session(), number);
                var name = inside().filter(one -> one.claim.equals(leading))
                        .map(one -> one.wants.getFirst().name())
                        .filter(one -> one.kind() == Name.Kind.ELECTION)
                        .findFirst();
                answer(
                        claim,
                        name.isEmpty()
                                ? new Answer.Refused(Answer.Fault.NOT_LEADING)
                                : succeed(leading, name.get(), to, new Answer.Released())
                                        ? new Answer.Released()
                                        : new Answer.Refused(Answer.Fault.NO_CANDIDATE));
            }
            case Wish.Close() -> {
                tell(claim, new Answer.Closed());
                end(claim.session());
            }
        }
    }

    private void acquire(Claim claim, List<Want> wants, boolean patient, int rank) {
        var names = wants.stream().map(Want::name).distinct().toList();
        boolean elects = names.stream().anyMatch(name -> name.kind() == Name.Kind.ELECTION);
        var entrant = new Entrant(claim, wants, elects ? rank : 0, index, 0, at);
        var used = entrants.stream().flatMap(one -> one.wants.stream()).toList();
        if (names.isEmpty() || names.size() < wants.size() || elects && names.size() > 1) {
            answer(claim, new Answer.Refused(Answer.Fault.NOT_TOGETHER));
        } else if (wants.stream()
                .anyMatch(want -> used.stream()
                        .anyMatch(other -> other.name().equals(want.name()) && other.size() != want.size()))) {
            answer(claim, new Answer.Refused(Answer.Fault.OTHER_SIZE));
        } else if (patient || mayEnter(entrant, wants)) {
            entrants.add(entrant);
            if (!mayEnter(entrant, wants)) {
                tell(claim, new Answer.Waiting());
            }
        } else {
            answer(
                    claim,
                    new Answer.Busy(wants.stream()
                            .filter(want -> !mayEnter(entrant, List.of(want)))
                            .flatMap(this::holders)
                            .toList()));
        }
    }

    private Stream<Entrant> inside() {
        return List.copyOf(entrants).stream().filter(one -> one.fence > 0);
    }

    private Stream<Entrant> line() {
        return List.copyOf(entrants).stream()
                .filter(one -> one.fence == 0)
                .sorted(Comparator.comparingInt((Entrant one) -> -one.rank).thenComparingLong(one -> one.index));
    }

    private static int units(Entrant entrant, Name name) {
        return entrant.wants.stream()
                .filter(want -> want.name().equals(name))
                .mapToInt(Want::units)
                .sum();
    }

    private Stream<Holder> holders(Want want) {
        return inside().filter(one -> units(one, want.name()) > 0)
                .sorted(Comparator.comparing(Entrant::claim))
                .map(one ->
                        new Holder(one.claim, member(one.claim).person, units(one, want.name()), one.fence, one.since));
    }

    private boolean mayEnter(Entrant entrant, List<Want> wants) {
        return wants.stream().allMatch(want -> {
            long taken = inside().mapToLong(one -> units(one, want.name())).sum();
            var first = line().filter(one -> units(one, want.name()) > 0).findFirst();
            return first.filter(one -> !one.equals(entrant)).isEmpty() && taken + want.units() <= want.size();
        });
    }

    private void serve() {
        var next = line().filter(one -> mayEnter(one, one.wants)).findFirst();
        while (next.isPresent()) {
            enter(next.get());
            next = line().filter(one -> mayEnter(one, one.wants)).findFirst();
        }
    }

    private void enter(Entrant one) {
        entrants.remove(one);
        entrants.add(new Entrant(one.claim, one.wants, one.rank, one.index, index, at));
        tell(one.claim, new Answer.Granted(index));
    }

    private void leave(Claim claim, Answer answer) {
        entrants.stream().filter(one -> one.claim.equals(claim)).findFirst().ifPresent(one -> {
            keep(claim, one.fence == 0 ? new Answer.Cancelled() : answer);
            if (answer instanceof Answer.Revoked) {
                member(claim).taken.put(claim.number(), answer);
            }
        });
        entrants.removeIf(one -> one.claim.equals(claim));
    }

    private boolean succeed(Claim leading, Name election, String to, Answer answer) {
        var heir = line().filter(one -> units(one, election) > 0)
                .filter(one -> member(one.claim).person.name().equals(to))
                .findFirst();
        heir.ifPresent(one -> {
            leave(leading, answer);
            enter(one);
        });
        return heir.isPresent();
    }

    private void end(long session) {
        entrants.removeIf(one -> one.claim.session() == session);
        if (members.removeIf(one -> one.id == session)) {
            news.add(new News.Gone(session));
        }
    }

    private void force(Command.Force force) {
        var revoked = new Answer.Revoked(force.operator(), force.reason());
        switch (force.order()) {
            case Command.Order.Expire(var session) -> end(session);
            case Command.Order.Release(var name, var asOf) ->
                inside().filter(one -> units(one, name) > 0 && one.fence <= asOf)
                        .forEach(one -> {
                            leave(one.claim, revoked);
                            tell(one.claim, revoked);
                        });
            case Command.Order.Transfer(var election, var asOf, var to) ->
                inside().filter(one -> units(one, Name.election(election)) > 0 && one.fence <= asOf)
                        .filter(one -> succeed(one.claim, Name.election(election), to, revoked))
                        .forEach(one -> tell(one.claim, revoked));
        }
    }

    private void keep(Claim claim, Answer answer) {
        if (claim.number() > member(claim).settled) {
            member(claim).said.putIfAbsent(claim.number(), answer);
        }
    }

    private void answer(Claim claim, Answer answer) {
        keep(claim, answer);
        tell(claim, answer);
    }

    private void tell(Claim claim, Answer answer) {
        news.add(new News.Answered(claim.session(), claim.number(), answer));
    }
}
