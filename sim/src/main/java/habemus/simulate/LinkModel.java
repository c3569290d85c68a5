package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.world.Fault;
import habemus.world.LatencyModel;
import habemus.world.Micros;
import habemus.world.NetworkModel;
import habemus.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The network between the nodes: whether a message arrives, how often, and when. */
final class LinkModel {

    private final SplittableRandom chance;
    private final LatencyModel latencyModel;
    private final long least;
    private final long range; // of latencies from least on; negative if the latency is no plain interval
    private final boolean overtaking; // whether a message could overtake another, were it not for the order
    private final LastArrivalByLink last = new LastArrivalByLink();
    private final List<Fault.Cut> cuts = new ArrayList<>();
    private final List<Fault.Slow> slow = new ArrayList<>();
    private NetworkModel networkModel;

    LinkModel(World world, SplittableRandom chance) {
        this.chance = chance;
        latencyModel = world.latencyModel();
        networkModel = world.networkModel();
        switch (latencyModel) {
            case LatencyModel.Fixed(var time) -> {
                least = Micros.of(time);
                range = 0;
            }
            case LatencyModel.Uniform(var atLeast, var atMost) -> {
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

    boolean drawLoss() {
        return networkModel.loss() > 0 && chance.nextDouble() < networkModel.loss();
    }

    boolean drawDuplication() {
        return networkModel.duplication() > 0 && chance.nextDouble() < networkModel.duplication();
    }

    boolean hasCuts() {
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
        return networkModel.inOrder() && overtaking ? last.fifoArrival((long) from << 20 | to, time) : time;
    }

    /** How long a message takes that nothing holds up. */
    long delay(int from, int to) {
        long time = range == 0
                ? least
                : range > 0 ? least + chance.nextInt((int) range + 1) : latencyModel.draw(from, to, chance);
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
    boolean heal(Fault.Cut cut) {
        return cuts.remove(cut);
    }

    void setSlowdown(Fault.Slow link) {
        slow.removeIf(other -> other.from().equals(link.from()) && other.to().equals(link.to()));
        if (link.factor() != 1) {
            slow.add(link);
        }
    }

    /** Tells the cuts that this has mended. */
    List<Fault.Cut> healAll() {
        var mended = List.copyOf(cuts);
        cuts.clear();
        slow.clear();
        networkModel = new NetworkModel(networkModel.inOrder(), 0, 0);
        return mended;
    }
}
