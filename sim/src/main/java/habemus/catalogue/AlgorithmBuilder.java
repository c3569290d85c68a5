package habemus.catalogue;

import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.world.Problem;
import habemus.world.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;

/** Builds an entry of the catalogue. */
final class AlgorithmBuilder {

    private final Problem problem;
    private final String name;
    private final String summary;
    private final List<AlgorithmOption<?>> options = new ArrayList<>();
    private final List<CostFormula> costs = new ArrayList<>();
    private boolean broken;
    private boolean ranked;
    private Topology.Shape shape = Topology.Shape.COMPLETE;
    private int checkedTimeouts = Integer.MAX_VALUE;
    private int synchronousTimeouts = Integer.MAX_VALUE;
    private Function<AlgorithmParameters, NodeSet> coordinators = parameters -> NodeSet.NONE;
    private Function<AlgorithmParameters, List<Guarantee>> guarantees = parameters -> List.of();

    private AlgorithmBuilder(Problem problem, String name, String summary) {
        this.problem = problem;
        this.name = name;
        this.summary = summary;
    }

    static AlgorithmBuilder of(Problem problem, String name, String summary) {
        return new AlgorithmBuilder(problem, name, summary);
    }

    static AlgorithmBuilder mutex(String name, String summary) {
        return new AlgorithmBuilder(Problem.MUTEX, name, summary);
    }

    static AlgorithmBuilder election(String name, String summary) {
        return new AlgorithmBuilder(Problem.ELECTION, name, summary);
    }

    static AlgorithmBuilder detector(String name, String summary) {
        return new AlgorithmBuilder(Problem.DETECTOR, name, summary);
    }

    static AlgorithmBuilder log(String name, String summary) {
        return new AlgorithmBuilder(Problem.LOG, name, summary);
    }

    static AlgorithmBuilder threads(String name, String summary) {
        return new AlgorithmBuilder(Problem.THREADS, name, summary);
    }

    /** The algorithm is kept as an example of a violated guarantee. */
    AlgorithmBuilder broken() {
        broken = true;
        return this;
    }

    /** The algorithm runs on a ring. Default: on a complete graph. */
    AlgorithmBuilder onRing() {
        shape = Topology.Shape.RING;
        return this;
    }

    /** The algorithm runs on any connected graph, also on a ring or a complete graph. */
    AlgorithmBuilder onGraph() {
        shape = Topology.Shape.GRAPH;
        return this;
    }

    /** The algorithm elects the best node by rank; its option {@code best} says which end of the order that is. */
    AlgorithmBuilder ranked() {
        ranked = true;
        return option(AlgorithmParameters.BEST);
    }

    AlgorithmBuilder option(AlgorithmOption<?> option) {
        options.add(option);
        return this;
    }

    AlgorithmBuilder cost(CostFormula.Measure measure, String formula, IntToDoubleFunction function) {
        costs.add(new CostFormula(measure, "", AlgorithmParameters.defaults(), formula, function));
        return this;
    }

    /** The cost of the form that a flag turns on. */
    AlgorithmBuilder cost(
            AlgorithmOption<Boolean> flag, CostFormula.Measure measure, String formula, IntToDoubleFunction function) {
        var parameters = AlgorithmParameters.defaults().with(flag, true);
        costs.add(new CostFormula(measure, "--" + flag.name(), parameters, formula, function));
        return this;
    }

    /** The algorithm retries for ever, so a check has no timeouts by default. */
    AlgorithmBuilder retriesForever() {
        checkedTimeouts = 0;
        synchronousTimeouts = 0;
        return this;
    }

    /** The algorithm retries for ever if timers are early, and so often that a check has no timeouts then. */
    AlgorithmBuilder retriesIfTimersAreEarly() {
        checkedTimeouts = 0;
        return this;
    }

    /** Sets the nodes with a special role, on which all others depend. Default: none. */
    AlgorithmBuilder coordinators(Function<AlgorithmParameters, NodeSet> nodes) {
        coordinators = nodes;
        return this;
    }

    AlgorithmBuilder guarantees(Guarantee... list) {
        return guarantees(parameters -> List.of(list));
    }

    AlgorithmBuilder guarantees(Function<AlgorithmParameters, List<Guarantee>> next) {
        guarantees = next;
        return this;
    }

    Algorithm build(Function<AlgorithmParameters, Protocol<?, ?>> factory) {
        return new Algorithm(
                name,
                problem,
                summary,
                broken,
                shape,
                ranked,
                List.copyOf(options),
                List.copyOf(costs),
                checkedTimeouts,
                synchronousTimeouts,
                coordinators,
                guarantees,
                factory);
    }
}
