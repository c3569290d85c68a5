package habemus.service.disk;

import habemus.wire.Codec;
import habemus.wire.Malformed;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What one machine remembers, as a file.
 *
 * @param <D> what a {@link habemus.protocol.Durable} remembers
 */
public record MemoryFile<D>(Path file, Codec<D> codec) {

    /** @throws Damaged if the file is there but was not written by {@link #save} */
    public Optional<D> recall() {
        try {
            return Disk.read(file).map(codec::read);
        } catch (Malformed stranger) {
            throw new Damaged(file + " holds the memory of another algorithm, or of another version of it: "
                    + stranger.getMessage());
        }
    }

    /** Does not return before it is on disk. */
    public void save(D memory) {
        Disk.replace(file, codec.write(memory));
    }
}
