package habemus.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.service.session.FencedConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Nodes as processes of this machine: the same program with {@code serve}. They end when this process does. */
final class Fleet implements AutoCloseable {

    /** Who is told. */
    interface Listener {

        void started(int node, long pid);

        /** It answers clients. */
        void ready(int node);

        /** To what it was told. */
        default void answered(int node, String line) {}

        /** On its standard error. */
        void said(int node, String line);

        /** @param code larger than 128 if it was killed */
        void ended(int node, int code);
    }

    private static final Duration ENDING = Duration.ofSeconds(6);

    private final int nodes;
    private final Site site;
    private final List<String> options;
    private final Map<String, Path> folders;
    private final Map<Integer, Process> processes = new ConcurrentHashMap<>();
    private volatile boolean closing;

    /**
     * @param site is given back in the end
     * @param options of all nodes
     * @param folders options whose value is a folder of the node's own, or of all
     */
    Fleet(int nodes, Site site, List<String> options, Map<String, Path> folders) {
        this.nodes = nodes;
        this.site = site;
        this.options = options;
        this.folders = folders;
    }

    String address(int node) {
        return above(node, 0);
    }

    String http(int node) {
        return above(node, ServeCommand.HTTP);
    }

    private String above(int node, int ports) {
        return site.host(node) + ":" + (site.port(node) + ports);
    }

    /** Where clients of the library come in. */
    String doors() {
        return nodes().stream().map(node -> above(node, FencedConfig.DOOR)).collect(Collectors.joining(","));
    }

    List<Integer> nodes() {
        return IntStream.rangeClosed(1, nodes).boxed().toList();
    }

    /** Also again, after it has ended. */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener is told
    void start(int node, Listener listener) {
        try {
            var process = new ProcessBuilder(command(node)).start();
            processes.put(node, process);
            listener.started(node, process.pid());
            Thread.ofVirtual().start(() -> listen(process, node, listener));
            Thread.ofVirtual().start(() -> read(process.getErrorStream(), line -> listener.said(node, line)));
            process.onExit().thenAccept(ended -> {
                if (!closing) {
                    listener.ended(node, ended.exitValue());
                }
            });
        } catch (IOException refused) {
            throw Refusal.cannot("cannot start a process: " + refused.getMessage(), "is there enough memory?");
        }
    }

    private static void listen(Process process, int node, Listener listener) {
        var silent = new AtomicBoolean(true);
        read(process.getInputStream(), line -> {
            if (silent.getAndSet(false)) {
                listener.ready(node);
            } else {
                listener.answered(node, line);
            }
        });
    }

    /** Writes it to its standard input. */
    void tell(int node, String line) {
        var process = processes.get(node);
        if (process == null) {
            throw new IllegalStateException("n" + node + " was never started");
        }
        try {
            var input = process.getOutputStream(); // closing it would end the node
            input.write((line + "\n").getBytes(UTF_8));
            input.flush();
        } catch (IOException gone) {
            throw Refusal.cannot("n" + node + " no longer listens", "--verbose shows what the nodes log");
        }
    }

    private static void read(InputStream from, Consumer<String> what) {
        try (var lines = new BufferedReader(new InputStreamReader(from, UTF_8))) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                what.accept(line);
            }
        } catch (IOException ended) {
            // with the process
        }
    }

    /** This program once more, without its arguments. */
    static List<String> program() {
        var words = new ArrayList<String>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
        var more = System.getenv("HABEMUS_JAVA_OPTS");
        if (more != null) {
            words.addAll(ShellWords.split(more));
        }
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        return words;
    }

    private List<String> command(int node) {
        var words = new ArrayList<>(site.at(node));
        words.addAll(program());
        words.addAll(List.of("serve", "--until-eof", "--me", "n" + node, "--cluster", cluster()));
        words.addAll(options);
        folders.forEach((option, folder) -> words.addAll(
                List.of(option, (option.equals("--data") ? folder.resolve("n" + node) : folder).toString())));
        return words;
    }

    private String cluster() {
        return IntStream.rangeClosed(1, nodes)
                .mapToObj(node -> "n" + node + "=" + address(node))
                .collect(Collectors.joining(","));
    }

    @Override
    public void close() {
        closing = true;
        processes.values().forEach(Process::destroy);
        long end = System.nanoTime() + ENDING.toNanos();
        for (Process process : processes.values()) {
            try {
                if (!process.waitFor(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException hurry) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
        site.close();
    }
}
