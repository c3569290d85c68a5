package habemus.lab.source;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A Java source file of a user.
 *
 * @param name as the user wrote it
 */
public record SourceFile(String name, Path path, String text) {

    public static final String SUFFIX = ".java";

    /** A compiled file. */
    public record Compiled(SourceFile source, Map<String, byte[]> classes, ClassLoader loader) {

        /** The top-level classes, in the order of their names, and the classes nested in them. */
        public List<Class<?>> types() {
            return classes.keySet().stream().sorted().<Class<?>>map(this::load).toList();
        }

        private Class<?> load(String type) {
            try {
                return loader.loadClass(type);
            } catch (ClassNotFoundException | LinkageError broken) {
                throw new InvalidSourceException(
                        source.name + " cannot be loaded: " + broken, List.of(), "leave out the package line");
            }
        }

        /** The names of the classes, for an error. */
        String typeNames() {
            return classes.keySet().stream()
                    .filter(type -> !type.contains("$"))
                    .sorted()
                    .collect(joining(", "));
        }
    }

    /** Whether an argument of a command names such a file. */
    public static boolean isNamed(String argument) {
        return argument.endsWith(SUFFIX);
    }

    /** @throws InvalidSourceException if there is no such file, or it is not a text */
    public static SourceFile read(String name) {
        try {
            var path = Path.of(name);
            if (!Files.isRegularFile(path)) {
                throw new InvalidSourceException("no such file: " + name, List.of(), "check the name and the folder");
            }
            return new SourceFile(name, path.toAbsolutePath(), Files.readString(path));
        } catch (CharacterCodingException | InvalidPathException binary) {
            throw new InvalidSourceException(name + " is not a text file", List.of(), "save it in UTF-8");
        } catch (IOException unreadable) {
            throw new InvalidSourceException("cannot read " + name, List.of(), "check the permissions of the file");
        }
    }

    /** Compiles the file. Its classes may do what they like. */
    public Compiled compile() {
        return compile((task, units) -> {});
    }

    /** Compiles the file, and inspects its syntax trees. */
    Compiled compile(InMemoryCompiler.TreeInspection inspection) {
        var classes = InMemoryCompiler.compile(this, inspection);
        return new Compiled(this, classes, new SourceClassLoader(classes, "", SourceFile.class.getClassLoader()));
    }
}
