package habemus.fenced;

import static org.assertj.core.api.Assertions.assertThat;

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
            var table = Table.EMPTY;
            var naive = new Naive();
            var commands = new ArrayList<Command>();
            for (int i = 0; i < COMMANDS; i++) {
                var command = command(chance, table);
                commands.add(command);
                var applied = table.apply(Entry.of(i, command));
                try {
                    Rules.check(table, command, applied.table());
                    assertThat(sorted(applied.news())).isEqualTo(sorted(naive.take(command, i)));
                } catch (AssertionError broken) {
                    throw new AssertionError("seed " + seed + ", run " + run + ": " + commands, broken);
                }
                table = applied.table();
            }
        }
    }

    /** So that not everything is refused, or granted at once. */
    @Test
    void everything_that_can_happen_happens() {
        var seen = new TreeSet<String>();
        for (int seed = 0; seed < 200; seed++) {
            var chance = new SplittableRandom(seed);
            var table = Table.EMPTY;
            for (int i = 0; i < COMMANDS; i++) {
                var applied = table.apply(Entry.of(i, command(chance, table)));
                applied.news().forEach(news -> seen.add(kind(news)));
                applied.table()
                        .deadlocks()
                        .forEach(circle ->
                                seen.add("circle of " + circle.circle().size()));
                table = applied.table();
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

    private static String kind(News news) {
        return switch (news) {
            case News.Answered(var session, var number, Answer.Refused(var fault)) -> fault.name();
            case News.Answered answered -> answered.answer().getClass().getSimpleName();
            default -> news.getClass().getSimpleName();
        };
    }

    /** Without what has changed, which only says where to look. */
    private static List<String> sorted(List<News> news) {
        return news.stream()
                .filter(one -> !(one instanceof News.Changed))
                .map(News::toString)
                .sorted()
                .toList();
    }

    private static Command command(SplittableRandom chance, Table table) {
        var sessions = table.sessions().keys();
        int dice = chance.nextInt(40);
        if (sessions.size() < 2 || sessions.size() < 4 && dice == 0) {
            return new Command.Open(chance.nextInt(), new Person("p" + chance.nextInt(3), "h", 1), Hall.LEASE);
        }
        long session = dice == 1 ? chance.nextInt(5) : sessions.get(chance.nextInt(sessions.size()));
        long heard = table.sessions().get(session).map(Guest::heard).orElse(0L);
        return switch (dice) {
            case 2 -> new Command.Beat(List.of(new Command.Renewal(session, chance.nextInt(9))));
            case 3 -> new Command.Expire(session, heard - chance.nextInt(2));
            case 4 -> new Command.Force(order(chance, session, table.index()), "o", "r");
            default -> {
                long number = table.sessions()
                                .get(session)
                                .map(RandomTableTest::highest)
                                .orElse(0L)
                        + 2
                        - (chance.nextInt(5) == 0 ? chance.nextInt(5) : 1);
                long settled = chance.nextInt(3) == 0 ? number - 1 - chance.nextInt(4) : 0;
                yield new Command.Ask(session, number, settled, wish(chance, number));
            }
        };
    }

    private static long highest(Guest guest) {
        var numbers = new TreeSet<>(List.of(guest.settled()));
        numbers.addAll(guest.bids().keys());
        numbers.addAll(guest.answers().keys());
        return numbers.last();
    }

    private static Wish wish(SplittableRandom chance, long number) {
        return switch (chance.nextInt(20)) {
            case 0 -> new Wish.Transfer(number - 1 - chance.nextInt(2), "p" + chance.nextInt(3));
            case 1 -> chance.nextInt(3) == 0 ? new Wish.Close() : new Wish.Release(number + 1);
            case 2, 3, 4, 5, 6 -> new Wish.Release(number - 1 - chance.nextInt(3));
            default -> new Wish.Acquire(wants(chance), chance.nextInt(4) > 0, chance.nextInt(3));
        };
    }

    private static List<Want> wants(SplittableRandom chance) {
        var wants = new ArrayList<Want>();
        int count = chance.nextInt(10) < 6 ? 1 : chance.nextInt(4);
        for (int i = 0; i < count; i++) {
            wants.add(
                    switch (chance.nextInt(8)) {
                        case 0, 1 -> Want.exclusive("a");
                        case 2 -> Want.shared("a");
                        case 3, 4 -> Want.exclusive("b");
                        case 5, 6 -> Want.permits("s", 1 + chance.nextInt(3), chance.nextInt(12) == 0 ? 4 : 3);
                        default -> Want.leadership("e");
                    });
        }
        return List.copyOf(wants);
    }

    private static Command.Order order(SplittableRandom chance, long session, long index) {
        long asOf = index - chance.nextInt(10);
        return switch (chance.nextInt(3)) {
            case 0 -> new Command.Order.Expire(session);
            case 1 -> new Command.Order.Transfer("e", asOf, "p" + chance.nextInt(3));
            default -> new Command.Order.Release(Name.lock(chance.nextBoolean() ? "a" : "b"), asOf);
        };
    }
}
