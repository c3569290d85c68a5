package habemus.lockservice.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.Repository;
import habemus.protocol.Protocol;
import habemus.world.TraceEvent;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every mutant of the production lock service is detected, in a hand-written or a random scenario. */
@Tag("slow")
class LockServiceMutantsTest {

    private static final int SEEDS = 300;
    private static final String PACKAGE = "habemus.lockservice.";

    /** @param file simple name of the changed class */
    record Mutant(String name, String file, String code, String replacement, String breaks) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Mutant> mutants() throws IOException {
        try (var file = LockServiceMutantsTest.class.getResourceAsStream("/fenced.mutants")) {
            var lines = new String(requireNonNull(file).readAllBytes(), UTF_8)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
            var mutants = new ArrayList<Mutant>();
            for (int i = 0; i + 4 < lines.size(); i += 5) {
                var head = lines.get(i).split(" in ", 2);
                mutants.add(new Mutant(
                        head[0],
                        head[1],
                        lines.get(i + 2).substring(2),
                        lines.get(i + 3).substring(2),
                        lines.get(i + 4).substring("breaks ".length())));
            }
            return mutants.stream();
        }
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void every_mutant_violates_its_property(Mutant mutant, @TempDir Path folder) throws Exception {
        var instance = new MutantInstance(build(mutant, folder));
        var found = new TreeSet<String>();
        var scenarios = new ArrayList<>(ModelScenarios.byHand().values());
        for (long seed = 1; seed <= SEEDS && !found.contains(mutant.breaks); seed++) {
            var scenario = seed <= scenarios.size() ? scenarios.get((int) seed - 1) : ModelScenarios.bySeed(seed);
            found.addAll(instance.violations(scenario, seed));
        }
        assertThat(found).contains(mutant.breaks);
    }

    /** @param grantHistory {@link GrantHistory} as compiled with the mutant */
    private record MutantInstance(Class<?> grantHistory) {

        private Protocol<?, ?> model(ModelScenarios.Scenario scenario) throws ReflectiveOperationException {
            var types = new Class<?>[] {int.class, Duration.class, Duration.class, String.class, Duration.class};
            return (Protocol<?, ?>) grantHistory
                    .getMethod("model", types)
                    .invoke(
                            null,
                            scenario.servers(),
                            ModelScenarios.LEASE,
                            scenario.leaderChangeInterval(),
                            scenario.goal(),
                            scenario.revokeAfter());
        }

        /** An exception, for example of an inconsistent table, counts as a bug. */
        @SuppressWarnings("unchecked") // compiled from the same source
        Set<String> violations(ModelScenarios.Scenario scenario, long seed) throws ReflectiveOperationException {
            var history = grantHistory.getConstructor(Duration.class).newInstance(ModelScenarios.LEASE);
            var found = new TreeSet<String>();
            try {
                var reader = (Consumer<TraceEvent>) history;
                found.addAll(
                        ModelScenarios.violations(model(scenario), scenario, seed, reader, () -> call(history, "end")));
            } catch (RuntimeException thrown) {
                found.add("bug");
            }
            found.addAll((Set<String>) requireNonNull(call(history, "violations")));
            return found;
        }

        private @Nullable Object call(Object history, String method) {
            try {
                return grantHistory.getMethod(method).invoke(history);
            } catch (ReflectiveOperationException missing) {
                throw new LinkageError(method, missing);
            }
        }
    }

    private static Class<?> build(Mutant mutant, Path folder) throws IOException, ClassNotFoundException {
        var sources = new ArrayList<Path>();
        var main = Repository.root().resolve("core/src/main/java");
        var tests = Repository.root().resolve("sim/src/test/java");
        try (var files = Files.walk(main.resolve("habemus/lockservice"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                sources.add(copy(file, folder.resolve(main.relativize(file).toString()), mutant));
            }
        }
        var grantHistory = GrantHistory.class.getName().replace('.', '/') + ".java";
        sources.add(copy(tests.resolve(grantHistory), folder.resolve(grantHistory), mutant));
        var compiler = ToolProvider.getSystemJavaCompiler();
        var output = new StringWriter();
        var path = Path.of(java.net.URI.create(Protocol.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
                + java.io.File.pathSeparator
                + System.getProperty("java.class.path");
        try (var fileManager = compiler.getStandardFileManager(null, null, UTF_8)) {
            var options = List.of("-classpath", path, "-proc:none", "-nowarn", "-d", folder.toString());
            var task = compiler.getTask(
                    output, fileManager, null, options, null, fileManager.getJavaFileObjectsFromPaths(sources));
            assertThat(task.call()).as(output.toString()).isTrue();
        }
        return new MutantLoader(folder).loadClass(GrantHistory.class.getName());
    }

    private static Path copy(Path source, Path target, Mutant mutant) throws IOException {
        var text = Files.readString(source);
        if (source.endsWith(mutant.file + ".java")) {
            var matcher = anyLayout(mutant.code).matcher(text);
            assertThat(matcher.results()).as("places that %s changes", mutant).hasSize(1);
            text = matcher.replaceFirst(Matcher.quoteReplacement(mutant.replacement));
        }
        Files.createDirectories(requireNonNull(target.getParent()));
        return Files.writeString(target, text);
    }

    /** Matches the code wherever the formatter breaks its lines. */
    private static Pattern anyLayout(String code) {
        return Pattern.compile(Pattern.compile("\\w+|\\S")
                .matcher(code)
                .results()
                .map(token -> Pattern.quote(token.group()))
                .collect(joining("\\s*")));
    }

    /** Loads the classes of the mutated package itself, and all others from its parent. */
    private static final class MutantLoader extends ClassLoader {
        private final Path folder;

        MutantLoader(Path folder) {
            super(Protocol.class.getClassLoader());
            this.folder = folder;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                var known = findLoadedClass(name);
                if (known != null || !name.startsWith(PACKAGE)) {
                    return known != null ? known : super.loadClass(name, resolve);
                }
                try {
                    var bytes = Files.readAllBytes(folder.resolve(name.replace('.', '/') + ".class"));
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (IOException missing) {
                    throw new ClassNotFoundException(name, missing);
                }
            }
        }
    }
}
