package habemus.log.etcd;

import static java.nio.charset.StandardCharsets.US_ASCII;

import habemus.protocol.NodeId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/** The values of the log's keys. All but the batches are lines that an operator can read with etcdctl. */
final class LogRecords {

    /** Raised when the keys or values change their meaning. */
    static final int FORMAT = 1;

    private LogRecords() {}

    private static byte[] line(Object... words) {
        var line = new StringJoiner(" ");
        for (var word : words) {
            line.add(word.toString());
        }
        return line.toString().getBytes(US_ASCII);
    }

    private static String[] words(byte[] value, int count) {
        var words = new String(value, US_ASCII).split(" ", -1);
        if (words.length < count) {
            throw new IllegalStateException("damaged value in etcd: '" + new String(value, US_ASCII) + "' (" + count
                    + " words)\nhint: restore etcd from a backup, or use another prefix= of --log");
        }
        return words;
    }

    /** @param storeId the etcd cluster in which the log began */
    record Identity(int format, String clusterId, long storeId) {

        byte[] encode() {
            return line(format, clusterId, Long.toHexString(storeId));
        }

        static Identity decode(byte[] value) {
            var words = words(value, 1);
            int format = Integer.parseInt(words[0]);
            return format == FORMAT
                    ? new Identity(format, words(value, 3)[1], Long.parseUnsignedLong(words[2], 16))
                    : new Identity(format, "", 0);
        }
    }

    /**
     * @param number grows by one with each
     * @param leader the name of the node and its incarnation; empty after a leader has resigned
     */
    record Epoch(long number, Optional<String> leader) {

        byte[] encode() {
            return line(number, leader.orElse("-"));
        }

        static Epoch decode(byte[] value) {
            var words = words(value, 2);
            return new Epoch(Long.parseLong(words[0]), Optional.of(words[1]).filter(name -> !name.equals("-")));
        }

        Epoch next(Optional<String> newLeader) {
            return new Epoch(number + 1, newLeader);
        }

        Optional<NodeId> leadingNode() {
            return leader.map(LogKeys::nodeOf);
        }
    }

    /** @param batches that the incarnation has written */
    record Writer(String name, long batches) {

        byte[] encode() {
            return line(name, batches);
        }

        static Writer decode(byte[] value) {
            var words = words(value, 2);
            return new Writer(words[0], Long.parseLong(words[1]));
        }
    }

    /**
     * @param revision of the last entry in it
     * @param folder where its chunks are
     */
    record Snapshot(long revision, int chunks, String folder) {

        byte[] encode() {
            return line(revision, chunks, folder);
        }

        static Snapshot decode(byte[] value) {
            var words = words(value, 3);
            return new Snapshot(Long.parseLong(words[0]), Integer.parseInt(words[1]), words[2]);
        }
    }

    static byte[] encodeBatch(List<byte[]> entries) {
        int size =
                entries.stream().mapToInt(entry -> Integer.BYTES + entry.length).sum();
        var bytes = ByteBuffer.allocate(size);
        for (var entry : entries) {
            bytes.putInt(entry.length).put(entry);
        }
        return bytes.array();
    }

    static List<byte[]> decodeBatch(String key, byte[] value) {
        var entries = new ArrayList<byte[]>();
        var bytes = ByteBuffer.wrap(value);
        try {
            while (bytes.hasRemaining()) {
                int size = bytes.getInt();
                if (size < 0 || size > bytes.remaining()) {
                    throw new BufferUnderflowException();
                }
                var entry = new byte[size];
                bytes.get(entry);
                entries.add(entry);
            }
        } catch (BufferUnderflowException damaged) {
            throw new IllegalStateException(
                    "damaged entry in etcd: " + key + "\nhint: restore etcd from a backup", damaged);
        }
        return entries;
    }
}
