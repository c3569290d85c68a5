package habemus.bench.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.check.ModelChecker;
import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.election.VoteWeights;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.raft.Raft;
import habemus.world.Property;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** The Raft machine, as it is or compiled with a defect, in the small worlds. One entry and one message at a time. */
record MachineUnderTest(Protocol<?, ?> raft) {

    private static final Duration ELECTION_TIMEOUT = Duration.ofMillis(300);
    private static final Duration HEARTBEAT_INTERVAL = Duration.ofMillis(100);

    static MachineUnderTest correct() {
        return new MachineUnderTest(new Raft(
                NodeSet.NONE,
                VoteWeights.EQUAL,
                false,
                false,
                new Raft.Flow(1, 1, 4),
                ELECTION_TIMEOUT,
                HEARTBEAT_INTERVAL));
    }

    /**
     * @param sources the folder of the sources of the algorithms
     * @param folder for the changed sources and their classes
     */
    static MachineUnderTest with(List<RaftDefect.SourceEdit> edits, Path sources, Path folder) throws IOException {
        var files = new ArrayList<String>();
        try (Stream<Path> originals = Files.list(sources.resolve("habemus/raft"))) {
            for (Path original : originals
                    .filter(file -> !file.endsWith("package-info.java"))
                    .toList()) {
                var source = Files.readString(original, UTF_8);
                var changed = folder.resolve(original.getFileName());
                Files.writeString(changed, apply(edits, original, source), UTF_8);
                files.add(changed.toString());
            }
        }
        var arguments = new ArrayList<>(List.of(
                "-d", folder.toString(), "-classpath", System.getProperty("java.class.path"), "-proc:none", "-nowarn"));
        arguments.addAll(files);
        int code = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        if (code != 0) {
            throw new IllegalStateException("the defect does not compile: " + edits);
        }
        return new MachineUnderTest(load(folder));
    }

    private static String apply(List<RaftDefect.SourceEdit> edits, Path file, String source) {
        var changed = source;
        for (var edit : edits) {
            if (file.endsWith(edit.file() + ".java")) {
                if (!changed.contains(edit.original())) {
                    throw new IllegalArgumentException("no '" + edit.original() + "' in " + file.getFileName());
                }
                changed = changed.replace(edit.original(), edit.changed());
            }
        }
        return changed;
    }

    private static Protocol<?, ?> load(Path folder) throws IOException {
        try {
            var classes = new ChangedClasses(folder.toUri().toURL());
            var flow = classes.loadClass("habemus.raft.Raft$Flow")
                    .getConstructor(int.class, int.class, int.class)
                    .newInstance(1, 1, 4);
            var constructor = classes.loadClass("habemus.raft.Raft").getConstructors()[0];
            return (Protocol<?, ?>) constructor.newInstance(
                    NodeSet.NONE, VoteWeights.EQUAL, false, false, flow, ELECTION_TIMEOUT, HEARTBEAT_INTERVAL);
        } catch (ReflectiveOperationException broken) {
            throw new IllegalStateException("cannot load the machine with a defect", broken);
        }
    }

    /** Loads the package of the machine itself, and delegates all others. */
    private static final class ChangedClasses extends URLClassLoader {

        ChangedClasses(URL folder) {
            super(new URL[] {folder}, Raft.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                var loaded = findLoadedClass(name);
                return name.startsWith("habemus.raft.")
                        ? loaded == null ? findClass(name) : loaded
                        : super.loadClass(name, resolve);
            }
        }
    }

    CheckReport check(Scope scope, Property... properties) {
        return ModelChecker.check(raft, scope, properties);
    }
}
