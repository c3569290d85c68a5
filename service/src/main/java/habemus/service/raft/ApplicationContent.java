package habemus.service.raft;

import habemus.protocol.ByteString;
import habemus.protocol.LogEntry;
import java.util.Optional;

/** What the log passes to its state machine, read from the entries and snapshots of its machine. */
public final class ApplicationContent {

    private ApplicationContent() {}

    /** The entry of the application. Empty for an entry of the log itself. */
    public static Optional<byte[]> of(LogEntry entry) {
        return entry.content() instanceof LogEntry.Command(var command)
                ? Optional.of(EntryPayload.decode(command))
                        .filter(payload -> payload.kind() == EntryPayload.Kind.ENTRY)
                        .map(EntryPayload::bytes)
                : Optional.empty();
    }

    /** The state of the application in a snapshot. */
    public static byte[] of(ByteString snapshot) {
        return SnapshotEnvelope.decode(snapshot).state();
    }
}
