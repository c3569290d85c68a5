package habemus.lockservice.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.codec.Codec;
import habemus.codec.MalformedInputException;
import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import habemus.lockservice.table.LockTable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The golden files are never edited, only added to, because nodes in use have such bytes on disk. After the bytes of a
 * value they show its text as it was when the file was written; only the bytes are compared.
 */
class StorageFormatTest {

    private static final Codec<ClientFrame.ToService> TO_SERVICE = Codec.of(ClientFrame.ToService.class);
    private static final Codec<ClientFrame.ToClient> TO_CLIENT = Codec.of(ClientFrame.ToClient.class);

    /** {@return the hexadecimal bytes of every line} */
    private static List<String> golden(String file) throws IOException {
        try (var in = StorageFormatTest.class.getResourceAsStream("/archive/" + file)) {
            return new String(requireNonNull(in).readAllBytes(), UTF_8)
                    .lines()
                    .map(line -> line.split(" ", 2)[0])
                    .toList();
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static <T> List<String> encode(List<T> values, Function<T, byte[]> encoder) {
        return values.stream().map(value -> hex(encoder.apply(value))).toList();
    }

    private static <T> List<T> decode(List<String> lines, Function<byte[], T> decoder) {
        return lines.stream()
                .map(bytes -> decoder.apply(HexFormat.of().parseHex(bytes)))
                .toList();
    }

    @Test
    void the_bytes_of_log_entries_never_change() throws IOException {
        var golden = golden("entries-3.txt");
        assertThat(encode(FormatSamples.entries(), StorageFormat::encode)).isEqualTo(golden);
        assertThat(decode(golden, StorageFormat::decodeBatch)).isEqualTo(FormatSamples.entries());
    }

    @Test
    void the_bytes_of_client_frames_never_change() throws IOException {
        var toService = golden("to-service-3.txt");
        assertThat(encode(FormatSamples.toService(), TO_SERVICE::write)).isEqualTo(toService);
        assertThat(decode(toService, TO_SERVICE::read)).isEqualTo(FormatSamples.toService());
        var toClient = golden("to-client-3.txt");
        assertThat(encode(FormatSamples.toClient(), TO_CLIENT::write)).isEqualTo(toClient);
        assertThat(decode(toClient, TO_CLIENT::read)).isEqualTo(FormatSamples.toClient());
    }

    @Test
    void the_bytes_of_snapshots_never_change() throws IOException {
        var golden = golden("snapshot-3.txt").getFirst();
        assertThat(hex(StorageFormat.encode(FormatSamples.table()))).isEqualTo(golden);
        assertThat(StorageFormat.decodeTable(HexFormat.of().parseHex(golden))).isEqualTo(FormatSamples.table());
    }

    @Test
    void every_record_type_has_a_sample() {
        var seen = new TreeSet<String>();
        Stream.of(FormatSamples.entries(), FormatSamples.toService(), FormatSamples.toClient())
                .forEach(all -> collect(all, seen));
        for (var kind : List.of(
                Command.class,
                Command.AdminAction.class,
                Operation.class,
                OperationResult.class,
                ClientFrame.class,
                Message.ClientRequest.class,
                Message.ServerReply.class)) {
            for (var permitted : kind.getPermittedSubclasses()) {
                if (!permitted.isSealed()) {
                    assertThat(seen).contains(permitted.getName());
                }
            }
        }
    }

    private static void collect(Object value, Set<String> seen) {
        if (value instanceof List<?> list) {
            list.forEach(element -> collect(element, seen));
        } else if (value instanceof Record) {
            seen.add(value.getClass().getName());
            for (var part : value.getClass().getRecordComponents()) {
                try {
                    collect(part.getAccessor().invoke(value), seen);
                } catch (ReflectiveOperationException inaccessible) {
                    throw new LinkageError("cannot access the components of " + value, inaccessible);
                }
            }
        }
    }

    @Test
    void a_restored_table_applies_commands_like_the_original() {
        var restored = StorageFormat.decodeTable(StorageFormat.encode(FormatSamples.table()));
        var next = CommandBatch.of(
                5, new Command.Submit(3, 5, 0, new Operation.Release(4)), new Command.ExpireSession(1, 99));
        assertThat(restored.apply(next)).isEqualTo(FormatSamples.table().apply(next));
        assertThat(StorageFormat.encode(restored)).isEqualTo(StorageFormat.encode(FormatSamples.table()));
    }

    @Test
    void a_damaged_snapshot_is_rejected() {
        var bytes = StorageFormat.encode(FormatSamples.table());
        for (int i = 0; i < bytes.length; i++) {
            var damaged = bytes.clone();
            damaged[i] ^= 0x10;
            assertThatThrownBy(() -> StorageFormat.decodeTable(damaged))
                    .isInstanceOf(MalformedInputException.class)
                    .hasMessage("snapshot is damaged: checksum mismatch");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 5, 100})
    void a_truncated_snapshot_is_rejected(int length) {
        var bytes = Arrays.copyOf(StorageFormat.encode(FormatSamples.table()), length);
        assertThatThrownBy(() -> StorageFormat.decodeTable(bytes)).isInstanceOf(MalformedInputException.class);
    }

    @Test
    void another_format_version_is_rejected() {
        assertThatThrownBy(() -> StorageFormat.decodeBatch(new byte[] {2, 0}))
                .isInstanceOf(MalformedInputException.class)
                .hasMessage("entry has unsupported format version 2 (supported: 3)");
        assertThatThrownBy(() -> StorageFormat.decodeBatch(new byte[0])).isInstanceOf(MalformedInputException.class);
    }

    @Test
    void a_table_with_ten_thousand_sessions_is_restored() {
        var commands = new ArrayList<Command>();
        for (long i = 1; i <= 10_000; i++) {
            commands.add(new Command.OpenSession(i, new ClientInfo("client " + i, "host", i), Duration.ofSeconds(10)));
        }
        for (long i = 1; i <= 10_000; i++) {
            commands.add(
                    new Command.Submit(i, 1, 0, Operation.Acquire.of(ResourceShare.exclusive("lock " + i % 5_000))));
        }
        var lockTable = LockTable.EMPTY
                .apply(new CommandBatch(1, List.copyOf(commands)))
                .table();
        assertThat(StorageFormat.decodeTable(StorageFormat.encode(lockTable))).isEqualTo(lockTable);
    }
}
