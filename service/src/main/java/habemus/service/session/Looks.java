package habemus.service.session;

import habemus.fenced.Description;
import habemus.fenced.Name;
import habemus.fenced.Parcel;
import habemus.fenced.Table;
import java.util.List;

/** What clients see of the table, cut to what fits into a frame. */
final class Looks {

    /** Of one list: of those who share a lock, of a line, of a history. */
    private static final int SHOWN = 500;

    private Looks() {}

    static Parcel.Seen seen(long number, Name name, Table table) {
        var all = table.describe(name);
        return new Parcel.Seen(
                number,
                new Description(name, all.size(), first(all.holders()), first(all.waiters()), first(all.history())));
    }

    static Parcel.SeenDeadlocks deadlocks(long number, Table table) {
        return new Parcel.SeenDeadlocks(number, first(table.deadlocks()));
    }

    private static <T> List<T> first(List<T> all) {
        return all.subList(0, Math.min(all.size(), SHOWN));
    }
}
