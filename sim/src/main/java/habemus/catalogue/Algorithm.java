package habemus.catalogue;

import habemus.detector.ElectionWithDetector;
import habemus.protocol.ClientServer;
import habemus.protocol.Election;
import habemus.protocol.FailureAware;
import habemus.protocol.FailureDetector;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
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
 * @param checkedTimeouts how many ring in a check if nothing is said; fewer than any number where retrying has no end
 * @param guarantees what it claims, given the choices of its user
 */
public record Algorithm(
        String name,
        Problem problem,
        String summary,
        boolean broken,
        Topology.Shape shape,
        boolean ranked,
        List<AlgorithmOption<?>> algorithmOptions,
        List<CostFormula> costFormulas,
        IntUnaryOperator bypass,
        int checkedTimeouts,
        Function<AlgorithmParameters, NodeSet> coordinators,
        Function<AlgorithmParameters, List<Guarantee>> guarantees,
        Function<AlgorithmParameters, Protocol<?, ?>> factory) {

    public Protocol<?, ?> create(AlgorithmParameters algorithmParameters) {
        return factory.apply(algorithmParameters);
    }

    /** Whether a failure detector can be laid beneath it: it is an election, and listens to one. */
    public boolean acceptsDetector() {
        return problem == Problem.ELECTION && create(AlgorithmParameters.defaults()) instanceof FailureAware;
    }

    /** Whether it is a whole service: some of its nodes are there for the others, and ask for nothing. */
    public boolean isService() {
        return create(AlgorithmParameters.defaults()) instanceof ClientServer;
    }

    /** The same with this detector beneath it, in place of a world that knows who is down. */
    public Algorithm withDetector(Algorithm detector) {
        var both = new ArrayList<>(algorithmOptions);
        both.addAll(detector.algorithmOptions);
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
                checkedTimeouts,
                coordinators,
                algorithmParameters -> DetectorEntries.guarantees(
                        guarantees.apply(algorithmParameters), detector.guarantees.apply(algorithmParameters)),
                algorithmParameters ->
                        new ElectionWithDetector<>((Election<?, ?>) create(algorithmParameters), (FailureDetector<?, ?>)
                                detector.create(algorithmParameters)));
    }

    public OptionalInt bypassBound(int nodes) {
        int bound = bypass.applyAsInt(nodes);
        return bound < 0 ? OptionalInt.empty() : OptionalInt.of(bound);
    }

    /** What is promised in this world. */
    public Set<Property> guaranteed(AlgorithmParameters algorithmParameters, World world) {
        var promised = EnumSet.noneOf(Property.class);
        for (Guarantee guarantee : guarantees.apply(algorithmParameters)) {
            if (guarantee.covers(world)) {
                promised.addAll(guarantee.properties());
            }
        }
        return promised;
    }
}
