package habemus.cli;

import habemus.catalogue.Recipe;
import habemus.service.net.Member;
import habemus.service.net.Secrecy;
import habemus.service.node.NodeConfig;
import habemus.world.Problem;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.ParseResult;

/** What is said to a node when it starts. */
final class ServeOptions {

    /** The election that is held from the start. */
    static final String LEADER = "leader";

    static final String LOCKS = "quorum --durable";
    static final String ELECTIONS = "term-majority";

    private static final String CLUSTER = "The cluster:";
    private static final String ALGORITHMS = "Its algorithms, the same on all nodes:";
    private static final String DISK = "On disk:";
    private static final String SECRECY = "Who else may listen:";
    private static final String MORE = "More:";

    private ServeOptions() {}

    static Sheet sheet(Command command) {
        var sheet = new Sheet(command, "--cluster n1=HOST:PORT,… --me n1 [options]")
                .value(CLUSTER, "--cluster", "n1=HOST:PORT,…", "all nodes, with where each listens for the others")
                .value(CLUSTER, "--me", "NODE", "which of them this one is")
                .value(
                        CLUSTER,
                        "--http",
                        "HOST:PORT",
                        "where it listens for clients (standard: on loopback, 200 above its own port)")
                .value(CLUSTER, "--gather", "TIME", "waits so long for all nodes before it begins (standard: 15s)");
        algorithms(sheet)
                .value(ALGORITHMS, "--profile", "NAME", "production: refuses algorithms that can do harm")
                .value(SECRECY, "--secret-file", "FILE", "a secret that all nodes share: encrypts what they say")
                .value(SECRECY, "--keys", "FILE", "or TLS: a PKCS12 file with the node's key and certificate,")
                .value(SECRECY, "--trusted", "FILE", "one with the certificates of all nodes, or of their issuer,")
                .value(SECRECY, "--password-file", "FILE", "and one with the password of both");
        return disk(sheet)
                .flag(MORE, "--until-eof", "ends when its standard input does")
                .flag(MORE, "--verbose", "also logs what the libraries beneath it say")
                .help(MORE)
                .hidden(Load.OPTION, true);
    }

    static Sheet algorithms(Sheet sheet) {
        return sheet.value(ALGORITHMS, "--algorithm", "WORDS", "of locks, with its options (standard: " + LOCKS + ")")
                .value(
                        ALGORITHMS,
                        "--election",
                        "WORDS",
                        "of elections (standard: " + ELECTIONS + "); if given, one named " + LEADER
                                + " is held at once");
    }

    static Sheet disk(Sheet sheet) {
        return sheet.value(DISK, "--data", "DIR", "keeps there what must survive a crash; else it is forgotten")
                .value(DISK, "--record", "DIR", "writes there what each node does, step by step");
    }

    static NodeConfig config(ParseResult parsed) {
        Numbers.require(parsed, "--cluster", "n1=127.0.0.1:7601,n2=127.0.0.1:7602,n3=127.0.0.1:7603");
        Numbers.require(parsed, "--me", "n1");
        var cluster = Output.text(parsed, "--cluster").orElseThrow();
        var me = Output.text(parsed, "--me").orElseThrow();
        var members = checked(() -> Member.parse(cluster), "write it as in --cluster n1=127.0.0.1:7601,n2=…");
        var locks = recipe(parsed, "--algorithm", LOCKS, Problem.MUTEX, members.size());
        var elections = recipe(parsed, "--election", ELECTIONS, Problem.ELECTION, members.size());
        var config = checked(
                () -> NodeConfig.of(members, Member.node(me), locks.text(), elections.text()),
                "write it as in --cluster n1=127.0.0.1:7601,n2=127.0.0.1:7602 --me n1");
        profile(parsed, locks, elections);
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
        return checked(
                () -> {
                    var recipe = Recipe.parse(text, problem);
                    recipe.algorithm().make(recipe.setting().among(nodes));
                    return recipe;
                },
                "habemus list shows all, and habemus run NAME --help the options of each");
    }

    private static void profile(ParseResult parsed, Recipe locks, Recipe elections) {
        var profile = Output.text(parsed, "--profile");
        if (profile.isEmpty()) {
            return;
        }
        if (!profile.get().equals("production")) {
            throw Refusal.wrong("there is no profile '" + profile.get() + "'", "there is production");
        }
        Production.require(locks);
        Production.require(elections);
        if (!parsed.hasMatchedOption("--data")) {
            throw Refusal.wrong(
                    "without a disk a node that restarts has forgotten what it promised", "give --data DIR");
        }
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
        var keys = Output.text(parsed, "--keys");
        var trusted = Output.text(parsed, "--trusted");
        var password = Output.text(parsed, "--password-file");
        boolean certified = List.of(keys, trusted, password).stream().anyMatch(Optional::isPresent);
        if (certified && parsed.hasMatchedOption("--secret-file")) {
            throw Refusal.wrong("a shared secret and certificates contradict each other", "choose one of them");
        }
        if (certified) {
            if (List.of(keys, trusted, password).stream().anyMatch(Optional::isEmpty)) {
                throw Refusal.wrong("certificates are incomplete", "give --keys, --trusted and --password-file");
            }
            return new Secrecy.Certificates(
                    Path.of(keys.get()), Path.of(trusted.get()), firstLine(password.get(), "--password-file"));
        }
        return Output.text(parsed, "--secret-file")
                .<Secrecy>map(file -> new Secrecy.Shared(firstLine(file, "--secret-file")))
                .orElse(new Secrecy.None());
    }

    private static String firstLine(String file, String option) {
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
