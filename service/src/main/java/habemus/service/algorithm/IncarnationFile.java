package habemus.service.algorithm;

import habemus.service.storage.AtomicFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/** Numbers the incarnations of a node. Each number is larger than all before, even if the clock was set back. */
final class IncarnationFile {

    private static final String FILE_NAME = "incarnation";

    private IncarnationFile() {}

    /** @param dataFolder that holds the last number; without it, the number is the wall clock */
    static long next(Optional<Path> dataFolder) {
        long clock = System.currentTimeMillis();
        if (dataFolder.isEmpty()) {
            return clock;
        }
        var file = dataFolder.get().resolve(FILE_NAME);
        long previous = AtomicFile.read(file).map(ByteBuffer::getLong).orElse(0L);
        long next = Math.max(clock, previous + 1);
        AtomicFile.replace(file, ByteBuffer.allocate(Long.BYTES).putLong(next).array());
        return next;
    }
}
