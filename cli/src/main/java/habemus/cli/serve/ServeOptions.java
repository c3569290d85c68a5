package habemus.cli.serve;

import habemus.catalogue.AlgorithmSpec;
import habemus.cli.options.AddressOptions;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.DurationOptions;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.options.TlsFileOptions;
import habemus.cli.terminal.ConsoleLogging;
import habemus.cli.terminal.ConsoleLogging.Format;
import habemus.harness.cluster.LeaderPoll;
import habemus.lab.command.CommandException;
import habemus.lab.command.NumberOptions;
import habemus.lab.command.ValueType;
import habemus.service.algorithm.AlgorithmNodeConfig;
import habemus.service.log.EngineConfig;
import habemus.service.raft.StartMode;
import habemus.service.server.HttpConfig;
import habemus.service.server.LockServerConfig;
import habemus.service.server.ServerLimits;
import habemus.service.transport.Member;
import habemus.service.transport.TransportSecurity;
import habemus.world.Problem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine.ParseResult;

/**
 * The options of a node. Without {@code --algorithm} and {@code --election} it is a node of the production service.
 */
public final class ServeOptions {

    /** The election that nodes with {@code --election} hold from the start. */
    static final String DEFAULT_ELECTION = LeaderPoll.ELECTION;

    public static final String DEFAULT_LOCK_ALGORITHM = "quorum --durable";
    public static final String DEFAULT_ELECTION_ALGORITHM = "term-majority";

    private static final String CLUSTER = "Cluster:";
    private static final String ALGORITHMS = "Classic algorithms, in place of the production service:";
    private static final String CLIENTS = "Clients of the production service:";
    private static final String DISK = "Disk:";
    private static final String ENCRYPTION = "Encryption:";
    private static final String MORE = "More:";
    private static final List<String> CLASSIC_OPTIONS =
            List.of("--detector", "--startup-wait", NodeProcessCommand.LOAD_OPTION);
    private static final List<String> PRODUCTION_OPTIONS = List.of(
            "--client-address",
            "--policy",
            "--lease-min",
            "--lease-max",
            "--bootstrap",
            "--first-fence",
            "--log",
            QuotaOption.NAME);

    private static final List<String> EMBEDDED_LOG_OPTIONS =
            List.of("--data", "--record", "--bootstrap", "--join", "--peer-keystore", "--peer-truststore");

    private ServeOptions() {}

    static CommandSyntax syntax(Subcommand command) {
        var syntax = addClusterOptions(new CommandSyntax(command, "--cluster n1=HOST:PORT,… --node n1 [options]"));
        addClientOptions(addDiskOptions(syntax));
        addAlgorithmOptions(syntax)
                .value(
                        ALGORITHMS,
                        "--startup-wait",
                        "TIME",
                        DurationOptions.duration(),
                        "time to wait for all nodes at the start (default: 15s)")
                .value(
                        ALGORITHMS,
                        "--profile",
                        "NAME",
                        ValueType.choice("production"),
                        "production: rejects classic algorithms");
        addEncryptionOptions(syntax);
        syntax.flag(MORE, "--until-eof", "stops at the end of the standard input");
        return addLogOptions(syntax, MORE, "also logs every HTTP request")
                .helpOption(MORE)
                .hiddenOption(NodeProcessCommand.LOAD_OPTION, true);
    }

    private static CommandSyntax addClusterOptions(CommandSyntax syntax) {
        return syntax.value(CLUSTER, "--cluster", "n1=HOST:PORT,…", "all nodes, with their addresses for each other")
                .value(CLUSTER, "--node", "NODE", "name of this node")
                .value(
                        CLUSTER,
                        "--http",
                        "HOST:PORT",
                        "address of the HTTP API (default: port + 200; with a classic algorithm on 127.0.0.1)")
                .value(
                        CLUSTER,
                        "--http-name",
                        "NAME,…",
                        "host names in URLs of the HTTP API without TLS, besides the node's address and localhost")
                .flag(
                        CLUSTER,
                        "--bootstrap",
                        "forms a new cluster with all nodes of --cluster; ignored if --data has data")
                .flag(CLUSTER, "--join", "joins a running cluster; the lock service also needs habemus members add")
                .value(
                        CLUSTER,
                        "--first-fence",
                        "N",
                        NumberOptions.count(LockServerConfig.MAX_FIRST_FENCE),
                        "fences of a new cluster are larger (default: seconds since 2026, times a million)")
                .value(
                        CLUSTER,
                        "--log",
                        "SPEC",
                        "keeps the log in jdbc:postgresql://HOST/DATABASE or etcd:HOST:PORT,…, not in --data");
    }

    private static void addEncryptionOptions(CommandSyntax syntax) {
        syntax.value(ENCRYPTION, "--keystore", "FILE", "TLS, for clients too: PKCS12 file with the key of the node")
                .value(
                        ENCRYPTION,
                        "--truststore",
                        "FILE",
                        "PKCS12 file with the certificates of all nodes and clients, or of their issuers")
                .value(
                        ENCRYPTION,
                        "--peer-keystore",
                        "FILE",
                        "key of the node for the other nodes (default: that of --keystore)")
                .value(
                        ENCRYPTION,
                        "--peer-truststore",
                        "FILE",
                        "certificates or issuer of the nodes alone (default: those of --truststore)")
                .value(ENCRYPTION, "--password-file", "FILE", "password of these files, in the first line");
    }

    private static void addClientOptions(CommandSyntax syntax) {
        syntax.value(CLIENTS, "--client-address", "HOST:PORT", "client port of the Java library (default: port + 300)")
                .value(CLIENTS, "--policy", "FILE", "access policy (default: every client may do everything)")
                .value(
                        CLIENTS,
                        "--lease-min",
                        "TIME",
                        DurationOptions.duration(),
                        "shortest lease of a client (default: 1s)")
                .value(
                        CLIENTS,
                        "--lease-max",
                        "TIME",
                        DurationOptions.duration(),
                        "longest lease of a client (default: 10m)")
                .value(
                        CLIENTS,
                        QuotaOption.NAME,
                        "NAME=N,…",
                        "limits of the lock table: sessions, names, waiters, bytes, or one of them with -per-principal;"
                                + " the quotas of the leader count (default: bytes=a fifth of the heap, half of each"
                                + " per principal)");
    }

    static CommandSyntax addAlgorithmOptions(CommandSyntax syntax) {
        return syntax.value(
                        ALGORITHMS,
                        "--algorithm",
                        "SPEC",
                        "lock algorithm with its options (default with --election: " + DEFAULT_LOCK_ALGORITHM + ")")
                .value(
                        ALGORITHMS,
                        "--election",
                        "SPEC",
                        "election algorithm (default with --algorithm: " + DEFAULT_ELECTION_ALGORITHM
                                + "); starts the election " + DEFAULT_ELECTION)
                .value(
                        ALGORITHMS,
                        "--detector",
                        "SPEC",
                        "failure detector (default: " + AlgorithmNodeConfig.DEFAULT_DETECTOR + ")");
    }

    static CommandSyntax addDiskOptions(CommandSyntax syntax) {
        return syntax.value(DISK, "--data", "DIR", "data folder; required by the production service")
                .value(
                        DISK,
                        "--record",
                        "DIR",
                        "records every step of the nodes, up to 4 GiB a start, for habemus validate");
    }

    /** Whether a classic algorithm is chosen. */
    static boolean isClassic(ParseResult parsed) {
        return parsed.hasMatchedOption("--algorithm") || parsed.hasMatchedOption("--election");
    }

    private static List<Member> members(ParseResult parsed) {
        ParsedOptions.require(parsed, "--cluster", "n1=127.0.0.1:7601,n2=127.0.0.1:7602,n3=127.0.0.1:7603");
        ParsedOptions.require(parsed, "--node", "n1");
        var cluster = ParsedOptions.text(parsed, "--cluster").orElseThrow();
        return orUsageError(() -> Member.parse(cluster), "write --cluster n1=127.0.0.1:7601,n2=…");
    }

    /** The configuration of a node of the production service. */
    static LockServerConfig lockServerConfig(ParseResult parsed) {
        var members = members(parsed);
        var self = ParsedOptions.text(parsed, "--node").orElseThrow();
        ParsedOptions.reject(parsed, CLASSIC_OPTIONS, "is for classic algorithms", "leave it out, or add --algorithm");
        var engine = ParsedOptions.text(parsed, "--log").map(spec -> new EngineConfig.Engine(spec, Optional.empty()));
        if (engine.isPresent()) {
            ParsedOptions.reject(parsed, EMBEDDED_LOG_OPTIONS, "is for the embedded log", "leave it out, or --log");
        } else if (!parsed.hasMatchedOption("--data")) {
            throw CommandException.usage(
                    "--data is missing (the production service stores its state on disk)",
                    "add --data DIR, or --log SPEC, or try the service with habemus up");
        }
        var data = engine.isPresent() ? Optional.<Path>empty() : Optional.of(folder(parsed, "--data"));
        var config = orUsageError(
                () -> LockServerConfig.of(
                        engine.isPresent() ? only(members, self) : members, Member.parseNode(self), data),
                "write --cluster n1=127.0.0.1:7601,n2=127.0.0.1:7602 --node n1");
        config = engine.map(config::withEngine).orElse(config);
        config = config.withAddresses(
                        ParsedOptions.text(parsed, "--client-address")
                                .map(text -> AddressOptions.parse(text, "--client-address"))
                                .orElse(config.clientAddress()),
                        ParsedOptions.text(parsed, "--http")
                                .map(text -> AddressOptions.parse(text, "--http"))
                                .orElse(config.httpAddress()))
                .withHttpNames(httpNames(parsed))
                .withTransportSecurity(transportSecurity(parsed))
                .withLimits(limits(parsed, config.limits()));
        config = TlsFileOptions.certificates(parsed).map(config::withTls).orElse(config);
        config = ParsedOptions.text(parsed, "--policy")
                .map(Path::of)
                .map(config::withPolicyFile)
                .orElse(config);
        config = parsed.hasMatchedOption("--record") ? config.withTraceFolder(folder(parsed, "--record")) : config;
        config = ParsedOptions.<Long>find(parsed, "--first-fence")
                .map(config::withFirstFence)
                .orElse(config);
        return config.withMode(startMode(parsed, members));
    }

    /** The nodes of an engine learn of each other from it. */
    private static List<Member> only(List<Member> members, String self) {
        var node = Member.parseNode(self);
        return members.stream().filter(member -> member.node().equals(node)).toList();
    }

    /** A single node forms its cluster by itself. */
    private static StartMode startMode(ParseResult parsed, List<Member> members) {
        if (parsed.hasMatchedOption("--join")) {
            ParsedOptions.reject(parsed, List.of("--bootstrap"), "and --join exclude each other", "give one of them");
            return StartMode.JOIN;
        }
        return members.size() == 1 || parsed.hasMatchedOption("--bootstrap") ? StartMode.BOOTSTRAP : StartMode.EXISTING;
    }

    private static ServerLimits limits(ParseResult parsed, ServerLimits defaults) {
        var min = ParsedOptions.<Duration>find(parsed, "--lease-min").orElse(defaults.minLease());
        var max = ParsedOptions.<Duration>find(parsed, "--lease-max").orElse(defaults.maxLease());
        if (min.isZero() || min.compareTo(max) > 0) {
            throw CommandException.usage("--lease-min must not exceed --lease-max", "use a shorter --lease-min");
        }
        var quotas = ParsedOptions.text(parsed, QuotaOption.NAME)
                .map(text -> QuotaOption.parse(text, defaults.quotas()))
                .orElse(defaults.quotas());
        return defaults.withLeases(min, max).withQuotas(quotas);
    }

    /** The configuration of a node of classic algorithms. */
    static AlgorithmNodeConfig algorithmNodeConfig(ParseResult parsed) {
        var members = members(parsed);
        var self = ParsedOptions.text(parsed, "--node").orElseThrow();
        ParsedOptions.reject(
                parsed,
                PRODUCTION_OPTIONS,
                "is for the production service",
                "leave it out, or leave out --algorithm and --election");
        var locks = algorithmSpec(parsed, "--algorithm", DEFAULT_LOCK_ALGORITHM, Problem.MUTEX, members.size());
        var elections =
                algorithmSpec(parsed, "--election", DEFAULT_ELECTION_ALGORITHM, Problem.ELECTION, members.size());
        var config = orUsageError(
                () -> parsed.hasMatchedOption("--join")
                        ? AlgorithmNodeConfig.ofJoining(members, Member.parseNode(self), locks.text(), elections.text())
                        : AlgorithmNodeConfig.of(members, Member.parseNode(self), locks.text(), elections.text()),
                "write --cluster n1=127.0.0.1:7601,n2=127.0.0.1:7602 --node n1");
        if (parsed.hasMatchedOption("--profile")) {
            throw ProductionProfile.rejection(parsed.hasMatchedOption("--algorithm") ? locks : elections);
        }
        if (parsed.hasMatchedOption("--data")) {
            config = config.withDataFolder(folder(parsed, "--data"));
        }
        if (parsed.hasMatchedOption("--record")) {
            config = config.withTraceFolder(folder(parsed, "--record"));
        }
        if (parsed.hasMatchedOption("--startup-wait")) {
            config = config.withStartupWait(ParsedOptions.get(parsed, "--startup-wait"));
        }
        return config.withDetector(detector(parsed, members.size())).withTransportSecurity(transportSecurity(parsed));
    }

    /** The failure detector of nodes with classic algorithms. */
    static AlgorithmSpec detector(ParseResult parsed, int nodes) {
        return algorithmSpec(parsed, "--detector", AlgorithmNodeConfig.DEFAULT_DETECTOR, Problem.DETECTOR, nodes);
    }

    /** Creates the algorithm once, so that an invalid number of nodes is reported now, not to the first client. */
    public static AlgorithmSpec algorithmSpec(
            ParseResult parsed, String option, String defaultText, Problem problem, int nodes) {
        var text = ParsedOptions.text(parsed, option).orElse(defaultText);
        if (text.strip().startsWith("fenced")) {
            throw CommandException.usage(
                    "fenced is the model of the production service",
                    "leave " + option + " out to run the production service");
        }
        return orUsageError(
                () -> {
                    var spec = AlgorithmSpec.parse(text, problem);
                    spec.algorithm().create(spec.parameters().withNodeCount(nodes));
                    return spec;
                },
                "habemus list shows all algorithms, habemus run NAME --help their options");
    }

    private static Path folder(ParseResult parsed, String option) {
        return orUsageError(() -> Path.of(ParsedOptions.text(parsed, option).orElseThrow()), "name a folder");
    }

    private static <T> T orUsageError(Supplier<T> parser, String hint) {
        try {
            return parser.get();
        } catch (IllegalArgumentException invalid) {
            throw CommandException.usage(String.valueOf(invalid.getMessage()), hint);
        }
    }

    static HttpConfig http(ParseResult parsed, AlgorithmNodeConfig config) {
        int port = config.selfMember().address().getPort();
        var text = ParsedOptions.text(parsed, "--http").orElse("127.0.0.1:" + (port + ServeCommand.HTTP_PORT_OFFSET));
        return new HttpConfig(AddressOptions.parse(text, "--http"), httpNames(parsed));
    }

    private static Set<String> httpNames(ParseResult parsed) {
        return ParsedOptions.text(parsed, "--http-name")
                .map(text -> Set.of(text.split(",", -1)))
                .orElse(Set.of());
    }

    private static TransportSecurity transportSecurity(ParseResult parsed) {
        return TlsFileOptions.peerCertificates(parsed)
                .<TransportSecurity>map(files -> files)
                .orElse(new TransportSecurity.None());
    }

    /** {@code --verbose} and {@code --log-format}, for commands that log. */
    static CommandSyntax addLogOptions(CommandSyntax syntax, String section, String verboseHelp) {
        return syntax.flag(section, "--verbose", verboseHelp)
                .value(
                        section,
                        "--log-format",
                        "FORMAT",
                        ValueType.choice("text", "json").withDefault("text"),
                        "text, or json: one object a line");
    }

    static void configureLogging(ParseResult parsed) {
        var format = ParsedOptions.<String>get(parsed, "--log-format").equals("json") ? Format.JSON : Format.TEXT;
        ConsoleLogging.configure(parsed.hasMatchedOption("--verbose"), format);
    }
}
