package habemus.bench.product.habemus;

import habemus.bench.product.NodeProcess;
import habemus.bench.product.Product;
import habemus.bench.product.ProductDriver;
import habemus.bench.product.RunFolder;
import habemus.client.Habemus;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Habemus: nodes run {@code habemus serve}, clients use the library. Grants in request order. */
final class HabemusProduct implements Product {

    /** The system property that says whether the nodes record their steps. */
    private static final String RECORDS = "habemus.records";

    private static final int CLUSTER = 0;
    private static final int HTTP_OFFSET = 200; // added to the port of the node
    private static final int CLIENT_PORT_OFFSET = 300;
    private static final Pattern LEADER = Pattern.compile("\"leader\":\"n(\\d+)\"");
    private static final Pattern ENTRIES = Pattern.compile("habemus_applied_entries_total (\\S+)");

    private final RunFolder folder;

    private HabemusProduct(RunFolder folder) {
        this.folder = folder;
    }

    public static void main(String... args) throws Exception {
        ProductDriver.run(HabemusProduct::new, args);
    }

    @Override
    public List<NodeProcess> nodes() throws IOException {
        var cluster = IntStream.range(0, folder.nodes())
                .mapToObj(i -> name(i) + "=" + folder.addresses(CLUSTER).get(i))
                .collect(Collectors.joining(","));
        var options = knowsBootstrap() ? List.of("--bootstrap") : List.<String>of();
        var nodeProcesses = new ArrayList<NodeProcess>();
        for (int i = 0; i < folder.nodes(); i++) {
            var command = new ArrayList<>(List.of(
                    launcher(),
                    "serve",
                    "--until-eof",
                    "--cluster",
                    cluster,
                    "--node",
                    name(i),
                    "--data",
                    folder.folder(i).resolve("data").toString()));
            command.addAll(options);
            if (Boolean.getBoolean(RECORDS)) {
                command.addAll(
                        List.of("--record", folder.folder(i).resolve("recorded").toString()));
            }
            var environment = Map.of("HABEMUS_JAVA_OPTS", String.join(" ", RunFolder.NODE_JVM_OPTIONS));
            nodeProcesses.add(new NodeProcess(command, environment, folder.port(i, CLUSTER) + CLIENT_PORT_OFFSET));
        }
        return nodeProcesses;
    }

    private String launcher() {
        return folder.root().resolve("habemus").toString();
    }

    /** Builds before the log on Raft form their cluster without this option. */
    private boolean knowsBootstrap() throws IOException {
        var help = new ProcessBuilder(launcher(), "serve", "--help")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var lines = help.inputReader()) {
            return lines.lines().anyMatch(line -> line.contains("--bootstrap"));
        }
    }

    private static String name(int node) {
        return "n" + (node + 1);
    }

    /** A client library instance that several clients share, like threads of a program. */
    private record Client(Habemus habemus) implements Session {

        @Override
        public Lock lock(String name) {
            var lock = habemus.lock(name);
            return () -> lock.acquire()::close;
        }

        @Override
        public void close() {
            habemus.close();
        }
    }

    @Override
    public Session connect() {
        return new Client(Habemus.connect(IntStream.range(0, folder.nodes())
                .mapToObj(i -> "127.0.0.1:" + (folder.port(i, CLUSTER) + CLIENT_PORT_OFFSET))
                .toArray(String[]::new)));
    }

    @Override
    public OptionalInt leader() throws IOException, InterruptedException {
        var leader = find(LEADER, "/status");
        return leader.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(leader.get()) - 1);
    }

    @Override
    public OptionalLong logEntries() throws IOException, InterruptedException {
        var entries = find(ENTRIES, "/metrics");
        return entries.isEmpty() ? OptionalLong.empty() : OptionalLong.of((long) Double.parseDouble(entries.get()));
    }

    private Optional<String> find(Pattern pattern, String path) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + (folder.port(0, CLUSTER) + HTTP_OFFSET) + path))
                .build();
        try (var client = HttpClient.newHttpClient()) {
            var found = pattern.matcher(
                    client.send(request, BodyHandlers.ofString()).body());
            return found.find() ? Optional.of(found.group(1)) : Optional.empty();
        }
    }
}
