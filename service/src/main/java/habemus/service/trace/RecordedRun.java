package habemus.service.trace;

import habemus.catalogue.AlgorithmSpec;
import habemus.protocol.NodeId;
import habemus.protocol.Protocol;
import habemus.service.storage.CorruptFileException;
import habemus.simulate.RunResult;
import habemus.simulate.TraceStatistics;
import habemus.world.MonitorSet;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;

/**
 * A run of real nodes, made of their traces.
 *
 * @param differences between what was recorded and what the pure machine does: there should be none
 * @param notes what could not be made out
 * @param runResult counts and verdicts, as of a simulated run
 */
public record RecordedRun(
        TraceHeader header,
        AlgorithmSpec algorithmSpec,
        int traceCount,
        List<TraceEvent> events,
        List<String> differences,
        List<String> notes,
        RunResult runResult) {

    private static final String TRACE_SUFFIX = ".trace";

    /**
     * All runs of which there are traces in a folder, one for each group.
     *
     * @param settled whether the run was given time to settle before it ended, so that its end is judged
     * @throws CorruptFileException if a file is not what was written
     */
    public static List<RecordedRun> read(Path folder, boolean settled) {
        return read(folder, settled, recordedRun -> recordedRun);
    }

    /**
     * The same one after the other, where not all of them have room in memory together.
     *
     * @param use what is kept of each
     */
    public static <T> List<T> read(Path folder, boolean settled, Function<RecordedRun, T> use) {
        var byGroup = new LinkedHashMap<String, List<OpenedTrace>>();
        try (var files = Files.list(folder)) {
            files.filter(file -> file.toString().endsWith(TRACE_SUFFIX))
                    .sorted()
                    .forEach(file -> NodeTrace.readHeader(file)
                            .ifPresent(head -> byGroup.computeIfAbsent(
                                            head.problem() + " " + head.group(), key -> new ArrayList<>())
                                    .add(new OpenedTrace(file, head))));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return byGroup.values().stream()
                .map(traces -> use.apply(of(traces, settled)))
                .toList();
    }

    /** A trace of which only the head was read. */
    private record OpenedTrace(Path file, TraceHeader header) {}

    private static RecordedRun of(List<OpenedTrace> openedTrace, boolean settled) {
        var first = openedTrace.getFirst();
        var head = first.header;
        for (OpenedTrace other : openedTrace) {
            if (!other.header.algorithm().equals(head.algorithm()) || other.header.nodeCount() != head.nodeCount()) {
                throw new CorruptFileException(other.file + " is of another cluster than " + first.file);
            }
        }
        var algorithmSpec = AlgorithmSpec.parse(head.algorithm(), head.problem());
        var files = openedTrace.stream().map(OpenedTrace::file).toList();
        return of(files, head, algorithmSpec, algorithmSpec.protocol(head.nodeCount()), settled);
    }

    private static <S, M> RecordedRun of(
            List<Path> files, TraceHeader head, AlgorithmSpec algorithmSpec, Protocol<S, M> protocol, boolean settled) {
        var topology = algorithmSpec.topology(head.nodeCount());
        var nodeTraces =
                files.stream().map(file -> NodeTrace.read(file, protocol)).toList();
        var differences = new ArrayList<String>();
        for (var nodeTrace : nodeTraces) {
            new ConformanceReplay<>(
                            protocol, topology.neighbourhood(nodeTrace.header().node()))
                    .firstDifference(nodeTrace)
                    .ifPresent(differences::add);
        }
        var traceMerger = new TraceMerger<>(nodeTraces, head.nodeCount());
        var lines = traceMerger.merge();
        var notes = new ArrayList<>(traceMerger.notes());
        nodeTraces.stream()
                .filter(NodeTrace::isTruncated)
                .map(nodeTrace ->
                        nodeTrace.header().node() + "#" + nodeTrace.header().incarnation() + " ends amid a line")
                .forEach(notes::add);
        var end = settled ? RunResult.End.SETTLED : RunResult.End.LIMIT;
        var bug = nodeTraces.stream()
                .flatMap(nodeTrace -> nodeTrace.failureReason().stream())
                .findFirst()
                .orElse(null);
        return new RecordedRun(
                head,
                algorithmSpec,
                files.size(),
                List.copyOf(lines),
                differences,
                notes,
                statistics(head, algorithmSpec, topology).evaluate(lines, bug == null ? end : RunResult.End.BUG, bug));
    }

    private static TraceStatistics statistics(TraceHeader head, AlgorithmSpec algorithmSpec, Topology topology) {
        var monitorSet = new MonitorSet(
                head.problem(), World.of(topology), algorithmSpec.algorithm().bypassBound(head.nodeCount()));
        return new TraceStatistics(head.problem(), monitorSet);
    }

    public List<NodeId> nodes() {
        return algorithmSpec.topology(header.nodeCount()).nodes();
    }

    /** Whether it is as the pure machine does it, and violates nothing. */
    public boolean isCorrect() {
        return differences.isEmpty() && !runResult.hasFailed();
    }
}
