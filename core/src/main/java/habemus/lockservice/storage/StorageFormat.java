package habemus.lockservice.storage;

import habemus.codec.Codec;
import habemus.codec.MalformedInputException;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.table.LockTable;
import habemus.lockservice.table.TableSnapshot;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The bytes of entries and tables. They begin with a version, and outlive the program that wrote them: whoever changes
 * a type in them makes another version, and goes on reading the one before.
 *
 * <pre>
 *   entry      version, value
 *   snapshot   version, value, CRC32C of both (four bytes, highest first)
 * </pre>
 */
public final class StorageFormat {

    private static final byte VERSION = 1;
    private static final Codec<CommandBatch> ENTRIES = Codec.of(CommandBatch.class);
    private static final Codec<TableSnapshot> SNAPSHOTS = Codec.of(TableSnapshot.class);

    private StorageFormat() {}

    public static byte[] encode(CommandBatch commandBatch) {
        var value = ENTRIES.write(commandBatch);
        return ByteBuffer.allocate(1 + value.length).put(VERSION).put(value).array();
    }

    /** @throws MalformedInputException if it is none, or of another version */
    public static CommandBatch decodeBatch(byte[] bytes) {
        return ENTRIES.read(valueIn(ByteBuffer.wrap(bytes), "entry"));
    }

    public static byte[] encode(LockTable lockTable) {
        var value = SNAPSHOTS.write(lockTable.snapshot());
        var bytes = ByteBuffer.allocate(1 + value.length + Integer.BYTES)
                .put(VERSION)
                .put(value);
        return bytes.putInt(checksum(bytes.duplicate().flip())).array();
    }

    /** @throws MalformedInputException if it is none, or of another version, or not what was written */
    public static LockTable decodeTable(byte[] bytes) {
        int end = bytes.length - Integer.BYTES;
        if (end < 1) {
            throw new MalformedInputException("a snapshot that is cut off");
        }
        if (checksum(ByteBuffer.wrap(bytes, 0, end)) != ByteBuffer.wrap(bytes).getInt(end)) {
            throw new MalformedInputException("a snapshot that is damaged: its checksum does not fit");
        }
        return SNAPSHOTS
                .read(valueIn(ByteBuffer.wrap(bytes, 0, end), "snapshot"))
                .toTable();
    }

    private static ByteBuffer valueIn(ByteBuffer bytes, String what) {
        if (!bytes.hasRemaining()) {
            throw new MalformedInputException("an empty " + what);
        }
        int version = bytes.get();
        if (version != VERSION) {
            throw new MalformedInputException(what + " of version " + version + ", but this program reads " + VERSION);
        }
        return bytes;
    }

    private static int checksum(ByteBuffer bytes) {
        var crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
