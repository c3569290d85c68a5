package habemus.lockservice.table;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.SessionOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Applies random commands of few sessions to few resources, and compares the table with a reference table. */
@Tag("slow")
class RandomTableTest {

    private static final int RUNS = 100;
    private static final int COMMANDS = 60;

    static IntStream seeds() {
        return IntStream.range(0, 20);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void the_invariants_hold_and_the_results_equal_those_of_a_reference_table(int seed) {
        for (int run = 0; run < RUNS; run++) {
            var random = new SplittableRandom(1_000L * seed + run);
            var table = LockTable.EMPTY;
            var reference = new ReferenceLockTable();
            var commands = new ArrayList<Command>();
            for (int i = 0; i < COMMANDS; i++) {
                var command = command(random, table);
                commands.add(command);
                var applied = table.apply(CommandBatch.of(i, command));
                try {
                    TableInvariants.check(table, command, applied.table());
                    assertThat(sorted(applied.notifications())).isEqualTo(sorted(reference.apply(command, i)));
                } catch (AssertionError broken) {
                    throw new AssertionError("seed " + seed + ", run " + run + ": " + commands, broken);
                }
                table = applied.table();
            }
        }
    }

    /** Guards against commands that are all rejected, or all granted at once. */
    @Test
    void the_random_commands_produce_every_kind_of_result() {
        var seen = new TreeSet<String>();
        for (int seed = 0; seed < 500; seed++) {
            var random = new SplittableRandom(seed);
            var table = LockTable.EMPTY;
            for (int i = 0; i < COMMANDS; i++) {
                var applied = table.apply(CommandBatch.of(i, command(random, table)));
                applied.notifications().forEach(notification -> seen.add(kind(notification)));
                applied.table()
                        .deadlocks()
                        .forEach(deadlock ->
                                seen.add("cycle of " + deadlock.cycle().size()));
                table = applied.table();
            }
        }
        assertThat(seen)
                .containsExactly(
                        "Busy",
                        "Cancelled",
                        "Closed",
                        "Granted",
                        "INVALID_COMBINATION",
                        "NOT_LEADER",
                        "NO_CANDIDATE",
                        "Released",
                        "ResourceChanged",
                        "Revoked",
                        "SIZE_MISMATCH",
                        "SessionExpired",
                        "SessionOpened",
                        "SessionRenewed",
                        "Waiting",
                        "cycle of 2",
                        "cycle of 3",
                        "cycle of 4");
    }

    private static String kind(Notification notification) {
        return switch (notification) {
            case Notification.Result(var session, var number, OperationResult.Rejected(var reason)) -> reason.name();
            case Notification.Result result -> result.result().getClass().getSimpleName();
            default -> notification.getClass().getSimpleName();
        };
    }

    /** Without change notifications: the reference table does not produce them. */
    private static List<String> sorted(List<Notification> notifications) {
        return notifications.stream()
                .filter(notification -> !(notification instanceof Notification.ResourceChanged))
                .map(Notification::toString)
                .sorted()
                .toList();
    }

    private static Command command(SplittableRandom random, LockTable table) {
        var sessions = table.sessions().keys();
        int choice = random.nextInt(40);
        if (sessions.size() < 2 || sessions.size() < 4 && choice == 0) {
            return openSession(random, new SessionOrigin.FirstSession());
        }
        long session = choice == 1 ? random.nextInt(5) : sessions.get(random.nextInt(sessions.size()));
        long renewedAt =
                table.sessions().get(session).map(SessionEntry::lastRenewedAt).orElse(0L);
        return switch (choice) {
            case 2 -> new Command.RenewSessions(List.of(new Command.Renewal(session, random.nextInt(9))));
            case 3 -> new Command.ExpireSession(session, renewedAt - random.nextInt(2));
            case 5 -> openSession(random, successor(random, table));
            case 4 -> new Command.AdminCommand(order(random, session, table.index()), "o", "host:1", "r");
            default -> {
                long number = table.sessions()
                                .get(session)
                                .map(RandomTableTest::highest)
                                .orElse(0L)
                        + 2
                        - (random.nextInt(5) == 0 ? random.nextInt(5) : 1);
                long acknowledgedUpTo = random.nextInt(3) == 0 ? number - 1 - random.nextInt(4) : 0;
                yield new Command.Submit(session, number, acknowledgedUpTo, operation(random, number));
            }
        };
    }

    private static Command openSession(SplittableRandom random, SessionOrigin origin) {
        var client = new ClientInfo("p" + random.nextInt(3), "h", 1);
        return new Command.OpenSession(random.nextInt(), client, LockTableFixture.LEASE, origin);
    }

    private static SessionOrigin successor(SplittableRandom random, LockTable table) {
        var sessions = table.sessions().keys();
        long old = sessions.get(random.nextInt(sessions.size()));
        var session = table.sessions().get(old).orElseThrow();
        var known = session.acquires().keys().stream()
                .filter(number -> random.nextBoolean())
                .toList();
        return new SessionOrigin.Successor(old, session.nonce() + random.nextInt(4) / 3, known);
    }

    private static long highest(SessionEntry sessionEntry) {
        var numbers = new TreeSet<>(List.of(sessionEntry.isReplaced() ? 0 : sessionEntry.acknowledgedUpTo()));
        numbers.addAll(sessionEntry.acquires().keys());
        numbers.addAll(sessionEntry.results().keys());
        return numbers.last();
    }

    private static Operation operation(SplittableRandom random, long number) {
        return switch (random.nextInt(20)) {
            case 0 -> new Operation.Transfer(number - 1 - random.nextInt(2), "p" + random.nextInt(3));
            case 1 -> random.nextInt(3) == 0 ? new Operation.Close() : new Operation.Release(number + 1);
            case 2, 3, 4, 5, 6 ->
                new Operation.Release(number - 1 - random.nextInt(3), random.nextInt(4) == 0 ? number : 0);
            default -> new Operation.Acquire(shares(random), random.nextInt(4) > 0, random.nextInt(3));
        };
    }

    private static List<ResourceShare> shares(SplittableRandom random) {
        var shares = new ArrayList<ResourceShare>();
        int count = random.nextInt(10) < 6 ? 1 : random.nextInt(4);
        for (int i = 0; i < count; i++) {
            shares.add(
                    switch (random.nextInt(8)) {
                        case 0, 1 -> ResourceShare.exclusive("a");
                        case 2 -> ResourceShare.shared("a");
                        case 3, 4 -> ResourceShare.exclusive("b");
                        case 5, 6 -> ResourceShare.permits("s", 1 + random.nextInt(3), random.nextInt(12) == 0 ? 4 : 3);
                        default -> ResourceShare.leadership("e");
                    });
        }
        return List.copyOf(shares);
    }

    private static Command.AdminAction order(SplittableRandom random, long session, long index) {
        long asOf = index - random.nextInt(10);
        return switch (random.nextInt(3)) {
            case 0 -> new Command.AdminAction.Expire(session);
            case 1 -> new Command.AdminAction.Transfer("e", asOf, "p" + random.nextInt(3));
            default -> new Command.AdminAction.Release(ResourceName.lock(random.nextBoolean() ? "a" : "b"), asOf);
        };
    }
}
