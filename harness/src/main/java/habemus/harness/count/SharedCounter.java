package habemus.harness.count;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/** A number in a file that processes increment: read, wait, write. Without a lock, increments are lost. */
public record SharedCounter(Path file) {

    /** Fixed, so that a write never changes the length of the file. */
    private static final int DIGITS = 12;

    private static final long DELAY_NANOS = 20_000;

    static SharedCounter create(Path file) throws IOException {
        Files.writeString(file, format(0));
        return new SharedCounter(file);
    }

    private static String format(long number) {
        return String.format(Locale.ROOT, "%0" + DIGITS + "d%n", number);
    }

    long read() {
        try {
            return Long.parseLong(Files.readString(file).strip());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    void increment() {
        try (var channel = FileChannel.open(file, READ, WRITE)) {
            var digits = ByteBuffer.allocate(DIGITS);
            channel.read(digits, 0);
            long number = Long.parseLong(new String(digits.array(), US_ASCII));
            LockSupport.parkNanos(DELAY_NANOS);
            channel.write(ByteBuffer.wrap(format(number + 1).getBytes(US_ASCII)), 0);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
