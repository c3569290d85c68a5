package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.world.Fault;
import habemus.world.Latency;
import habemus.world.Micros;
import habemus.world.Network;
import habemus.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The network between the nodes: whether a message arrives, how often, and when. */
final class Links {

    private final SplittableRandom chance;
    private final Latency latency;
    private final long least;
    private final long range; // of latencies from least on; negative if the latency is no plain interval
    private final boolean overtaking; // whether a message could overtake another, were it not for the order
    private final LastOnLink last = new LastOnLink();
    private final List<Fault.Cut> cuts = new ArrayList<>();
    private final List<Fault.Slow> slow = new ArrayList<>();
    private Network network;

    Links(World world, SplittableRandom chance) {
        this.chance = chance;
        latency = world.latency();
        network = world.network();
        switch (latency) {
            case Latency.Fixed(var time) -> {
                least = Micros.of(time);
                range = 0;
            }
            case Latency.Uniform(var atLeast, var atMost) -> {
                long width = Micros.of(atMost) - Micros.of(atLeast);
                least = Micros.of(atLeast);
                range = width < Integer.MAX_VALUE ? width : -1;
            }
            default -> {
                least = 0;
                range = -1;
            }
        }
        overtaking = range != 0 || world.faults().stream().anyMatch(f -> f.fault() instanceof Fault.Slow);
    }

    boolean loses() {
        return network.loss() > 0 && chance.nextDouble() < network.loss();
    }

    boolean duplicates() {
        return network.duplication() > 0 && chance.nextDouble() < network.duplication();
    }

    boolean anyCut() {
        return !cuts.isEmpty();
    }

    boolean isCut(NodeId from, NodeId to) {
        for (int i = 0; i < cuts.size(); i++) {
            if (cuts.get(i).separates(from, to)) {
                return true;
            }
        }
        return false;
    }

    /** When a message arrives that is sent now, in order if this network keeps it. */
    long arrival(long now, int from, int to) {
        long time = now + delay(from, to);
        return network.inOrder() && overtaking ? last.queue((long) from << 20 | to, time) : time;
    }

    /** How long a message takes that nothing holds up. */
    long delay(int from, int to) {
        long time = range == 0
                ? least
                : range > 0 ? least + chance.nextInt((int) range + 1) : latency.draw(from, to, chance);
        return slow.isEmpty() ? time : (long) (time * slowness(from, to));
    }

    private double slowness(int from, int to) {
        for (Fault.Slow link : slow) {
            if (link.from().number() == from && link.to().number() == to) {
                return link.factor();
            }
        }
        return 1;
    }

    void cut(Fault.Cut cut) {
        cuts.add(cut);
    }

    /** Whether it was cut. */
    boolean mend(Fault.Cut cut) {
        return cuts.remove(cut);
    }

    void slow(Fault.Slow link) {
        slow.removeIf(other -> other.from().equals(link.from()) && other.to().equals(link.to()));
        if (link.factor() != 1) {
            slow.add(link);
        }
    }

    /** Tells the cuts that this has mended. */
    List<Fault.Cut> heal() {
        var mended = List.copyOf(cuts);
        cuts.clear();
        slow.clear();
        network = new Network(network.inOrder(), 0, 0);
        return mended;
    }
}
