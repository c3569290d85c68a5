package habemus.lockservice.table;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever few sessions ask of few locks, the rules hold, and the table says what the naive one says. */
class RandomTableTest {

    private static final int RUNS = 100;
    private static final int COMMANDS = 60;

    static IntStream seeds() {
        return IntStream.range(0, 20);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void the_rules_hold_and_a_naive_table_says_the_same(int seed) {
        for (int run = 0; run < RUNS; run++) {
            var chance = new SplittableRandom(1_000L * seed + run);
            var lockTable = LockTable.EMPTY;
            var referenceLockTable = new ReferenceLockTable();
            var commands = new ArrayList<Command>();
            for (int i = 0; i < COMMANDS; i++) {
                var command = command(chance, lockTable);
                commands.add(command);
                var applyResult = lockTable.apply(CommandBatch.of(i, command));
                try {
                    TableInvariants.check(lockTable, command, applyResult.lockTable());
                    assertThat(sorted(applyResult.notifications()))
                            .isEqualTo(sorted(referenceLockTable.apply(command, i)));
                } catch (AssertionError broken) {
                    throw new AssertionError("seed " + seed + ", run " + run + ": " + commands, broken);
                }
                lockTable = applyResult.lockTable();
            }
        }
    }

    /** So that not everything is refused, or granted at once. */
    @Test
    void everything_that_can_happen_happens() {
        var seen = new TreeSet<String>();
        for (int seed = 0; seed < 200; seed++) {
            var chance = new SplittableRandom(seed);
            var lockTable = LockTable.EMPTY;
            for (int i = 0; i < COMMANDS; i++) {
                var applyResult = lockTable.apply(CommandBatch.of(i, command(chance, lockTable)));
                applyResult.notifications().forEach(notification -> seen.add(kind(notification)));
                applyResult
                        .lockTable()
                        .deadlocks()
                        .forEach(
                                circle -> seen.add("circle of " + circle.cycle().size()));
                lockTable = applyResult.lockTable();
            }
        }
        assertThat(seen)
                .containsExactly(
                        "Busy",
                        "Cancelled",
                        "Changed",
                        "Closed",
                        "Gone",
                        "Granted",
                        "Heard",
                        "NOT_LEADING",
                        "NOT_TOGETHER",
                        "NO_CANDIDATE",
                        "OTHER_SIZE",
                        "Opened",
                        "Released",
                        "Revoked",
                        "Waiting",
                        "circle of 2",
                        "circle of 3",
                        "circle of 4");
    }

    private static String kind(Notification notification) {
        return switch (notification) {
            case Notification.Result(var session, var number, OperationResult.Rejected(var rejectionReason)) ->
                rejectionReason.name();
            case Notification.Result result -> result.result().getClass().getSimpleName();
            default -> notification.getClass().getSimpleName();
        };
    }

    /** Without what has changed, which only says where to look. */
    private static List<String> sorted(List<Notification> notification) {
        return notification.stream()
                .filter(one -> !(one instanceof Notification.ResourceChanged))
                .map(Notification::toString)
                .sorted()
                .toList();
    }

    private static Command command(SplittableRandom chance, LockTable lockTable) {
        var sessions = lockTable.sessions().keys();
        int dice = chance.nextInt(40);
        if (sessions.size() < 2 || sessions.size() < 4 && dice == 0) {
            return new Command.OpenSession(
                    chance.nextInt(), new ClientInfo("p" + chance.nextInt(3), "h", 1), LockTableFixture.LEASE);
        }
        long session = dice == 1 ? chance.nextInt(5) : sessions.get(chance.nextInt(sessions.size()));
        long heard = lockTable
                .sessions()
                .get(session)
                .map(SessionEntry::lastRenewedAt)
                .orElse(0L);
        return switch (dice) {
            case 2 -> new Command.RenewSessions(List.of(new Command.Renewal(session, chance.nextInt(9))));
            case 3 -> new Command.ExpireSession(session, heard - chance.nextInt(2));
            case 4 -> new Command.AdminCommand(order(chance, session, lockTable.index()), "o", "r");
            default -> {
                long number = lockTable
                                .sessions()
                                .get(session)
                                .map(RandomTableTest::highest)
                                .orElse(0L)
                        + 2
                        - (chance.nextInt(5) == 0 ? chance.nextInt(5) : 1);
                long settled = chance.nextInt(3) == 0 ? number - 1 - chance.nextInt(4) : 0;
                yield new Command.Submit(session, number, settled, wish(chance, number));
            }
        };
    }

    private static long highest(SessionEntry sessionEntry) {
        var numbers = new TreeSet<>(List.of(sessionEntry.acknowledgedUpTo()));
        numbers.addAll(sessionEntry.acquires().keys());
        numbers.addAll(sessionEntry.results().keys());
        return numbers.last();
    }

    private static Operation wish(SplittableRandom chance, long number) {
        return switch (chance.nextInt(20)) {
            case 0 -> new Operation.Transfer(number - 1 - chance.nextInt(2), "p" + chance.nextInt(3));
            case 1 -> chance.nextInt(3) == 0 ? new Operation.Close() : new Operation.Release(number + 1);
            case 2, 3, 4, 5, 6 -> new Operation.Release(number - 1 - chance.nextInt(3));
            default -> new Operation.Acquire(wants(chance), chance.nextInt(4) > 0, chance.nextInt(3));
        };
    }

    private static List<ResourceShare> wants(SplittableRandom chance) {
        var resourceShares = new ArrayList<ResourceShare>();
        int count = chance.nextInt(10) < 6 ? 1 : chance.nextInt(4);
        for (int i = 0; i < count; i++) {
            resourceShares.add(
                    switch (chance.nextInt(8)) {
                        case 0, 1 -> ResourceShare.exclusive("a");
                        case 2 -> ResourceShare.shared("a");
                        case 3, 4 -> ResourceShare.exclusive("b");
                        case 5, 6 -> ResourceShare.permits("s", 1 + chance.nextInt(3), chance.nextInt(12) == 0 ? 4 : 3);
                        default -> ResourceShare.leadership("e");
                    });
        }
        return List.copyOf(resourceShares);
    }

    private static Command.AdminAction order(SplittableRandom chance, long session, long index) {
        long asOf = index - chance.nextInt(10);
        return switch (chance.nextInt(3)) {
            case 0 -> new Command.AdminAction.Expire(session);
            case 1 -> new Command.AdminAction.Transfer("e", asOf, "p" + chance.nextInt(3));
            default -> new Command.AdminAction.Release(ResourceName.lock(chance.nextBoolean() ? "a" : "b"), asOf);
        };
    }
}
