package habemus.measure;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.CostFormula;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.simulate.RunLimits;
import habemus.simulate.RunResult;
import habemus.simulate.Simulation;
import habemus.world.DetectorModel;
import habemus.world.Fault;
import habemus.world.InFlightMessage;
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
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Measures the costs of an algorithm in simulations in which every message takes exactly one unit of time. */
public record CostMeasurement(Algorithm algorithm, int nodes, AlgorithmParameters parameters) {

    /** Up to this number of nodes, all rings are measured; above it, random rings and the two ordered ones. */
    public static final int MAX_EXHAUSTIVE_NODES = 8;

    public static final Duration MESSAGE_DELAY = Duration.ofMillis(1);

    private static final int SAMPLED_RINGS = 60;
    private static final int RINGS_FOR_ONE_CANDIDATE = 5;
    private static final long MESSAGE_DELAY_MICROS = Micros.of(MESSAGE_DELAY);
    private static final int CALL_AFTER_DELAYS = 850; // an election takes less
    private static final Duration HOLD = MESSAGE_DELAY.multipliedBy(10);

    /** A measured value as a fraction, so that nothing is rounded. */
    public record Ratio(long total, long count) {
        /** Whether it equals this number, up to floating-point error. */
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

    /** With the default parameters. */
    public CostMeasurement(Algorithm algorithm, int nodes) {
        this(algorithm, nodes, AlgorithmParameters.defaults());
    }

    /** The measured values of the form that the formula is about. Each of them must equal the theoretical cost. */
    public List<Ratio> measure(CostFormula formula) {
        return new CostMeasurement(algorithm, nodes, formula.parameters()).measure(formula.measure());
    }

    /** The measured values. */
    public List<Ratio> measure(CostFormula.Measure measure) {
        return switch (measure) {
            case MESSAGES_PER_ENTRY -> List.of(messagesPerEntry(firstNodes(1)), messagesPerEntry(firstNodes(nodes)));
            case MESSAGES_PER_ENTRY_BEST -> single(messagesWithoutContention().min());
            case MESSAGES_PER_ENTRY_WORST -> single(messagesWithoutContention().max());
            case MESSAGES_PER_ENTRY_BUSY -> List.of(messagesPerBusyEntry());
            case CLIENT_DELAY -> longest(clientDelays());
            case HANDOVER_DELAY -> longest(handoverDelays());
            case MESSAGES_ONE_CANDIDATE_WORST -> single(oneCandidate().max());
            case MESSAGES_ALL_CANDIDATES_BEST -> single(allCandidates().min());
            case MESSAGES_ALL_CANDIDATES_MEAN -> List.of(mean());
            case MESSAGES_ALL_CANDIDATES_WORST, MESSAGES_ALL_CANDIDATES_BOUND ->
                single(allCandidates().max());
            case MESSAGES_FIRST_ROUND_TRIP ->
                single(sentMessages(this::isOfFirstRoundTrip).max());
            case MESSAGES_NOT_FORWARDED_BOUND ->
                single(sentMessages((step, message) -> !isForwarded(step, message))
                        .max());
            case MESSAGES_SECOND_BEST_KNOWS -> List.of(withoutBestNode(nodes - 1, true));
            case MESSAGES_LOWEST_STARTS -> List.of(withoutBestNode(1, false));
            case HEARTBEATS_PER_PERIOD -> List.of(heartbeatsPerPeriod());
            case MESSAGES_UNTIL_ALL_KNOW -> List.of(messagesUntilAllKnow());
            case MESSAGES_PER_HEARTBEAT -> List.of(messagesPerHeartbeat());
            case MESSAGES_PER_PROPOSAL -> List.of(messagesPerProposal());
            case MESSAGES_ON_COMPLETE_GRAPH -> anyStarter(Topology.complete(nodes));
            case MESSAGES_ON_ORDERED_RING -> anyStarter(Topology.ring(nodes));
            case MESSAGES_ON_ORDERED_LINE -> anyStarter(Topology.line(nodes));
        };
    }

    private static List<Ratio> single(OptionalLong measured) {
        return List.of(new Ratio(measured.orElseThrow(), 1));
    }

    private Ratio messagesPerEntry(List<NodeId> requesters) {
        var result = run(Topology.complete(nodes), Workload.once(requesters).withEntries(4));
        return new Ratio(result.messages(), result.entries());
    }

    /** The messages of one entry, for each node, without contention. */
    private LongStream messagesWithoutContention() {
        return firstNodes(nodes).stream()
                .mapToLong(node -> run(Topology.complete(nodes), Workload.once(List.of(node)))
                        .messages());
    }

    /** The messages delivered up to the last entry, per entry. */
    private Ratio messagesPerBusyEntry() {
        var received = new ArrayList<TraceEvent>();
        var entered = new ArrayList<TraceEvent>();
        var workload = Workload.once(firstNodes(nodes)).withEntries(4);
        Simulation.of(algorithm.create(parameters.withNodeCount(nodes)), world(Topology.complete(nodes), workload), 1)
                .withoutMonitors()
                .withTrace(event -> {
                    if (event instanceof TraceEvent.Step step
                            && step.messageNumber() != 0
                            && entered.size() < 4 * nodes) {
                        received.add(event);
                    }
                    if (event instanceof TraceEvent.Observed observed
                            && observed.event() instanceof ObservableEvent.Entered) {
                        entered.add(event);
                    }
                })
                .run();
        return new Ratio(received.size(), entered.size());
    }

    private static List<Ratio> longest(LongStream micros) {
        return List.of(new Ratio(micros.max().orElseThrow(), MESSAGE_DELAY_MICROS));
    }

    /** The delay from request to entry of each node, without contention. */
    private LongStream clientDelays() {
        return firstNodes(nodes).stream()
                .map(node -> run(Topology.complete(nodes), Workload.once(List.of(node))))
                .mapToLong(result -> result.grants().getFirst().micros());
    }

    /**
     * The delays from an exit to the next entry, with all nodes waiting. If the algorithm deadlocks then, with one
     * waiter at a time.
     */
    private LongStream handoverDelays() {
        var all = run(Topology.complete(nodes), Workload.once(firstNodes(nodes)).withHoldTime(HOLD));
        return all.grants().size() == nodes
                ? handovers(all)
                : IntStream.rangeClosed(2, nodes).boxed().flatMapToLong(next -> handovers(handOver(next)));
    }

    /** A run in which one node requests the lock while the first node holds it. */
    private RunResult handOver(int next) {
        var requests = List.of(
                new Workload.Request(new NodeId(1), Duration.ZERO),
                new Workload.Request(new NodeId(next), HOLD.dividedBy(2)));
        return run(
                Topology.complete(nodes),
                Workload.once(firstNodes(1)).withRequests(requests).withHoldTime(HOLD));
    }

    private static LongStream handovers(RunResult result) {
        var grants = result.grants();
        return IntStream.range(1, grants.size())
                .mapToLong(i -> grants.get(i).micros() - grants.get(i - 1).micros() - Micros.of(HOLD));
    }

    /** The messages of an election with one candidate, for every ring and every candidate. */
    private LongStream oneCandidate() {
        var rings = nodes <= MAX_EXHAUSTIVE_NODES
                ? orders()
                : orders().subList(0, Math.min(RINGS_FOR_ONE_CANDIDATE, orders().size()));
        return rings.stream().flatMapToLong(ring -> ring.stream().mapToLong(node -> messages(ring, List.of(node))));
    }

    /** The messages of an election with all nodes as candidates, for every ring. */
    private LongStream allCandidates() {
        return orders().stream().mapToLong(ring -> messages(ring, ring));
    }

    /** The sent messages that count, with all nodes as candidates, for every ring. */
    private LongStream sentMessages(BiPredicate<TraceEvent.NodeStep, InFlightMessage> counts) {
        return orders().stream().mapToLong(ring -> {
            var counted = new ArrayList<InFlightMessage>();
            Simulation.of(
                            algorithm.create(parameters.withNodeCount(nodes)),
                            world(Topology.ring(ring), Workload.once(ring)),
                            1)
                    .withoutMonitors()
                    .withTrace(event -> {
                        if (event instanceof TraceEvent.NodeStep step) {
                            step.sent().stream()
                                    .filter(message -> counts.test(step, message))
                                    .forEach(counted::add);
                        }
                    })
                    .run();
            return counted.size();
        });
    }

    private boolean isOfFirstRoundTrip(TraceEvent.NodeStep step, InFlightMessage message) {
        return step.at() < 2 * MESSAGE_DELAY_MICROS;
    }

    /** Whether the step only passes on the message that it receives. */
    private static boolean isForwarded(TraceEvent.NodeStep step, InFlightMessage message) {
        return step instanceof TraceEvent.Step received
                && received.event() instanceof Event.Received<?>(var from, var content)
                && content.equals(message.message());
    }

    /** The node orders to measure: on a complete graph there is only one. */
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

    /** The mean number of messages over all rings, or over random ones above {@link #MAX_EXHAUSTIVE_NODES} nodes. */
    public Ratio mean() {
        var messages = samples();
        return new Ratio(Arrays.stream(messages).sum(), messages.length);
    }

    /** The number of messages on each ring that {@link #mean} covers, with all nodes as candidates. */
    public long[] samples() {
        return nodes <= MAX_EXHAUSTIVE_NODES
                ? allCandidates().toArray()
                : sampledRings().mapToLong(ring -> messages(ring, ring)).toArray();
    }

    public long messages(List<NodeId> ring, List<NodeId> candidates) {
        var topology = algorithm.shape() == Topology.Shape.RING ? Topology.ring(ring) : Topology.complete(nodes);
        return run(topology, Workload.once(candidates)).messages();
    }

    /** The messages of an election that this node starts, with the best node down from the start. */
    private Ratio withoutBestNode(int starter, boolean knows) {
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
        var result = Simulation.of(algorithm.create(parameters.withNodeCount(nodes)), world, 1)
                .run();
        return new Ratio(result.messages(), 1);
    }

    /** The heartbeats of the first period. */
    private Ratio heartbeatsPerPeriod() {
        var period = (Duration) algorithm.options().stream()
                .filter(option -> option.name().equals("period"))
                .findFirst()
                .orElseThrow()
                .defaultValue();
        var result = Simulation.of(
                        algorithm.create(AlgorithmParameters.defaults()), World.of(Topology.complete(nodes)), 1)
                .withLimits(RunLimits.AMPLE.withMaxTime(period.minus(MESSAGE_DELAY)))
                .run();
        return new Ratio(result.heartbeats(), 1);
    }

    /** The messages delivered before the last node announced the leader. */
    private Ratio messagesUntilAllKnow() {
        var received = new ArrayList<TraceEvent>();
        var announced = new ArrayList<TraceEvent>();
        trace(event -> {
            if (event instanceof TraceEvent.Step step && step.messageNumber() != 0 && announced.size() < nodes) {
                received.add(event);
            }
            if (event instanceof TraceEvent.Observed observed
                    && observed.event() instanceof ObservableEvent.LeaderAnnounced) {
                announced.add(event);
            }
        });
        return new Ratio(received.size(), 1);
    }

    /** The mean number of messages delivered between two heartbeats of the leader. */
    private Ratio messagesPerHeartbeat() {
        var heartbeats = new ArrayList<TraceEvent>();
        var received = new ArrayList<TraceEvent>();
        var completed = new ArrayList<TraceEvent>(); // messages of heartbeats before the last one
        trace(event -> {
            if (event instanceof TraceEvent.Step step
                    && step.event() instanceof Event.Timeout<?>(var timer)
                    && timer.name().equals("HEARTBEAT")) {
                heartbeats.add(event);
                completed.addAll(received);
                received.clear();
            } else if (event instanceof TraceEvent.Step step && step.messageNumber() != 0 && !heartbeats.isEmpty()) {
                received.add(event);
            }
        });
        return new Ratio(completed.size(), heartbeats.size() - 1L);
    }

    /** The messages delivered between a call and the next heartbeat, long after the election. */
    private Ratio messagesPerProposal() {
        var called = new ArrayList<TraceEvent>();
        var received = new ArrayList<TraceEvent>();
        var heartbeats = new ArrayList<TraceEvent>();
        var request = new Workload.Request(new NodeId(1), MESSAGE_DELAY.multipliedBy(CALL_AFTER_DELAYS));
        trace(Workload.once(firstNodes(1)).withRequests(List.of(request)), event -> {
            if (event instanceof TraceEvent.Step step && step.event() instanceof Event.Call<?>) {
                called.add(event);
            } else if (!called.isEmpty()
                    && event instanceof TraceEvent.Step step
                    && step.event() instanceof Event.Timeout<?>) {
                heartbeats.add(event);
            } else if (!called.isEmpty()
                    && heartbeats.isEmpty()
                    && event instanceof TraceEvent.Step step
                    && step.messageNumber() != 0) {
                received.add(event);
            }
        });
        return new Ratio(received.size(), called.size());
    }

    /** Traces a run of two seconds in which one node makes a request. */
    private void trace(Consumer<TraceEvent> reader) {
        trace(Workload.once(firstNodes(1)), reader);
    }

    private void trace(Workload workload, Consumer<TraceEvent> reader) {
        Simulation.of(algorithm.create(AlgorithmParameters.defaults()), world(Topology.complete(nodes), workload), 1)
                .withoutMonitors()
                .withLimits(RunLimits.AMPLE.withMaxTime(MESSAGE_DELAY.multipliedBy(2_000)))
                .withTrace(reader)
                .run();
    }

    /** The messages with the lowest node as the only candidate, with the highest, and with all nodes. */
    private List<Ratio> anyStarter(Topology topology) {
        return Stream.of(firstNodes(1), List.of(new NodeId(nodes)), firstNodes(nodes))
                .map(candidates ->
                        new Ratio(run(topology, Workload.once(candidates)).messages(), 1))
                .toList();
    }

    private RunResult run(Topology topology, Workload workload) {
        return Simulation.of(algorithm.create(parameters.withNodeCount(nodes)), world(topology, workload), 1)
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

    /** All (n-1)! rings of n nodes. */
    public static List<List<NodeId>> rings(int nodes) {
        List<List<NodeId>> rings = List.of(firstNodes(1));
        for (int number = 2; number <= nodes; number++) {
            var longer = new ArrayList<List<NodeId>>();
            for (var ring : rings) {
                for (int index = 1; index <= ring.size(); index++) {
                    var next = new ArrayList<>(ring);
                    next.add(index, new NodeId(number));
                    longer.add(next);
                }
            }
            rings = longer;
        }
        return rings;
    }
}
