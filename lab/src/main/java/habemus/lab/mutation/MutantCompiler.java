package habemus.lab.mutation;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.protocol.Protocol;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
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
 * Compiles the changed sources of a mutant in memory and loads them beside the original, under the same class names.
 * The mutant has its own states and messages. It shares the protocol interfaces with the original.
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
        var reloaded = mutant.hasSeveralFiles() ? original.getPackageName() + "." : "";
        try {
            var classpath = location(Protocol.class) + File.pathSeparator + location(original);
            var classes = compile(mutant.toString(), mutant.mutatedSources(), classpath);
            var mutantClassLoader = new MutantClassLoader(classes, reloaded, original.getClassLoader());
            return new MutantCompiler(mutantClassLoader.loadClass(original.getName()));
        } catch (IOException | ClassNotFoundException | URISyntaxException broken) {
            throw new IllegalStateException("cannot load mutant " + mutant, broken);
        }
    }

    /** Creates the mutant with the constructor arguments of this original: its fields, in order. */
    Protocol<?, ?> instantiateLike(Protocol<?, ?> original) {
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
     * @throws NoCompilerException if the Java runtime has no compiler
     */
    public static ClassLoader loadProgram(Mutant mutant, Map<String, String> sources) {
        var classpath =
                System.getProperty("java.class.path") + File.pathSeparator + System.getProperty("jdk.module.path", "");
        try {
            var classes = compile(mutant.toString(), sources, classpath);
            return new MutantClassLoader(classes, "habemus.", MutantCompiler.class.getClassLoader());
        } catch (IOException broken) {
            throw new IllegalStateException("cannot load mutant " + mutant, broken);
        }
    }

    private static Map<String, byte[]> compile(String mutant, Map<String, String> changed, String classpath)
            throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new NoCompilerException();
        }
        var output = new StringWriter();
        try (var classesInMemory = new ClassesInMemory(compiler.getStandardFileManager(null, null, UTF_8))) {
            var options = List.of("-classpath", classpath, "-proc:none", "-implicit:none", "-nowarn");
            var sources = new ArrayList<SourceInMemory>();
            changed.forEach((name, source) -> sources.add(new SourceInMemory(name, source)));
            var task = compiler.getTask(output, classesInMemory, null, options, null, sources);
            if (!task.call()) {
                throw new Mutant.InvalidMutantException(mutant + " does not compile: " + output);
            }
            return classesInMemory.classes();
        }
    }

    /** The folder or jar of a class. */
    private static Path location(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    /** A source file in memory. */
    private static final class SourceInMemory extends SimpleJavaFileObject {
        private final String content;

        SourceInMemory(String className, String content) {
            super(URI.create("memory:///" + className.replace('.', '/') + ".java"), Kind.SOURCE);
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
        private final Map<String, byte[]> mutated;
        private final String reloaded;

        /** @param reloaded the prefix of class names that are loaded again: they access package-private members */
        MutantClassLoader(Map<String, byte[]> mutated, String reloaded, ClassLoader others) {
            super(others);
            this.mutated = mutated;
            this.reloaded = reloaded;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                var known = findLoadedClass(name);
                if (known != null) {
                    return known;
                }
                var bytes = mutated.get(name);
                if (bytes == null && !reloaded.isEmpty() && name.startsWith(reloaded)) {
                    bytes = read(name);
                }
                return bytes == null ? super.loadClass(name, resolve) : defineClass(name, bytes, 0, bytes.length);
            }
        }

        private byte[] read(String name) throws ClassNotFoundException {
            try (var file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (file == null) {
                    throw new ClassNotFoundException(name);
                }
                return file.readAllBytes();
            } catch (IOException unreadable) {
                throw new ClassNotFoundException(name, unreadable);
            }
        }
    }
}
