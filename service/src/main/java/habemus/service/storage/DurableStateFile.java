package habemus.service.storage;

import habemus.codec.Codec;
import habemus.codec.MalformedInputException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What one machine remembers, as a file.
 *
 * @param <D> what a {@link habemus.protocol.Durable} remembers
 */
public record DurableStateFile<D>(Path file, Codec<D> codec) {

    /** @throws CorruptFileException if the file is there but was not written by {@link #save} */
    public Optional<D> load() {
        try {
            return AtomicFile.read(file).map(codec::read);
        } catch (MalformedInputException stranger) {
            throw new CorruptFileException(file
                    + " holds the memory of another algorithm, or of another version of it: " + stranger.getMessage());
        }
    }

    /** Does not return before it is on disk. */
    public void save(D memory) {
        AtomicFile.replace(file, codec.write(memory));
    }
}
