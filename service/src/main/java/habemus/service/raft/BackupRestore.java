package habemus.service.raft;

import habemus.service.storage.AtomicFile;
import habemus.service.transport.Member;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jgroups.protocols.raft.PersistentState;

/**
 * Creates the data files of a new cluster from a backup. Every node starts with the same snapshot, as if it were entry
 * 1 of term 1. Nodes of the old cluster have another log and cannot join.
 */
public final class BackupRestore {

    private static final long INDEX = 1;
    private static final long TERM = 1;

    private BackupRestore() {}

    /**
     * @param snapshot the argument of {@link ReplicatedLog.StateMachine#restore}
     * @throws IllegalStateException if the folder is not empty
     */
    public static void write(Path folder, byte[] snapshot, List<Member> members) {
        try {
            Files.createDirectories(folder);
            try (var there = Files.list(folder)) {
                if (there.findAny().isPresent()) {
                    throw new IllegalStateException("folder is not empty: " + folder);
                }
            }
            AtomicFile.replace(
                    folder.resolve("term"),
                    ByteBuffer.allocate(Long.BYTES).putLong(TERM).array());
            AtomicFile.replace(folder.resolve("snapshot"), content(snapshot, members));
            WalFile.replace(folder.resolve("entries"), INDEX, TERM, List.of()).close();
        } catch (IOException refused) {
            throw new UncheckedIOException("cannot write to " + folder, refused);
        }
    }

    private static byte[] content(byte[] snapshot, List<Member> members) throws IOException {
        var state = new PersistentState();
        state.setMembers(
                members.stream().map(member -> EntryPayload.name(member.node())).toList());
        var roster = EntryPayload.bytes(members);
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeLong(INDEX);
            out.writeLong(TERM);
            state.writeTo(out);
            out.writeInt(roster.length);
            out.write(roster);
            out.writeInt(snapshot.length);
            out.write(snapshot);
        }
        return bytes.toByteArray();
    }
}
