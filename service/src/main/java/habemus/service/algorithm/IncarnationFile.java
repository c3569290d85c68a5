package habemus.service.algorithm;

import habemus.service.storage.AtomicFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/** Numbers the lives of a node: each larger than all before, even if the clock was set back in between. */
final class IncarnationFile {

    private static final String FILE_NAME = "incarnation";

    private IncarnationFile() {}

    /** @param data where the last one is written down; without it only the clock tells */
    static long next(Optional<Path> data) {
        long clock = System.currentTimeMillis();
        if (data.isEmpty()) {
            return clock;
        }
        var file = data.get().resolve(FILE_NAME);
        long before = AtomicFile.read(file).map(ByteBuffer::getLong).orElse(0L);
        long next = Math.max(clock, before + 1);
        AtomicFile.replace(file, ByteBuffer.allocate(Long.BYTES).putLong(next).array());
        return next;
    }
}
