package habemus.log.postgresql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The entries of a batch as one array of bytes: the length of each, then its bytes. */
final class EntryBatchFormat {

    private EntryBatchFormat() {}

    static byte[] encode(List<byte[]> entries) {
        int size =
                entries.stream().mapToInt(entry -> Integer.BYTES + entry.length).sum();
        var bytes = ByteBuffer.allocate(size);
        entries.forEach(entry -> bytes.putInt(entry.length).put(entry));
        return bytes.array();
    }

    static List<byte[]> decode(byte[] content) {
        var bytes = ByteBuffer.wrap(content);
        var entries = new ArrayList<byte[]>();
        while (bytes.hasRemaining()) {
            var entry = new byte[bytes.getInt()];
            bytes.get(entry);
            entries.add(entry);
        }
        return entries;
    }
}
