package habemus.lab.matrix;

import habemus.catalogue.Algorithm;
import habemus.check.Effort;
import habemus.check.Scope;
import habemus.protocol.Protocol;
import habemus.protocol.Timed;
import habemus.protocol.Watchful;
import habemus.small.SmallWorlds;
import habemus.world.Network;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One question: what becomes of an algorithm if this goes wrong, on such a network, under such a timing. */
public record Cell(
        Algorithm algorithm, SmallWorlds.Variant variant, Network network, Scope.Timing timing, Mishap mishap) {

    /** All there are about an algorithm. */
    public static List<Cell> of(Algorithm algorithm) {
        var cells = new ArrayList<Cell>();
        for (var variant : SmallWorlds.variants(algorithm)) {
            var protocol = algorithm.make(variant.setting());
            for (var timing : timings(protocol)) {
                for (var network : List.of(Network.FIFO, Network.BAG)) {
                    for (var mishap : Mishap.values()) {
                        if (isOf(mishap, network)
                                && mishap.befalls(algorithm, variant.setting().among(2), timing)) {
                            cells.add(new Cell(algorithm, variant, network, timing, mishap));
                        }
                    }
                }
            }
        }
        return List.copyOf(cells);
    }

    /** Where nothing but the order of messages goes wrong, that is what goes wrong. */
    private static boolean isOf(Mishap mishap, Network network) {
        return switch (mishap) {
            case NOTHING -> network.inOrder();
            case REORDER -> !network.inOrder();
            default -> true;
        };
    }

    private static List<Scope.Timing> timings(Protocol<?, ?> protocol) {
        boolean timed = protocol instanceof Timed || protocol instanceof Watchful;
        return timed
                ? List.of(Scope.Timing.ASYNCHRONOUS, Scope.Timing.SYNCHRONOUS)
                : List.of(Scope.Timing.ASYNCHRONOUS);
    }

    /** The world of this size in which it is asked. */
    public Scope scope(SmallWorlds.Size size, Effort effort) {
        var setting = variant.setting().among(size.nodes());
        var scope = mishap.in(SmallWorlds.scope(algorithm, size), algorithm, setting)
                .spending(effort);
        scope = network.inOrder() ? scope : scope.unordered();
        return isSynchronous() ? scope.synchronous() : scope;
    }

    public Protocol<?, ?> protocol(SmallWorlds.Size size) {
        return algorithm.make(variant.setting().among(size.nodes()));
    }

    boolean isSynchronous() {
        return timing == Scope.Timing.SYNCHRONOUS;
    }

    public String timingText() {
        return timing.toString().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        var name = variant.option().isEmpty() ? algorithm.name() : algorithm.name() + " " + variant.option();
        return name + ", " + network + ", " + timingText() + ", " + mishap;
    }
}
