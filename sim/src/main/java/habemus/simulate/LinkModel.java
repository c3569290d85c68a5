package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.world.Fault;
import habemus.world.LatencyModel;
import habemus.world.Micros;
import habemus.world.NetworkModel;
import habemus.world.SeededRandom;
import habemus.world.World;
import java.util.ArrayList;
import java.util.List;

/** Loss, duplication, delay and partitions of the links. */
final class LinkModel {

    private final SeededRandom random;
    private final LatencyModel latency;
    private final long minDelay;
    private final long delayRange; // width of a uniform latency; negative for other distributions
    private final boolean variableDelay; // FIFO order must be enforced
    private final LastArrivalByLink lastArrivals = new LastArrivalByLink();
    private final List<Fault.Cut> cuts = new ArrayList<>();
    private final List<Fault.Slow> slowLinks = new ArrayList<>();
    private NetworkModel network;

    LinkModel(World world, SeededRandom random) {
        this.random = random;
        latency = world.latency();
        network = world.network();
        switch (latency) {
            case LatencyModel.Fixed(var time) -> {
                minDelay = Micros.of(time);
                delayRange = 0;
            }
            case LatencyModel.Uniform(var min, var max) -> {
                long width = Micros.of(max) - Micros.of(min);
                minDelay = Micros.of(min);
                delayRange = width < Integer.MAX_VALUE ? width : -1;
            }
            default -> {
                minDelay = 0;
                delayRange = -1;
            }
        }
        variableDelay = delayRange != 0
                || !world.messageFaults().isEmpty()
                || world.faults().stream().anyMatch(f -> f.fault() instanceof Fault.Slow);
    }

    boolean drawLoss() {
        return network.loss() > 0 && random.nextDouble() < network.loss();
    }

    boolean drawDuplication() {
        return network.duplication() > 0 && random.nextDouble() < network.duplication();
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

    /** Draws the arrival time of a message sent now; on a FIFO network not before earlier messages of the link. */
    long arrival(long now, int from, int to) {
        return inOrder(now + delay(from, to), from, to);
    }

    /** The time at which a message that is due arrives; on a FIFO network not before earlier messages of the link. */
    long inOrder(long due, int from, int to) {
        return network.inOrder() && variableDelay ? lastArrivals.fifoArrival((long) from << 20 | to, due) : due;
    }

    /** Draws the delay of a message in microseconds, without regard to FIFO order. */
    long delay(int from, int to) {
        long time = delayRange == 0
                ? minDelay
                : delayRange > 0 ? minDelay + random.nextInt((int) delayRange + 1) : latency.draw(from, to, random);
        return slowLinks.isEmpty() ? time : (long) (time * slowdown(from, to));
    }

    /** The delay of a copy in microseconds. It is drawn from the number of the message, apart from all other draws. */
    long copyDelay(long number, int from, int to) {
        return (long) (latency.draw(from, to, new SeededRandom(number)) * slowdown(from, to));
    }

    private double slowdown(int from, int to) {
        for (Fault.Slow link : slowLinks) {
            if (link.from().number() == from && link.to().number() == to) {
                return link.factor();
            }
        }
        return 1;
    }

    void cut(Fault.Cut cut) {
        cuts.add(cut);
    }

    /** Returns whether this cut was active. */
    boolean heal(Fault.Cut cut) {
        return cuts.remove(cut);
    }

    void setSlowdown(Fault.Slow link) {
        slowLinks.removeIf(
                other -> other.from().equals(link.from()) && other.to().equals(link.to()));
        if (link.factor() != 1) {
            slowLinks.add(link);
        }
    }

    /** Ends all link faults. Returns the cuts that were active. */
    List<Fault.Cut> healAll() {
        var healed = List.copyOf(cuts);
        cuts.clear();
        slowLinks.clear();
        network = new NetworkModel(network.inOrder(), 0, 0);
        return healed;
    }
}
