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
final class Draft {

    private final Problem problem;
    private final String name;
    private final String summary;
    private final List<Option<?>> options = new ArrayList<>();
    private final List<Cost> costs = new ArrayList<>();
    private boolean broken;
    private boolean ranked;
    private Topology.Shape shape = Topology.Shape.COMPLETE;
    private IntUnaryOperator bypass = n -> -1;
    private int alarms = Integer.MAX_VALUE;
    private Function<Setting, NodeSet> coordinators = setting -> NodeSet.NONE;
    private Function<Setting, List<Promise>> promises = setting -> List.of();

    private Draft(Problem problem, String name, String summary) {
        this.problem = problem;
        this.name = name;
        this.summary = summary;
    }

    static Draft mutex(String name, String summary) {
        return new Draft(Problem.MUTEX, name, summary);
    }

    static Draft election(String name, String summary) {
        return new Draft(Problem.ELECTION, name, summary);
    }

    static Draft detector(String name, String summary) {
        return new Draft(Problem.DETECTOR, name, summary);
    }

    /** It is kept to show how it breaks what it promises. */
    Draft broken() {
        broken = true;
        return this;
    }

    /** It runs on a ring; if nothing is said, everybody can talk to everybody. */
    Draft onRing() {
        shape = Topology.Shape.RING;
        return this;
    }

    /** It runs on any connected graph, be it a ring or complete. */
    Draft onGraph() {
        shape = Topology.Shape.GRAPH;
        return this;
    }

    /** It chooses the best by rank. */
    Draft ranked() {
        ranked = true;
        return this;
    }

    Draft option(Option<?> option) {
        options.add(option);
        return this;
    }

    Draft cost(Cost.Measure measure, String formula, IntToDoubleFunction of) {
        costs.add(new Cost(measure, formula, of));
        return this;
    }

    /** How often one who waits may be passed, for n nodes. */
    Draft passedAtMost(IntUnaryOperator times) {
        bypass = times;
        return this;
    }

    /** It tries again without end: a check lets no more alarms ring than it is told to. */
    Draft retrying() {
        alarms = 0;
        return this;
    }

    /** Some nodes have a part of their own, and the others depend on them; if nothing is said, all are alike. */
    Draft coordinatedBy(Function<Setting, NodeSet> nodes) {
        coordinators = nodes;
        return this;
    }

    Draft promises(Promise... always) {
        return promises(setting -> List.of(always));
    }

    Draft promises(Function<Setting, List<Promise>> next) {
        promises = next;
        return this;
    }

    Algorithm madeBy(Function<Setting, Protocol<?, ?>> maker) {
        return new Algorithm(
                name,
                problem,
                summary,
                broken,
                shape,
                ranked,
                List.copyOf(options),
                List.copyOf(costs),
                bypass,
                alarms,
                coordinators,
                promises,
                maker);
    }
}
