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

    /** The specification has no no-op: its requests are the entries that leaders append in the machine. */
    private static final List<RaftWorld> WORLDS = List.of(
            RaftWorld.of("one election, one request", 1, 1),
            RaftWorld.of("one election, two requests", 1, 2),
            RaftWorld.of("one lost message", 1, 1).withDrops(1),
            RaftWorld.of("one duplicated message", 1, 1).withDuplicates(1),
            RaftWorld.of("one restart", 1, 1).withRestarts(1),
            RaftWorld.of("one crash that loses unsynced entries", 1, 1).withTailLosses(1),
            RaftWorld.of("two elections", 2, 0),
            RaftWorld.of("two elections, one request", 2, 1));

    @Parameters(paramLabel = "SPEC", description = "raft.tla of https://github.com/ongardie/raft.tla")
    private Path specification = Path.of("raft.tla");

    @Option(names = "--seconds", paramLabel = "N", description = "time limit for each search (default: 600)")
    private int seconds = 600;

    @Option(names = "--write", paramLabel = "FILE", description = "also writes the tables into their section of FILE")
    private Optional<Path> file = Optional.empty();

    private boolean agrees = true;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var outputPage = OutputPage.open(file, "bench/run raft-oracle");
        var folder = Files.createTempDirectory("habemus-raft-oracle");
        try {
            var published = new PublishedSpecification(Files.readString(specification, UTF_8), folder);
            outputPage.print(worlds(published) + "\n" + defects(published));
        } finally {
            remove(folder);
        }
        return agrees ? CommandLine.ExitCode.OK : DISAGREEMENT;
    }

    private String worlds(PublishedSpecification published) throws IOException, InterruptedException {
        var table = new StringBuilder("""
                | world | TLC: states | verdict | Habemus: states | verdict |
                |---|---|---|---|---|
                """);
        for (RaftWorld world : WORLDS) {
            System.err.println(world.name() + " ...");
            var tlc = published.check(world, limit(), PROPERTIES);
            var ours = MachineUnderTest.correct().check(world.scope(limit()), PROPERTIES);
            agrees &= tlc.violated().isEmpty() && violated(ours).isEmpty();
            table.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %,d | %s |%n",
                    world.name(),
                    states(tlc),
                    tlc.holds() ? "all hold" : tlc.violated().isEmpty() ? "open" : tlc.violated(),
                    ours.states(),
                    violated(ours).orElse(ours.isComplete() ? "all hold" : "open")));
        }
        return table.toString();
    }

    private String defects(PublishedSpecification published) throws IOException, InterruptedException {
        var table = new StringBuilder("""
                | a node … | rule | TLC: violated | after states | unchanged | Habemus: violated | states | moves |
                |---|---|---|---|---|---|---|---|
                """);
        for (RaftDefect defect : RaftDefect.ALL) {
            System.err.println(defect.name() + " ...");
            var tlc = published.with(defect.inSpecification()).search(defect.plan(), limit(), defect.breaks());
            var control = published.search(defect.plan(), Duration.ofSeconds(Math.min(seconds, 10)), PROPERTIES);
            var ours = machine(defect, published.folder()).check(defect.world().scope(limit()), defect.breaks());
            agrees &= PublishedSpecification.name(defect.breaks()).equals(tlc.violated())
                    && violated(ours).isPresent()
                    && control.violated().isEmpty();
            table.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %s | %s | %s | %,d | %d |%n",
                    defect.name(),
                    defect.rule(),
                    tlc.violated().isEmpty() ? "nothing" : tlc.violated(),
                    states(tlc),
                    control.violated().isEmpty() ? "holds in " + states(control) : control.violated(),
                    violated(ours).orElse("nothing"),
                    ours.states(),
                    moves(ours)));
        }
        return table.toString();
    }

    private static MachineUnderTest machine(RaftDefect defect, Path folder) throws IOException {
        var sources = Path.of(System.getProperty("habemus.root", "."), "core/src/main/java");
        return MachineUnderTest.with(defect.inMachine(), sources, Files.createTempDirectory(folder, "defect"));
    }

    private static String states(PublishedSpecification.TlcVerdict tlc) {
        return tlc.states().isPresent()
                ? String.format(Locale.ROOT, "%,d", tlc.states().getAsLong())
                : "more than fit the time";
    }

    private static Optional<String> violated(CheckReport report) {
        return report.findings().stream()
                .filter(finding -> finding.verdict() == Verdict.VIOLATED)
                .map(CheckReport.Finding::name)
                .findFirst();
    }

    private static int moves(CheckReport report) {
        return report.findings().stream()
                .filter(finding -> finding.verdict() == Verdict.VIOLATED)
                .mapToInt(finding -> finding.trace().size())
                .findFirst()
                .orElse(0);
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
