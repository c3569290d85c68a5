package habemus.fenced;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every order in which a few commands can come, repeats and late ones included. */
class AllTablesTest {

    private static final int DEPTH = 5;

    private static List<Command> alphabet(Table table) {
        var commands = new ArrayList<Command>();
        for (long session = 1; session <= 2; session++) {
            commands.add(new Command.Ask(session, 1, 0, Wish.Acquire.of(Want.exclusive("a"))));
            commands.add(new Command.Ask(session, 2, 0, Wish.Acquire.of(Want.shared("a"), Want.exclusive("b"))));
            commands.add(new Command.Ask(session, 3, 0, new Wish.Release(1)));
            commands.add(new Command.Ask(session, 4, 3, new Wish.Release(2)));
            commands.add(new Command.Expire(session, table.index()));
        }
        commands.add(new Command.Force(new Command.Order.Release(Name.lock("a"), 4), "o", "r"));
        return commands;
    }

    @Test
    void the_rules_hold_in_all_of_them() {
        var person = new Person("p", "h", 1);
        var open = new Command.Open(1, person, Hall.LEASE);
        Set<Table> tables = Set.of(Table.EMPTY.apply(Entry.of(0, open, open)).table());
        var counts = new ArrayList<Integer>();
        for (int depth = 0; depth < DEPTH; depth++) {
            var next = new LinkedHashSet<Table>();
            for (var table : tables) {
                for (var command : alphabet(table)) {
                    var after = table.apply(Entry.of(0, command)).table();
                    if (next.add(after)) {
                        Rules.check(table, command, after);
                    }
                }
            }
            tables = next;
            counts.add(tables.size());
        }
        assertThat(counts).containsExactly(11, 98, 677, 3_750, 18_104);
    }
}
