package habemus.lab.mutation;

import habemus.lab.source.InMemoryCompiler;
import habemus.lab.source.InvalidSourceException;
import habemus.lab.source.SourceClassLoader;
import habemus.protocol.Protocol;
import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/**
 * Compiles the changed sources of a mutant in memory and loads them beside the original, under the same class names.
 * The mutant has its own states and messages. It shares the protocol interfaces with the original.
 */
public final class MutantCompiler {

    private final Class<?> mutant;

    private MutantCompiler(Class<?> mutant) {
        this.mutant = mutant;
    }

    /** @throws InMemoryCompiler.NoCompilerException if the Java runtime has no compiler */
    public static MutantCompiler forMutant(Mutant mutant) {
        var original = mutant.originalClass();
        var reloaded = mutant.hasSeveralFiles() ? original.getPackageName() + "." : "";
        try {
            var classpath = location(Protocol.class) + File.pathSeparator + location(original);
            var classes = compile(mutant.toString(), mutant.mutatedSources(), classpath);
            var mutantClassLoader = new SourceClassLoader(classes, reloaded, original.getClassLoader());
            return new MutantCompiler(mutantClassLoader.loadClass(original.getName()));
        } catch (ClassNotFoundException | URISyntaxException broken) {
            throw new IllegalStateException("cannot load mutant " + mutant, broken);
        }
    }

    /** Creates the mutant with the constructor arguments of this original: its fields, in order. */
    public Protocol<?, ?> instantiateLike(Protocol<?, ?> original) {
        try {
            return (Protocol<?, ?>) copy(original, mutant);
        } catch (ReflectiveOperationException different) {
            throw new IllegalStateException("no constructor with the fields of " + original.getClass(), different);
        }
    }

    /** A copy of an object, as an instance of the class of the same name in the mutant. */
    private Object copy(Object original, Class<?> type) throws ReflectiveOperationException {
        if (original instanceof Enum<?> constant) {
            return type.getField(constant.name()).get(null);
        }
        var fields = Arrays.stream(original.getClass().getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .toList();
        var types = new Class<?>[fields.size()];
        var arguments = new Object[fields.size()];
        for (int i = 0; i < types.length; i++) {
            var declared = fields.get(i).getType();
            var value = value(fields.get(i), original);
            types[i] =
                    declared.isPrimitive() ? declared : mutant.getClassLoader().loadClass(declared.getName());
            arguments[i] = types[i] == declared ? value : copy(value, types[i]);
        }
        return type.getConstructor(types).newInstance(arguments);
    }

    private static Object value(Field field, Object owner) {
        try {
            field.setAccessible(true);
            return field.get(owner);
        } catch (IllegalAccessException closed) {
            throw new IllegalStateException(closed);
        }
    }

    /**
     * Compiles changed sources of the service, and loads all classes of the project again with them.
     *
     * @param sources the changed sources by class name
     * @throws InMemoryCompiler.NoCompilerException if the Java runtime has no compiler
     */
    public static ClassLoader loadProgram(Mutant mutant, Map<String, String> sources) {
        var classes = compile(mutant.toString(), sources, InMemoryCompiler.ownClasspath());
        return new SourceClassLoader(classes, "habemus.", MutantCompiler.class.getClassLoader());
    }

    private static Map<String, byte[]> compile(String mutant, Map<String, String> changed, String classpath) {
        try {
            return InMemoryCompiler.compile(changed, classpath);
        } catch (InvalidSourceException invalid) {
            throw new Mutant.InvalidMutantException(mutant + " does not compile: " + invalid.message());
        }
    }

    /** The folder or jar of a class. */
    private static Path location(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
