package habemus.catalogue;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** The source text of the algorithms, shipped as a resource beside the classes. */
public final class AlgorithmSource {

    private AlgorithmSource() {}

    /**
     * The source text of a class of this project.
     *
     * @throws IllegalArgumentException if there is no source of this class
     */
    public static String of(Class<?> type) {
        return find(type.getName())
                .orElseThrow(() -> new IllegalArgumentException("no source text of class " + type.getName()));
    }

    /** The source text of the class with this fully qualified name, if there is one. */
    public static Optional<String> find(String type) {
        var name = "/META-INF/source/" + type.replace('.', '/') + ".java";
        try (var file = AlgorithmSource.class.getResourceAsStream(name)) {
            return file == null ? Optional.empty() : Optional.of(new String(file.readAllBytes(), UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
