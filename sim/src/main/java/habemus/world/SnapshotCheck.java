package habemus.world;

import habemus.protocol.ByteString;
import habemus.protocol.PersistentLog;

/** Compares a snapshot with the entries that it stands for. */
@FunctionalInterface
public interface SnapshotCheck {

    /** @param applied the longest sequence of entries that was applied */
    boolean isStateAt(PersistentLog applied, long index, ByteString snapshot);
}
