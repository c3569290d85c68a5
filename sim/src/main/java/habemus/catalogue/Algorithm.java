package habemus.catalogue;

import habemus.detector.ElectionWithDetector;
import habemus.protocol.ClientServer;
import habemus.protocol.Election;
import habemus.protocol.FailureAware;
import habemus.protocol.FailureDetector;
import habemus.protocol.MembershipAware;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.protocol.ThreadProgram;
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

/**
 * An entry of the catalogue: everything about an algorithm except its code.
 *
 * @param broken whether the algorithm is kept as an example of a violated guarantee
 * @param shape the shape of topology that the algorithm requires
 * @param ranked whether the algorithm elects the best node by rank
 * @param checkedTimeouts the default number of timeouts in a check; limited for algorithms that retry for ever
 * @param synchronousTimeouts the same if timers fire only after all messages
 * @param coordinators the nodes with a special role, on which all others depend
 * @param guarantees what the algorithm guarantees, given its parameters
 */
public record Algorithm(
        String name,
        Problem problem,
        String summary,
        boolean broken,
        Topology.Shape shape,
        boolean ranked,
        List<AlgorithmOption<?>> options,
        List<CostFormula> costs,
        int checkedTimeouts,
        int synchronousTimeouts,
        Function<AlgorithmParameters, NodeSet> coordinators,
        Function<AlgorithmParameters, List<Guarantee>> guarantees,
        Function<AlgorithmParameters, Protocol<?, ?>> factory) {

    public Protocol<?, ?> create(AlgorithmParameters parameters) {
        return factory.apply(parameters);
    }

    /** Whether {@link #withDetector} applies: it is an election that reacts to a failure detector. */
    public boolean acceptsDetector() {
        return problem == Problem.ELECTION && create(AlgorithmParameters.defaults()) instanceof FailureAware;
    }

    /** Whether nodes may join and leave while it runs. */
    public boolean changesMembers() {
        return create(AlgorithmParameters.defaults()) instanceof MembershipAware;
    }

    /** Whether it is a service: some nodes are servers, which make no requests themselves. */
    public boolean isService() {
        return create(AlgorithmParameters.defaults()) instanceof ClientServer;
    }

    /** This election composed with a failure detector algorithm, which replaces the world's own detector. */
    public Algorithm withDetector(Algorithm detector) {
        var allOptions = new ArrayList<>(options);
        allOptions.addAll(detector.options);
        return new Algorithm(
                name,
                problem,
                summary,
                broken,
                shape,
                ranked,
                List.copyOf(allOptions),
                List.of(),
                checkedTimeouts,
                synchronousTimeouts,
                coordinators,
                parameters ->
                        DetectorEntries.guarantees(guarantees.apply(parameters), detector.guarantees.apply(parameters)),
                parameters -> new ElectionWithDetector<>(
                        (Election<?, ?>) create(parameters), (FailureDetector<?, ?>) detector.create(parameters)));
    }

    /** The number of nodes, if the parameters decide it: that of the threads and objects of a program. */
    public OptionalInt nodeCount(AlgorithmParameters parameters) {
        return create(parameters) instanceof ThreadProgram<?, ?> program
                ? OptionalInt.of(program.nodes())
                : OptionalInt.empty();
    }

    /** How often other nodes may enter while one node waits, if a guarantee states it under some assumptions. */
    public OptionalInt bypassBound(int nodes) {
        return guarantees.apply(AlgorithmParameters.defaults()).stream()
                .flatMap(guarantee -> guarantee.bypassBound().stream())
                .mapToInt(bound -> bound.value(nodes))
                .findFirst();
    }

    /** The properties without which it does not solve its problem. One leader per term may replace a unique leader. */
    public Set<Property> essentialProperties(AlgorithmParameters parameters) {
        return switch (problem) {
            case MUTEX -> EnumSet.of(Property.MUTUAL_EXCLUSION, Property.DEADLOCK_FREEDOM, Property.NO_STARVATION);
            case ELECTION ->
                EnumSet.of(
                        Property.TERMINATION,
                        guarantees.apply(parameters).stream()
                                        .anyMatch(guarantee ->
                                                guarantee.properties().contains(Property.ONE_LEADER_PER_TERM))
                                ? Property.ONE_LEADER_PER_TERM
                                : Property.UNIQUENESS);
            case DETECTOR -> EnumSet.of(Property.COMPLETENESS);
            case LOG -> EnumSet.of(Property.STATE_MACHINE_SAFETY, Property.PROGRESS);
            case THREADS -> EnumSet.copyOf(Property.of(create(parameters)));
        };
    }

    /** The properties that are guaranteed in this world. */
    public Set<Property> guaranteed(AlgorithmParameters parameters, World world) {
        var guaranteed = EnumSet.noneOf(Property.class);
        for (Guarantee guarantee : guarantees.apply(parameters)) {
            if (guarantee.covers(world)) {
                guaranteed.addAll(guarantee.properties());
            }
        }
        return guaranteed;
    }
}
