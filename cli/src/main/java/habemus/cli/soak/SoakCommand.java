package habemus.cli.soak;

import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.DurationOptions;
import habemus.cli.options.NumberOptions;
import habemus.cli.options.OutputOptions;
import habemus.cli.serve.ServeOptions;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ExitCode;
import habemus.cli.terminal.InterruptSignal;
import habemus.cli.terminal.MarkdownFile;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.Terminal;
import habemus.harness.soak.AlgorithmSoak;
import habemus.harness.soak.LockServiceSoak;
import habemus.harness.soak.Soak;
import habemus.harness.soak.SoakClient;
import habemus.harness.soak.SoakReport;
import habemus.lab.benchmark.MarkdownSection;
import habemus.world.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.ParseResult;

/**
 * {@code habemus soak}: kills, stops and cuts off real processes at random, for long, and judges what came of it.
 * Without an algorithm by name, those are nodes and clients of the production service.
 */
public final class SoakCommand implements Command {

    private static final String SECTION = "Options:";
    private static final String CLASSIC = "Algorithms of the catalogue, in place of the production service:";
    private static final int DEFAULT_NODES = 5;
    private static final int MAX_NODES = 25;
    private static final int MIN_NODES = 3; // of fewer there is no minority
    private static final int MAX_LOCKS = 100;
    private static final int MAX_CLIENTS = 100;
    private static final Duration DEFAULT_MAX_OUTAGE = Duration.ofSeconds(2);
    private static final double MAX_MINUTES = 10_000;

    @Override
    public String name() {
        return "soak";
    }

    @Override
    public String summary() {
        return "Kills, stops and cuts off real nodes and clients at random, for long; then judges what they have seen.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return new CommandSyntax(this, "[--minutes N] [options]")
                .value(SECTION, "-n", "N", "how many nodes (standard: " + DEFAULT_NODES + ")")
                .value(SECTION, "--clients", "N", "how many processes use the service (standard: 8)")
                .value(SECTION, "--patience", "TIME", "in which it must serve if a majority is there (standard: 2s)")
                .flag(SECTION, "--no-cuts", "cuts no wires between them, which needs root, ip and nft")
                .value(SECTION, "--minutes", "N", "how long faults strike (standard: 10)")
                .value(SECTION, "--seed", "N", "draws the faults (standard: 1); what is struck also depends on time")
                .value(SECTION, "--record", "DIR", "keeps what was recorded; else it is deleted")
                .value(SECTION, "--write", "FILE", "also puts the report into FILE, between its two marks")
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .value(
                        CLASSIC,
                        "--locks",
                        "WORDS",
                        "of locks (with --elections: " + ServeOptions.DEFAULT_LOCK_ALGORITHM + ")")
                .value(
                        CLASSIC,
                        "--elections",
                        "WORDS",
                        "of elections (with --locks: " + ServeOptions.DEFAULT_ELECTION_ALGORITHM + ")")
                .value(CLASSIC, "--how-many", "N", "locks there are (standard: 3)")
                .helpOption(SECTION)
                .hiddenOption(SoakClient.NAME_OPTION, false)
                .hiddenOption(SoakClient.ADDRESSES_OPTION, false)
                .hiddenOption(SoakClient.RESOURCE_OPTION, false)
                .hiddenOption(SoakClient.HISTORY_OPTION, false)
                .examples(
                        "habemus soak -n 3 --minutes 1",
                        "habemus soak -n 5 --clients 16 --minutes 10 --patience 5s --record soaked",
                        "habemus soak -n 5 --locks 'quorum --durable' --minutes 10 --record soaked");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        if (parsed.hasMatchedOption(SoakClient.NAME_OPTION)) {
            return SoakClient.run(parsed, terminal);
        }
        boolean classic = parsed.hasMatchedOption("--locks") || parsed.hasMatchedOption("--elections");
        int nodes = nodes(parsed);
        var time = time(parsed);
        long seed = OutputOptions.number(parsed, "--seed", 1);
        var target = classic ? classic(parsed, nodes) : fenced(parsed);
        var marks = classic ? "habemus soak --locks" : "habemus soak";
        var page = OutputOptions.text(parsed, "--write");
        page.ifPresent(name -> page(name, marks)); // complains before anything is run
        var kept = OutputOptions.text(parsed, "--record").map(SoakCommand::newFolder);
        var folder = kept.orElseGet(SoakCommand::temporaryFolder);
        try {
            var enough = new CountDownLatch(1);
            var report = run(target, new Soak(nodes, time, seed, folder, enough, new ProgressLine(terminal)));
            page.ifPresent(
                    name -> AtomicOutputFile.write(name, page(name, marks).replaceWith(report.text())));
            terminal.out().println(parsed.hasMatchedOption("--json") ? report.json() : report.text());
            return report.hasPassed() ? ExitCode.OK : ExitCode.VIOLATED;
        } finally {
            if (kept.isEmpty()) {
                delete(folder);
            }
        }
    }

    private static Soak.Target fenced(ParseResult parsed) {
        reject(parsed, "--how-many", "is for algorithms of the catalogue", "leave it out, or name --locks");
        int clients = (int) NumberOptions.upTo(MAX_CLIENTS, parsed, "--clients", 8);
        var patience = DurationOptions.duration(parsed, "--patience").orElse(DEFAULT_MAX_OUTAGE);
        return new LockServiceSoak(clients, patience, !parsed.hasMatchedOption("--no-cuts"));
    }

    private static Soak.Target classic(ParseResult parsed, int nodes) {
        for (var option : List.of("--clients", "--patience", "--no-cuts")) {
            reject(parsed, option, "is for the production service", "leave it out, or --locks and --elections");
        }
        return new AlgorithmSoak(
                (int) NumberOptions.upTo(MAX_LOCKS, parsed, "--how-many", 3),
                ServeOptions.algorithmSpec(
                        parsed, "--locks", ServeOptions.DEFAULT_LOCK_ALGORITHM, Problem.MUTEX, nodes),
                ServeOptions.algorithmSpec(
                        parsed, "--elections", ServeOptions.DEFAULT_ELECTION_ALGORITHM, Problem.ELECTION, nodes));
    }

    private static void reject(ParseResult parsed, String option, String why, String hint) {
        if (parsed.hasMatchedOption(option)) {
            throw CommandException.usage(option + " " + why, hint);
        }
    }

    @SuppressWarnings("try") // it only has to be there
    private static SoakReport run(Soak.Target target, Soak soak) {
        try (var interruptSignal = new InterruptSignal(soak.stopSignal()::countDown)) {
            return soak.run(target);
        }
    }

    private static int nodes(ParseResult parsed) {
        int nodes = (int) NumberOptions.upTo(MAX_NODES, parsed, "-n", DEFAULT_NODES);
        if (nodes < MIN_NODES) {
            throw CommandException.usage("of " + nodes + " nodes none may be struck", "give at least -n " + MIN_NODES);
        }
        return nodes;
    }

    private static Duration time(ParseResult parsed) {
        double minutes = NumberOptions.positive(parsed, "--minutes", 10);
        if (minutes > MAX_MINUTES) {
            throw CommandException.usage(
                    "--minutes " + NumberOptions.format(minutes) + " is out of range",
                    "it is up to " + (long) MAX_MINUTES);
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
                    throw CommandException.usage("there is something in " + name, "give an empty folder, or a new one");
                }
            }
            return folder;
        } catch (IOException refused) {
            throw CommandException.failure("cannot use " + name + " as a folder", "give an empty folder, or a new one");
        }
    }

    private static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("habemus-soak");
        } catch (IOException refused) {
            throw CommandException.failure("there is no room for what is recorded", "give a folder with --record");
        }
    }

    private static void delete(Path folder) {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException kept) {
            // it is in the folder for temporary files
        }
    }
}
