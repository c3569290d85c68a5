package habemus.cli.serve;

import habemus.catalogue.AlgorithmSpec;
import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.DurationOptions;
import habemus.cli.options.NumberOptions;
import habemus.cli.options.OutputOptions;
import habemus.cli.terminal.CommandException;
import habemus.service.algorithm.AlgorithmNodeConfig;
import habemus.service.server.LockServerConfig;
import habemus.service.server.ServerLimits;
import habemus.service.transport.Member;
import habemus.service.transport.TransportSecurity;
import habemus.world.Problem;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.ParseResult;

/**
 * What is said to a node when it starts. Without an algorithm by name it is one of the production service.
 */
public final class ServeOptions {

    /** The election that is held from the start. */
    public static final String DEFAULT_ELECTION = "leader";

    public static final String DEFAULT_LOCK_ALGORITHM = "quorum --durable";
    public static final String DEFAULT_ELECTION_ALGORITHM = "term-majority";

    private static final String CLUSTER = "The cluster:";
    private static final String ALGORITHMS = "Algorithms of the catalogue, in place of the production service:";
    private static final String CLIENTS = "Clients of the production service:";
    private static final String DISK = "On disk:";
    private static final String SECRECY = "Who else may listen:";
    private static final String MORE = "More:";
    private static final List<String> CLASSIC_OPTIONS = List.of("--record", "--gather", EmbeddedLoad.OPTION);
    private static final List<String> PRODUCTION_OPTIONS =
            List.of("--door", "--access", "--lease-min", "--lease-max", "--join");

    private ServeOptions() {}

    static CommandSyntax syntax(Command command) {
        var commandSyntax = new CommandSyntax(command, "--cluster n1=HOST:PORT,… --me n1 [options]")
                .value(CLUSTER, "--cluster", "n1=HOST:PORT,…", "all nodes, with where each listens for the others")
                .value(CLUSTER, "--me", "NODE", "which of them this one is")
                .value(
                        CLUSTER,
                        "--http",
                        "HOST:PORT",
                        "where it answers HTTP (standard: 200 above its own port; with an algorithm, on loopback)")
                .flag(CLUSTER, "--join", "the others began without it: it is to be added with habemus members add");
        addClientOptions(addDiskOptions(commandSyntax));
        addAlgorithmOptions(commandSyntax)
                .value(ALGORITHMS, "--gather", "TIME", "waits so long for all nodes before it begins (standard: 15s)")
                .value(ALGORITHMS, "--profile", "NAME", "production: refuses all of these")
                .value(SECRECY, "--secret-file", "FILE", "a secret that all nodes share: encrypts what they say")
                .value(SECRECY, "--keys", "FILE", "or TLS, for clients too: a PKCS12 file with the node's key,")
                .value(SECRECY, "--trusted", "FILE", "one with the certificates of all nodes, or of their issuer,")
                .value(SECRECY, "--password-file", "FILE", "and one with the password of both");
        return commandSyntax
                .flag(MORE, "--until-eof", "ends when its standard input does")
                .flag(MORE, "--verbose", "also logs what the libraries beneath it say")
                .helpOption(MORE)
                .hiddenOption(EmbeddedLoad.OPTION, true);
    }

    private static void addClientOptions(CommandSyntax commandSyntax) {
        commandSyntax
                .value(
                        CLIENTS,
                        "--door",
                        "HOST:PORT",
                        "where those of the library connect (standard: 300 above its port)")
                .value(CLIENTS, "--access", "FILE", "who may do what (standard: everybody, everything)")
                .value(CLIENTS, "--lease-min", "TIME", "the shortest lease that they may ask for (standard: 1s)")
                .value(CLIENTS, "--lease-max", "TIME", "the longest (standard: 10m)");
    }

    static CommandSyntax addAlgorithmOptions(CommandSyntax commandSyntax) {
        return commandSyntax
                .value(
                        ALGORITHMS,
                        "--algorithm",
                        "WORDS",
                        "of locks, with its options (with --election: " + DEFAULT_LOCK_ALGORITHM + ")")
                .value(
                        ALGORITHMS,
                        "--election",
                        "WORDS",
                        "of elections (with --algorithm: " + DEFAULT_ELECTION_ALGORITHM + "); if given, one named "
                                + DEFAULT_ELECTION + " is held at once");
    }

    static CommandSyntax addDiskOptions(CommandSyntax commandSyntax) {
        return commandSyntax
                .value(DISK, "--data", "DIR", "keeps there what must survive a crash; the production service needs it")
                .value(DISK, "--record", "DIR", "writes there what each node does, step by step");
    }

    /** Whether an algorithm of the catalogue is asked for. */
    static boolean isClassic(ParseResult parsed) {
        return parsed.hasMatchedOption("--algorithm") || parsed.hasMatchedOption("--election");
    }

    private static List<Member> members(ParseResult parsed) {
        NumberOptions.require(parsed, "--cluster", "n1=127.0.0.1:7601,n2=127.0.0.1:7602,n3=127.0.0.1:7603");
        NumberOptions.require(parsed, "--me", "n1");
        var cluster = OutputOptions.text(parsed, "--cluster").orElseThrow();
        return orUsageError(() -> Member.parse(cluster), "write it as in --cluster n1=127.0.0.1:7601,n2=…");
    }

    /** Of a node of the production service. */
    static LockServerConfig lockServerConfig(ParseResult parsed) {
        var members = members(parsed);
        var me = OutputOptions.text(parsed, "--me").orElseThrow();
        rejectAny(
                parsed,
                CLASSIC_OPTIONS,
                "is for algorithms of the catalogue",
                "leave it out, or name one with --algorithm");
        isProductionProfile(parsed);
        if (!parsed.hasMatchedOption("--data")) {
            throw CommandException.usage(
                    "a node of the production service does not forget: it needs a disk",
                    "give --data DIR; to try things out there is habemus up");
        }
        var data = folder(parsed, "--data");
        var config = orUsageError(
                () -> LockServerConfig.of(members, Member.parseNode(me), Optional.of(data)),
                "write it as in --cluster n1=127.0.0.1:7601,n2=127.0.0.1:7602 --me n1");
        config = config.withAddresses(
                        OutputOptions.text(parsed, "--door")
                                .map(text -> address(text, "--door"))
                                .orElse(config.clientAddress()),
                        OutputOptions.text(parsed, "--http")
                                .map(text -> address(text, "--http"))
                                .orElse(config.httpAddress()))
                .withTransportSecurity(transportSecurity(parsed))
                .withLimits(limits(parsed));
        config = certificates(parsed).map(config::withTls).orElse(config);
        config = OutputOptions.text(parsed, "--access")
                .map(Path::of)
                .map(config::withPolicyFile)
                .orElse(config);
        return parsed.hasMatchedOption("--join") ? config.withJoining() : config;
    }

    private static void rejectAny(ParseResult parsed, List<String> options, String why, String hint) {
        options.stream().filter(parsed::hasMatchedOption).findFirst().ifPresent(option -> {
            throw CommandException.usage(option + " " + why, hint);
        });
    }

    private static ServerLimits limits(ParseResult parsed) {
        var standard = ServerLimits.DEFAULT;
        var least = DurationOptions.duration(parsed, "--lease-min").orElse(standard.minLease());
        var most = DurationOptions.duration(parsed, "--lease-max").orElse(standard.maxLease());
        if (least.isZero() || least.compareTo(most) > 0) {
            throw CommandException.usage(
                    "no lease is between --lease-min and --lease-max", "the first is the shorter one");
        }
        return standard.withLeases(least, most);
    }

    /** Of a node with algorithms of the catalogue. */
    static AlgorithmNodeConfig algorithmNodeConfig(ParseResult parsed) {
        var members = members(parsed);
        var me = OutputOptions.text(parsed, "--me").orElseThrow();
        rejectAny(
                parsed,
                PRODUCTION_OPTIONS,
                "is for the production service",
                "leave it out, or --algorithm and --election");
        var locks = algorithmSpec(parsed, "--algorithm", DEFAULT_LOCK_ALGORITHM, Problem.MUTEX, members.size());
        var elections =
                algorithmSpec(parsed, "--election", DEFAULT_ELECTION_ALGORITHM, Problem.ELECTION, members.size());
        var config = orUsageError(
                () -> AlgorithmNodeConfig.of(members, Member.parseNode(me), locks.text(), elections.text()),
                "write it as in --cluster n1=127.0.0.1:7601,n2=127.0.0.1:7602 --me n1");
        if (isProductionProfile(parsed)) {
            throw ProductionProfile.rejection(parsed.hasMatchedOption("--algorithm") ? locks : elections);
        }
        if (parsed.hasMatchedOption("--data")) {
            config = config.withDataFolder(folder(parsed, "--data"));
        }
        if (parsed.hasMatchedOption("--record")) {
            config = config.withTraceFolder(folder(parsed, "--record"));
        }
        if (parsed.hasMatchedOption("--gather")) {
            config = config.withStartupWait(
                    DurationOptions.duration(parsed, "--gather").orElseThrow());
        }
        return config.withTransportSecurity(transportSecurity(parsed));
    }

    /** Whether it can be made of so many nodes is found out now, and not when the first client comes. */
    public static AlgorithmSpec algorithmSpec(
            ParseResult parsed, String option, String standard, Problem problem, int nodes) {
        var text = OutputOptions.text(parsed, option).orElse(standard);
        if (text.strip().startsWith("fenced")) {
            throw CommandException.usage(
                    "fenced is the model of the production service", "leave " + option + " out to run that");
        }
        return orUsageError(
                () -> {
                    var algorithmSpec = AlgorithmSpec.parse(text, problem);
                    algorithmSpec.algorithm().create(algorithmSpec.parameters().withNodeCount(nodes));
                    return algorithmSpec;
                },
                "habemus list shows all, and habemus run NAME --help the options of each");
    }

    /** Whether it is production. */
    private static boolean isProductionProfile(ParseResult parsed) {
        var profile = OutputOptions.text(parsed, "--profile");
        if (profile.filter(name -> !name.equals("production")).isPresent()) {
            throw CommandException.usage("there is no profile '" + profile.get() + "'", "there is production");
        }
        return profile.isPresent();
    }

    private static Path folder(ParseResult parsed, String option) {
        return orUsageError(
                () -> Path.of(OutputOptions.text(parsed, option).orElseThrow()), "give the name of a folder");
    }

    private static <T> T orUsageError(Supplier<T> reading, String hint) {
        try {
            return reading.get();
        } catch (IllegalArgumentException wrong) {
            throw CommandException.usage(String.valueOf(wrong.getMessage()), hint);
        }
    }

    static InetSocketAddress http(ParseResult parsed, AlgorithmNodeConfig config) {
        int port = config.members().get(config.self().number() - 1).address().getPort();
        var text = OutputOptions.text(parsed, "--http").orElse("127.0.0.1:" + (port + ServeCommand.HTTP_PORT_OFFSET));
        return address(text, "--http");
    }

    public static InetSocketAddress address(String text, String option) {
        var address =
                orUsageError(() -> Member.parseAddress(text, text), "write it as in " + option + " 127.0.0.1:7801");
        if (address.isUnresolved()) {
            throw CommandException.failure("nobody knows where " + address.getHostString() + " is", "write its number");
        }
        return address;
    }

    private static TransportSecurity transportSecurity(ParseResult parsed) {
        boolean certified =
                List.of("--keys", "--trusted", "--password-file").stream().anyMatch(parsed::hasMatchedOption);
        if (certified && parsed.hasMatchedOption("--secret-file")) {
            throw CommandException.usage(
                    "a shared secret and certificates contradict each other", "choose one of them");
        }
        return certificates(parsed)
                .<TransportSecurity>map(files -> files)
                .or(() -> OutputOptions.text(parsed, "--secret-file")
                        .map(file -> new TransportSecurity.SharedSecret(firstLine(file, "--secret-file"))))
                .orElse(new TransportSecurity.None());
    }

    /** Of a node, or of a client: all of it or nothing. */
    public static Optional<TransportSecurity.Certificates> certificates(ParseResult parsed) {
        var keys = OutputOptions.text(parsed, "--keys");
        var trusted = OutputOptions.text(parsed, "--trusted");
        var password = OutputOptions.text(parsed, "--password-file");
        long given = List.of(keys, trusted, password).stream()
                .filter(Optional::isPresent)
                .count();
        if (given == 0) {
            return Optional.empty();
        }
        if (given < 3) {
            throw CommandException.usage("certificates are incomplete", "give --keys, --trusted and --password-file");
        }
        return Optional.of(new TransportSecurity.Certificates(
                Path.of(keys.orElseThrow()),
                Path.of(trusted.orElseThrow()),
                firstLine(password.orElseThrow(), "--password-file")));
    }

    public static String firstLine(String file, String option) {
        try (var lines = Files.lines(Path.of(file))) {
            return lines.findFirst()
                    .filter(line -> !line.isBlank())
                    .orElseThrow(() ->
                            CommandException.usage(option + " " + file + " begins with no words", "write them there"));
        } catch (IOException unreadable) {
            throw CommandException.failure("cannot read " + file, "is it there, and may it be read?");
        }
    }
}
