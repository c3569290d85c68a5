package habemus.cli.serve;

import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.InterruptSignal;
import habemus.cli.terminal.TemporaryFolder;
import habemus.cli.terminal.Terminal;
import habemus.harness.cluster.NodeSettings;
import habemus.harness.cluster.ProcessCluster;
import habemus.harness.site.PortBlock;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import habemus.lab.command.NumberOptions;
import habemus.lab.experiment.NamesParser;
import habemus.lab.trace.NodeNames;
import habemus.protocol.NodeId;
import habemus.world.Problem;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import picocli.CommandLine.ParseResult;

/** {@code habemus up}: runs a cluster of real processes in one terminal, for a first try. */
public final class UpCommand implements Subcommand {

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
        return "Starts a cluster on this machine, and shows its leader, locks, holders and waiters.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        var syntax = new CommandSyntax(this, "[-n N] [options]")
                .value(SECTION, "-n", "N", NumberOptions.count(MAX_NODES).withDefault(DEFAULT_NODES), "number of nodes")
                .value(
                        SECTION,
                        "--port",
                        "PORT",
                        NumberOptions.count(MAX_PORT),
                        "port of the first node (default: free ports)")
                .flag(SECTION, "--restart", "restarts a killed node")
                .value(
                        SECTION,
                        "--join",
                        "NODE@TIME,…",
                        "nodes that join, each some time after all others are up: 4@2s (classic algorithms)")
                .value(SECTION, "--leave", "NODE@TIME,…", "nodes that leave: 2@5s (classic algorithms)")
                .value(SECTION, "--names", "NAME,…", "names of the nodes, shown in place of n1, n2 …: A,B,C")
                .flag(SECTION, "--json", "prints one JSON document a line for every event");
        ServeOptions.addAlgorithmOptions(syntax);
        ServeOptions.addDiskOptions(syntax);
        return ServeOptions.addLogOptions(syntax, SECTION, "shows the logs of the nodes")
                .colorOption(SECTION)
                .helpOption(SECTION)
                .examples(
                        "habemus up",
                        "habemus up -n 5 --restart --data cluster",
                        "habemus up --names A,B,C",
                        "habemus up -n 5 --algorithm maekawa --election bully",
                        "habemus up --algorithm token-ring --election bully --join 4@2s --leave 2@5s");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        int nodes = ParsedOptions.getInt(parsed, "-n");
        return ServeOptions.isClassic(parsed)
                ? runClassic(parsed, terminal, nodes)
                : runProduction(parsed, terminal, nodes);
    }

    private static int runClassic(ParseResult parsed, Terminal terminal, int nodes) {
        var locks = ServeOptions.algorithmSpec(
                parsed, "--algorithm", ServeOptions.DEFAULT_LOCK_ALGORITHM, Problem.MUTEX, nodes);
        var elections = ServeOptions.algorithmSpec(
                parsed, "--election", ServeOptions.DEFAULT_ELECTION_ALGORITHM, Problem.ELECTION, nodes);
        var settings = NodeSettings.DEFAULT.withLockAlgorithm(locks.text()).withElectionAlgorithm(elections.text());
        var detector = ServeOptions.detector(parsed, nodes);
        var changes = PlannedChange.parse(parsed, nodes, List.of(locks, elections));
        var display = ClusterDisplay.of(
                parsed,
                terminal,
                nodes + " nodes, locks by " + locks + ", elections by " + elections,
                names(parsed, changes, nodes));
        int highest = changes.stream().mapToInt(PlannedChange::node).reduce(nodes, Math::max);
        return monitor(
                parsed,
                display,
                cluster(
                        parsed,
                        nodes,
                        ports(parsed, highest),
                        settings.withDetector(detector.text())
                                .withFolders(folder(parsed, "--data"), folder(parsed, "--record"))),
                changes);
    }

    /** Without {@code --data} the nodes use a temporary folder. */
    private static int runProduction(ParseResult parsed, Terminal terminal, int nodes) {
        ParsedOptions.reject(
                parsed,
                List.of("--detector", "--join", "--leave"),
                "is for classic algorithms",
                "leave it out, or add --algorithm");
        var title = nodes + " node" + (nodes == 1 ? "" : "s") + " of the lock and election service"
                + (nodes < 3 ? ", NOT FAULT TOLERANT" : "");
        var display = ClusterDisplay.of(parsed, terminal, title, names(parsed, List.of(), nodes));
        if (parsed.hasMatchedOption("--data")) {
            return monitor(
                    parsed,
                    display,
                    cluster(
                            parsed,
                            nodes,
                            ports(parsed, nodes),
                            NodeSettings.DEFAULT.withFolders(folder(parsed, "--data"), folder(parsed, "--record"))),
                    List.of());
        }
        try (var temporary = TemporaryFolder.create("habemus-up")) {
            return monitor(
                    parsed,
                    display,
                    cluster(
                            parsed,
                            nodes,
                            ports(parsed, nodes),
                            NodeSettings.DEFAULT.withFolders(
                                    Optional.of(temporary.path()), folder(parsed, "--record"))),
                    List.of());
        }
    }

    private static ProcessCluster cluster(ParseResult parsed, int nodes, PortBlock ports, NodeSettings settings) {
        return new ProcessCluster(
                nodes,
                ports,
                new NodeProcessCommand(List.of("--log-format", ParsedOptions.get(parsed, "--log-format"))),
                settings.withVerbose(parsed.hasMatchedOption("--verbose")));
    }

    private static int monitor(
            ParseResult parsed, ClusterDisplay display, ProcessCluster processCluster, List<PlannedChange> changes) {
        try (var clusterMonitor =
                        new ClusterMonitor(processCluster, display, parsed.hasMatchedOption("--restart"), changes);
                var interrupt = new InterruptSignal(clusterMonitor::stop)) {
            int code = clusterMonitor.run();
            return interrupt.isInterrupted() ? ExitCode.OK : code;
        }
    }

    private static PortBlock ports(ParseResult parsed, int nodes) {
        if (!parsed.hasMatchedOption("--port")) {
            return PortBlock.reserve(nodes);
        }
        int port = ParsedOptions.getInt(parsed, "--port");
        return PortBlock.tryReserve(port, nodes)
                .orElseThrow(() -> CommandException.failure(
                        "--port " + port + ": not all ports of " + nodes + " nodes are free",
                        "leave --port out (each node also needs the ports 200 and 300 above its own)"));
    }

    /** Every node has a name, also one that joins. */
    private static NodeNames names(ParseResult parsed, List<PlannedChange> changes, int nodes) {
        var all = IntStream.concat(
                        IntStream.rangeClosed(1, nodes),
                        changes.stream().filter(PlannedChange::joins).mapToInt(PlannedChange::node))
                .sorted()
                .mapToObj(NodeId::new)
                .toList();
        return ParsedOptions.text(parsed, "--names")
                .map(text -> NamesParser.parse(text, all))
                .orElse(NodeNames.NONE);
    }

    private static Optional<Path> folder(ParseResult parsed, String option) {
        return ParsedOptions.text(parsed, option).map(Path::of);
    }
}
