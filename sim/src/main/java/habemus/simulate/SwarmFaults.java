package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.FaultKind;
import habemus.world.Micros;
import habemus.world.NetworkModel;
import habemus.world.SeededRandom;
import habemus.world.World;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Swarm testing (Groce et al. 2012): the seed first selects a random subset of the fault kinds, then their number and
 * times. Some runs have only crashes, others all kinds at once, which finds more bugs than an even mixture.
 *
 * <p>After {@link #FAULT_PERIOD_MICROS} all faults are healed. The algorithm then has {@link #SETTLE_PERIOD_MICROS} to
 * converge.
 */
public final class SwarmFaults {

    /** The period in which faults are injected. */
    public static final long FAULT_PERIOD_MICROS = 2_000_000;
    /** The time to converge after the last fault. */
    public static final long SETTLE_PERIOD_MICROS = 60_000_000;

    /** Drawn only where they are allowed, so that the seeds of other algorithms keep their meaning. */
    private static final Set<FaultKind> ONLY_WHERE_ALLOWED = EnumSet.of(FaultKind.TAIL_LOSS, FaultKind.CLOCK_RATE);

    private static final long MAX_FAULT_MICROS = 300_000; // of a fault that ends by itself

    private final SeededRandom random;
    private final List<NodeId> nodes;
    private final List<Fault.PlannedFault> faults = new ArrayList<>();

    private SwarmFaults(World world, long seed) {
        random = new SeededRandom(~seed); // the run itself draws from the seed
        nodes = world.topology().nodes();
    }

    /** Adds faults to a world, of those allowed kinds that the seed selects. */
    public static World inject(World world, Set<FaultKind> allowed, long seed) {
        var swarm = new SwarmFaults(world, seed);
        var picked = swarm.pick(allowed);
        var network = swarm.network(world.network(), picked);
        swarm.plan(picked);
        var all = new ArrayList<>(world.faults());
        all.addAll(swarm.faults);
        all.add(new Fault.PlannedFault(Micros.toDuration(FAULT_PERIOD_MICROS), new Fault.Heal()));
        all.sort(Comparator.comparing(Fault.PlannedFault::at)); // stable: the order of equal times is kept
        return withMembershipChanges(world.withNetwork(network).withFaults(all), allowed, seed);
    }

    /** Lets new nodes join and members leave. Drawn apart, so that the seed gives the same other faults as without. */
    private static World withMembershipChanges(World world, Set<FaultKind> allowed, long seed) {
        var random = new SeededRandom(~Long.rotateLeft(seed, 32));
        var changed = world;
        int last = world.topology().highestNumber();
        int joins = allowed.contains(FaultKind.JOIN) && random.nextBoolean() ? 1 + random.nextInt(2) : 0;
        for (int number = last + 1; number <= last + joins; number++) {
            var at = Micros.toDuration(random.nextLong(FAULT_PERIOD_MICROS));
            changed = changed.withJoiners(NodeSet.of(new NodeId(number)), at);
        }
        var faults = new ArrayList<>(changed.faults());
        int leaves = allowed.contains(FaultKind.LEAVE) && random.nextBoolean() ? 1 + random.nextInt(2) : 0;
        for (int i = 0; i < leaves; i++) {
            var node =
                    world.topology().nodes().get(random.nextInt(world.topology().size()));
            faults.add(new Fault.PlannedFault(
                    Micros.toDuration(random.nextLong(FAULT_PERIOD_MICROS)), new Fault.Leave(node)));
        }
        faults.sort(Comparator.comparing(Fault.PlannedFault::at));
        return changed.withFaults(faults);
    }

    /** The limits of a run with swarm faults. */
    public static RunLimits limits() {
        return RunLimits.AMPLE
                .withConvergenceBy(Micros.toDuration(FAULT_PERIOD_MICROS + SETTLE_PERIOD_MICROS))
                .withMaxSteps(1_000_000);
    }

    private Set<FaultKind> pick(Set<FaultKind> allowed) {
        var picked = EnumSet.noneOf(FaultKind.class);
        var kinds = EnumSet.complementOf(EnumSet.of(FaultKind.JOIN, FaultKind.LEAVE)); // drawn apart
        for (FaultKind kind : kinds) { // in enum order, so that a seed does not depend on the kind of set
            boolean isPicked = ONLY_WHERE_ALLOWED.contains(kind)
                    ? allowed.contains(kind) && random.nextBoolean()
                    : random.nextBoolean() && allowed.contains(kind);
            if (isPicked) {
                picked.add(kind);
            }
        }
        return picked;
    }

    private NetworkModel network(NetworkModel base, Set<FaultKind> picked) {
        var network =
                picked.contains(FaultKind.REORDER) ? new NetworkModel(false, base.loss(), base.duplication()) : base;
        double loss = random.nextDouble(0.3);
        double duplication = random.nextDouble(0.3);
        network = picked.contains(FaultKind.LOSS) ? network.withLoss(loss) : network;
        return picked.contains(FaultKind.DUPLICATION) ? network.withDuplication(duplication) : network;
    }

    private void plan(Set<FaultKind> picked) {
        for (FaultKind kind : picked) {
            int times = 1 + random.nextInt(4);
            for (int i = 0; i < times; i++) {
                long from = random.nextLong(FAULT_PERIOD_MICROS);
                long to = Math.min(FAULT_PERIOD_MICROS, from + 1 + random.nextLong(MAX_FAULT_MICROS));
                switch (kind) {
                    case CRASH -> addCrash(from);
                    case RESTART -> addRestart(from, to, false);
                    case AMNESIA -> addRestart(from, to, true);
                    case PAUSE -> addPair(from, to, new Fault.Pause(drawNode()), SwarmFaults::resume);
                    case PARTITION -> addPair(from, to, cut(), SwarmFaults::heal);
                    case SLOWNESS -> addSlowLink(from, to);
                    case MISTAKE -> addWrongSuspicion(from, to);
                    case TAIL_LOSS -> addTailLoss(from, to);
                    case CLOCK_RATE -> add(0, new Fault.ClockRate(drawNode(), random.nextDouble(0.8, 1.25)));
                    case JOIN, LEAVE -> {} // see withMembershipChanges()
                    case REORDER, LOSS, DUPLICATION -> {} // see network()
                }
            }
        }
    }

    private void addCrash(long at) {
        // At least one node stays up, else no property could require progress.
        long crashed =
                faults.stream().filter(f -> f.fault() instanceof Fault.Crash).count();
        if (crashed < nodes.size() - 1) {
            add(at, new Fault.Crash(drawNode()));
        }
    }

    private void addRestart(long from, long to, boolean amnesia) {
        var node = drawNode();
        add(from, new Fault.Crash(node));
        add(to, new Fault.Restart(node, amnesia));
    }

    /** A crash that keeps a random part of the unsynced entries. */
    private void addTailLoss(long from, long to) {
        var node = drawNode();
        add(from, new Fault.Crash(node));
        add(from, new Fault.LoseTail(node, 1 + random.nextInt(4)));
        add(to, new Fault.Restart(node, false));
    }

    private void addSlowLink(long from, long to) {
        var sender = drawNode();
        var receiver = drawOtherNode(sender);
        add(from, new Fault.Slow(sender, receiver, 2 + random.nextInt(50)));
        add(to, new Fault.Slow(sender, receiver, 1));
    }

    private void addWrongSuspicion(long from, long to) {
        var node = drawNode();
        var peer = drawOtherNode(node);
        add(from, new Fault.WrongSuspicion(node, peer));
        add(to, new Fault.Correct(node, peer));
    }

    private Fault.Cut cut() {
        var side = NodeSet.NONE;
        for (NodeId node : nodes) {
            side = random.nextBoolean() ? side.with(node) : side;
        }
        return new Fault.Cut(side, NodeSet.of(nodes).without(side), random.nextBoolean());
    }

    private <F extends Fault> void addPair(long from, long to, F fault, java.util.function.Function<F, Fault> end) {
        add(from, fault);
        add(to, end.apply(fault));
    }

    private static Fault resume(Fault.Pause pause) {
        return new Fault.Resume(pause.node());
    }

    private static Fault heal(Fault.Cut cut) {
        return new Fault.HealCut(cut);
    }

    private void add(long at, Fault fault) {
        faults.add(new Fault.PlannedFault(Micros.toDuration(at), fault));
    }

    private NodeId drawNode() {
        return nodes.get(random.nextInt(nodes.size()));
    }

    private NodeId drawOtherNode(NodeId node) {
        int i = nodes.indexOf(node);
        return nodes.size() == 1 ? node : nodes.get((i + 1 + random.nextInt(nodes.size() - 1)) % nodes.size());
    }
}
