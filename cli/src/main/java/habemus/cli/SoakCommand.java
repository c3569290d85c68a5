package habemus.cli;

import habemus.lab.bench.MarkedPage;
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
final class SoakCommand implements Command {

    private static final String SECTION = "Options:";
    private static final String CLASSIC = "Algorithms of the catalogue, in place of the production service:";
    private static final int NODES = 5;
    private static final int NODES_MAX = 25;
    private static final int NODES_MIN = 3; // of fewer there is no minority
    private static final int LOCKS_MAX = 100;
    private static final int CLIENTS_MAX = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final double MINUTES_MAX = 10_000;

    @Override
    public String name() {
        return "soak";
    }

    @Override
    public String summary() {
        return "Kills, stops and cuts off real nodes and clients at random, for long; then judges what they have seen.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        return new Sheet(this, "[--minutes N] [options]")
                .value(SECTION, "-n", "N", "how many nodes (standard: " + NODES + ")")
                .value(SECTION, "--clients", "N", "how many processes use the service (standard: 8)")
                .value(SECTION, "--patience", "TIME", "in which it must serve if a majority is there (standard: 2s)")
                .flag(SECTION, "--no-cuts", "cuts no wires between them, which needs root, ip and nft")
                .value(SECTION, "--minutes", "N", "how long faults strike (standard: 10)")
                .value(SECTION, "--seed", "N", "draws the faults (standard: 1); what is struck also depends on time")
                .value(SECTION, "--record", "DIR", "keeps what was recorded; else it is deleted")
                .value(SECTION, "--write", "FILE", "also puts the report into FILE, between its two marks")
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .value(CLASSIC, "--locks", "WORDS", "of locks (with --elections: " + ServeOptions.LOCKS + ")")
                .value(CLASSIC, "--elections", "WORDS", "of elections (with --locks: " + ServeOptions.ELECTIONS + ")")
                .value(CLASSIC, "--how-many", "N", "locks there are (standard: 3)")
                .help(SECTION)
                .hidden(SoakClient.NAME, false)
                .hidden(SoakClient.DOORS, false)
                .hidden(SoakClient.RESOURCE, false)
                .hidden(SoakClient.HISTORY, false)
                .example(
                        "habemus soak -n 3 --minutes 1",
                        "habemus soak -n 5 --clients 16 --minutes 10 --patience 5s --record soaked",
                        "habemus soak -n 5 --locks 'quorum --durable' --minutes 10 --record soaked");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        if (parsed.hasMatchedOption(SoakClient.NAME)) {
            return SoakClient.run(parsed, terminal);
        }
        boolean classic = parsed.hasMatchedOption("--locks") || parsed.hasMatchedOption("--elections");
        int nodes = nodes(parsed);
        var time = time(parsed);
        long seed = Output.number(parsed, "--seed", 1);
        var kind = classic ? classic(parsed, nodes) : fenced(parsed);
        var marks = classic ? "habemus soak --locks" : "habemus soak";
        var page = Output.text(parsed, "--write");
        page.ifPresent(name -> page(name, marks)); // complains before anything is run
        var kept = Output.text(parsed, "--record").map(SoakCommand::newFolder);
        var folder = kept.orElseGet(SoakCommand::passingFolder);
        try {
            var enough = new CountDownLatch(1);
            var report = run(kind, new Soak(nodes, time, seed, folder, enough, new Progress(terminal)));
            page.ifPresent(name -> WholeFile.write(name, page(name, marks).with(report.text())));
            terminal.out().println(parsed.hasMatchedOption("--json") ? report.json() : report.text());
            return report.isFine() ? ExitCode.DONE : ExitCode.VIOLATED;
        } finally {
            if (kept.isEmpty()) {
                delete(folder);
            }
        }
    }

    private static Soak.Kind fenced(ParseResult parsed) {
        refuse(parsed, "--how-many", "is for algorithms of the catalogue", "leave it out, or name --locks");
        int clients = (int) Numbers.upTo(CLIENTS_MAX, parsed, "--clients", 8);
        var patience = Times.span(parsed, "--patience").orElse(PATIENCE);
        return new FencedSoak(clients, patience, !parsed.hasMatchedOption("--no-cuts"));
    }

    private static Soak.Kind classic(ParseResult parsed, int nodes) {
        for (var option : List.of("--clients", "--patience", "--no-cuts")) {
            refuse(parsed, option, "is for the production service", "leave it out, or --locks and --elections");
        }
        return new ClassicSoak(
                (int) Numbers.upTo(LOCKS_MAX, parsed, "--how-many", 3),
                ServeOptions.recipe(parsed, "--locks", ServeOptions.LOCKS, Problem.MUTEX, nodes),
                ServeOptions.recipe(parsed, "--elections", ServeOptions.ELECTIONS, Problem.ELECTION, nodes));
    }

    private static void refuse(ParseResult parsed, String option, String why, String hint) {
        if (parsed.hasMatchedOption(option)) {
            throw Refusal.wrong(option + " " + why, hint);
        }
    }

    @SuppressWarnings("try") // it only has to be there
    private static SoakReport run(Soak.Kind kind, Soak soak) {
        try (var interruption = new Interruption(soak.enough()::countDown)) {
            return soak.run(kind);
        }
    }

    private static int nodes(ParseResult parsed) {
        int nodes = (int) Numbers.upTo(NODES_MAX, parsed, "-n", NODES);
        if (nodes < NODES_MIN) {
            throw Refusal.wrong("of " + nodes + " nodes none may be struck", "give at least -n " + NODES_MIN);
        }
        return nodes;
    }

    private static Duration time(ParseResult parsed) {
        double minutes = Numbers.positive(parsed, "--minutes", 10);
        if (minutes > MINUTES_MAX) {
            throw Refusal.wrong(
                    "--minutes " + Numbers.text(minutes) + " is out of range", "it is up to " + (long) MINUTES_MAX);
        }
        return Duration.ofMillis(Math.round(minutes * 60_000));
    }

    private static MarkedPage page(String name, String marks) {
        return MarkedFile.read(name, marks, "the report");
    }

    private static Path newFolder(String name) {
        var folder = Path.of(name);
        try {
            Files.createDirectories(folder);
            try (var files = Files.list(folder)) {
                if (files.findAny().isPresent()) {
                    throw Refusal.wrong("there is something in " + name, "give an empty folder, or a new one");
                }
            }
            return folder;
        } catch (IOException refused) {
            throw Refusal.cannot("cannot use " + name + " as a folder", "give an empty folder, or a new one");
        }
    }

    private static Path passingFolder() {
        try {
            return Files.createTempDirectory("habemus-soak");
        } catch (IOException refused) {
            throw Refusal.cannot("there is no room for what is recorded", "give a folder with --record");
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
