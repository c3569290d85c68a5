package habemus.service.log;

import habemus.concurrent.EventLoop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/**
 * Opens logs on one kind of engine. Implementations are found with {@link ServiceLoader}.
 *
 * <p>With such a log, the nodes have no connections to each other. Each writes to the engine itself. The engine decides
 * which node leads, and a node is a member when it has started.
 */
public interface LogProvider {

    /** What the specifications of this engine begin with, such as {@code etcd:}. */
    String prefix();

    /** The form of a specification, for messages, such as {@code etcd:HOST:PORT,…}. */
    String syntax();

    /**
     * Opens the log of a node, without a connection yet.
     *
     * @param loop runs the state machine and completes the futures; the log does not close it
     * @throws IllegalArgumentException if the specification is invalid; the message ends with a hint
     */
    ReplicatedLog open(EngineConfig config, EventLoop loop);

    /**
     * Finds the provider of an engine.
     *
     * @throws IllegalArgumentException if none on the class path knows the beginning of the specification
     */
    static LogProvider of(EngineConfig.Engine engine) {
        var present = all();
        return present.stream()
                .filter(provider -> engine.spec().startsWith(provider.prefix()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(unknown(engine, present)));
    }

    private static List<LogProvider> all() {
        var found = new ArrayList<LogProvider>();
        ServiceLoader.load(LogProvider.class, LogProvider.class.getClassLoader())
                .forEach(found::add);
        found.sort(Comparator.comparing(LogProvider::prefix));
        return found;
    }

    private static String unknown(EngineConfig.Engine engine, List<LogProvider> present) {
        var syntaxes = present.stream().map(LogProvider::syntax).collect(Collectors.joining(", "));
        return "unknown log: '" + engine + "' (on the class path: " + (syntaxes.isEmpty() ? "none" : syntaxes) + ")"
                + "\nhint: write one of these, or add its artifact, such as dev.habemus:habemus-log-postgresql";
    }
}
