package habemus.lab.mutation;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.catalogue.AlgorithmSource;
import habemus.protocol.Protocol;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Compiles the changed source of a mutant in memory and loads it beside the original, under the same class names. The
 * mutant has its own nested states and messages. It shares the protocol interfaces with the original.
 */
public final class MutantCompiler {

    /** The Java runtime has no compiler. */
    public static final class NoCompilerException extends IllegalStateException {

        private static final long serialVersionUID = 1;

        NoCompilerException() {
            super("the Java runtime has no compiler");
        }
    }

    private final Class<?> mutant;

    private MutantCompiler(Class<?> mutant) {
        this.mutant = mutant;
    }

    /** @throws NoCompilerException if the Java runtime has no compiler */
    static MutantCompiler forMutant(Mutant mutant) {
        var original = mutant.originalClass();
        var source = mutant.applyTo(AlgorithmSource.of(original));
        try {
            var mutantClassLoader = new MutantClassLoader(compile(mutant, original, source), original.getClassLoader());
            return new MutantCompiler(mutantClassLoader.loadClass(original.getName()));
        } catch (IOException | ClassNotFoundException | URISyntaxException broken) {
            throw new IllegalStateException("cannot load mutant " + mutant, broken);
        }
    }

    /** Creates the mutant with the constructor arguments of this original: its fields, in order. */
    Protocol<?, ?> instantiateLike(Protocol<?, ?> original) {
        var fields = Arrays.stream(original.getClass().getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .toList();
        var types = fields.stream().map(Field::getType).toArray(Class<?>[]::new);
        var arguments = fields.stream().map(field -> value(field, original)).toArray();
        try {
            return (Protocol<?, ?>) mutant.getConstructor(types).newInstance(arguments);
        } catch (ReflectiveOperationException different) {
            throw new IllegalStateException("no constructor with the fields of " + original.getClass(), different);
        }
    }

    private static Object value(Field field, Object owner) {
        try {
            field.setAccessible(true);
            return field.get(owner);
        } catch (IllegalAccessException closed) {
            throw new IllegalStateException(closed);
        }
    }

    private static Map<String, byte[]> compile(Mutant mutant, Class<?> original, String source)
            throws IOException, URISyntaxException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new NoCompilerException();
        }
        var contract = Path.of(Protocol.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        var output = new StringWriter();
        try (var classesInMemory = new ClassesInMemory(compiler.getStandardFileManager(null, null, UTF_8))) {
            var options = List.of("-classpath", contract.toString(), "-proc:none", "-implicit:none", "-nowarn");
            var task = compiler.getTask(
                    output, classesInMemory, null, options, null, List.of(new SourceInMemory(original, source)));
            if (!task.call()) {
                throw new Mutant.InvalidMutantException(mutant + " does not compile: " + output);
            }
            return classesInMemory.classes();
        }
    }

    /** A source file in memory. */
    private static final class SourceInMemory extends SimpleJavaFileObject {
        private final String content;

        SourceInMemory(Class<?> type, String content) {
            super(URI.create("memory:///" + type.getName().replace('.', '/') + ".java"), Kind.SOURCE);
            this.content = content;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return content;
        }
    }

    /** Keeps compiled classes in memory. */
    private static final class ClassesInMemory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> written = new HashMap<>();

        ClassesInMemory(JavaFileManager standard) {
            super(standard);
        }

        Map<String, byte[]> classes() {
            var classes = new HashMap<String, byte[]>();
            written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
            return classes;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/')), kind) {
                @Override
                public OutputStream openOutputStream() {
                    var bytes = new ByteArrayOutputStream();
                    written.put(name, bytes);
                    return bytes;
                }
            };
        }
    }

    /** Loads the classes of the mutant itself, and delegates all others to the parent. */
    private static final class MutantClassLoader extends ClassLoader {
        private final Map<String, byte[]> classes;

        MutantClassLoader(Map<String, byte[]> classes, ClassLoader others) {
            super(others);
            this.classes = classes;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                var known = findLoadedClass(name);
                var bytes = classes.get(name);
                if (known != null || bytes == null) {
                    return known != null ? known : super.loadClass(name, resolve);
                }
                return defineClass(name, bytes, 0, bytes.length);
            }
        }
    }
}
