package habemus.service.storage;

import habemus.codec.Codec;
import habemus.codec.MalformedInputException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The file with the durable state of one protocol instance.
 *
 * @param <D> the durable state of a {@link habemus.protocol.Durable}
 */
public record DurableStateFile<D>(Path file, Codec<D> codec) {

    /**
     * Empty if the file does not exist.
     *
     * @throws CorruptFileException if the file was not written by {@link #save} of the same algorithm and version
     */
    public Optional<D> load() {
        try {
            return AtomicFile.read(file).map(codec::read);
        } catch (MalformedInputException malformed) {
            throw new CorruptFileException(
                    file + " holds the state of another algorithm or version: " + malformed.getMessage());
        }
    }

    /** Returns when the state is synced to disk. */
    public void save(D durableState) {
        AtomicFile.replace(file, codec.write(durableState));
    }
}
