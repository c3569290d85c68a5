package habemus.measure;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Cost;
import habemus.catalogue.Setting;
import habemus.protocol.NodeId;
import habemus.simulate.Limits;
import habemus.simulate.Outcome;
import habemus.simulate.Simulation;
import habemus.world.Detector;
import habemus.world.Fault;
import habemus.world.Happening;
import habemus.world.Latency;
import habemus.world.Micros;
import habemus.world.Topology;
import habemus.world.TraceLine;
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
public record Measurements(Algorithm algorithm, int nodes) {

    /** All rings of so many nodes are tried; of more, some drawn by lot, and the two that are in order. */
    public static final int EXACT = 8;

    /** How long a message takes. */
    public static final Duration UNIT = Duration.ofMillis(1);

    private static final int DRAWN = 60;
    private static final int FEW = 5;
    private static final long MICROS = Micros.of(UNIT);
    private static final Duration HOLD = UNIT.multipliedBy(10);

    /** So much in all, over so many: a fraction, so that nothing is rounded. */
    public record Share(long all, long over) {
        /** Whether it is this number, but for what a computer makes of thirds. */
        public boolean is(double number) {
            return Math.abs(number * over - all) < 1e-6;
        }

        public double value() {
            return (double) all / over;
        }

        @Override
        public String toString() {
            return over == 1 || all % over == 0 ? Long.toString(all / over) : all + "/" + over;
        }
    }

    /** Each of these must be what theory says. A new measure does not compile before somebody says how to take it. */
    public List<Share> of(Cost.Measure measure) {
        return switch (measure) {
            case MESSAGES_PER_ENTRY -> List.of(messagesPerEntry(firstNodes(1)), messagesPerEntry(firstNodes(nodes)));
            case MESSAGES_PER_ENTRY_BEST -> one(messagesOfOne().min());
            case MESSAGES_PER_ENTRY_WORST -> one(messagesOfOne().max());
            case MESSAGES_PER_ENTRY_BUSY -> List.of(messagesUntilTheLastEntry());
            case CLIENT_DELAY -> longest(clientDelays());
            case HANDOVER_DELAY -> longest(handoverDelays());
            case MESSAGES_ONE_CANDIDATE_WORST -> one(oneCandidate().max());
            case MESSAGES_ALL_CANDIDATES_BEST -> one(allCandidates().min());
            case MESSAGES_ALL_CANDIDATES_MEAN -> List.of(mean());
            case MESSAGES_ALL_CANDIDATES_WORST, MESSAGES_ALL_CANDIDATES_BOUND ->
                one(allCandidates().max());
            case MESSAGES_SECOND_BEST_KNOWS -> List.of(withoutTheBest(nodes - 1, true));
            case MESSAGES_LOWEST_STARTS -> List.of(withoutTheBest(1, false));
            case HEARTBEATS_PER_PERIOD -> List.of(heartbeats());
            case MESSAGES_UNTIL_ALL_KNOW -> List.of(untilAllKnow());
            case MESSAGES_A_BEAT -> List.of(aBeat());
            case MESSAGES_ON_COMPLETE_GRAPH -> whoeverStarts(Topology.complete(nodes));
            case MESSAGES_ON_ORDERED_RING -> whoeverStarts(Topology.ring(nodes));
            case MESSAGES_ON_ORDERED_LINE -> whoeverStarts(line());
        };
    }

    private static List<Share> one(OptionalLong measured) {
        return List.of(new Share(measured.orElseThrow(), 1));
    }

    private Share messagesPerEntry(List<NodeId> callers) {
        var outcome = run(Topology.complete(nodes), Workload.once(callers).entering(4));
        return new Share(outcome.messages(), outcome.entries());
    }

    /** That one entry of each node takes, when nobody else wants in. */
    private LongStream messagesOfOne() {
        return firstNodes(nodes).stream()
                .mapToLong(node -> run(Topology.complete(nodes), Workload.once(List.of(node)))
                        .messages());
    }

    /** Of those that somebody received while others still wanted in. */
    private Share messagesUntilTheLastEntry() {
        var received = new ArrayList<TraceLine>();
        var entered = new ArrayList<TraceLine>();
        var workload = Workload.once(firstNodes(nodes)).entering(4);
        Simulation.of(algorithm.make(Setting.standard().among(nodes)), world(Topology.complete(nodes), workload), 1)
                .unjudged()
                .tracing(line -> {
                    if (line instanceof TraceLine.Stepped step && step.mail() != 0 && entered.size() < 4 * nodes) {
                        received.add(line);
                    }
                    if (line instanceof TraceLine.Seen seen && seen.happening() instanceof Happening.Entered) {
                        entered.add(line);
                    }
                })
                .run();
        return new Share(received.size(), entered.size());
    }

    private static List<Share> longest(LongStream micros) {
        return List.of(new Share(micros.max().orElseThrow(), MICROS));
    }

    /** Of each node, when nobody else wants in. */
    private LongStream clientDelays() {
        return firstNodes(nodes).stream()
                .map(node -> run(Topology.complete(nodes), Workload.once(List.of(node))))
                .mapToLong(outcome -> outcome.grants().getFirst().micros());
    }

    /** From each node's leaving to the next one's entering, when all wait; when one does, if all would be stuck. */
    private LongStream handoverDelays() {
        var all = run(Topology.complete(nodes), Workload.once(firstNodes(nodes)).holding(HOLD));
        return all.grants().size() == nodes
                ? handovers(all)
                : IntStream.rangeClosed(2, nodes).boxed().flatMapToLong(next -> handovers(handOver(next)));
    }

    /** The first node is inside when another asks. */
    private Outcome handOver(int next) {
        var calls = List.of(
                new Workload.Call(new NodeId(1), Duration.ZERO),
                new Workload.Call(new NodeId(next), HOLD.dividedBy(2)));
        return run(
                Topology.complete(nodes),
                Workload.once(firstNodes(1)).calling(calls).holding(HOLD));
    }

    private static LongStream handovers(Outcome outcome) {
        var grants = outcome.grants();
        return IntStream.range(1, grants.size())
                .mapToLong(i -> grants.get(i).micros() - grants.get(i - 1).micros() - Micros.of(HOLD));
    }

    /** With every ring there is, and every node of it as the only candidate. */
    private LongStream oneCandidate() {
        var orders = nodes <= EXACT ? orders() : orders().subList(0, Math.min(FEW, orders().size()));
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
        return nodes <= EXACT
                ? rings(nodes)
                : Stream.concat(Stream.of(firstNodes(nodes), firstNodes(nodes).reversed()), drawn())
                        .toList();
    }

    private Stream<List<NodeId>> drawn() {
        return LongStream.rangeClosed(1, DRAWN)
                .mapToObj(seed -> Topology.shuffledRing(nodes, seed).nodes());
    }

    /** Over all rings; of more nodes than {@link #EXACT} over some that were drawn. */
    public Share mean() {
        var messages = samples();
        return new Share(Arrays.stream(messages).sum(), messages.length);
    }

    /** The messages of an election in which all are candidates, on each of the rings that the mean is over. */
    public long[] samples() {
        return nodes <= EXACT
                ? allCandidates().toArray()
                : drawn().mapToLong(ring -> messages(ring, ring)).toArray();
    }

    public long messages(List<NodeId> ring, List<NodeId> candidates) {
        var topology = algorithm.shape() == Topology.Shape.RING ? Topology.ring(ring) : Topology.complete(nodes);
        return run(topology, Workload.once(candidates)).messages();
    }

    /** How many messages an election takes that this node starts, with the best node down from the beginning. */
    private Share withoutTheBest(int starter, boolean knows) {
        var best = new NodeId(nodes);
        var node = new NodeId(starter);
        var faults = new ArrayList<Fault.Planned>();
        faults.add(new Fault.Planned(Duration.ZERO, new Fault.Crash(best)));
        if (knows) {
            faults.add(new Fault.Planned(Duration.ZERO, new Fault.Mistake(node, best)));
        }
        var world = world(Topology.complete(nodes), Workload.once(List.of(node)))
                .watchedBy(new Detector.None())
                .struckBy(faults);
        var outcome = Simulation.of(algorithm.make(Setting.standard().among(nodes)), world, 1)
                .run();
        return new Share(outcome.messages(), 1);
    }

    /** From the start up to the next beat. */
    private Share heartbeats() {
        var period = (Duration) algorithm.options().stream()
                .filter(option -> option.name().equals("period"))
                .findFirst()
                .orElseThrow()
                .standard();
        var outcome = Simulation.of(algorithm.make(Setting.standard()), World.of(Topology.complete(nodes)), 1)
                .within(Limits.AMPLE.time(period.minus(UNIT)))
                .run();
        return new Share(outcome.heartbeats(), 1);
    }

    /** Of those that somebody received before the last node was told who leads. */
    private Share untilAllKnow() {
        var received = new ArrayList<TraceLine>();
        var told = new ArrayList<TraceLine>();
        trace(line -> {
            if (line instanceof TraceLine.Stepped step && step.mail() != 0 && told.size() < nodes) {
                received.add(line);
            }
            if (line instanceof TraceLine.Seen seen && seen.happening() instanceof Happening.Named) {
                told.add(line);
            }
        });
        return new Share(received.size(), 1);
    }

    /** Of those that somebody received between two beats. */
    private Share aBeat() {
        var beats = new ArrayList<TraceLine>();
        var received = new ArrayList<TraceLine>();
        var settled = new ArrayList<TraceLine>(); // what belongs to beats that are over
        trace(line -> {
            if (line instanceof TraceLine.Stepped step
                    && step.event().toString().contains("alarm=BEAT")) {
                beats.add(line);
                settled.addAll(received);
                received.clear();
            } else if (line instanceof TraceLine.Stepped step && step.mail() != 0 && !beats.isEmpty()) {
                received.add(line);
            }
        });
        return new Share(settled.size(), beats.size() - 1L);
    }

    /** A while of a run in which one node asks. */
    private void trace(Consumer<TraceLine> reader) {
        Simulation.of(
                        algorithm.make(Setting.standard()),
                        world(Topology.complete(nodes), Workload.once(firstNodes(1))),
                        1)
                .unjudged()
                .within(Limits.AMPLE.time(UNIT.multipliedBy(2_000)))
                .tracing(reader)
                .run();
    }

    /** With the lowest as the only candidate, with the highest, and with all. */
    private List<Share> whoeverStarts(Topology topology) {
        return Stream.of(firstNodes(1), List.of(new NodeId(nodes)), firstNodes(nodes))
                .map(candidates ->
                        new Share(run(topology, Workload.once(candidates)).messages(), 1))
                .toList();
    }

    private Topology line() {
        var edges = IntStream.range(1, nodes).mapToObj(i -> new Topology.Edge(new NodeId(i), new NodeId(i + 1)));
        return Topology.graph(firstNodes(nodes), edges.toList());
    }

    private Outcome run(Topology topology, Workload workload) {
        return Simulation.of(algorithm.make(Setting.standard().among(nodes)), world(topology, workload), 1)
                .unjudged()
                .run();
    }

    private static World world(Topology topology, Workload workload) {
        return World.of(topology).taking(new Latency.Fixed(UNIT)).wanting(workload);
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
