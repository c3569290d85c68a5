package habemus.catalogue;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** The algorithms as people read them: their text travels with the classes. */
public final class AlgorithmSource {

    private AlgorithmSource() {}

    /**
     * The text of the file in which this class of core is written.
     *
     * @throws IllegalArgumentException if it is a class of somebody else
     */
    public static String of(Class<?> type) {
        return find(type.getName())
                .orElseThrow(() -> new IllegalArgumentException("there is no text of " + type.getName()));
    }

    /** The same for a class that may not be there, by its whole name. */
    public static Optional<String> find(String type) {
        var name = "/META-INF/source/" + type.replace('.', '/') + ".java";
        try (var file = AlgorithmSource.class.getResourceAsStream(name)) {
            return file == null ? Optional.empty() : Optional.of(new String(file.readAllBytes(), UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
