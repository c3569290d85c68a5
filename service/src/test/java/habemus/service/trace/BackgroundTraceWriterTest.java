package habemus.service.trace;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeId;
import habemus.world.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackgroundTraceWriterTest {

    private static final TraceHeader HEADER = new TraceHeader(Problem.LOG, "test", "none", 1, new NodeId(1), 7);

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("n1" + TraceHeader.FILE_SUFFIX);
    }

    private static void append(BackgroundTraceWriter writer, int number, int bytes) {
        writer.append(() -> ByteBuffer.allocate(bytes).putInt(number).array());
    }

    private List<Integer> read() {
        var numbers = new ArrayList<Integer>();
        try (var reader = new TraceFileReader(file)) {
            assertThat(reader.header()).contains(HEADER);
            for (var block = reader.next(); block.isPresent(); block = reader.next()) {
                numbers.add(block.get().getInt());
            }
            assertThat(reader.isTruncated()).isFalse();
        }
        return numbers;
    }

    @Test
    void all_steps_are_in_the_file_in_order_when_the_writer_is_closed() {
        try (var writer = new BackgroundTraceWriter(file, HEADER)) {
            for (int i = 0; i < 1_000; i++) {
                append(writer, i, i == 500 ? 1 << 20 : Integer.BYTES);
            }
        }
        assertThat(read()).isEqualTo(IntStream.range(0, 1_000).boxed().toList());
    }

    @Test
    void at_its_limit_the_file_ends_with_a_complete_step() throws IOException {
        long limit = 1_000;
        try (var writer = new BackgroundTraceWriter(file, HEADER, limit)) {
            for (int i = 0; i < 1_000; i++) {
                append(writer, i, Integer.BYTES);
            }
        }
        assertThat(Files.size(file)).isLessThanOrEqualTo(limit).isGreaterThan(limit - 20);
        var numbers = read();
        assertThat(numbers).isEqualTo(IntStream.range(0, numbers.size()).boxed().toList());
    }

    @Test
    void a_step_that_cannot_be_encoded_ends_the_file() {
        try (var writer = new BackgroundTraceWriter(file, HEADER)) {
            append(writer, 1, Integer.BYTES);
            writer.append(() -> {
                throw new IllegalArgumentException("wrong");
            });
            append(writer, 2, Integer.BYTES);
        }
        assertThat(read()).containsExactly(1);
    }
}
