package habemus.service.trace;

import habemus.catalogue.AlgorithmSpec;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.service.storage.CorruptFileException;
import habemus.simulate.RunResult;
import habemus.simulate.TraceStatistics;
import habemus.world.Fault;
import habemus.world.MonitorSet;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.TraceEvent;
import habemus.world.World;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A run of real nodes, reconstructed from their traces.
 *
 * @param traceCount number of trace files: one for each incarnation of a node
 * @param differences between the recorded steps and the pure protocol; none if the nodes conform to it
 * @param notes on what the traces do not show
 * @param nodes of the start, and those that have joined, by number
 * @param runResult counts and verdicts, as for a simulated run
 */
public record RecordedRun(
        TraceHeader header,
        AlgorithmSpec algorithmSpec,
        int traceCount,
        List<TraceEvent> events,
        List<String> differences,
        List<String> notes,
        List<NodeId> nodes,
        RunResult runResult) {

    /**
     * Reads the traces in folders: one run for each group.
     *
     * @param settled whether the run had time to settle before its end, so that liveness is checked
     * @throws CorruptFileException if a trace is damaged
     */
    public static List<RecordedRun> read(List<Path> folders, boolean settled) {
        return read(folders, settled, run -> run);
    }

    /**
     * Reads one run after the other, for runs that do not fit into memory together.
     *
     * @param mapper what to keep of each run
     */
    public static <T> List<T> read(List<Path> folders, boolean settled, Function<RecordedRun, T> mapper) {
        var byGroup = new LinkedHashMap<String, List<OpenedTrace>>();
        for (Path folder : folders) {
            for (Path file : TraceFileReader.list(folder)) {
                NodeTrace.readHeader(file)
                        .filter(header -> header.problem() != Problem.LOG) // a node of the lock service
                        .ifPresent(header -> byGroup.computeIfAbsent(
                                        header.problem() + " " + header.group(), key -> new ArrayList<>())
                                .add(new OpenedTrace(file, header)));
            }
        }
        return byGroup.values().stream()
                .map(traces -> mapper.apply(of(traces, settled)))
                .toList();
    }

    /** A trace file of which only the header was read. */
    private record OpenedTrace(Path file, TraceHeader header) {}

    private static RecordedRun of(List<OpenedTrace> traces, boolean settled) {
        var first = traces.getFirst();
        var header = first.header;
        for (OpenedTrace other : traces) {
            if (!other.header.algorithm().equals(header.algorithm())
                    || other.header.nodeCount() != header.nodeCount()) {
                throw new CorruptFileException(other.file + " is the trace of another cluster than " + first.file);
            }
        }
        var algorithmSpec = AlgorithmSpec.parse(header.algorithm(), header.problem());
        var files = traces.stream().map(OpenedTrace::file).toList();
        return of(files, header, algorithmSpec, algorithmSpec.protocol(header.nodeCount()), settled);
    }

    private static <S, M> RecordedRun of(
            List<Path> files,
            TraceHeader header,
            AlgorithmSpec algorithmSpec,
            Protocol<S, M> protocol,
            boolean settled) {
        var first = NodeSet.of(algorithmSpec.topology(header.nodeCount()).nodes());
        var nodeTraces =
                files.stream().map(file -> NodeTrace.read(file, protocol)).toList();
        var joiners = nodes(nodeTraces).without(first);
        var world = World.of(algorithmSpec.topology(header.nodeCount())).withJoiners(joiners, Duration.ZERO);
        var differences = nodeTraces.stream()
                .flatMap(trace -> firstDifference(algorithmSpec, protocol, trace).stream())
                .toList();
        var merger = new TraceMerger<>(nodeTraces, first.with(joiners));
        var events = merger.merge();
        var notes = new ArrayList<>(merger.notes());
        nodeTraces.stream()
                .filter(NodeTrace::isTruncated)
                .map(trace ->
                        trace.header().node() + "#" + trace.header().incarnation() + " ends with an incomplete step")
                .forEach(notes::add);
        var end = settled ? RunResult.End.SETTLED : RunResult.End.LIMIT;
        var bug = nodeTraces.stream()
                .flatMap(trace -> trace.failureReason().stream())
                .findFirst()
                .orElse(null);
        return new RecordedRun(
                header,
                algorithmSpec,
                files.size(),
                List.copyOf(events),
                differences,
                notes,
                world.topology().nodes(),
                statistics(header, algorithmSpec, world).evaluate(events, bug == null ? end : RunResult.End.BUG, bug));
    }

    private static <S, M> NodeSet nodes(List<NodeTrace<S, M>> nodeTraces) {
        return NodeSet.of(nodeTraces.stream()
                .map(trace -> trace.header().node())
                .distinct()
                .toList());
    }

    /** At first, a node that joins has no neighbours. */
    private static <S, M> Optional<String> firstDifference(
            AlgorithmSpec algorithmSpec, Protocol<S, M> protocol, NodeTrace<S, M> trace) {
        var node = trace.header().node();
        int nodes = trace.header().nodeCount();
        var neighbourhood = node.number() <= nodes
                ? algorithmSpec.topology(nodes).neighbourhood(node)
                : new Neighbourhood(node, List.of());
        return new ConformanceReplay<>(protocol, neighbourhood).firstDifference(trace);
    }

    private static TraceStatistics statistics(TraceHeader header, AlgorithmSpec algorithmSpec, World world) {
        var monitorSet = new MonitorSet(
                header.problem(),
                world.withRanking(algorithmSpec.parameters().ranking()),
                algorithmSpec.algorithm().bypassBound(world.topology().size()));
        return new TraceStatistics(header.problem(), monitorSet);
    }

    /** The properties that the algorithm guarantees with the recorded crashes and restarts, if messages are in time. */
    public Set<Property> guaranteed() {
        var faults = events.stream()
                .filter(TraceEvent.FaultInjected.class::isInstance)
                .map(event -> new Fault.PlannedFault(Duration.ZERO, ((TraceEvent.FaultInjected) event).fault()))
                .toList();
        var topology = algorithmSpec.topology(header.nodeCount());
        var world = World.of(topology.completedWith(NodeSet.of(nodes).without(NodeSet.of(topology.nodes()))))
                .withFaults(faults);
        return algorithmSpec.algorithm().guaranteed(algorithmSpec.parameters(), world);
    }

    /** Whether all steps conform to the protocol and no guarantee is violated. */
    public boolean isCorrect() {
        return differences.isEmpty() && !runResult.violates(guaranteed());
    }
}
