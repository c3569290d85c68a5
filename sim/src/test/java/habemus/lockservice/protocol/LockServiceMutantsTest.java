package habemus.lockservice.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
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
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever changes a line of the production lock that matters is found out, in a world by hand or by a seed. */
class LockServiceMutantsTest {

    private static final int SEEDS = 300;
    private static final String ROOM = "habemus.fenced.";

    /** @param file the class in which the words are replaced */
    record Mutant(String name, String file, String words, String instead, String breaks) {
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
    void is_killed(Mutant mutant, @TempDir Path folder) throws Exception {
        var kit = new Kit(build(mutant, folder));
        var seen = new TreeSet<String>();
        var scenarios = new ArrayList<>(ModelScenarios.byHand().values());
        for (long seed = 1; seed <= SEEDS && !seen.contains(mutant.breaks); seed++) {
            var scenario = seed <= scenarios.size() ? scenarios.get((int) seed - 1) : ModelScenarios.bySeed(seed);
            seen.addAll(kit.broken(scenario, seed));
        }
        assertThat(seen).contains(mutant.breaks);
    }

    /** @param ledger the class of it that belongs to the changed room */
    private record Kit(Class<?> ledger) {

        private Protocol<?, ?> lock(ModelScenarios.Scenario scenario) throws ReflectiveOperationException {
            var types = new Class<?>[] {int.class, Duration.class, Duration.class, String.class, Duration.class};
            return (Protocol<?, ?>) ledger.getMethod("lock", types)
                    .invoke(
                            null,
                            scenario.services(),
                            ModelScenarios.LEASE,
                            scenario.reign(),
                            scenario.aim(),
                            scenario.tolerance());
        }

        /** A table that contradicts itself is a bug too. */
        @SuppressWarnings("unchecked") // a ledger of another room is no less one
        Set<String> broken(ModelScenarios.Scenario scenario, long seed) throws ReflectiveOperationException {
            var own = ledger.getConstructor(Duration.class).newInstance(ModelScenarios.LEASE);
            var found = new TreeSet<String>();
            try {
                var reader = (Consumer<TraceEvent>) own;
                found.addAll(ModelScenarios.broken(lock(scenario), scenario, seed, reader, () -> call(own, "end")));
            } catch (RuntimeException impossible) {
                found.add("bug");
            }
            found.addAll((Set<String>) requireNonNull(call(own, "broken")));
            return found;
        }

        private @Nullable Object call(Object own, String method) {
            try {
                return ledger.getMethod(method).invoke(own);
            } catch (ReflectiveOperationException none) {
                throw new LinkageError(method, none);
            }
        }
    }

    private static Class<?> build(Mutant mutant, Path folder) throws IOException, ClassNotFoundException {
        var sources = new ArrayList<Path>();
        var ledger = Repository.root().resolve("core/src/test/java/habemus/fenced/Ledger.java");
        try (var files = Files.list(Repository.root().resolve("core/src/main/java/habemus/fenced"))) {
            for (Path file : Stream.concat(files, Stream.of(ledger)).toList()) {
                var text = Files.readString(file);
                if (file.endsWith(mutant.file + ".java")) {
                    assertThat(text.split(java.util.regex.Pattern.quote(mutant.words), -1))
                            .as("where %s changes something", mutant)
                            .hasSize(2);
                    text = text.replace(mutant.words, mutant.instead);
                }
                sources.add(Files.writeString(folder.resolve(requireNonNull(file.getFileName())), text));
            }
        }
        var compiler = ToolProvider.getSystemJavaCompiler();
        var words = new StringWriter();
        var path = Path.of(java.net.URI.create(Protocol.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
                + java.io.File.pathSeparator
                + System.getProperty("java.class.path");
        try (var shelf = compiler.getStandardFileManager(null, null, UTF_8)) {
            var options = List.of("-classpath", path, "-proc:none", "-nowarn", "-d", folder.toString());
            var task = compiler.getTask(words, shelf, null, options, null, shelf.getJavaFileObjectsFromPaths(sources));
            assertThat(task.call()).as(words.toString()).isTrue();
        }
        return new Own(folder).loadClass(ROOM + "Ledger");
    }

    /** Knows the changed room, and asks for the others. */
    private static final class Own extends ClassLoader {
        private final Path folder;

        Own(Path folder) {
            super(Protocol.class.getClassLoader());
            this.folder = folder;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                var known = findLoadedClass(name);
                if (known != null || !name.startsWith(ROOM)) {
                    return known != null ? known : super.loadClass(name, resolve);
                }
                try {
                    var bytes = Files.readAllBytes(folder.resolve(name.replace('.', '/') + ".class"));
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (IOException none) {
                    throw new ClassNotFoundException(name, none);
                }
            }
        }
    }
}
