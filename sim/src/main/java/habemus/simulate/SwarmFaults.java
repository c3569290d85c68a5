package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.FaultKind;
import habemus.world.Micros;
import habemus.world.NetworkModel;
import habemus.world.World;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Faults by seed. A seed first picks which hazards a run meets at all, and how often; so some runs have nothing but
 * crashes and others everything at once, which finds more than an even mixture would.
 *
 * <p>After {@link #FAULT_PERIOD_MICROS} everything is healed, and by {@link #SETTLE_PERIOD_MICROS} later all must have settled.
 */
public final class SwarmFaults {

    /** How long things go wrong. */
    public static final long FAULT_PERIOD_MICROS = 2_000_000;
    /** How long a run then has to settle. */
    public static final long SETTLE_PERIOD_MICROS = 60_000_000;

    private static final long MAX_FAULT_MICROS = 300_000; // of what comes to an end

    private final SplittableRandom chance;
    private final List<NodeId> nodes;
    private final List<Fault.PlannedFault> faults = new ArrayList<>();

    private SwarmFaults(World world, long seed) {
        chance = new SplittableRandom(~seed); // the run itself draws from the seed
        nodes = world.topology().nodes();
    }

    /** The same world, with what this seed picks of {@code allowed} added to it. */
    public static World inject(World world, Set<FaultKind> allowed, long seed) {
        var swarmFaults = new SwarmFaults(world, seed);
        var picked = swarmFaults.pick(allowed);
        var networkModel = swarmFaults.network(world.networkModel(), picked);
        swarmFaults.plan(picked);
        var all = new ArrayList<>(world.faults());
        all.addAll(swarmFaults.faults);
        all.add(new Fault.PlannedFault(Micros.toDuration(FAULT_PERIOD_MICROS), new Fault.Heal()));
        all.sort(Comparator.comparing(Fault.PlannedFault::at)); // stable: what was planned first strikes first
        return world.withNetwork(networkModel).withFaults(all);
    }

    /** The limits of such a run. */
    public static RunLimits limits() {
        return RunLimits.AMPLE
                .withConvergenceBy(Micros.toDuration(FAULT_PERIOD_MICROS + SETTLE_PERIOD_MICROS))
                .withMaxSteps(1_000_000);
    }

    private Set<FaultKind> pick(Set<FaultKind> allowed) {
        var picked = EnumSet.noneOf(FaultKind.class);
        for (FaultKind faultKind :
                FaultKind.values()) { // in their order: a seed means the same whatever kind of set this is
            if (chance.nextBoolean() && allowed.contains(faultKind)) {
                picked.add(faultKind);
            }
        }
        return picked;
    }

    private NetworkModel network(NetworkModel given, Set<FaultKind> picked) {
        var networkModel =
                picked.contains(FaultKind.REORDER) ? new NetworkModel(false, given.loss(), given.duplication()) : given;
        double loss = chance.nextDouble(0.3);
        double duplication = chance.nextDouble(0.3);
        networkModel = picked.contains(FaultKind.LOSS) ? networkModel.withLoss(loss) : networkModel;
        return picked.contains(FaultKind.DUPLICATION) ? networkModel.withDuplication(duplication) : networkModel;
    }

    private void plan(Set<FaultKind> picked) {
        for (FaultKind faultKind : picked) {
            int times = 1 + chance.nextInt(4);
            for (int i = 0; i < times; i++) {
                long from = chance.nextLong(FAULT_PERIOD_MICROS);
                long to = Math.min(FAULT_PERIOD_MICROS, from + 1 + chance.nextLong(MAX_FAULT_MICROS));
                switch (faultKind) {
                    case CRASH -> addCrash(from);
                    case RESTART -> addRestart(from, to, false);
                    case AMNESIA -> addRestart(from, to, true);
                    case PAUSE -> addPair(from, to, new Fault.Pause(drawNode()), SwarmFaults::resume);
                    case PARTITION -> addPair(from, to, cut(), SwarmFaults::heal);
                    case SLOWNESS -> addSlowLink(from, to);
                    case MISTAKE -> addWrongSuspicion(from, to);
                    case REORDER, LOSS, DUPLICATION -> {} // the network's doing
                }
            }
        }
    }

    private void addCrash(long at) {
        // One always survives: nobody expects an election among the dead.
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

    private void addSlowLink(long from, long to) {
        var one = drawNode();
        var other = drawOtherNode(one);
        add(from, new Fault.Slow(one, other, 2 + chance.nextInt(50)));
        add(to, new Fault.Slow(one, other, 1));
    }

    private void addWrongSuspicion(long from, long to) {
        var one = drawNode();
        var other = drawOtherNode(one);
        add(from, new Fault.WrongSuspicion(one, other));
        add(to, new Fault.Correct(one, other));
    }

    private Fault.Cut cut() {
        var side = NodeSet.NONE;
        for (NodeId node : nodes) {
            side = chance.nextBoolean() ? side.with(node) : side;
        }
        return new Fault.Cut(side, NodeSet.of(nodes).without(side), chance.nextBoolean());
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
        return nodes.get(chance.nextInt(nodes.size()));
    }

    private NodeId drawOtherNode(NodeId one) {
        int i = nodes.indexOf(one);
        return nodes.size() == 1 ? one : nodes.get((i + 1 + chance.nextInt(nodes.size() - 1)) % nodes.size());
    }
}
