package habemus.service.raft;

import habemus.protocol.ByteString;
import habemus.protocol.Configuration;
import habemus.protocol.EntryId;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.PersistentLog;
import habemus.raft.RaftState;
import habemus.service.log.ReplicatedLog;
import habemus.service.storage.FileDisk;
import habemus.service.transport.Member;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Creates the data folder of the first node of a new cluster from a backup. The other nodes join it with empty folders.
 * The cluster has an identity of its own, so that no node of the former cluster can join.
 */
public final class BackupRestore {

    private BackupRestore() {}

    /**
     * @param snapshot the argument of {@link ReplicatedLog.StateMachine#restore}
     * @return the identity of the new cluster
     * @throws IllegalStateException if the folder is not empty
     */
    public static String write(Path folder, byte[] snapshot, List<Member> members, NodeId first) {
        try (var disk = new FileDisk(folder)) {
            if (!disk.list().isEmpty()) {
                throw new IllegalStateException("folder is not empty: " + folder);
            }
            var random = new SecureRandom();
            var clusterId = newClusterId(random);
            new RaftStorage(disk).create(firstState(snapshot, AddressBook.of(members)));
            ClusterIdentity.unused(clusterId, first, random.nextLong()).write(disk);
            return clusterId;
        }
    }

    static String newClusterId(RandomGenerator random) {
        var id = new byte[8];
        random.nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    /** The state of the application is the first snapshot, as if it were entry 1 of term 1. */
    static RaftState.DurableState firstState(byte[] snapshot, AddressBook members) {
        var base = new EntryId(1, 1);
        var voters = NodeSet.of(
                members.members().stream().map(AddressBook.Address::node).toList());
        return new RaftState.DurableState(
                base.term(),
                NodeSet.NONE,
                PersistentLog.startingAfter(base, new Configuration(voters, NodeSet.NONE)),
                base.index(),
                SnapshotEnvelope.encode(members, snapshot));
    }

    /** A node without entries: the leader sends it everything, the members included. */
    static RaftState.DurableState emptyState() {
        var log = PersistentLog.startingAfter(new EntryId(0, 0), new Configuration(NodeSet.NONE, NodeSet.NONE));
        return new RaftState.DurableState(0, NodeSet.NONE, log, 0, ByteString.EMPTY);
    }
}
