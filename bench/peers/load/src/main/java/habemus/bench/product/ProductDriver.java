package habemus.bench.product;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Drives one product in its own JVM: starts its nodes, executes the steps, prints a line for each, and stops the nodes.
 * It exits when its standard input ends, so the parent process keeps it open.
 */
public final class ProductDriver {

    private static final int FIRST_STEP_ARGUMENT = 4; // index
    private static final Duration START_TIMEOUT = Duration.ofSeconds(90);

    private final Product product;
    private final NodeProcesses nodeProcesses;
    private final int connections;
    private final RunFolder runFolder;

    private ProductDriver(Product product, NodeProcesses nodeProcesses, int connections, RunFolder runFolder) {
        this.product = product;
        this.nodeProcesses = nodeProcesses;
        this.connections = connections;
        this.runFolder = runFolder;
    }

    /**
     * @param maker creates the product
     * @param args root of the repository, folder, number of nodes, number of connections, then the steps
     */
    public static void run(Function<RunFolder, Product> maker, String... args) throws Exception {
        var output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.setOut(System.err); // libraries print banners
        var folder = Path.of(args[1]);
        var runFolder = RunFolder.prepare(Path.of(args[0]), folder, Integer.parseInt(args[2]));
        var product = maker.apply(runFolder);
        var nodeProcesses = new NodeProcesses(product.nodes(), folder);
        Runtime.getRuntime().addShutdownHook(new Thread(nodeProcesses::close));
        Thread.ofPlatform().daemon().start(ProductDriver::exitWhenInputEnds);
        nodeProcesses.start();
        awaitService(product);
        var productDriver = new ProductDriver(product, nodeProcesses, Integer.parseInt(args[3]), runFolder);
        for (String word : Stream.of(args).skip(FIRST_STEP_ARGUMENT).toList()) {
            var step = BenchmarkStep.parse(word);
            output.println(new StepResult(step, productDriver.execute(step)).format());
        }
        nodeProcesses.close();
        RunFolder.remove(folder);
        System.exit(0); // libraries leave threads running
    }

    /** Waits until a client is served. Nodes that listen may not have formed a cluster yet. */
    private static void awaitService(Product product) throws Exception {
        var served = CompletableFuture.runAsync(() -> {
            while (!isReady(product)) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
        });
        served.get(START_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    private static boolean isReady(Product product) {
        try (var session = product.connect()) {
            session.lock("ready").acquire().release();
            return true;
        } catch (Exception notYet) {
            return false;
        }
    }

    private static void exitWhenInputEnds() {
        try {
            System.in.transferTo(PrintStream.nullOutputStream());
        } catch (IOException closed) {
            // same as the end of the input
        }
        System.exit(1);
    }

    private Map<String, Double> execute(BenchmarkStep step) throws Exception {
        var sessions = new ArrayList<Product.Session>();
        try {
            return switch (step) {
                case BenchmarkStep.WarmUp(int clients, double seconds) ->
                    LoadStep.measure(
                            new BenchmarkStep.Load(false, clients, seconds), open(sessions), nodeProcesses.pids());
                case BenchmarkStep.Load load -> LoadStep.measure(load, open(sessions), nodeProcesses.pids());
                case BenchmarkStep.CountSyncs countSyncs ->
                    SyncCounter.count(countSyncs, open(sessions), nodeProcesses.pids(), runFolder.folder());
                case BenchmarkStep.KillLeader killLeader ->
                    FailoverStep.killLeader(killLeader, open(sessions), product, nodeProcesses);
                case BenchmarkStep.IdleSessions idleSessions ->
                    IdleSessionStep.measure(
                            idleSessions, product, sessions, nodeProcesses.pids()[0]);
                case BenchmarkStep.MeasureFloor measureFloor -> LatencyFloor.measure(measureFloor, runFolder);
            };
        } finally {
            sessions.forEach(Product.Session::close);
        }
    }

    private List<Product.Session> open(List<Product.Session> sessions) throws Exception {
        for (int i = 0; i < connections; i++) {
            sessions.add(product.connect());
        }
        return sessions;
    }
}
