package habemus.lockservice.storage;

import habemus.codec.Codec;
import habemus.codec.MalformedInputException;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.table.LockTable;
import habemus.lockservice.table.TableSnapshot;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The bytes of log entries and table snapshots on disk. They begin with a format version. A change of a stored type
 * needs a new version. From the first release on, the decoder must keep reading the versions before.
 *
 * <pre>
 *   entry      version, value
 *   snapshot   version, value, CRC32C of both (four bytes, big-endian)
 * </pre>
 */
public final class StorageFormat {

    private static final byte VERSION = 3;
    private static final Codec<CommandBatch> ENTRIES = Codec.of(CommandBatch.class);
    private static final Codec<TableSnapshot> SNAPSHOTS = Codec.of(TableSnapshot.class);

    private StorageFormat() {}

    public static byte[] encode(CommandBatch batch) {
        var bytes = ENTRIES.write(batch, 1, 0);
        bytes[0] = VERSION;
        return bytes;
    }

    /** @throws MalformedInputException if the bytes are no entry, or of another version */
    public static CommandBatch decodeBatch(byte[] bytes) {
        return ENTRIES.read(checkVersion(ByteBuffer.wrap(bytes), "entry"));
    }

    public static byte[] encode(LockTable table) {
        var bytes = SNAPSHOTS.write(table.snapshot(), 1, Integer.BYTES);
        int end = bytes.length - Integer.BYTES;
        bytes[0] = VERSION;
        ByteBuffer.wrap(bytes).putInt(end, checksum(ByteBuffer.wrap(bytes, 0, end)));
        return bytes;
    }

    /** @throws MalformedInputException if the bytes are no snapshot, of another version, or fail their checksum */
    public static LockTable decodeTable(byte[] bytes) {
        int end = bytes.length - Integer.BYTES;
        if (end < 1) {
            throw new MalformedInputException("snapshot is truncated: " + bytes.length + " bytes");
        }
        if (checksum(ByteBuffer.wrap(bytes, 0, end)) != ByteBuffer.wrap(bytes).getInt(end)) {
            throw new MalformedInputException("snapshot is damaged: checksum mismatch");
        }
        return SNAPSHOTS
                .read(checkVersion(ByteBuffer.wrap(bytes, 0, end), "snapshot"))
                .toTable();
    }

    private static ByteBuffer checkVersion(ByteBuffer bytes, String kind) {
        if (!bytes.hasRemaining()) {
            throw new MalformedInputException(kind + " is empty");
        }
        int version = bytes.get();
        if (version != VERSION) {
            throw new MalformedInputException(
                    kind + " has unsupported format version " + version + " (supported: " + VERSION + ")");
        }
        return bytes;
    }

    private static int checksum(ByteBuffer bytes) {
        var crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
