package habemus.catalogue;

import habemus.detector.Watched;
import habemus.protocol.Detecting;
import habemus.protocol.Election;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.protocol.Serving;
import habemus.protocol.Watchful;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.World;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;

/**
 * An entry of the catalogue: everything about an algorithm that is not the algorithm.
 *
 * @param broken whether it is kept to show how it breaks what it promises
 * @param shape of the topologies that it runs on; any connected graph may also be a ring, or complete
 * @param ranked whether it chooses the best node by rank
 * @param bypass how often one who waits may be passed at most, for n nodes; negative if there is no bound
 * @param coordinators on whom the others depend, whoever asks: nodes with a part of their own
 * @param alarms how many ring in a check if nothing is said; fewer than any number where retrying has no end
 * @param promises what it claims, given the choices of its user
 */
public record Algorithm(
        String name,
        Problem problem,
        String summary,
        boolean broken,
        Topology.Shape shape,
        boolean ranked,
        List<Option<?>> options,
        List<Cost> costs,
        IntUnaryOperator bypass,
        int alarms,
        Function<Setting, NodeSet> coordinators,
        Function<Setting, List<Promise>> promises,
        Function<Setting, Protocol<?, ?>> maker) {

    public Protocol<?, ?> make(Setting setting) {
        return maker.apply(setting);
    }

    /** Whether a failure detector can be laid beneath it: it is an election, and listens to one. */
    public boolean listens() {
        return problem == Problem.ELECTION && make(Setting.standard()) instanceof Watchful;
    }

    /** Whether it is a whole service: some of its nodes are there for the others, and ask for nothing. */
    public boolean isService() {
        return make(Setting.standard()) instanceof Serving;
    }

    /** The same with this detector beneath it, in place of a world that knows who is down. */
    public Algorithm over(Algorithm detector) {
        var both = new ArrayList<>(options);
        both.addAll(detector.options);
        return new Algorithm(
                name,
                problem,
                summary,
                broken,
                shape,
                ranked,
                List.copyOf(both),
                List.of(),
                bypass,
                alarms,
                coordinators,
                setting -> Detectors.promises(promises.apply(setting), detector.promises.apply(setting)),
                setting -> new Watched<>((Election<?, ?>) make(setting), (Detecting<?, ?>) detector.make(setting)));
    }

    public OptionalInt bypassBound(int nodes) {
        int bound = bypass.applyAsInt(nodes);
        return bound < 0 ? OptionalInt.empty() : OptionalInt.of(bound);
    }

    /** What is promised in this world. */
    public Set<Property> promised(Setting setting, World world) {
        var promised = EnumSet.noneOf(Property.class);
        for (Promise promise : promises.apply(setting)) {
            if (promise.covers(world)) {
                promised.addAll(promise.properties());
            }
        }
        return promised;
    }
}
