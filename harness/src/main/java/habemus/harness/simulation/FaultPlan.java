package habemus.harness.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * What a run does, as drawn from its seed: the cluster, its clients, and the faults with their times. A fault has
 * random numbers of its own, so that it does the same when others are left out.
 *
 * @param nodes 3 or 5
 * @param clients at most {@value #CLIENTS}
 * @param compactionBytes size of the log at which a node takes a snapshot
 */
public record FaultPlan(long seed, int nodes, int clients, long compactionBytes, List<PlannedFault> faults) {

    /** The clients of a run that is not shrunk. */
    public static final int CLIENTS = 8;

    static final long SECOND = 1_000_000_000L;
    static final long FIRST_FAULT_NANOS = 3 * SECOND;
    static final long HEALED_NANOS = 38 * SECOND;

    /** Clients begin nothing new from here on. */
    static final long LAST_REQUEST_NANOS = 55 * SECOND;

    /** The length of a run. */
    public static final Duration VIRTUAL_TIME = Duration.ofMinutes(1);

    static final long END_NANOS = VIRTUAL_TIME.toNanos();

    private static final int MIN_FAULTS = 25;
    private static final int MAX_FAULTS = 55;
    private static final int MIN_KINDS = 5;
    private static final int MAX_KINDS = 16;

    /**
     * A fault.
     *
     * @param number in the plan, from zero
     * @param draw seed of its own random choices
     */
    public record PlannedFault(int number, ServiceFault kind, long atNanos, long untilNanos, long draw) {

        SplittableRandom random() {
            return new SplittableRandom(draw);
        }
    }

    public FaultPlan {
        faults = List.copyOf(faults);
    }

    /** Draws a plan with some kinds of faults: a run with few kinds goes deeper than one with all of them. */
    public static FaultPlan draw(long seed) {
        var random = new SplittableRandom(seed);
        int nodes = random.nextInt(3) == 0 ? 5 : 3;
        long compactionBytes = 1L << random.nextInt(15, 19);
        var kinds = drawKinds(random);
        int total = kinds.stream().mapToInt(ServiceFault::weight).sum();
        int count = random.nextInt(MIN_FAULTS, MAX_FAULTS + 1);
        var times = new TreeSet<Long>();
        while (times.size() < count) {
            times.add(random.nextLong(FIRST_FAULT_NANOS, HEALED_NANOS - SECOND));
        }
        var faults = new ArrayList<PlannedFault>();
        for (long at : times) {
            var kind = pick(kinds, random.nextInt(total));
            long duration = (long) (Math.pow(random.nextDouble(), 2) * 8 * SECOND) + SECOND / 20;
            long until = Math.min(at + duration, HEALED_NANOS);
            faults.add(new PlannedFault(faults.size(), kind, at, until, random.nextLong()));
        }
        return new FaultPlan(seed, nodes, CLIENTS, compactionBytes, faults);
    }

    private static List<ServiceFault> drawKinds(SplittableRandom random) {
        var all = new ArrayList<>(List.of(ServiceFault.values()));
        int count = random.nextInt(MIN_KINDS, MAX_KINDS + 1);
        var kinds = new ArrayList<ServiceFault>();
        while (kinds.size() < count) {
            kinds.add(all.remove(random.nextInt(all.size())));
        }
        return kinds;
    }

    private static ServiceFault pick(List<ServiceFault> kinds, int weight) {
        int left = weight;
        for (var kind : kinds) {
            left -= kind.weight();
            if (left < 0) {
                return kind;
            }
        }
        throw new IllegalArgumentException("weight is too large: " + weight);
    }

    public FaultPlan withNodes(int next) {
        return new FaultPlan(seed, next, clients, compactionBytes, faults);
    }

    public FaultPlan withClients(int next) {
        return new FaultPlan(seed, nodes, next, compactionBytes, faults);
    }

    public FaultPlan withFaults(List<PlannedFault> next) {
        return new FaultPlan(seed, nodes, clients, compactionBytes, next);
    }

    /** Without the faults of disks and members, which a node with its log on an engine does not have. */
    public FaultPlan onEngine() {
        return withFaults(faults.stream()
                .filter(fault -> fault.kind().isPossibleOnEngine())
                .toList());
    }

    /** Whether no fault takes data that a node has acknowledged. */
    boolean keepsData() {
        return faults.stream().noneMatch(fault -> fault.kind().takesData());
    }
}
