package habemus.cli.serve;

import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.NumberOptions;
import habemus.cli.options.OutputOptions;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ExitCode;
import habemus.cli.terminal.InterruptSignal;
import habemus.cli.terminal.TemporaryFolder;
import habemus.cli.terminal.Terminal;
import habemus.harness.cluster.ProcessCluster;
import habemus.harness.site.PortBlock;
import habemus.world.Problem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ParseResult;

/** {@code habemus up}: a cluster of real processes in one terminal, to try things out. */
public final class UpCommand implements Command {

    private static final String SECTION = "Options:";
    private static final int DEFAULT_NODES = 3;
    private static final int MAX_NODES = 99;
    private static final int MAX_PORT = 65_000;

    @Override
    public String name() {
        return "up";
    }

    @Override
    public String summary() {
        return "Starts the service, as a cluster of real processes here, and shows who leads, holds and waits.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        var commandSyntax = new CommandSyntax(this, "[-n N] [options]")
                .value(SECTION, "-n", "N", "how many nodes (standard: " + DEFAULT_NODES + ")")
                .value(SECTION, "--port", "PORT", "where the first one listens (standard: where there is room)")
                .flag(SECTION, "--restart", "starts a node that was killed again")
                .flag(SECTION, "--json", "writes a JSON document a line for everything that happens");
        ServeOptions.addAlgorithmOptions(commandSyntax);
        return ServeOptions.addDiskOptions(commandSyntax)
                .flag(SECTION, "--verbose", "shows what the nodes log")
                .value(SECTION, "--color", "WHEN", "auto, always or never")
                .helpOption(SECTION)
                .examples(
                        "habemus up",
                        "habemus up -n 5 --restart --data cluster",
                        "habemus up -n 5 --algorithm maekawa --election bully");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        int nodes = (int) NumberOptions.upTo(MAX_NODES, parsed, "-n", DEFAULT_NODES);
        return ServeOptions.isClassic(parsed)
                ? runClassic(parsed, terminal, nodes)
                : runProduction(parsed, terminal, nodes);
    }

    private static int runClassic(ParseResult parsed, Terminal terminal, int nodes) {
        var locks = ServeOptions.algorithmSpec(
                parsed, "--algorithm", ServeOptions.DEFAULT_LOCK_ALGORITHM, Problem.MUTEX, nodes);
        var elections = ServeOptions.algorithmSpec(
                parsed, "--election", ServeOptions.DEFAULT_ELECTION_ALGORITHM, Problem.ELECTION, nodes);
        var options = List.of("--algorithm", locks.text(), "--election", elections.text());
        var clusterDisplay = ClusterDisplay.of(
                parsed, terminal, nodes + " nodes, locks by " + locks + ", elections by " + elections);
        return monitor(parsed, clusterDisplay, cluster(parsed, nodes, options, folders(parsed)));
    }

    /** Where nothing else is said, what the nodes must not forget is forgotten when all of it ends. */
    private static int runProduction(ParseResult parsed, Terminal terminal, int nodes) {
        if (parsed.hasMatchedOption("--record")) {
            throw CommandException.usage("--record is for algorithms of the catalogue", "name one with --algorithm");
        }
        var title = nodes + " node" + (nodes == 1 ? "" : "s") + " of the lock and election service"
                + (nodes < 3 ? ", NOT FAULT TOLERANT" : "");
        var clusterDisplay = ClusterDisplay.of(parsed, terminal, title);
        if (parsed.hasMatchedOption("--data")) {
            return monitor(parsed, clusterDisplay, cluster(parsed, nodes, List.of(), folders(parsed)));
        }
        try (var passing = TemporaryFolder.create("habemus-up")) {
            return monitor(parsed, clusterDisplay, cluster(parsed, nodes, List.of(), Map.of("--data", passing.path())));
        }
    }

    private static ProcessCluster cluster(
            ParseResult parsed, int nodes, List<String> options, Map<String, Path> folders) {
        var all = new ArrayList<>(options);
        if (parsed.hasMatchedOption("--verbose")) {
            all.add("--verbose");
        }
        return new ProcessCluster(nodes, ports(parsed, nodes), List.copyOf(all), folders);
    }

    private static int monitor(ParseResult parsed, ClusterDisplay clusterDisplay, ProcessCluster processCluster) {
        try (var clusterMonitor =
                        new ClusterMonitor(processCluster, clusterDisplay, parsed.hasMatchedOption("--restart"));
                var interruptSignal = new InterruptSignal(clusterMonitor::stop)) {
            int code = clusterMonitor.run();
            return interruptSignal.isInterrupted() ? ExitCode.OK : code;
        }
    }

    private static PortBlock ports(ParseResult parsed, int nodes) {
        if (!parsed.hasMatchedOption("--port")) {
            return PortBlock.reserve(nodes);
        }
        int port = (int) NumberOptions.upTo(MAX_PORT, parsed, "--port", MAX_PORT);
        return PortBlock.tryReserve(port, nodes)
                .orElseThrow(() -> CommandException.failure(
                        "not all ports from " + port + " on that " + nodes + " nodes need are free",
                        "each needs its own, and those 100, 200 and 300 above it, and no other cluster may begin "
                                + "there; leave --port out to have some found"));
    }

    private static Map<String, Path> folders(ParseResult parsed) {
        var folders = new LinkedHashMap<String, Path>();
        for (String option : List.of("--data", "--record")) {
            OutputOptions.text(parsed, option).ifPresent(folder -> folders.put(option, Path.of(folder)));
        }
        return folders;
    }
}
