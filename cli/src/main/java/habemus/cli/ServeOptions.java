package habemus.cli;

import habemus.catalogue.Recipe;
import habemus.service.net.Member;
import habemus.service.net.Secrecy;
import habemus.service.node.NodeConfig;
import habemus.service.session.FencedConfig;
import habemus.service.session.Limits;
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
final class ServeOptions {

    /** The election that is held from the start. */
    static final String LEADER = "leader";

    static final String LOCKS = "quorum --durable";
    static final String ELECTIONS = "term-majority";

    private static final String CLUSTER = "The cluster:";
    private static final String ALGORITHMS = "Algorithms of the catalogue, in place of the production service:";
    private static final String CLIENTS = "Clients of the production service:";
    private static final String DISK = "On disk:";
    private static final String SECRECY = "Who else may listen:";
    private static final String MORE = "More:";
    private static final List<String> CLASSIC = List.of("--record", "--gather", Load.OPTION);
    private static final List<String> FENCED = List.of("--door", "--access", "--lease-min", "--lease-max", "--join");

    private ServeOptions() {}

    static Sheet sheet(Command command) {
        var sheet = new Sheet(command, "--cluster n1=HOST:PORT,… --me n1 [options]")
                .value(CLUSTER, "--cluster", "n1=HOST:PORT,…", "all nodes, with where each listens for the others")
                .value(CLUSTER, "--me", "NODE", "which of them this one is")
                .value(
                        CLUSTER,
                        "--http",
                        "HOST:PORT",
                        "where it answers HTTP (standard: 200 above its own port; with an algorithm, on loopback)")
                .flag(CLUSTER, "--join", "the others began without it: it is to be added with habemus members add");
        clients(disk(sheet));
        algorithms(sheet)
                .value(ALGORITHMS, "--gather", "TIME", "waits so long for all nodes before it begins (standard: 15s)")
                .value(ALGORITHMS, "--profile", "NAME", "production: refuses all of these")
                .value(SECRECY, "--secret-file", "FILE", "a secret that all nodes share: encrypts what they say")
                .value(SECRECY, "--keys", "FILE", "or TLS, for clients too: a PKCS12 file with the node's key,")
                .value(SECRECY, "--trusted", "FILE", "one with the certificates of all nodes, or of their issuer,")
                .value(SECRECY, "--password-file", "FILE", "and one with the password of both");
        return sheet.flag(MORE, "--until-eof", "ends when its standard input does")
                .flag(MORE, "--verbose", "also logs what the libraries beneath it say")
                .help(MORE)
                .hidden(Load.OPTION, true);
    }

    private static void clients(Sheet sheet) {
        sheet.value(CLIENTS, "--door", "HOST:PORT", "where those of the library connect (standard: 300 above its port)")
                .value(CLIENTS, "--access", "FILE", "who may do what (standard: everybody, everything)")
                .value(CLIENTS, "--lease-min", "TIME", "the shortest lease that they may ask for (standard: 1s)")
                .value(CLIENTS, "--lease-max", "TIME", "the longest (standard: 10m)");
    }

    static Sheet algorithms(Sheet sheet) {
        return sheet.value(
                        ALGORITHMS,
                        "--algorithm",
                        "WORDS",
                        "of locks, with its options (with --election: " + LOCKS + ")")
                .value(
                        ALGORITHMS,
                        "--election",
                        "WORDS",
                        "of elections (with --algorithm: " + ELECTIONS + "); if given, one named " + LEADER
                                + " is held at once");
    }

    static Sheet disk(Sheet sheet) {
        return sheet.value(
                        DISK, "--data", "DIR", "keeps there what must survive a crash; the production service needs it")
                .value(DISK, "--record", "DIR", "writes there what each node does, step by step");
    }

    /** Whether an algorithm of the catalogue is asked for. */
    static boolean isClassic(ParseResult parsed) {
        return parsed.hasMatchedOption("--algorithm") || parsed.hasMatchedOption("--election");
    }

    private static List<Member> members(ParseResult parsed) {
        Numbers.require(parsed, "--cluster", "n1=127.0.0.1:7601,n2=127.0.0.1:7602,n3=127.0.0.1:7603");
        Numbers.require(parsed, "--me", "n1");
        var cluster = Output.text(parsed, "--cluster").orElseThrow();
        return checked(() -> Member.parse(cluster), "write it as in --cluster n1=127.0.0.1:7601,n2=…");
    }

    /** Of a node of the production service. */
    static FencedConfig fenced(ParseResult parsed) {
        var members = members(parsed);
        var me = Output.text(parsed, "--me").orElseThrow();
        refuse(parsed, CLASSIC, "is for algorithms of the catalogue", "leave it out, or name one with --algorithm");
        profile(parsed);
        if (!parsed.hasMatchedOption("--data")) {
            throw Refusal.wrong(
                    "a node of the production service does not forget: it needs a disk",
                    "give --data DIR; to try things out there is habemus up");
        }
        var data = folder(parsed, "--data");
        var config = checked(
                () -> FencedConfig.of(members, Member.node(me), Optional.of(data)),
                "write it as in --cluster n1=127.0.0.1:7601,n2=127.0.0.1:7602 --me n1");
        config = config.at(
                        Output.text(parsed, "--door")
                                .map(text -> address(text, "--door"))
                                .orElse(config.door()),
                        Output.text(parsed, "--http")
                                .map(text -> address(text, "--http"))
                                .orElse(config.http()))
                .secretBy(secrecy(parsed))
                .within(limits(parsed));
        config = certificates(parsed).map(config::securedBy).orElse(config);
        config = Output.text(parsed, "--access")
                .map(Path::of)
                .map(config::allowing)
                .orElse(config);
        return parsed.hasMatchedOption("--join") ? config.joiningOthers() : config;
    }

    private static void refuse(ParseResult parsed, List<String> options, String why, String hint) {
        options.stream().filter(parsed::hasMatchedOption).findFirst().ifPresent(option -> {
            throw Refusal.wrong(option + " " + why, hint);
        });
    }

    private static Limits limits(ParseResult parsed) {
        var standard = Limits.STANDARD;
        var least = Times.span(parsed, "--lease-min").orElse(standard.leaseMin());
        var most = Times.span(parsed, "--lease-max").orElse(standard.leaseMax());
        if (least.isZero() || least.compareTo(most) > 0) {
            throw Refusal.wrong("no lease is between --lease-min and --lease-max", "the first is the shorter one");
        }
        return standard.leases(least, most);
    }

    /** Of a node with algorithms of the catalogue. */
    static NodeConfig config(ParseResult parsed) {
        var members = members(parsed);
        var me = Output.text(parsed, "--me").orElseThrow();
        refuse(parsed, FENCED, "is for the production service", "leave it out, or --algorithm and --election");
        var locks = recipe(parsed, "--algorithm", LOCKS, Problem.MUTEX, members.size());
        var elections = recipe(parsed, "--election", ELECTIONS, Problem.ELECTION, members.size());
        var config = checked(
                () -> NodeConfig.of(members, Member.node(me), locks.text(), elections.text()),
                "write it as in --cluster n1=127.0.0.1:7601,n2=127.0.0.1:7602 --me n1");
        if (profile(parsed)) {
            throw Production.refusal(parsed.hasMatchedOption("--algorithm") ? locks : elections);
        }
        if (parsed.hasMatchedOption("--data")) {
            config = config.keepingIn(folder(parsed, "--data"));
        }
        if (parsed.hasMatchedOption("--record")) {
            config = config.recordingTo(folder(parsed, "--record"));
        }
        if (parsed.hasMatchedOption("--gather")) {
            config = config.gatheringFor(Times.span(parsed, "--gather").orElseThrow());
        }
        return config.secretBy(secrecy(parsed));
    }

    /** Whether it can be made of so many nodes is found out now, and not when the first client comes. */
    static Recipe recipe(ParseResult parsed, String option, String standard, Problem problem, int nodes) {
        var text = Output.text(parsed, option).orElse(standard);
        if (text.strip().startsWith("fenced")) {
            throw Refusal.wrong(
                    "fenced is the model of the production service", "leave " + option + " out to run that");
        }
        return checked(
                () -> {
                    var recipe = Recipe.parse(text, problem);
                    recipe.algorithm().make(recipe.setting().among(nodes));
                    return recipe;
                },
                "habemus list shows all, and habemus run NAME --help the options of each");
    }

    /** Whether it is production. */
    private static boolean profile(ParseResult parsed) {
        var profile = Output.text(parsed, "--profile");
        if (profile.filter(name -> !name.equals("production")).isPresent()) {
            throw Refusal.wrong("there is no profile '" + profile.get() + "'", "there is production");
        }
        return profile.isPresent();
    }

    private static Path folder(ParseResult parsed, String option) {
        return checked(() -> Path.of(Output.text(parsed, option).orElseThrow()), "give the name of a folder");
    }

    private static <T> T checked(Supplier<T> reading, String hint) {
        try {
            return reading.get();
        } catch (IllegalArgumentException wrong) {
            throw Refusal.wrong(String.valueOf(wrong.getMessage()), hint);
        }
    }

    static InetSocketAddress http(ParseResult parsed, NodeConfig config) {
        int port = config.members().get(config.me().number() - 1).address().getPort();
        var text = Output.text(parsed, "--http").orElse("127.0.0.1:" + (port + ServeCommand.HTTP));
        return address(text, "--http");
    }

    static InetSocketAddress address(String text, String option) {
        var address = checked(() -> Member.address(text, text), "write it as in " + option + " 127.0.0.1:7801");
        if (address.isUnresolved()) {
            throw Refusal.cannot("nobody knows where " + address.getHostString() + " is", "write its number");
        }
        return address;
    }

    private static Secrecy secrecy(ParseResult parsed) {
        boolean certified =
                List.of("--keys", "--trusted", "--password-file").stream().anyMatch(parsed::hasMatchedOption);
        if (certified && parsed.hasMatchedOption("--secret-file")) {
            throw Refusal.wrong("a shared secret and certificates contradict each other", "choose one of them");
        }
        return certificates(parsed)
                .<Secrecy>map(files -> files)
                .or(() -> Output.text(parsed, "--secret-file")
                        .map(file -> new Secrecy.Shared(firstLine(file, "--secret-file"))))
                .orElse(new Secrecy.None());
    }

    /** Of a node, or of a client: all of it or nothing. */
    static Optional<Secrecy.Certificates> certificates(ParseResult parsed) {
        var keys = Output.text(parsed, "--keys");
        var trusted = Output.text(parsed, "--trusted");
        var password = Output.text(parsed, "--password-file");
        long given = List.of(keys, trusted, password).stream()
                .filter(Optional::isPresent)
                .count();
        if (given == 0) {
            return Optional.empty();
        }
        if (given < 3) {
            throw Refusal.wrong("certificates are incomplete", "give --keys, --trusted and --password-file");
        }
        return Optional.of(new Secrecy.Certificates(
                Path.of(keys.orElseThrow()),
                Path.of(trusted.orElseThrow()),
                firstLine(password.orElseThrow(), "--password-file")));
    }

    static String firstLine(String file, String option) {
        try (var lines = Files.lines(Path.of(file))) {
            return lines.findFirst()
                    .filter(line -> !line.isBlank())
                    .orElseThrow(
                            () -> Refusal.wrong(option + " " + file + " begins with no words", "write them there"));
        } catch (IOException unreadable) {
            throw Refusal.cannot("cannot read " + file, "is it there, and may it be read?");
        }
    }
}
