package habemus.service.recording;

import habemus.lockservice.storage.StorageFormat;
import habemus.lockservice.table.LockTable;
import habemus.protocol.EntryId;
import habemus.protocol.NodeId;
import habemus.raft.RaftState;
import habemus.service.raft.ApplicationContent;
import habemus.service.storage.CorruptFileException;
import habemus.service.trace.NodeTrace;
import habemus.service.trace.TraceFileReader;
import habemus.service.trace.TraceHeader;
import habemus.world.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The recordings of the nodes of one cluster.
 *
 * @param files of each node, in the order of its starts
 */
public record ClusterRecording(String cluster, SortedMap<NodeId, List<Path>> files) {

    private record OpenedFile(Path file, TraceHeader header) {}

    /**
     * Finds the recordings of lock service nodes in folders: one for each cluster name.
     *
     * @throws CorruptFileException if the header of a trace is damaged
     */
    public static List<ClusterRecording> in(List<Path> folders) {
        Map<String, List<OpenedFile>> byCluster = new TreeMap<>();
        for (Path folder : folders) {
            for (Path file : TraceFileReader.list(folder)) {
                NodeTrace.readHeader(file)
                        .filter(header -> header.problem() == Problem.LOG)
                        .ifPresent(header -> byCluster
                                .computeIfAbsent(header.group(), name -> new ArrayList<>())
                                .add(new OpenedFile(file, header)));
            }
        }
        return byCluster.entrySet().stream()
                .map(cluster -> of(cluster.getKey(), cluster.getValue()))
                .toList();
    }

    private static ClusterRecording of(String cluster, List<OpenedFile> opened) {
        var files = new TreeMap<NodeId, List<Path>>();
        opened.stream()
                .sorted(Comparator.comparingLong(file -> file.header.incarnation()))
                .forEach(file -> files.computeIfAbsent(file.header.node(), node -> new ArrayList<>())
                        .add(file.file));
        return new ClusterRecording(cluster, files);
    }

    long bytes() {
        return files.values().stream()
                .flatMap(List::stream)
                .mapToLong(ClusterRecording::size)
                .sum();
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + file, unreadable);
        }
    }

    /** The newest snapshot with which a node started for the first time: entries before it may be unknown. */
    KnownState firstKnownState() {
        var newest = new KnownState(new EntryId(0, 0), LockTable.EMPTY);
        for (List<Path> starts : files.values()) {
            var disk = firstDisk(starts.getFirst());
            if (disk.isPresent() && disk.get().log().baseIndex() > newest.base.index()) {
                newest = new KnownState(
                        disk.get().log().base(),
                        StorageFormat.decodeTable(
                                ApplicationContent.of(disk.get().snapshot())));
            }
        }
        return newest;
    }

    /** @param table after the entry {@code base} */
    record KnownState(EntryId base, LockTable table) {}

    private static Optional<RaftState.DurableState> firstDisk(Path file) {
        try (var reader = new TraceFileReader(file)) {
            for (var block = reader.next(); block.isPresent(); block = reader.next()) {
                if (ServiceStep.CODEC.read(block.get()) instanceof ServiceStep.LogStarted<?> started) {
                    return Optional.of(started.durable());
                }
            }
            return Optional.empty();
        }
    }
}
