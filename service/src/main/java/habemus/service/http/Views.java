package habemus.service.http;

import habemus.fenced.Audit;
import habemus.fenced.Bid;
import habemus.fenced.Command;
import habemus.fenced.Deadlock;
import habemus.fenced.Guest;
import habemus.fenced.Holder;
import habemus.fenced.Name;
import habemus.fenced.Past;
import habemus.fenced.Person;
import habemus.fenced.Table;
import habemus.fenced.Want;
import habemus.service.http.Answers.AuditOf;
import habemus.service.http.Answers.CircleOf;
import habemus.service.http.Answers.HolderOf;
import habemus.service.http.Answers.LeaderChange;
import habemus.service.http.Answers.LeaderOf;
import habemus.service.http.Answers.LockChange;
import habemus.service.http.Answers.LockOf;
import habemus.service.http.Answers.LockStory;
import habemus.service.http.Answers.PastOf;
import habemus.service.http.Answers.PermitsOf;
import habemus.service.http.Answers.SemaphoreChange;
import habemus.service.http.Answers.SemaphoreOf;
import habemus.service.http.Answers.SessionOf;
import habemus.service.http.Answers.WaitOf;
import habemus.service.http.Answers.WaiterOf;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the table looks like to clients. */
record Views(Table table) {

    /** Where somebody runs: its host, and its process if that is known. */
    private static String place(Person person) {
        return person.pid() == 0 ? person.host() : person.host() + "/" + person.pid();
    }

    LockOf lock(Name name) {
        var holders = holders(name);
        var waiters = waiters(name);
        if (holders.isEmpty()) {
            return new LockOf(name.text(), null, null, null, null, List.of(), waiters);
        }
        var first = holders.removeFirst();
        return new LockOf(name.text(), first.holder(), first.node(), first.fence(), first.since(), holders, waiters);
    }

    LockStory story(Name name) {
        var lock = lock(name);
        var history = table.describe(name).history().stream().map(Views::past).toList();
        return new LockStory(
                lock.name(),
                lock.holder(),
                lock.node(),
                lock.fence(),
                lock.since(),
                lock.others(),
                lock.waiters(),
                history);
    }

    private List<HolderOf> holders(Name name) {
        var holders = new ArrayList<HolderOf>();
        table.holders(name)
                .forEach(one -> holders.add(new HolderOf(
                        one.person().name(), place(one.person()), one.fence(), Answers.time(one.since()))));
        return holders;
    }

    private List<WaiterOf> waiters(Name name) {
        return table.waiters(name).stream()
                .map(one -> new WaiterOf(one.person().name(), place(one.person()), Answers.time(one.since())))
                .toList();
    }

    private static PastOf past(Past past) {
        return new PastOf(
                past.person().name(),
                place(past.person()),
                past.fence(),
                Answers.time(past.since()),
                Answers.time(past.until()),
                past.how().toString());
    }

    LeaderOf leader(Name name) {
        var leader = table.holders(name).stream().findFirst();
        var called = leader.map(Holder::person).map(Person::name).orElse(null);
        return new LeaderOf(
                name.text(), called, leader.map(Holder::fence).orElse(null), List.of(), called, waiters(name));
    }

    SemaphoreOf semaphore(Name name) {
        var lock = table.locks().get(name);
        return new SemaphoreOf(
                name.text(),
                lock.map(one -> one.size()).orElse(null),
                lock.map(one -> one.taken()).orElse(0),
                permits(name),
                waiters(name));
    }

    private List<PermitsOf> permits(Name name) {
        return table.holders(name).stream()
                .map(one -> new PermitsOf(
                        one.person().name(), place(one.person()), one.units(), one.fence(), Answers.time(one.since())))
                .toList();
    }

    /** As an event of a watch; it is the last if nobody uses it any more. */
    Watch.Change change(String node, Name name) {
        boolean last = !table.locks().contains(name);
        return switch (name.kind()) {
            case LOCK -> {
                var lock = lock(name);
                yield new Watch.Change(
                        "lock",
                        new LockChange(name.text(), node, lock.holder(), lock.fence(), lock.since(), lock.waiters()),
                        last);
            }
            case ELECTION -> {
                var led = leader(name);
                yield new Watch.Change(
                        "leader",
                        new LeaderChange(name.text(), node, led.leader(), led.term(), led.acting(), led.waiters()),
                        last);
            }
            case SEMAPHORE -> {
                var seen = semaphore(name);
                yield new Watch.Change(
                        "semaphore",
                        new SemaphoreChange(name.text(), node, seen.taken(), seen.holders(), seen.waiters()),
                        last);
            }
        };
    }

    List<SessionOf> sessions() {
        return table.sessions().keys().stream()
                .map(id -> session(id, table.sessions().get(id).orElseThrow()))
                .toList();
    }

    private static SessionOf session(long id, Guest guest) {
        return new SessionOf(
                id,
                guest.person().name(),
                place(guest.person()),
                guest.lease().toMillis(),
                names(guest, true),
                names(guest, false));
    }

    private static List<String> names(Guest guest, boolean held) {
        return guest.bids().values().stream()
                .filter(bid -> bid instanceof Bid.Holding == held)
                .flatMap(bid -> bid.wants().stream())
                .map(Want::name)
                .map(Name::toString)
                .toList();
    }

    List<AuditOf> audit() {
        return table.audit().values().stream().map(Views::audit).toList();
    }

    /** What came of an order: of several that are equal the last. */
    Optional<AuditOf> audit(Command.Force force) {
        return table.audit().values().reversed().stream()
                .filter(one -> one.force().equals(force))
                .findFirst()
                .map(Views::audit);
    }

    private static AuditOf audit(Audit audit) {
        var force = audit.force();
        var order = switch (force.order()) {
            case Command.Order.Release(var name, var asOf) -> "release " + name + " as of fence " + asOf;
            case Command.Order.Expire(var session) -> "expire session " + session;
            case Command.Order.Transfer(var election, var asOf, var to) ->
                "transfer election " + election + " as of term " + asOf + " to " + to;
        };
        return new AuditOf(
                audit.index(), order, force.operator(), force.reason(), audit.effect(), Answers.time(audit.at()));
    }

    List<CircleOf> deadlocks() {
        return table.deadlocks().stream()
                .map(one -> new CircleOf(one.circle().stream().map(Views::wait).toList()))
                .toList();
    }

    private static WaitOf wait(Deadlock.Wait wait) {
        return new WaitOf(
                wait.person().name(),
                place(wait.person()),
                wait.wanted().toString(),
                wait.holder().name(),
                place(wait.holder()));
    }
}
