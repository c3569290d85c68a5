package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.Hazard;
import habemus.world.Micros;
import habemus.world.Network;
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
 * <p>After {@link #TROUBLE} everything is healed, and by {@link #PATIENCE} later all must have settled.
 */
public final class Swarm {

    /** How long things go wrong. */
    public static final long TROUBLE = 2_000_000;
    /** How long a run then has to settle. */
    public static final long PATIENCE = 60_000_000;

    private static final long LONGEST = 300_000; // of what comes to an end

    private final SplittableRandom chance;
    private final List<NodeId> nodes;
    private final List<Fault.Planned> faults = new ArrayList<>();

    private Swarm(World world, long seed) {
        chance = new SplittableRandom(~seed); // the run itself draws from the seed
        nodes = world.topology().nodes();
    }

    /** The same world, with what this seed picks of {@code allowed} added to it. */
    public static World strike(World world, Set<Hazard> allowed, long seed) {
        var swarm = new Swarm(world, seed);
        var picked = swarm.pick(allowed);
        var network = swarm.network(world.network(), picked);
        swarm.plan(picked);
        var all = new ArrayList<>(world.faults());
        all.addAll(swarm.faults);
        all.add(new Fault.Planned(Micros.toDuration(TROUBLE), new Fault.Heal()));
        all.sort(Comparator.comparing(Fault.Planned::at)); // stable: what was planned first strikes first
        return world.over(network).struckBy(all);
    }

    /** The limits of such a run. */
    public static Limits limits() {
        return Limits.AMPLE.settledAt(Micros.toDuration(TROUBLE + PATIENCE)).steps(1_000_000);
    }

    private Set<Hazard> pick(Set<Hazard> allowed) {
        var picked = EnumSet.noneOf(Hazard.class);
        for (Hazard hazard : Hazard.values()) { // in their order: a seed means the same whatever kind of set this is
            if (chance.nextBoolean() && allowed.contains(hazard)) {
                picked.add(hazard);
            }
        }
        return picked;
    }

    private Network network(Network given, Set<Hazard> picked) {
        var network = picked.contains(Hazard.REORDER) ? new Network(false, given.loss(), given.duplication()) : given;
        double loss = chance.nextDouble(0.3);
        double duplication = chance.nextDouble(0.3);
        network = picked.contains(Hazard.LOSS) ? network.losing(loss) : network;
        return picked.contains(Hazard.DUPLICATION) ? network.duplicating(duplication) : network;
    }

    private void plan(Set<Hazard> picked) {
        for (Hazard hazard : picked) {
            int times = 1 + chance.nextInt(4);
            for (int i = 0; i < times; i++) {
                long from = chance.nextLong(TROUBLE);
                long to = Math.min(TROUBLE, from + 1 + chance.nextLong(LONGEST));
                switch (hazard) {
                    case CRASH -> crash(from);
                    case RESTART -> restart(from, to, false);
                    case AMNESIA -> restart(from, to, true);
                    case PAUSE -> during(from, to, new Fault.Pause(any()), Swarm::resume);
                    case PARTITION -> during(from, to, cut(), Swarm::mend);
                    case SLOWNESS -> slow(from, to);
                    case MISTAKE -> mistake(from, to);
                    case REORDER, LOSS, DUPLICATION -> {} // the network's doing
                }
            }
        }
    }

    private void crash(long at) {
        // One always survives: nobody expects an election among the dead.
        long crashed =
                faults.stream().filter(f -> f.fault() instanceof Fault.Crash).count();
        if (crashed < nodes.size() - 1) {
            add(at, new Fault.Crash(any()));
        }
    }

    private void restart(long from, long to, boolean amnesia) {
        var node = any();
        add(from, new Fault.Crash(node));
        add(to, new Fault.Restart(node, amnesia));
    }

    private void slow(long from, long to) {
        var one = any();
        var other = anyBut(one);
        add(from, new Fault.Slow(one, other, 2 + chance.nextInt(50)));
        add(to, new Fault.Slow(one, other, 1));
    }

    private void mistake(long from, long to) {
        var one = any();
        var other = anyBut(one);
        add(from, new Fault.Mistake(one, other));
        add(to, new Fault.Correct(one, other));
    }

    private Fault.Cut cut() {
        var side = NodeSet.NONE;
        for (NodeId node : nodes) {
            side = chance.nextBoolean() ? side.with(node) : side;
        }
        return new Fault.Cut(side, NodeSet.of(nodes).without(side), chance.nextBoolean());
    }

    private <F extends Fault> void during(long from, long to, F fault, java.util.function.Function<F, Fault> end) {
        add(from, fault);
        add(to, end.apply(fault));
    }

    private static Fault resume(Fault.Pause pause) {
        return new Fault.Resume(pause.node());
    }

    private static Fault mend(Fault.Cut cut) {
        return new Fault.Mend(cut);
    }

    private void add(long at, Fault fault) {
        faults.add(new Fault.Planned(Micros.toDuration(at), fault));
    }

    private NodeId any() {
        return nodes.get(chance.nextInt(nodes.size()));
    }

    private NodeId anyBut(NodeId one) {
        int i = nodes.indexOf(one);
        return nodes.size() == 1 ? one : nodes.get((i + 1 + chance.nextInt(nodes.size() - 1)) % nodes.size());
    }
}
