package habemus.archive;

import habemus.fenced.Answer;
import habemus.fenced.Claim;
import habemus.fenced.Command;
import habemus.fenced.Deadlock;
import habemus.fenced.Description;
import habemus.fenced.Entry;
import habemus.fenced.Holder;
import habemus.fenced.Name;
import habemus.fenced.Parcel;
import habemus.fenced.Past;
import habemus.fenced.Person;
import habemus.fenced.Table;
import habemus.fenced.Talk;
import habemus.fenced.Waiter;
import habemus.fenced.Want;
import habemus.fenced.Wish;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One of each kind. */
final class Samples {

    private static final Person PERSON = new Person("né", "host", 4_711);
    private static final Claim CLAIM = new Claim(17, 3);
    private static final Holder HOLDER = new Holder(CLAIM, PERSON, 1, 300, 1_700_000_000_000L);

    private Samples() {}

    static List<Wish> wishes() {
        return List.of(
                Wish.Acquire.of(Want.exclusive("a"), Want.shared("b"), Want.permits("s", 2, 3)),
                new Wish.Acquire(List.of(Want.leadership("e")), false, -1),
                new Wish.Release(300),
                new Wish.Transfer(3, "other"),
                new Wish.Close());
    }

    static List<Command.Order> orders() {
        return List.of(
                new Command.Order.Release(Name.lock("a"), 300),
                new Command.Order.Expire(17),
                new Command.Order.Transfer("e", 300, "other"));
    }

    static List<Answer> answers() {
        return List.of(
                new Answer.Waiting(),
                new Answer.Granted(300),
                new Answer.Busy(List.of(HOLDER)),
                new Answer.Released(),
                new Answer.Cancelled(),
                new Answer.Revoked("olga", "stuck"),
                new Answer.Refused(Answer.Fault.NO_CANDIDATE),
                new Answer.Closed());
    }

    static List<Entry> entries() {
        var commands = new ArrayList<Command>(List.of(
                new Command.Open(-5, PERSON, Duration.ofSeconds(10)),
                new Command.Beat(List.of(new Command.Renewal(17, 1), new Command.Renewal(18, 200))),
                new Command.Expire(17, 299)));
        wishes().forEach(wish -> commands.add(new Command.Ask(17, 3, 2, wish)));
        orders().forEach(order -> commands.add(new Command.Force(order, "olga", "stuck")));
        return commands.stream()
                .map(command -> Entry.of(1_700_000_000_000L, command))
                .toList();
    }

    static List<Parcel.ToService> toService() {
        return List.of(
                new Parcel.Hello(1, "token"),
                new Parcel.Said(new Talk.Open(-5, PERSON, Duration.ofSeconds(10))),
                new Parcel.Said(new Talk.Attach(17, -5)),
                new Parcel.Said(new Talk.Renew(17, 4)),
                new Parcel.Said(new Talk.Ask(17, 3, 2, wishes().getFirst())),
                new Parcel.Said(new Talk.Watch()),
                new Parcel.Look(1, Name.semaphore("s")),
                new Parcel.LookForDeadlocks(2));
    }

    static List<Parcel.ToClient> toClient() {
        var past = new Past(Name.lock("a"), PERSON, 300, 1, 2, Past.How.EXPIRED);
        var waiter = new Waiter(CLAIM, PERSON, 1, 0, 2);
        var wait = new Deadlock.Wait(PERSON, CLAIM, Name.lock("a"), PERSON, new Claim(18, 1));
        var parcels = new ArrayList<Parcel.ToClient>(List.of(
                new Parcel.Welcome(1, "n1", List.of("a:7600", "b:7600"), true),
                new Parcel.Told(new Talk.Opened(-5, 17)),
                new Parcel.Told(new Talk.Renewed(17, 4)),
                new Parcel.Told(new Talk.Gone(17)),
                new Parcel.Told(new Talk.Changed(Name.election("e"))),
                new Parcel.Seen(1, new Description(Name.lock("a"), 3, List.of(HOLDER), List.of(waiter), List.of(past))),
                new Parcel.SeenDeadlocks(2, List.of(new Deadlock(List.of(wait)))),
                new Parcel.Refused("code", "message", "hint")));
        answers().forEach(answer -> parcels.add(new Parcel.Told(new Talk.Answered(17, 3, answer))));
        return List.copyOf(parcels);
    }

    /** With somebody inside and in line everywhere, every kind of answer that is kept, history and audit. */
    static Table table() {
        var table = Table.EMPTY;
        for (int i = 1; i <= 3; i++) {
            table = apply(table, new Command.Open(i, new Person("p" + i, "host", i), Duration.ofSeconds(i)));
        }
        table = ask(table, 1, 1, Wish.Acquire.of(Want.exclusive("a"), Want.permits("s", 1, 3)));
        table = ask(table, 2, 1, Wish.Acquire.of(Want.shared("a"), Want.permits("s", 2, 3)));
        table = ask(table, 3, 1, new Wish.Acquire(List.of(Want.exclusive("a")), false, 0));
        table = ask(table, 3, 2, new Wish.Release(9));
        table = ask(table, 3, 3, Wish.Acquire.of());
        table = ask(table, 1, 2, new Wish.Acquire(List.of(Want.leadership("e")), true, 0));
        table = ask(table, 2, 2, new Wish.Acquire(List.of(Want.leadership("e")), true, 7));
        table = ask(table, 3, 4, new Wish.Acquire(List.of(Want.leadership("e")), true, 7));
        table = ask(table, 1, 3, new Wish.Transfer(2, "p3"));
        table = apply(table, new Command.Beat(List.of(new Command.Renewal(2, 5))));
        table = apply(table, new Command.Force(new Command.Order.Release(Name.lock("a"), 13), "olga", "stuck"));
        return apply(table, new Command.Ask(1, 4, 1, Wish.Acquire.of(Want.exclusive("a"))));
    }

    private static Table ask(Table table, long session, long number, Wish wish) {
        return apply(table, new Command.Ask(session, number, 0, wish));
    }

    static Table apply(Table table, Command command) {
        return table.apply(Entry.of(1_700_000_000_000L + table.index(), command))
                .table();
    }
}
