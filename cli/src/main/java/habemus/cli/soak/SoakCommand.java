package habemus.cli.soak;

import habemus.cli.options.CommandSyntax;
import habemus.cli.options.DurationOptions;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.serve.NodeProcessCommand;
import habemus.cli.serve.ServeOptions;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.ConsoleLogging;
import habemus.cli.terminal.InterruptSignal;
import habemus.cli.terminal.MarkdownFile;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.TemporaryFolder;
import habemus.cli.terminal.Terminal;
import habemus.harness.soak.AlgorithmSoak;
import habemus.harness.soak.LockServiceSoak;
import habemus.harness.soak.Soak;
import habemus.harness.soak.SoakClient;
import habemus.harness.soak.SoakReport;
import habemus.lab.benchmark.MarkdownSection;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import habemus.lab.command.NumberOptions;
import habemus.world.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.ParseResult;

/**
 * {@code habemus soak}: kills, pauses and partitions real processes at random, and checks what they recorded. Without
 * {@code --locks} and {@code --elections} they are nodes and clients of the production service.
 */
public final class SoakCommand implements Subcommand {

    /** Hidden options of a client process. */
    private static final String CLIENT_NAME = "--client-name";

    private static final String CLIENT_ADDRESSES = "--client-addresses";
    private static final String CLIENT_RESOURCE = "--client-resource";
    private static final String CLIENT_HISTORY = "--client-history";
    private static final String SECTION = "Options:";
    private static final String CLASSIC = "Classic algorithms, in place of the production service:";
    private static final int DEFAULT_NODES = 5;
    private static final int MAX_NODES = 25;
    private static final int MIN_NODES = 3; // fewer nodes have no minority that may fail
    private static final int MAX_LOCKS = 100;
    private static final int MAX_CLIENTS = 100;
    private static final int DEFAULT_CLIENTS = 8;
    private static final int DEFAULT_LOCKS = 3;
    private static final Duration DEFAULT_MAX_OUTAGE = Duration.ofSeconds(2);
    private static final double MAX_MINUTES = 10_000;

    @Override
    public String name() {
        return "soak";
    }

    @Override
    public String summary() {
        return "Kills, pauses and partitions real nodes and clients at random, and checks what they recorded.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        var syntax = new CommandSyntax(this, "[--minutes N] [options]")
                .value(SECTION, "-n", "N", NumberOptions.count(MAX_NODES).withDefault(DEFAULT_NODES), "number of nodes")
                .value(
                        SECTION,
                        "--clients",
                        "N",
                        NumberOptions.count(MAX_CLIENTS),
                        "number of client processes (default: 8)")
                .value(
                        SECTION,
                        "--max-outage",
                        "TIME",
                        DurationOptions.duration(),
                        "longest allowed outage while a majority is up and connected (default: 2s)")
                .flag(SECTION, "--no-partitions", "injects no network partitions, which need root, ip and nft")
                .value(SECTION, "--minutes", "N", NumberOptions.positive().withDefault(10), "duration of the faults")
                .value(
                        SECTION,
                        "--seed",
                        "N",
                        NumberOptions.count().withDefault(1),
                        "seed of the faults; their targets also depend on timing")
                .value(SECTION, "--record", "DIR", "records the steps of the nodes in this folder, and validates them")
                .value(SECTION, "--write", "FILE", "also writes the report into the marked section of FILE")
                .jsonFlag(SECTION);
        return addClassicOptions(syntax)
                .helpOption(SECTION)
                .hiddenOption(CLIENT_NAME, false)
                .hiddenOption(CLIENT_ADDRESSES, false)
                .hiddenOption(CLIENT_RESOURCE, false)
                .hiddenOption(CLIENT_HISTORY, false)
                .examples(
                        "habemus soak -n 3 --minutes 1",
                        "habemus soak -n 5 --clients 16 --minutes 10 --max-outage 5s --record soaked",
                        "habemus soak -n 5 --locks 'quorum --durable' --minutes 10 --record soaked");
    }

    private static CommandSyntax addClassicOptions(CommandSyntax syntax) {
        return syntax.value(
                        CLASSIC,
                        "--locks",
                        "SPEC",
                        "lock algorithm (default with --elections: " + ServeOptions.DEFAULT_LOCK_ALGORITHM + ")")
                .value(
                        CLASSIC,
                        "--elections",
                        "SPEC",
                        "election algorithm (default with --locks: " + ServeOptions.DEFAULT_ELECTION_ALGORITHM + ")")
                .value(CLASSIC, "--lock-count", "N", NumberOptions.count(MAX_LOCKS), "number of locks (default: 3)");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        if (parsed.hasMatchedOption(CLIENT_NAME)) {
            return runClient(parsed, terminal);
        }
        boolean classic = parsed.hasMatchedOption("--locks") || parsed.hasMatchedOption("--elections");
        int nodes = nodes(parsed);
        var time = time(parsed);
        long seed = ParsedOptions.<Long>get(parsed, "--seed");
        var target = classic ? classic(parsed, nodes) : production(parsed);
        var marks = classic ? "habemus soak --locks" : "habemus soak";
        var page = ParsedOptions.text(parsed, "--write");
        page.ifPresent(name -> page(name, marks)); // reports errors before anything runs
        var kept = ParsedOptions.text(parsed, "--record").map(SoakCommand::newFolder);
        try (var temporary = TemporaryFolder.create("habemus-soak")) {
            var folder = kept.orElse(temporary.path());
            var stopSignal = new CountDownLatch(1);
            var report = run(target, new Soak(nodes, time, seed, folder, stopSignal, new ProgressLine(terminal)));
            page.ifPresent(
                    name -> AtomicOutputFile.write(name, page(name, marks).replaceWith(report.text())));
            terminal.out().println(parsed.hasMatchedOption("--json") ? report.json() : report.text());
            return report.hasPassed() ? ExitCode.OK : ExitCode.VIOLATED;
        }
    }

    private static int runClient(ParseResult parsed, Terminal terminal) {
        ConsoleLogging.configure(false);
        var config = new SoakClient.Config(
                ParsedOptions.text(parsed, CLIENT_NAME).orElseThrow(),
                ParsedOptions.text(parsed, CLIENT_ADDRESSES).orElseThrow(),
                ParsedOptions.text(parsed, CLIENT_RESOURCE).orElseThrow(),
                Path.of(ParsedOptions.text(parsed, CLIENT_HISTORY).orElseThrow()),
                ParsedOptions.<Long>get(parsed, "--seed"));
        try {
            SoakClient.run(config, System.in, terminal.out());
            return ExitCode.OK;
        } catch (InterruptedException interrupted) {
            return ExitCode.FAILURE;
        }
    }

    private static List<String> clientCommand(SoakClient.Config config) {
        var command = NodeProcessCommand.program();
        command.addAll(List.of("soak", CLIENT_NAME, config.name(), CLIENT_ADDRESSES, config.serviceAddresses()));
        command.addAll(List.of(CLIENT_RESOURCE, config.resourceAddress(), "--seed", Long.toString(config.seed())));
        command.addAll(List.of(CLIENT_HISTORY, config.history().toString()));
        return command;
    }

    private static Soak.Target production(ParseResult parsed) {
        ParsedOptions.reject(
                parsed, List.of("--lock-count"), "is for classic algorithms", "leave it out, or add --locks");
        int clients = ParsedOptions.<Long>find(parsed, "--clients")
                .map(Math::toIntExact)
                .orElse(DEFAULT_CLIENTS);
        var maxOutage = ParsedOptions.<Duration>find(parsed, "--max-outage").orElse(DEFAULT_MAX_OUTAGE);
        ConsoleLogging.silenceClient();
        var commandLines = new LockServiceSoak.CommandLines(new NodeProcessCommand(), SoakCommand::clientCommand);
        return new LockServiceSoak(
                clients,
                maxOutage,
                !parsed.hasMatchedOption("--no-partitions"),
                parsed.hasMatchedOption("--record"),
                commandLines);
    }

    private static Soak.Target classic(ParseResult parsed, int nodes) {
        ParsedOptions.reject(
                parsed,
                List.of("--clients", "--max-outage", "--no-partitions"),
                "is for the production service",
                "leave it out, or leave out --locks and --elections");
        return new AlgorithmSoak(
                ParsedOptions.<Long>find(parsed, "--lock-count")
                        .map(Math::toIntExact)
                        .orElse(DEFAULT_LOCKS),
                ServeOptions.algorithmSpec(
                        parsed, "--locks", ServeOptions.DEFAULT_LOCK_ALGORITHM, Problem.MUTEX, nodes),
                ServeOptions.algorithmSpec(
                        parsed, "--elections", ServeOptions.DEFAULT_ELECTION_ALGORITHM, Problem.ELECTION, nodes),
                new NodeProcessCommand());
    }

    @SuppressWarnings("try") // registers the signal only
    private static SoakReport run(Soak.Target target, Soak soak) {
        try (var interrupt = new InterruptSignal(soak.stopSignal()::countDown)) {
            return soak.run(target);
        }
    }

    private static int nodes(ParseResult parsed) {
        int nodes = ParsedOptions.getInt(parsed, "-n");
        if (nodes < MIN_NODES) {
            throw CommandException.usage(
                    "-n must be at least " + MIN_NODES + " (a minority must be able to fail), was " + nodes,
                    "use -n " + MIN_NODES);
        }
        return nodes;
    }

    private static Duration time(ParseResult parsed) {
        double minutes = ParsedOptions.<Double>get(parsed, "--minutes");
        if (minutes > MAX_MINUTES) {
            throw CommandException.usage(
                    "--minutes must be at most " + (long) MAX_MINUTES + ", was " + NumberOptions.format(minutes),
                    "use fewer minutes");
        }
        return Duration.ofMillis(Math.round(minutes * 60_000));
    }

    private static MarkdownSection page(String name, String marks) {
        return MarkdownFile.readSection(name, marks, "the report");
    }

    private static Path newFolder(String name) {
        var folder = Path.of(name);
        try {
            Files.createDirectories(folder);
            try (var files = Files.list(folder)) {
                if (files.findAny().isPresent()) {
                    throw CommandException.usage(
                            "--record must be an empty or new folder, was " + name, "choose another folder");
                }
            }
            return folder;
        } catch (IOException failed) {
            throw CommandException.failure("cannot create the folder " + name, "choose another folder with --record");
        }
    }
}
