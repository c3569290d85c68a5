package habemus.check;

import habemus.protocol.NodeId;
import habemus.world.Court;
import habemus.world.Happening;
import habemus.world.Judge;
import habemus.world.Property;
import habemus.world.World;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What belongs to no node, as one number: what the judges have in mind, and how often each thing may still happen.
 * Anybody may look something up at any time; what was never asked before is worked out by one thread at a time.
 */
final class Globals {

    /** What a judge has in mind once its property is violated: in this run there is nothing left to judge. */
    private static final String VIOLATED = "violated";

    /** It cannot be paid for. */
    static final int TOO_DEAR = -1;

    /** About what one of them takes, in bytes: with all else it comes near to what the heap shows. */
    private static final long GLOBAL = 240;

    private static final long ACCOUNT = 100;

    /**
     * @param left how often each {@link Toll} may still be paid
     * @param trouble what is cut, and who stands still
     */
    private record Global(List<Object> minds, List<Integer> left, Trouble trouble) {}

    private record Account(List<Happening> seen, List<Toll> tolls) {}

    private final List<Property> properties;
    private final List<NodeId> nodes;
    private final List<Judge<Object>> judges = new ArrayList<>();
    private final Numbered<Global> numbers = new Numbered<>();
    private final Numbered<Account> accounts = new Numbered<>();
    private final LongMap afters = new LongMap(); // one more than the number; zero is too dear
    private final LongMap renamed = new LongMap();
    private final List<int[]> fresh = new ArrayList<>(); // what was worked out since it was compared
    private volatile long[] verdicts = new long[1 << 10];
    private volatile Trouble[] troubles = new Trouble[1 << 10];

    Globals(Scope scope, List<Property> properties) {
        this.properties = properties;
        nodes = scope.topology().nodes();
        var world = World.of(scope.topology()).ranked(scope.ranking());
        properties.forEach(property -> judges.add(erased(Court.judge(property, world, scope.bypass()))));
        accounts.number(new Account(List.of(), List.of()));
        var left = Arrays.stream(Toll.values()).map(toll -> toll.granted(scope)).toList();
        number(new Global(judges.stream().map(Judge::start).toList(), left, Trouble.NONE));
    }

    @SuppressWarnings("unchecked") // a judge is only ever shown a mind of its own making
    private static Judge<Object> erased(Judge<?> judge) {
        return (Judge<Object>) judge;
    }

    /** About what it takes, all in. */
    synchronized long bytes() {
        return numbers.bytes()
                + GLOBAL * numbers.size()
                + accounts.bytes()
                + ACCOUNT * accounts.size()
                + afters.bytes()
                + 8L * verdicts.length;
    }

    boolean judges(Property property) {
        return properties.contains(property);
    }

    /** The properties of which the bit is set. */
    List<Property> properties(int bits) {
        return properties.stream()
                .filter(property -> (bits & 1 << properties.indexOf(property)) != 0)
                .toList();
    }

    /** Zero if nothing is seen and nothing is to be paid. */
    synchronized int account(List<Happening> seen, List<Toll> tolls) {
        return accounts.number(new Account(seen, tolls));
    }

    /** The number after this, or {@link #TOO_DEAR}. */
    int after(int global, int account) {
        if (account == 0) {
            return global;
        }
        int known = afters.get((long) global << 32 | account);
        return (known != LongMap.ABSENT ? known : workOut(global, account)) - 1;
    }

    /** A bit for each property that was violated on the way, by its place in the list. */
    int violated(int global) {
        return (int) (verdicts[global] >>> 32);
    }

    /** A bit for each property that is violated if nothing ever happens again. */
    int violatedAtRest(int global) {
        return (int) verdicts[global];
    }

    /** Whether messages from one to the other do not arrive now; both by index. */
    boolean isCut(int global, int from, int to) {
        return troubles[global].separates(nodes.get(from), nodes.get(to));
    }

    /** Whether a node, given by index, stands still now. */
    boolean isPaused(int global, int node) {
        return troubles[global].paused().contains(nodes.get(node));
    }

    /** The account under other names. */
    synchronized int renamedAccount(Renaming renaming, int account) {
        var bill = accounts.get(account);
        return accounts.number(new Account(renaming.value(bill.seen), bill.tolls));
    }

    /** @param place of the renaming in the group */
    int renamed(Renaming renaming, int place, int global) {
        int known = renamed.get((long) place << 32 | global);
        return known != LongMap.ABSENT ? known : workOutRenamed(renaming, place, global);
    }

    private synchronized int workOutRenamed(Renaming renaming, int place, int global) {
        long key = (long) place << 32 | global;
        int known = renamed.get(key);
        if (known != LongMap.ABSENT) {
            return known;
        }
        var from = numbers.get(global);
        return renamed.put(
                key, number(new Global(renaming.value(from.minds), from.left, renaming.value(from.trouble))));
    }

    /** Doubts renamings that a judge has noticed since the last time. */
    synchronized void compare(List<Renaming> group, Doubts doubts) {
        var some = List.copyOf(fresh);
        for (int i = 1; i < group.size(); i++) {
            var renaming = group.get(i);
            for (int[] pair : some) {
                if (doubts.allow(renaming) && !isUnnoticed(renaming, i, pair)) {
                    doubts.add(renaming);
                }
            }
        }
        fresh.clear();
    }

    private boolean isUnnoticed(Renaming renaming, int place, int[] pair) {
        int after = after(pair[0], pair[1]);
        int other = after(renamed(renaming, place, pair[0]), renamedAccount(renaming, pair[1]));
        if (after == TOO_DEAR || other == TOO_DEAR) {
            return after == other;
        }
        return renamed(renaming, place, after) == other && verdicts[after] == verdicts[other];
    }

    private synchronized int workOut(int global, int account) {
        long key = (long) global << 32 | account;
        int known = afters.get(key);
        if (known != LongMap.ABSENT) {
            return known;
        }
        var from = numbers.get(global);
        var bill = accounts.get(account);
        var left = new ArrayList<>(from.left);
        for (Toll toll : bill.tolls) {
            int rest = left.get(toll.ordinal());
            left.set(toll.ordinal(), rest == Scope.MANY ? rest : rest - 1);
        }
        boolean affordable = left.stream().allMatch(rest -> rest >= 0) && from.trouble.allows(bill.seen);
        int after = affordable
                ? 1
                        + number(new Global(
                                judged(from.minds, bill.seen), List.copyOf(left), from.trouble.after(bill.seen)))
                : 0;
        afters.put(key, after);
        fresh.add(new int[] {global, account});
        return after;
    }

    private List<Object> judged(List<Object> minds, List<Happening> seen) {
        var after = new ArrayList<>(minds);
        for (Happening happening : seen) {
            for (int j = 0; j < after.size(); j++) {
                var judge = judges.get(j);
                if (!VIOLATED.equals(after.get(j))) {
                    var mind = judge.after(after.get(j), happening);
                    boolean always = properties.get(j).when() == Property.When.ALWAYS;
                    after.set(j, always && !judge.holds(mind) ? VIOLATED : mind);
                }
            }
        }
        return List.copyOf(after);
    }

    private int number(Global global) {
        int number = numbers.number(global);
        if (number == verdicts.length) {
            verdicts = Arrays.copyOf(verdicts, 2 * number);
            troubles = Arrays.copyOf(troubles, 2 * number);
        }
        long violated = 0;
        long atRest = 0;
        for (int j = 0; j < judges.size(); j++) {
            var mind = global.minds.get(j);
            if (VIOLATED.equals(mind)) {
                violated |= 1L << j;
            } else if (properties.get(j).when() == Property.When.IN_THE_END
                    && !judges.get(j).holds(mind)) {
                atRest |= 1L << j;
            }
        }
        troubles[number] = global.trouble;
        verdicts[number] = violated << 32 | atRest;
        return number;
    }
}
