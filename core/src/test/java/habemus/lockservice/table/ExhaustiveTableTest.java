package habemus.lockservice.table;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Operation;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Applies a few commands in every order, with repeated and late ones. */
class ExhaustiveTableTest {

    private static final int DEPTH = 5;

    private static List<Command> alphabet(LockTable table) {
        var commands = new ArrayList<Command>();
        for (long session = 1; session <= 2; session++) {
            commands.add(new Command.Submit(session, 1, 0, Operation.Acquire.of(ResourceShare.exclusive("a"))));
            commands.add(new Command.Submit(
                    session, 2, 0, Operation.Acquire.of(ResourceShare.shared("a"), ResourceShare.exclusive("b"))));
            commands.add(new Command.Submit(session, 3, 0, new Operation.Release(1)));
            commands.add(new Command.Submit(session, 4, 3, new Operation.Release(2)));
            commands.add(new Command.ExpireSession(session, table.index()));
        }
        commands.add(new Command.AdminCommand(
                new Command.AdminAction.Release(ResourceName.lock("a"), 4), "o", "host:1", "r"));
        return commands;
    }

    @Test
    void the_invariants_hold_in_all_reachable_tables() {
        var client = new ClientInfo("p", "h", 1);
        var openSession = new Command.OpenSession(1, client, LockTableFixture.LEASE);
        Set<LockTable> tables = Set.of(LockTable.EMPTY
                .apply(CommandBatch.of(0, openSession, openSession))
                .table());
        var counts = new ArrayList<Integer>();
        for (int depth = 0; depth < DEPTH; depth++) {
            var next = new LinkedHashSet<LockTable>();
            for (var table : tables) {
                for (var command : alphabet(table)) {
                    var after = table.apply(CommandBatch.of(0, command)).table();
                    if (next.add(after)) {
                        TableInvariants.check(table, command, after);
                    }
                }
            }
            tables = next;
            counts.add(tables.size());
        }
        assertThat(counts).containsExactly(11, 98, 677, 3_750, 18_104);
    }
}
