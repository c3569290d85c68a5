package habemus.catalogue;

import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.world.Problem;
import habemus.world.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;

/** An entry of the catalogue while it is being written. */
final class AlgorithmBuilder {

    private final Problem problem;
    private final String name;
    private final String summary;
    private final List<AlgorithmOption<?>> algorithmOptions = new ArrayList<>();
    private final List<CostFormula> costFormulas = new ArrayList<>();
    private boolean broken;
    private boolean ranked;
    private Topology.Shape shape = Topology.Shape.COMPLETE;
    private IntUnaryOperator bypass = n -> -1;
    private int checkedTimeouts = Integer.MAX_VALUE;
    private Function<AlgorithmParameters, NodeSet> coordinators = algorithmParameters -> NodeSet.NONE;
    private Function<AlgorithmParameters, List<Guarantee>> guarantees = algorithmParameters -> List.of();

    private AlgorithmBuilder(Problem problem, String name, String summary) {
        this.problem = problem;
        this.name = name;
        this.summary = summary;
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

    /** It is kept to show how it breaks what it promises. */
    AlgorithmBuilder broken() {
        broken = true;
        return this;
    }

    /** It runs on a ring; if nothing is said, everybody can talk to everybody. */
    AlgorithmBuilder onRing() {
        shape = Topology.Shape.RING;
        return this;
    }

    /** It runs on any connected graph, be it a ring or complete. */
    AlgorithmBuilder onGraph() {
        shape = Topology.Shape.GRAPH;
        return this;
    }

    /** It chooses the best by rank. */
    AlgorithmBuilder ranked() {
        ranked = true;
        return this;
    }

    AlgorithmBuilder option(AlgorithmOption<?> algorithmOption) {
        algorithmOptions.add(algorithmOption);
        return this;
    }

    AlgorithmBuilder cost(CostFormula.Measure measure, String formula, IntToDoubleFunction of) {
        costFormulas.add(new CostFormula(measure, formula, of));
        return this;
    }

    /** How often one who waits may be passed, for n nodes. */
    AlgorithmBuilder bypassBound(IntUnaryOperator times) {
        bypass = times;
        return this;
    }

    /** It tries again without end: a check lets no more alarms ring than it is told to. */
    AlgorithmBuilder retriesForever() {
        checkedTimeouts = 0;
        return this;
    }

    /** Some nodes have a part of their own, and the others depend on them; if nothing is said, all are alike. */
    AlgorithmBuilder coordinators(Function<AlgorithmParameters, NodeSet> nodes) {
        coordinators = nodes;
        return this;
    }

    AlgorithmBuilder guarantees(Guarantee... always) {
        return guarantees(algorithmParameters -> List.of(always));
    }

    AlgorithmBuilder guarantees(Function<AlgorithmParameters, List<Guarantee>> next) {
        guarantees = next;
        return this;
    }

    Algorithm build(Function<AlgorithmParameters, Protocol<?, ?>> maker) {
        return new Algorithm(
                name,
                problem,
                summary,
                broken,
                shape,
                ranked,
                List.copyOf(algorithmOptions),
                List.copyOf(costFormulas),
                bypass,
                checkedTimeouts,
                coordinators,
                guarantees,
                maker);
    }
}
