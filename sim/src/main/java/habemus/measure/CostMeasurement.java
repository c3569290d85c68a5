package habemus.measure;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.CostFormula;
import habemus.protocol.NodeId;
import habemus.simulate.RunLimits;
import habemus.simulate.RunResult;
import habemus.simulate.Simulation;
import habemus.world.DetectorModel;
import habemus.world.Fault;
import habemus.world.LatencyModel;
import habemus.world.Micros;
import habemus.world.ObservableEvent;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.Workload;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** What an algorithm really costs, with every message taking exactly one unit of time. */
public record CostMeasurement(Algorithm algorithm, int nodes) {

    /** All rings of so many nodes are tried; of more, some drawn by lot, and the two that are in order. */
    public static final int MAX_EXHAUSTIVE_NODES = 8;

    /** How long a message takes. */
    public static final Duration MESSAGE_DELAY = Duration.ofMillis(1);

    private static final int SAMPLED_RINGS = 60;
    private static final int RINGS_FOR_ONE_CANDIDATE = 5;
    private static final long MESSAGE_DELAY_MICROS = Micros.of(MESSAGE_DELAY);
    private static final Duration HOLD = MESSAGE_DELAY.multipliedBy(10);

    /** So much in all, over so many: a fraction, so that nothing is rounded. */
    public record Ratio(long total, long count) {
        /** Whether it is this number, but for what a computer makes of thirds. */
        public boolean isCloseTo(double number) {
            return Math.abs(number * count - total) < 1e-6;
        }

        public double value() {
            return (double) total / count;
        }

        @Override
        public String toString() {
            return count == 1 || total % count == 0 ? Long.toString(total / count) : total + "/" + count;
        }
    }

    /** Each of these must be what theory says. A new measure does not compile before somebody says how to take it. */
    public List<Ratio> measure(CostFormula.Measure measure) {
        return switch (measure) {
            case MESSAGES_PER_ENTRY -> List.of(messagesPerEntry(firstNodes(1)), messagesPerEntry(firstNodes(nodes)));
            case MESSAGES_PER_ENTRY_BEST -> single(messagesOfOne().min());
            case MESSAGES_PER_ENTRY_WORST -> single(messagesOfOne().max());
            case MESSAGES_PER_ENTRY_BUSY -> List.of(messagesUntilTheLastEntry());
            case CLIENT_DELAY -> longest(clientDelays());
            case HANDOVER_DELAY -> longest(handoverDelays());
            case MESSAGES_ONE_CANDIDATE_WORST -> single(oneCandidate().max());
            case MESSAGES_ALL_CANDIDATES_BEST -> single(allCandidates().min());
            case MESSAGES_ALL_CANDIDATES_MEAN -> List.of(mean());
            case MESSAGES_ALL_CANDIDATES_WORST, MESSAGES_ALL_CANDIDATES_BOUND ->
                single(allCandidates().max());
            case MESSAGES_SECOND_BEST_KNOWS -> List.of(withoutTheBest(nodes - 1, true));
            case MESSAGES_LOWEST_STARTS -> List.of(withoutTheBest(1, false));
            case HEARTBEATS_PER_PERIOD -> List.of(heartbeats());
            case MESSAGES_UNTIL_ALL_KNOW -> List.of(untilAllKnow());
            case MESSAGES_PER_HEARTBEAT -> List.of(messagesPerHeartbeat());
            case MESSAGES_ON_COMPLETE_GRAPH -> anyStarter(Topology.complete(nodes));
            case MESSAGES_ON_ORDERED_RING -> anyStarter(Topology.ring(nodes));
            case MESSAGES_ON_ORDERED_LINE -> anyStarter(line());
        };
    }

    private static List<Ratio> single(OptionalLong measured) {
        return List.of(new Ratio(measured.orElseThrow(), 1));
    }

    private Ratio messagesPerEntry(List<NodeId> callers) {
        var runResult = run(Topology.complete(nodes), Workload.once(callers).withEntries(4));
        return new Ratio(runResult.messages(), runResult.entries());
    }

    /** That one entry of each node takes, when nobody else wants in. */
    private LongStream messagesOfOne() {
        return firstNodes(nodes).stream()
                .mapToLong(node -> run(Topology.complete(nodes), Workload.once(List.of(node)))
                        .messages());
    }

    /** Of those that somebody received while others still wanted in. */
    private Ratio messagesUntilTheLastEntry() {
        var received = new ArrayList<TraceEvent>();
        var entered = new ArrayList<TraceEvent>();
        var workload = Workload.once(firstNodes(nodes)).withEntries(4);
        Simulation.of(
                        algorithm.create(AlgorithmParameters.defaults().withNodeCount(nodes)),
                        world(Topology.complete(nodes), workload),
                        1)
                .withoutMonitors()
                .withTrace(line -> {
                    if (line instanceof TraceEvent.Step step
                            && step.messageNumber() != 0
                            && entered.size() < 4 * nodes) {
                        received.add(line);
                    }
                    if (line instanceof TraceEvent.Observed observed
                            && observed.event() instanceof ObservableEvent.Entered) {
                        entered.add(line);
                    }
                })
                .run();
        return new Ratio(received.size(), entered.size());
    }

    private static List<Ratio> longest(LongStream micros) {
        return List.of(new Ratio(micros.max().orElseThrow(), MESSAGE_DELAY_MICROS));
    }

    /** Of each node, when nobody else wants in. */
    private LongStream clientDelays() {
        return firstNodes(nodes).stream()
                .map(node -> run(Topology.complete(nodes), Workload.once(List.of(node))))
                .mapToLong(runResult -> runResult.grants().getFirst().micros());
    }

    /** From each node's leaving to the next one's entering, when all wait; when one does, if all would be stuck. */
    private LongStream handoverDelays() {
        var all = run(Topology.complete(nodes), Workload.once(firstNodes(nodes)).withHoldTime(HOLD));
        return all.grants().size() == nodes
                ? handovers(all)
                : IntStream.rangeClosed(2, nodes).boxed().flatMapToLong(next -> handovers(handOver(next)));
    }

    /** The first node is inside when another asks. */
    private RunResult handOver(int next) {
        var requests = List.of(
                new Workload.Request(new NodeId(1), Duration.ZERO),
                new Workload.Request(new NodeId(next), HOLD.dividedBy(2)));
        return run(
                Topology.complete(nodes),
                Workload.once(firstNodes(1)).withRequests(requests).withHoldTime(HOLD));
    }

    private static LongStream handovers(RunResult runResult) {
        var grants = runResult.grants();
        return IntStream.range(1, grants.size())
                .mapToLong(i -> grants.get(i).micros() - grants.get(i - 1).micros() - Micros.of(HOLD));
    }

    /** With every ring there is, and every node of it as the only candidate. */
    private LongStream oneCandidate() {
        var orders = nodes <= MAX_EXHAUSTIVE_NODES
                ? orders()
                : orders().subList(0, Math.min(RINGS_FOR_ONE_CANDIDATE, orders().size()));
        return orders.stream().flatMapToLong(ring -> ring.stream().mapToLong(node -> messages(ring, List.of(node))));
    }

    /** With every ring there is. */
    private LongStream allCandidates() {
        return orders().stream().mapToLong(ring -> messages(ring, ring));
    }

    /** Where everybody can talk to everybody there is only one. */
    private List<List<NodeId>> orders() {
        if (algorithm.shape() != Topology.Shape.RING) {
            return List.of(firstNodes(nodes));
        }
        return nodes <= MAX_EXHAUSTIVE_NODES
                ? rings(nodes)
                : Stream.concat(Stream.of(firstNodes(nodes), firstNodes(nodes).reversed()), sampledRings())
                        .toList();
    }

    private Stream<List<NodeId>> sampledRings() {
        return LongStream.rangeClosed(1, SAMPLED_RINGS)
                .mapToObj(seed -> Topology.shuffledRing(nodes, seed).nodes());
    }

    /** Over all rings; of more nodes than {@link #MAX_EXHAUSTIVE_NODES} over some that were drawn. */
    public Ratio mean() {
        var messages = samples();
        return new Ratio(Arrays.stream(messages).sum(), messages.length);
    }

    /** The messages of an election in which all are candidates, on each of the rings that the mean is over. */
    public long[] samples() {
        return nodes <= MAX_EXHAUSTIVE_NODES
                ? allCandidates().toArray()
                : sampledRings().mapToLong(ring -> messages(ring, ring)).toArray();
    }

    public long messages(List<NodeId> ring, List<NodeId> candidates) {
        var topology = algorithm.shape() == Topology.Shape.RING ? Topology.ring(ring) : Topology.complete(nodes);
        return run(topology, Workload.once(candidates)).messages();
    }

    /** How many messages an election takes that this node starts, with the best node down from the beginning. */
    private Ratio withoutTheBest(int starter, boolean knows) {
        var best = new NodeId(nodes);
        var node = new NodeId(starter);
        var faults = new ArrayList<Fault.PlannedFault>();
        faults.add(new Fault.PlannedFault(Duration.ZERO, new Fault.Crash(best)));
        if (knows) {
            faults.add(new Fault.PlannedFault(Duration.ZERO, new Fault.WrongSuspicion(node, best)));
        }
        var world = world(Topology.complete(nodes), Workload.once(List.of(node)))
                .withDetector(new DetectorModel.None())
                .withFaults(faults);
        var runResult = Simulation.of(
                        algorithm.create(AlgorithmParameters.defaults().withNodeCount(nodes)), world, 1)
                .run();
        return new Ratio(runResult.messages(), 1);
    }

    /** From the start up to the next beat. */
    private Ratio heartbeats() {
        var period = (Duration) algorithm.algorithmOptions().stream()
                .filter(algorithmOption -> algorithmOption.name().equals("period"))
                .findFirst()
                .orElseThrow()
                .defaultValue();
        var runResult = Simulation.of(
                        algorithm.create(AlgorithmParameters.defaults()), World.of(Topology.complete(nodes)), 1)
                .withLimits(RunLimits.AMPLE.withMaxTime(period.minus(MESSAGE_DELAY)))
                .run();
        return new Ratio(runResult.heartbeats(), 1);
    }

    /** Of those that somebody received before the last node was told who leads. */
    private Ratio untilAllKnow() {
        var received = new ArrayList<TraceEvent>();
        var told = new ArrayList<TraceEvent>();
        trace(line -> {
            if (line instanceof TraceEvent.Step step && step.messageNumber() != 0 && told.size() < nodes) {
                received.add(line);
            }
            if (line instanceof TraceEvent.Observed observed
                    && observed.event() instanceof ObservableEvent.LeaderAnnounced) {
                told.add(line);
            }
        });
        return new Ratio(received.size(), 1);
    }

    /** Of those that somebody received between two beats. */
    private Ratio messagesPerHeartbeat() {
        var beats = new ArrayList<TraceEvent>();
        var received = new ArrayList<TraceEvent>();
        var settled = new ArrayList<TraceEvent>(); // what belongs to beats that are over
        trace(line -> {
            if (line instanceof TraceEvent.Step step && step.event().toString().contains("alarm=BEAT")) {
                beats.add(line);
                settled.addAll(received);
                received.clear();
            } else if (line instanceof TraceEvent.Step step && step.messageNumber() != 0 && !beats.isEmpty()) {
                received.add(line);
            }
        });
        return new Ratio(settled.size(), beats.size() - 1L);
    }

    /** A while of a run in which one node asks. */
    private void trace(Consumer<TraceEvent> reader) {
        Simulation.of(
                        algorithm.create(AlgorithmParameters.defaults()),
                        world(Topology.complete(nodes), Workload.once(firstNodes(1))),
                        1)
                .withoutMonitors()
                .withLimits(RunLimits.AMPLE.withMaxTime(MESSAGE_DELAY.multipliedBy(2_000)))
                .withTrace(reader)
                .run();
    }

    /** With the lowest as the only candidate, with the highest, and with all. */
    private List<Ratio> anyStarter(Topology topology) {
        return Stream.of(firstNodes(1), List.of(new NodeId(nodes)), firstNodes(nodes))
                .map(candidates ->
                        new Ratio(run(topology, Workload.once(candidates)).messages(), 1))
                .toList();
    }

    private Topology line() {
        var edges = IntStream.range(1, nodes).mapToObj(i -> new Topology.Edge(new NodeId(i), new NodeId(i + 1)));
        return Topology.graph(firstNodes(nodes), edges.toList());
    }

    private RunResult run(Topology topology, Workload workload) {
        return Simulation.of(
                        algorithm.create(AlgorithmParameters.defaults().withNodeCount(nodes)),
                        world(topology, workload),
                        1)
                .withoutMonitors()
                .run();
    }

    private static World world(Topology topology, Workload workload) {
        return World.of(topology)
                .withLatency(new LatencyModel.Fixed(MESSAGE_DELAY))
                .withWorkload(workload);
    }

    private static List<NodeId> firstNodes(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(NodeId::new).toList();
    }

    /** All (n-1)! orders in which n nodes can follow each other. */
    private static List<List<NodeId>> rings(int nodes) {
        List<List<NodeId>> rings = List.of(firstNodes(1));
        for (int number = 2; number <= nodes; number++) {
            var longer = new ArrayList<List<NodeId>>();
            for (var ring : rings) {
                for (int at = 1; at <= ring.size(); at++) {
                    var next = new ArrayList<>(ring);
                    next.add(at, new NodeId(number));
                    longer.add(next);
                }
            }
            rings = longer;
        }
        return rings;
    }
}
