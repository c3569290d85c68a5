package habemus.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.fenced.Answer;
import habemus.fenced.Command;
import habemus.fenced.Entry;
import habemus.fenced.Parcel;
import habemus.fenced.Person;
import habemus.fenced.Table;
import habemus.fenced.Talk;
import habemus.fenced.Want;
import habemus.fenced.Wish;
import habemus.wire.Codec;
import habemus.wire.Malformed;
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

/** The files beside this test are never edited, only added to: somewhere there is a disk with such bytes. */
class ArchiveTest {

    private static final Codec<Parcel.ToService> TO_SERVICE = Codec.of(Parcel.ToService.class);
    private static final Codec<Parcel.ToClient> TO_CLIENT = Codec.of(Parcel.ToClient.class);

    private static List<String> golden(String file) throws IOException {
        try (var in = ArchiveTest.class.getResourceAsStream("/archive/" + file)) {
            return new String(requireNonNull(in).readAllBytes(), UTF_8).lines().toList();
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static <T> List<String> lines(List<T> values, Function<T, byte[]> bytes) {
        return values.stream()
                .map(value -> hex(bytes.apply(value)) + " " + value)
                .toList();
    }

    /** The bytes at the beginning of each line. */
    private static <T> List<T> read(List<String> lines, Function<byte[], T> reader) {
        return lines.stream()
                .map(line -> reader.apply(HexFormat.of().parseHex(line.substring(0, line.indexOf(' ')))))
                .toList();
    }

    @Test
    void entries_of_today_are_those_of_tomorrow() throws IOException {
        var golden = golden("entries-1.txt");
        assertThat(lines(Samples.entries(), Archive::write)).isEqualTo(golden);
        assertThat(read(golden, Archive::entry)).isEqualTo(Samples.entries());
    }

    @Test
    void parcels_of_today_are_those_of_tomorrow() throws IOException {
        var toService = golden("to-service-1.txt");
        assertThat(lines(Samples.toService(), TO_SERVICE::write)).isEqualTo(toService);
        assertThat(read(toService, TO_SERVICE::read)).isEqualTo(Samples.toService());
        var toClient = golden("to-client-1.txt");
        assertThat(lines(Samples.toClient(), TO_CLIENT::write)).isEqualTo(toClient);
        assertThat(read(toClient, TO_CLIENT::read)).isEqualTo(Samples.toClient());
    }

    @Test
    void snapshots_of_today_are_those_of_tomorrow() throws IOException {
        var golden = golden("snapshot-1.txt").getFirst();
        assertThat(hex(Archive.write(Samples.table()))).isEqualTo(golden);
        assertThat(Archive.table(HexFormat.of().parseHex(golden))).isEqualTo(Samples.table());
    }

    @Test
    void there_is_a_sample_of_every_kind() {
        var seen = new TreeSet<String>();
        Stream.of(Samples.entries(), Samples.toService(), Samples.toClient()).forEach(all -> collect(all, seen));
        for (var kind : List.of(
                Command.class,
                Command.Order.class,
                Wish.class,
                Answer.class,
                Parcel.class,
                Talk.Request.class,
                Talk.Reply.class)) {
            for (var permitted : kind.getPermittedSubclasses()) {
                if (!permitted.isSealed()) {
                    assertThat(seen).contains(permitted.getName());
                }
            }
        }
    }

    private static void collect(Object value, Set<String> seen) {
        if (value instanceof List<?> list) {
            list.forEach(each -> collect(each, seen));
        } else if (value instanceof Record) {
            seen.add(value.getClass().getName());
            for (var part : value.getClass().getRecordComponents()) {
                try {
                    collect(part.getAccessor().invoke(value), seen);
                } catch (ReflectiveOperationException closed) {
                    throw new LinkageError("cannot look into " + value, closed);
                }
            }
        }
    }

    @Test
    void a_table_that_was_restored_goes_on_as_if_nothing_had_happened() {
        var restored = Archive.table(Archive.write(Samples.table()));
        var next = Entry.of(5, new Command.Ask(3, 5, 0, new Wish.Release(4)), new Command.Expire(1, 99));
        assertThat(restored.apply(next)).isEqualTo(Samples.table().apply(next));
        assertThat(Archive.write(restored)).isEqualTo(Archive.write(Samples.table()));
    }

    @Test
    void what_was_damaged_is_not_restored() {
        var bytes = Archive.write(Samples.table());
        for (int i = 0; i < bytes.length; i++) {
            var damaged = bytes.clone();
            damaged[i] ^= 0x10;
            assertThatThrownBy(() -> Archive.table(damaged))
                    .isInstanceOf(Malformed.class)
                    .hasMessage("a snapshot that is damaged: its checksum does not fit");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 5, 100})
    void what_was_cut_off_is_not_restored(int length) {
        var bytes = Arrays.copyOf(Archive.write(Samples.table()), length);
        assertThatThrownBy(() -> Archive.table(bytes)).isInstanceOf(Malformed.class);
    }

    @Test
    void another_version_is_refused_by_its_number() {
        assertThatThrownBy(() -> Archive.entry(new byte[] {2, 0}))
                .isInstanceOf(Malformed.class)
                .hasMessage("entry of version 2, but this program reads 1");
        assertThatThrownBy(() -> Archive.entry(new byte[0])).isInstanceOf(Malformed.class);
    }

    @Test
    void ten_thousand_sessions_are_kept_and_restored() {
        var commands = new ArrayList<Command>();
        for (long i = 1; i <= 10_000; i++) {
            commands.add(new Command.Open(i, new Person("client " + i, "host", i), Duration.ofSeconds(10)));
        }
        for (long i = 1; i <= 10_000; i++) {
            commands.add(new Command.Ask(i, 1, 0, Wish.Acquire.of(Want.exclusive("lock " + i % 5_000))));
        }
        var table = Table.EMPTY.apply(new Entry(1, List.copyOf(commands))).table();
        assertThat(Archive.table(Archive.write(table))).isEqualTo(table);
    }
}
