package habemus.service.raft;

import habemus.codec.Codec;
import habemus.codec.MalformedInputException;
import habemus.protocol.EntryId;
import habemus.protocol.NodeId;
import habemus.service.storage.AtomicFile;
import habemus.service.storage.CorruptFileException;
import habemus.service.storage.Disk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Who a data folder belongs to, and which data folders this node has met. It is written before another node learns of
 * it.
 *
 * @param clusterId random, the same for all members; empty until the cluster is formed, or this node has joined it
 * @param memberId a random number that was drawn with the data folder
 * @param starts how often a node was started with this folder
 * @param runs a random number of each of the last starts, the last one at the end
 * @param members the members that this node has been connected to, without itself
 */
record ClusterIdentity(
        String clusterId, NodeId node, long memberId, long starts, List<Long> runs, List<KnownMember> members) {

    /** Peers that have missed more starts than this cannot tell an old copy of a folder. */
    private static final int MAX_RUNS = 64;

    private static final String FILE = "identity";
    private static final Codec<ClusterIdentity> CODEC = Codec.of(ClusterIdentity.class);

    /**
     * What this node remembers of another data folder.
     *
     * @param starts the most that were seen
     * @param run a random number of the last of these starts: two starts of copies of a folder differ in it
     * @param since a configuration in which it was a member with this folder; entry zero if none is known
     */
    record KnownMember(NodeId node, long memberId, long starts, long run, EntryId since) {

        /** With a later configuration, if it is one. */
        KnownMember withSince(EntryId configuration) {
            return configuration.compareTo(since) > 0
                    ? new KnownMember(node, memberId, starts, run, configuration)
                    : this;
        }
    }

    /** @throws CorruptFileException if the file fails its checksum, or is missing */
    static Optional<ClusterIdentity> read(Disk disk) {
        var name = disk + "/" + FILE;
        var content = disk.read(FILE);
        if (content.isEmpty() && RaftStorage.hasFiles(disk)) {
            throw new CorruptFileException(name + " is missing, but log files exist");
        }
        try {
            return content.map(found -> CODEC.read(AtomicFile.content(name, found)));
        } catch (MalformedInputException malformed) {
            throw new CorruptFileException(name + " is of another version: " + malformed.getMessage());
        }
    }

    void write(Disk disk) {
        var content = ByteBuffer.wrap(CODEC.write(this));
        disk.replace(FILE, AtomicFile.header(content), content);
    }

    boolean isFormed() {
        return !clusterId.isEmpty();
    }

    /** A folder that no node was started with. */
    static ClusterIdentity unused(String clusterId, NodeId node, long memberId) {
        return new ClusterIdentity(clusterId, node, memberId, 0, List.of(), List.of());
    }

    /** @param run a random number */
    ClusterIdentity withStart(long run) {
        var all = new ArrayList<>(runs);
        all.add(run);
        var last = all.subList(Math.max(0, all.size() - MAX_RUNS), all.size());
        return new ClusterIdentity(clusterId, node, memberId, starts + 1, List.copyOf(last), members);
    }

    ClusterIdentity inCluster(String id) {
        return new ClusterIdentity(id, node, memberId, starts, runs, members);
    }

    Optional<KnownMember> find(NodeId member) {
        return members.stream().filter(known -> known.node().equals(member)).findFirst();
    }

    ClusterIdentity with(KnownMember member) {
        var next = new ArrayList<>(without(member.node()).members);
        next.add(member);
        return new ClusterIdentity(clusterId, node, memberId, starts, runs, List.copyOf(next));
    }

    ClusterIdentity without(NodeId member) {
        return new ClusterIdentity(
                clusterId,
                node,
                memberId,
                starts,
                runs,
                members.stream().filter(known -> !known.node().equals(member)).toList());
    }
}
