package habemus.lab.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles Java sources without files: from text to bytes of classes. */
public final class InMemoryCompiler {

    /** The Java runtime has no compiler. */
    public static final class NoCompilerException extends IllegalStateException {

        private static final long serialVersionUID = 1;

        NoCompilerException() {
            super("the Java runtime has no compiler");
        }
    }

    private static final String STUDENT_HINT = "correct the first error first: the others may follow from it";

    private InMemoryCompiler() {}

    /** The class path and module path of this process. */
    public static String ownClasspath() {
        return System.getProperty("java.class.path") + File.pathSeparator + System.getProperty("jdk.module.path", "");
    }

    /**
     * Compiles sources.
     *
     * @param sources the source texts by class name
     * @return the classes by name
     * @throws InvalidSourceException if a source does not compile
     * @throws NoCompilerException if the Java runtime has no compiler
     */
    public static Map<String, byte[]> compile(Map<String, String> sources, String classpath) {
        var files = new ArrayList<JavaFileObject>();
        sources.forEach((name, text) ->
                files.add(new SourceInMemory(name, URI.create("memory:///" + name.replace('.', '/') + ".java"), text)));
        return run(files, classpath, (task, units) -> {});
    }

    /** Looks at the checked syntax trees before the classes are generated. */
    @FunctionalInterface
    interface TreeInspection {
        void inspect(JavacTask task, Iterable<? extends CompilationUnitTree> units);
    }

    /** Compiles one file with the class path of this process. */
    static Map<String, byte[]> compile(SourceFile file, TreeInspection inspection) {
        return run(
                List.of(new SourceInMemory(file.name(), file.path().toUri(), file.text())), ownClasspath(), inspection);
    }

    private static Map<String, byte[]> run(
            List<? extends JavaFileObject> files, String classpath, TreeInspection inspection) {
        var compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new NoCompilerException();
        }
        var problems = new DiagnosticCollector<JavaFileObject>();
        try (var memory = new ClassesInMemory(compiler.getStandardFileManager(null, null, UTF_8))) {
            var options = List.of("-classpath", classpath, "-proc:none", "-implicit:none", "-nowarn", "-g");
            var task = (JavacTask) compiler.getTask(null, memory, problems, options, null, files);
            var units = task.parse();
            task.analyze();
            rejectErrors(problems);
            inspection.inspect(task, units);
            task.generate();
            rejectErrors(problems);
            return memory.classes();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible); // nothing is read from or written to a disk
        }
    }

    private static void rejectErrors(DiagnosticCollector<JavaFileObject> problems) {
        var errors = problems.getDiagnostics().stream()
                .filter(problem -> problem.getKind() == Diagnostic.Kind.ERROR)
                .sorted(Comparator.comparingLong(Diagnostic::getPosition))
                .toList();
        if (errors.isEmpty()) {
            return;
        }
        var details = errors.stream().skip(1).flatMap(InMemoryCompiler::describe);
        var first = describe(errors.getFirst()).toList();
        throw new InvalidSourceException(
                first.getFirst(), Stream.concat(first.stream().skip(1), details).toList(), STUDENT_HINT);
    }

    /** {@code FILE:LINE: message}, then the line with a mark below the column. */
    private static Stream<String> describe(Diagnostic<? extends JavaFileObject> problem) {
        var message = problem.getMessage(Locale.ROOT).lines().toList();
        var source = problem.getSource();
        if (source == null) {
            return message.stream();
        }
        var line = new SourceLine(source.getName(), text(source), problem.getLineNumber(), problem.getColumnNumber());
        return Stream.of(
                        Stream.of(line.location() + ": " + message.getFirst()),
                        message.stream().skip(1).map(String::stripTrailing),
                        line.quote())
                .flatMap(lines -> lines);
    }

    private static String text(JavaFileObject source) {
        try {
            return source.getCharContent(true).toString();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** A source text in memory. */
    private static final class SourceInMemory extends SimpleJavaFileObject {
        private final String name;
        private final String content;

        SourceInMemory(String name, URI uri, String content) {
            super(uri, Kind.SOURCE);
            this.name = name;
            this.content = content;
        }

        @Override
        public String getName() {
            return name;
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
}
