package habemus.cli;

import habemus.world.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.ParseResult;

/** {@code habemus soak}: kills and stops real nodes at random, for long, and judges what they recorded. */
final class SoakCommand implements Command {

    private static final String SECTION = "Options:";
    private static final int NODES = 5;
    private static final int NODES_MAX = 25;
    private static final int NODES_MIN = 3; // of fewer there is no minority
    private static final int LOCKS_MAX = 100;
    private static final double MINUTES_MAX = 10_000;

    @Override
    public String name() {
        return "soak";
    }

    @Override
    public String summary() {
        return "Kills and stops real nodes at random, again and again; then judges what they recorded.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        return new Sheet(this, "[--minutes N] [options]")
                .value(SECTION, "-n", "N", "how many nodes (standard: " + NODES + ")")
                .value(SECTION, "--minutes", "N", "how long faults strike (standard: 10)")
                .value(SECTION, "--seed", "N", "draws the faults (standard: 1); what is struck also depends on time")
                .value(SECTION, "--locks", "WORDS", "the algorithm of locks (standard: " + ServeOptions.LOCKS + ")")
                .value(SECTION, "--how-many", "N", "locks there are (standard: 3)")
                .value(SECTION, "--elections", "WORDS", "that of elections (standard: " + ServeOptions.ELECTIONS + ")")
                .value(SECTION, "--record", "DIR", "keeps what was recorded, for habemus replay; else it is deleted")
                .value(SECTION, "--write", "FILE", "also puts the report into FILE, between its two marks")
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .help(SECTION)
                .example(
                        "habemus soak --minutes 1 --record soaked",
                        "habemus soak -n 5 --minutes 10 --write docs/soak.md");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        int nodes = nodes(parsed);
        var time = time(parsed);
        int locks = (int) Numbers.upTo(LOCKS_MAX, parsed, "--how-many", 3);
        long seed = Output.number(parsed, "--seed", 1);
        var mutex = ServeOptions.recipe(parsed, "--locks", ServeOptions.LOCKS, Problem.MUTEX, nodes);
        var election = ServeOptions.recipe(parsed, "--elections", ServeOptions.ELECTIONS, Problem.ELECTION, nodes);
        var page = Output.text(parsed, "--write");
        page.ifPresent(SoakCommand::page); // complains before anything is run
        var kept = Output.text(parsed, "--record").map(SoakCommand::newFolder);
        var enough = new CountDownLatch(1);
        var folder = kept.orElseGet(SoakCommand::passingFolder);
        var soak = new Soak(nodes, locks, time, seed, mutex, election, folder);
        try {
            var report = run(soak, enough, new Progress(terminal));
            page.ifPresent(name -> WholeFile.write(
                    name, MarkedFile.read(name, "habemus soak", "the report").with(report.text())));
            terminal.out().println(parsed.hasMatchedOption("--json") ? report.json() : report.text());
            return report.isFine() ? ExitCode.DONE : ExitCode.VIOLATED;
        } finally {
            if (kept.isEmpty()) {
                delete(folder);
            }
        }
    }

    @SuppressWarnings("try") // it only has to be there
    private static SoakReport run(Soak soak, CountDownLatch enough, Progress progress) {
        try (var interruption = new Interruption(enough::countDown)) {
            return soak.run(enough, progress);
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

    private static Object page(String name) {
        return MarkedFile.read(name, "habemus soak", "the report");
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
