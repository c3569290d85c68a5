package habemus.fenced;

import java.time.Duration;
import java.util.List;

/** A table that is led through commands one by one. */
final class Hall {

    static final Duration LEASE = Duration.ofSeconds(10);

    private Table table = Table.EMPTY;
    private List<News> news = List.of();
    private long time;

    Table table() {
        return table;
    }

    /** Of the last command. */
    List<News> news() {
        return news;
    }

    List<News> take(Command command) {
        var applied = table.apply(Entry.of(++time, command));
        table = applied.table();
        news = applied.news();
        return news;
    }

    long open(String name) {
        take(new Command.Open(name.hashCode(), new Person(name, "host", 1), LEASE));
        return table.index();
    }

    Answer ask(long session, long number, Wish wish) {
        return ask(session, number, 0, wish);
    }

    /** What is said to this request at once. */
    Answer ask(long session, long number, long settled, Wish wish) {
        take(new Command.Ask(session, number, settled, wish));
        return answers().stream()
                .filter(one -> one.session() == session && one.number() == number)
                .map(News.Answered::answer)
                .findFirst()
                .orElseThrow();
    }

    Answer acquire(long session, long number, Want... wants) {
        return ask(session, number, Wish.Acquire.of(wants));
    }

    Answer tryAcquire(long session, long number, Want... wants) {
        return ask(session, number, new Wish.Acquire(List.of(wants), false, 0));
    }

    Answer campaign(long session, long number, String election, int rank) {
        return ask(session, number, new Wish.Acquire(List.of(Want.leadership(election)), true, rank));
    }

    Answer release(long session, long number, long claim) {
        return ask(session, number, new Wish.Release(claim));
    }

    /** By an operator who means whoever holds it now. */
    List<News> release(Name name) {
        return force(new Command.Order.Release(name, table.index()));
    }

    List<News> force(Command.Order order) {
        return take(new Command.Force(order, "olga", "stuck"));
    }

    List<News> expire(long session) {
        return take(new Command.Expire(session, table.index()));
    }

    List<News.Answered> answers() {
        return news.stream()
                .filter(News.Answered.class::isInstance)
                .map(News.Answered.class::cast)
                .toList();
    }

    /** Who was let in by the last command. */
    List<Claim> granted() {
        return answers().stream()
                .filter(one -> one.answer() instanceof Answer.Granted)
                .map(one -> new Claim(one.session(), one.number()))
                .toList();
    }

    List<Claim> holders(Name name) {
        return table.holders(name).stream().map(Holder::claim).toList();
    }

    List<Claim> waiters(Name name) {
        return table.waiters(name).stream().map(Waiter::claim).toList();
    }

    boolean isEmpty() {
        return table.locks().isEmpty();
    }
}
