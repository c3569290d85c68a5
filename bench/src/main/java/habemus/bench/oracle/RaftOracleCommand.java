package habemus.bench.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.bench.OutputPage;
import habemus.check.model.CheckReport;
import habemus.world.Property;
import habemus.world.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bench/run raft-oracle}: checks the published specification of Raft and the machine in the same worlds. */
@Command(
        name = "raft-oracle",
        description = "Compares the verdicts of TLC on the published specification of Raft with those of the checker.",
        footer = {"", "Example: bench/run raft-oracle ../raft.tla/raft.tla --write docs/raft-oracle.md"},
        usageHelpAutoWidth = true)
public final class RaftOracleCommand implements Callable<Integer> {

    private static final Property[] PROPERTIES = {
        Property.ELECTION_SAFETY, Property.LOG_MATCHING, Property.LEADER_COMPLETENESS, Property.STATE_MACHINE_SAFETY
    };
    private static final int DISAGREEMENT = 1;
    private static final int UNCHANGED_RUNS = 1_000;

    /** The specification has no no-op: its requests are the entries that leaders append in the machine. */
    private static final List<RaftWorld> WORLDS = List.of(
            RaftWorld.of("one timeout, one request", 1, 1),
            RaftWorld.of("one timeout, two requests", 1, 2),
            RaftWorld.of("one timeout, one request, one lost message", 1, 1).withDrops(1),
            RaftWorld.of("one timeout, one request, one duplicated message", 1, 1)
                    .withDuplicates(1),
            RaftWorld.of("one timeout, one request, one restart", 1, 1).withRestarts(1),
            RaftWorld.of("one timeout, one request, one crash that loses unsynced entries", 1, 1)
                    .withTailLosses(1),
            RaftWorld.of("two timeouts, no request", 2, 0),
            RaftWorld.of("two timeouts, no request, one lost message", 2, 0).withDrops(1),
            RaftWorld.of("two timeouts, no request, one duplicated message", 2, 0)
                    .withDuplicates(1),
            RaftWorld.of("two timeouts, no request, one restart", 2, 0).withRestarts(1),
            RaftWorld.of("two timeouts, one request", 2, 1));

    @Parameters(paramLabel = "SPEC", description = "raft.tla of https://github.com/ongardie/raft.tla")
    private Path specification = Path.of("raft.tla");

    @Option(names = "--seconds", paramLabel = "N", description = "time limit for each search (default: 600)")
    private int seconds = 600;

    @Option(names = "--write", paramLabel = "FILE", description = "also writes the tables into their section of FILE")
    private Optional<Path> file = Optional.empty();

    private int equal;
    private int undecided;
    private int different;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var outputPage = OutputPage.open(file, "bench/run raft-oracle");
        var folder = Files.createTempDirectory("habemus-raft-oracle");
        try {
            var published = new PublishedSpecification(Files.readString(specification, UTF_8), folder);
            outputPage.print(worlds(published) + "\n" + defects(published) + "\n" + summary());
        } finally {
            remove(folder);
        }
        return different == 0 ? CommandLine.ExitCode.OK : DISAGREEMENT;
    }

    private String worlds(PublishedSpecification published) throws IOException, InterruptedException {
        var table = new StringBuilder("""
                | world | TLC: distinct states | verdict | Habemus: states | verdict |
                |---|---|---|---|---|
                """);
        for (RaftWorld world : WORLDS) {
            System.err.println(world.name() + " ...");
            var tlc = published.check(world, limit(), PROPERTIES);
            var ours = MachineUnderTest.correct().check(world.scope(limit()), PROPERTIES);
            count(tlc.isComplete() && ours.isComplete(), tlc.violated().isEmpty() && !ours.hasViolation());
            table.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %s%,d | %s |%n",
                    world.name(),
                    states(tlc),
                    verdict(tlc.violated(), tlc.isComplete()),
                    ours.isComplete() ? "" : "more than ",
                    ours.states(),
                    verdict(violation(ours), ours.isComplete())));
        }
        return table.toString();
    }

    private String defects(PublishedSpecification published) throws IOException, InterruptedException {
        var table = new StringBuilder("""
                | a node … | rule | TLC: violated | states of random runs | unchanged specification \
                | Habemus: violated | states | moves of the run |
                |---|---|---|---|---|---|---|---|
                """);
        for (RaftDefect defect : RaftDefect.ALL) {
            System.err.println(defect.name() + " ...");
            var tlc = published.with(defect.inSpecification()).search(defect.plan(), limit(), defect.breaks());
            var unchanged = published.sample(UNCHANGED_RUNS, defect.plan(), limit(), PROPERTIES);
            var ours = machine(defect, published.folder()).check(defect.world().scope(limit()), defect.breaks());
            boolean bothViolated = !tlc.violated().isEmpty() && ours.hasViolation();
            boolean isDecided = !tlc.violated().isEmpty() && (ours.hasViolation() || ours.isComplete());
            count(
                    isDecided,
                    (bothViolated || !isDecided) && unchanged.violated().isEmpty());
            table.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %s | %s | %s | %,d | %s |%n",
                    defect.name(),
                    defect.rule(),
                    verdict(tlc.violated(), false),
                    states(tlc),
                    verdict(unchanged.violated(), unchanged.isComplete()) + " in " + states(unchanged),
                    verdict(violation(ours), ours.isComplete()),
                    ours.states(),
                    ours.hasViolation() ? moves(ours) : "–"));
        }
        return table.toString();
    }

    private void count(boolean isDecided, boolean agrees) {
        if (!agrees) {
            different++;
        } else if (isDecided) {
            equal++;
        } else {
            undecided++;
        }
    }

    private String summary() {
        return String.format(
                Locale.ROOT,
                "Verdicts: %d equal, %d different, %d not decided by both within %d s a search. Java %s.%n",
                equal,
                different,
                undecided,
                seconds,
                Runtime.version());
    }

    private static String verdict(String violated, boolean isComplete) {
        return violated.isEmpty() ? isComplete ? "all hold" : "not decided" : violated;
    }

    private static MachineUnderTest machine(RaftDefect defect, Path folder) throws IOException {
        var sources = Path.of(System.getProperty("habemus.root", "."), "algorithms/src/main/java");
        return MachineUnderTest.with(defect.inMachine(), sources, Files.createTempDirectory(folder, "defect"));
    }

    private static String states(PublishedSpecification.TlcVerdict tlc) {
        boolean isExact = tlc.isComplete() || !tlc.violated().isEmpty();
        return tlc.states().isEmpty()
                ? "unknown"
                : String.format(
                        Locale.ROOT,
                        "%s%,d",
                        isExact ? "" : "more than ",
                        tlc.states().getAsLong());
    }

    /** The violated property, named as in the specification; empty if there is none. */
    private static String violation(CheckReport report) {
        return finding(report).map(CheckReport.Finding::name).orElse("");
    }

    private static int moves(CheckReport report) {
        return finding(report).map(finding -> finding.schedule().size()).orElse(0);
    }

    private static Optional<CheckReport.Finding> finding(CheckReport report) {
        return report.findings().stream()
                .filter(finding -> finding.verdict() == Verdict.VIOLATED)
                .findFirst();
    }

    private Duration limit() {
        return Duration.ofSeconds(seconds);
    }

    private static void remove(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
