package habemus.archive;

import habemus.fenced.Entry;
import habemus.fenced.Snapshot;
import habemus.fenced.Table;
import habemus.wire.Codec;
import habemus.wire.Malformed;
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
public final class Archive {

    private static final byte VERSION = 1;
    private static final Codec<Entry> ENTRIES = Codec.of(Entry.class);
    private static final Codec<Snapshot> SNAPSHOTS = Codec.of(Snapshot.class);

    private Archive() {}

    public static byte[] write(Entry entry) {
        var value = ENTRIES.write(entry);
        return ByteBuffer.allocate(1 + value.length).put(VERSION).put(value).array();
    }

    /** @throws Malformed if it is none, or of another version */
    public static Entry entry(byte[] bytes) {
        return ENTRIES.read(valueIn(ByteBuffer.wrap(bytes), "entry"));
    }

    public static byte[] write(Table table) {
        var value = SNAPSHOTS.write(table.snapshot());
        var bytes = ByteBuffer.allocate(1 + value.length + Integer.BYTES)
                .put(VERSION)
                .put(value);
        return bytes.putInt(checksum(bytes.duplicate().flip())).array();
    }

    /** @throws Malformed if it is none, or of another version, or not what was written */
    public static Table table(byte[] bytes) {
        int end = bytes.length - Integer.BYTES;
        if (end < 1) {
            throw new Malformed("a snapshot that is cut off");
        }
        if (checksum(ByteBuffer.wrap(bytes, 0, end)) != ByteBuffer.wrap(bytes).getInt(end)) {
            throw new Malformed("a snapshot that is damaged: its checksum does not fit");
        }
        return SNAPSHOTS
                .read(valueIn(ByteBuffer.wrap(bytes, 0, end), "snapshot"))
                .table();
    }

    private static ByteBuffer valueIn(ByteBuffer bytes, String what) {
        if (!bytes.hasRemaining()) {
            throw new Malformed("an empty " + what);
        }
        int version = bytes.get();
        if (version != VERSION) {
            throw new Malformed(what + " of version " + version + ", but this program reads " + VERSION);
        }
        return bytes;
    }

    private static int checksum(ByteBuffer bytes) {
        var crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
