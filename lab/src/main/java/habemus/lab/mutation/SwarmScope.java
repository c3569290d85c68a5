package habemus.lab.mutation;

import habemus.catalogue.AlgorithmSpec;
import habemus.check.model.CheckReport;
import habemus.check.model.Schedule;
import habemus.check.model.Scope;
import habemus.protocol.NodeId;
import habemus.protocol.Protocol;
import habemus.simulate.RunResult;
import habemus.simulate.Simulation;
import habemus.simulate.SwarmFaults;
import habemus.smallscope.SmallScope;
import habemus.world.FaultKind;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import habemus.world.Workload;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * One simulated run of a replicated log with swarm faults, for mutants that only a long run kills. The seed draws the
 * number of nodes, the faults and their times.
 */
record SwarmScope(AlgorithmSpec spec, long seed) implements SmallScope {

    /** Ends the text of the scopes of the seeds from 1 to a number. */
    static final String SEEDS = " --seeds ";

    private static final int MAX_STEPS = 50_000;
    private static final Duration PACE = Duration.ofMillis(300);
    private static final int CALLS_PER_NODE = 6;
    private static final Workload.LogCallMix MIX = new Workload.LogCallMix(15, 10, 15, 8);

    private static final Set<FaultKind> FAULTS = EnumSet.of(
            FaultKind.REORDER,
            FaultKind.DUPLICATION,
            FaultKind.LOSS,
            FaultKind.CRASH,
            FaultKind.RESTART,
            FaultKind.PAUSE,
            FaultKind.PARTITION,
            FaultKind.SLOWNESS,
            FaultKind.TAIL_LOSS);

    /** @param text for example {@code raft --batch 2 --seeds 1000} */
    static List<SmallScope> parse(String text) {
        int end = text.indexOf(SEEDS);
        var spec = AlgorithmSpec.parse(text.substring(0, end), Problem.LOG);
        return LongStream.rangeClosed(1, Long.parseLong(text.substring(end + SEEDS.length())))
                .<SmallScope>mapToObj(seed -> new SwarmScope(spec, seed))
                .toList();
    }

    /** Three to seven, of which one is no voter if there are more than three. */
    private int nodes() {
        return 3 + (int) (seed % 5);
    }

    @Override
    public Protocol<?, ?> protocol() {
        var voters = " --voters " + (nodes() > 3 ? nodes() - 1 : nodes());
        return AlgorithmSpec.parse(spec + voters, Problem.LOG).protocol(nodes());
    }

    @Override
    public Scope scope() {
        return Scope.of(spec.topology(nodes()));
    }

    @Override
    public List<Property> properties() {
        return Property.of(Problem.LOG);
    }

    private World world() {
        var requests = IntStream.rangeClosed(1, nodes())
                .mapToObj(node -> new Workload.Request(new NodeId(node), PACE))
                .toList();
        var workload = new Workload(
                requests, CALLS_PER_NODE, PACE, Duration.ZERO, Workload.Chatter.NONE, Workload.Writing.NONE, MIX);
        return SwarmFaults.inject(World.of(spec.topology(nodes())).withWorkload(workload), FAULTS, seed);
    }

    /** Simulates the run. Without a violation the verdict is open: other runs may violate the property. */
    @Override
    public CheckReport check(Protocol<?, ?> protocol, Property... properties) {
        var trace = new ArrayList<TraceEvent>();
        var result = Simulation.of(protocol, world(), seed)
                .withLimits(SwarmFaults.limits().withMaxSteps(MAX_STEPS))
                .withTrace(trace::add)
                .run();
        var findings = Arrays.stream(properties)
                .map(property -> finding(property, result, trace))
                .toList();
        return new CheckReport(
                result.steps(),
                0,
                result.steps(),
                0,
                1,
                List.of("one run"),
                0,
                OptionalInt.empty(),
                0,
                findings,
                List.of());
    }

    private static CheckReport.Finding finding(Property property, RunResult result, List<TraceEvent> trace) {
        boolean isViolated = result.verdicts().get(property) == Verdict.VIOLATED;
        return new CheckReport.Finding(
                property.toString(),
                isViolated ? Verdict.VIOLATED : Verdict.OPEN,
                property.sentence(),
                trace,
                Schedule.EMPTY,
                OptionalInt.empty());
    }

    @Override
    public String toString() {
        return spec + " --seed " + seed;
    }
}
