package habemus.bench.peers;

import habemus.bench.OutputPage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench/run peers}: compares the locks of several products. */
@Command(
        name = "peers",
        description = "Measures acquire and release, handovers and leader failover of several products, in rounds.",
        footer = {
            "",
            "Examples:",
            "  bench/run peers --products zookeeper,etcd --clients 1,64 --rounds 3",
            "  bench/run peers --products habemus,recording",
            "  bench/run peers --products habemus,etcd-log,etcd",
            "  bench/run peers --products habemus,postgresql,shedlock,advisory",
            "  bench/run peers --products habemus --beside ../old/habemus"
        },
        usageHelpAutoWidth = true)
public final class PeersCommand implements Callable<Integer> {

    private static final String COMMAND = "bench/run peers";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--products", paramLabel = "NAME", split = ",", description = "products to measure (default: all)")
    private List<ProductId> productIds = ProductId.defaults();

    @Option(
            names = "--beside",
            paramLabel = "LAUNCHER",
            description = "also measures another build of Habemus, such as ../old/habemus")
    private Optional<Path> beside = Optional.empty();

    @Option(names = "--clients", paramLabel = "N", split = ",", description = "concurrent clients (default: 1,8,64)")
    private List<Integer> clients = List.of(1, 8, 64);

    @Option(names = "--connections", paramLabel = "N", description = "connections that the clients share (default: 1)")
    private int connections = 1;

    @Option(names = "--seconds", paramLabel = "N", description = "length of each measurement (default: 5)")
    private double seconds = 5;

    @Option(names = "--warmup", paramLabel = "N", description = "seconds of warm-up for each product (default: 15)")
    private double warmup = 15;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "rounds with all products; the median counts (default: 5)")
    private int rounds = 5;

    @Option(names = "--write", paramLabel = "FILE", description = "also writes the table into its section of FILE")
    private Optional<Path> file = Optional.empty();

    @Override
    public Integer call() throws IOException, InterruptedException {
        var outputPage = OutputPage.open(file, COMMAND);
        var chosen = chosen();
        var benchmarkPlan = new BenchmarkPlan(clients, warmup, seconds, rounds);
        var results = new Results();
        var resultTable = new ResultTable(benchmarkPlan, chosen, results, connections);
        var interrupted = new Thread(() -> System.out.print(resultTable.text())); // the results so far
        Runtime.getRuntime().addShutdownHook(interrupted);
        measure(chosen, benchmarkPlan, results);
        Runtime.getRuntime().removeShutdownHook(interrupted);
        outputPage.print(resultTable.text());
        return results.failures().isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private List<ProductId> chosen() {
        if (connections < 1 || rounds < 1 || seconds <= 0 || clients.stream().anyMatch(number -> number < 1)) {
            throw new ParameterException(spec.commandLine(), "all numbers must be above zero");
        }
        for (ProductId product : productIds) {
            product.missingProgram().ifPresent(program -> {
                throw new IllegalStateException("program not found: " + program
                        + "\nhint: install it with apt-get, or leave out " + product + " with --products");
            });
        }
        var other = beside.isPresent() ? Stream.of(ProductId.BESIDE) : Stream.<ProductId>empty();
        return Stream.concat(productIds.stream().filter(product -> product != ProductId.BESIDE), other)
                .distinct()
                .toList();
    }

    /** The order rotates, so that disturbances of the machine affect all products. */
    private void measure(List<ProductId> chosen, BenchmarkPlan benchmarkPlan, Results results)
            throws IOException, InterruptedException {
        var productJvm = new ProductJvm(
                Path.of(System.getProperty("habemus.root", ".")), beside.map(OtherBuild::root), connections);
        var order = new ArrayList<>(chosen);
        for (int round = 1; round <= rounds; round++) {
            for (ProductId product : order) {
                System.err.printf("round %d of %d: %s%n", round, rounds, product);
                try {
                    productJvm.run(product, product.nodes(), benchmarkPlan.steps(round == 1), result -> {
                        System.err.println("  " + result.format());
                        results.add(product, result);
                    });
                } catch (IllegalStateException failed) {
                    System.err.println(failed.getMessage());
                    results.addFailure(product + " in round " + round);
                }
            }
            Collections.rotate(order, -1);
        }
    }
}
