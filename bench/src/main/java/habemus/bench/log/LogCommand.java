package habemus.bench.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.bench.OutputPage;
import habemus.bench.peers.OtherBuild;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench/run log}: measures the replicated log alone. */
@Command(
        name = "log",
        description =
                "Measures entries and latency of the replicated log alone, proposed at the leader and at a follower.",
        footer = {"", "Example: bench/run log --proposers 1,8,64 --beside ../old/habemus"},
        usageHelpAutoWidth = true)
public final class LogCommand implements Callable<Integer> {

    private static final int NODES = 3;
    private static final int FIRST_PORT = 21_000;
    private static final int PORT_DISTANCE = 200; // an earlier log also uses the port + 100
    private static final int WARM_UP_PROPOSERS = 64;

    @Option(
            names = "--proposers",
            paramLabel = "N",
            split = ",",
            description = "concurrent proposers (default: 1,8,64)")
    private List<Integer> proposers = List.of(1, 8, 64);

    @Option(names = "--seconds", paramLabel = "N", description = "length of each measurement (default: 5)")
    private double seconds = 5;

    @Option(names = "--warmup", paramLabel = "N", description = "seconds of warm-up for each cluster (default: 10)")
    private double warmup = 10;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "rounds with all builds; the median counts (default: 5)")
    private int rounds = 5;

    @Option(
            names = "--beside",
            paramLabel = "LAUNCHER",
            description = "also measures another build, in turn, such as ../old/habemus")
    private Optional<Path> beside = Optional.empty();

    @Option(names = "--write", paramLabel = "FILE", description = "also writes the table into its section of FILE")
    private Optional<Path> file = Optional.empty();

    /** One row of the table. */
    private record Load(int proposers, ProposerKind kind, boolean atLeader, String build) {}

    /** Latencies are in microseconds. */
    private record Figures(double entriesPerSecond, double median, double latency99) {

        static Figures parse(String line) {
            var words = line.split(" ", -1);
            return new Figures(
                    Double.parseDouble(words[0]), Double.parseDouble(words[1]), Double.parseDouble(words[2]));
        }
    }

    @Override
    public Integer call() throws IOException {
        var outputPage = OutputPage.open(file, "bench/run log");
        var builds = new LinkedHashMap<String, String>(); // class path by name
        var own = System.getProperty("java.class.path");
        builds.put("this build", own);
        beside.map(OtherBuild::root).ifPresent(root -> builds.put("other build", OtherBuild.jar(root) + ":" + own));
        var results = new LinkedHashMap<Load, List<Figures>>();
        for (int round = 1; round <= rounds; round++) {
            for (var build : builds.entrySet()) {
                System.err.printf("round %d of %d: %s%n", round, rounds, build.getKey());
                measure(build.getKey(), build.getValue(), results);
            }
        }
        outputPage.print(table(results));
        return CommandLine.ExitCode.OK;
    }

    private void measure(String build, String classPath, Map<Load, List<Figures>> results) throws IOException {
        var folder = Files.createTempDirectory("log-bench");
        var nodes = new ArrayList<LogNode>();
        try {
            var members = members();
            for (int i = 1; i <= NODES; i++) {
                nodes.add(new LogNode(classPath, "n" + i, members, folder.resolve("n" + i)));
            }
            nodes.forEach(LogNode::awaitReady);
            int leader = awaitLeader(nodes);
            var atLeader = nodes.get(leader - 1);
            var atFollower = nodes.get(leader % NODES);
            for (var kind : ProposerKind.values()) {
                atLeader.load(WARM_UP_PROPOSERS, kind, warmup / 4);
                atFollower.load(WARM_UP_PROPOSERS, kind, warmup / 4);
            }
            for (int number : proposers) {
                for (var kind : ProposerKind.values()) {
                    add(results, new Load(number, kind, true, build), atLeader.load(number, kind, seconds));
                    add(results, new Load(number, kind, false, build), atFollower.load(number, kind, seconds));
                }
            }
        } finally {
            nodes.forEach(LogNode::close);
            try (var files = Files.walk(folder)) {
                for (var path : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    private static void add(Map<Load, List<Figures>> results, Load load, String line) {
        System.err.println("  " + load + ": " + line);
        results.computeIfAbsent(load, any -> new ArrayList<>()).add(Figures.parse(line));
    }

    private static String members() {
        int first = IntStream.iterate(FIRST_PORT, port -> port < 60_000, port -> port + NODES * PORT_DISTANCE)
                .filter(port -> IntStream.range(0, NODES).allMatch(i -> isFree(port + i * PORT_DISTANCE)))
                .findFirst()
                .orElseThrow();
        return IntStream.rangeClosed(1, NODES)
                .mapToObj(i -> "n" + i + "=127.0.0.1:" + (first + (i - 1) * PORT_DISTANCE))
                .collect(Collectors.joining(","));
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    /** A leader that all nodes name. */
    private static int awaitLeader(List<LogNode> nodes) {
        long end = System.nanoTime() + 60_000_000_000L;
        while (System.nanoTime() < end) {
            var leaders =
                    nodes.stream().map(node -> node.ask("leader")).distinct().toList();
            if (leaders.size() == 1 && !leaders.getFirst().equals("0")) {
                return Integer.parseInt(leaders.getFirst());
            }
        }
        throw new IllegalStateException("no leader within 60 s");
    }

    /** A process that runs {@link LogNodeMain}. */
    private static final class LogNode implements AutoCloseable {
        private final Process process;
        private final BufferedReader answers;

        LogNode(String classPath, String node, String members, Path folder) throws IOException {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xms256m",
                            "-Xmx512m",
                            "-cp",
                            classPath,
                            LogNodeMain.class.getName(),
                            node,
                            members,
                            folder.toString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            answers = process.inputReader(UTF_8);
        }

        void awaitReady() {
            answer();
        }

        String load(int proposers, ProposerKind kind, double seconds) {
            return ask("load " + proposers + " " + kind + " " + Math.round(seconds * 1_000));
        }

        String ask(String question) {
            try {
                process.getOutputStream().write((question + "\n").getBytes(UTF_8));
                process.getOutputStream().flush();
            } catch (IOException exited) {
                throw new IllegalStateException("a node has exited", exited);
            }
            return answer();
        }

        private String answer() {
            try {
                var line = answers.readLine();
                if (line == null) {
                    throw new IllegalStateException("a node has exited");
                }
                return line;
            } catch (IOException exited) {
                throw new IllegalStateException("a node has exited", exited);
            }
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }

    private String table(Map<Load, List<Figures>> results) {
        var text = new StringBuilder("""
                | proposers | which wait as | at | build | entries/s | p50 | p99 |
                |---|---|---|---|---|---|---|
                """);
        results.entrySet().stream()
                .sorted(Comparator.comparingInt((Map.Entry<Load, List<Figures>> row) -> row.getKey().proposers)
                        .thenComparing(row -> row.getKey().kind)
                        .thenComparing(row -> !row.getKey().atLeader))
                .forEach(row -> text.append(String.format(
                        Locale.ROOT,
                        "| %d | %s | %s | %s | %,.0f | %.2f ms | %.2f ms |%n",
                        row.getKey().proposers,
                        row.getKey().kind.name().toLowerCase(Locale.ROOT),
                        row.getKey().atLeader ? "leader" : "follower",
                        row.getKey().build,
                        median(row.getValue().stream()
                                .map(Figures::entriesPerSecond)
                                .toList()),
                        median(row.getValue().stream().map(Figures::median).toList()) / 1e3,
                        median(row.getValue().stream().map(Figures::latency99).toList()) / 1e3)));
        return text
                + String.format(
                        Locale.ROOT,
                        "%nThree processes on loopback, entries of 60 bytes, each synced by a majority."
                                + " Median of %d rounds of %.0f s.%n",
                        rounds,
                        seconds);
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
