package habemus.cli.simulate;

import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.ConsoleLogging;
import habemus.cli.terminal.MarkdownFile;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.Terminal;
import habemus.harness.simulation.FaultPlan;
import habemus.harness.simulation.ServiceFuzzer;
import habemus.harness.simulation.ServiceShrinker;
import habemus.harness.simulation.SimulatedRun;
import habemus.lab.benchmark.MarkdownSection;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import habemus.lab.command.NumberOptions;
import habemus.lab.command.ValueType;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine.ParseResult;

/** {@code habemus fuzz service}: runs the whole lock service in virtual time, one run for each seed. */
final class ServiceFuzz {

    static final String NAME = "service";

    private static final String SECTION = "Search:";
    private static final String RUN = "Run:";
    private static final String DEFECTS = "Planted defects:";
    private static final String COMMAND = "habemus fuzz " + NAME;
    static final String NO_FAULTS = "none";
    private static final long SEEDS = 1_000;

    private ServiceFuzz() {}

    static CommandSyntax syntax(Subcommand command) {
        return new CommandSyntax(command, NAME + " [options]")
                .positionals("service", true)
                .value(
                        SECTION,
                        "--seeds",
                        "N",
                        NumberOptions.count().withDefault(SEEDS),
                        "number of seeds, starting at --seed")
                .value(SECTION, "--seed", "S", NumberOptions.countOrZero().withDefault(1L), "the first seed")
                .flag(SECTION, "--no-shrink", "does not shrink the violating run")
                .jsonFlag(SECTION)
                .helpOption(SECTION)
                .value(SECTION, "--totals", "FILE", "adds the counts to those of other seeds in FILE")
                .value(SECTION, "--write", "FILE", "also writes the figures into the marked section of FILE")
                .value(DEFECTS, "--defect", "NAME", "plants a defect in the program; all for each of them")
                .value(DEFECTS, "--search", "FILE", "searches the first seed that finds it, and records it in FILE")
                .value(RUN, "--nodes", "N", ValueType.choice("3", "5"), "nodes of the cluster (default: by seed)")
                .value(RUN, "--clients", "N", NumberOptions.count(FaultPlan.CLIENTS), "clients (default: 8)")
                .value(RUN, "--faults", "I,J,…", "only these faults of the seed's plan, or none (default: all)")
                .examples(
                        "habemus fuzz service --seeds 20000",
                        "habemus fuzz service --seed 17 --seeds 1 --clients 2 --faults 3,9",
                        "habemus fuzz service --defect send-before-sync   with the recorded seed that finds it",
                        "habemus fuzz service --defect all --seeds 100000 --search seeds.json");
    }

    /**
     * Runs the command in a program with a planted defect. Its arguments and its result have types of the Java runtime
     * only, so that it can be called in another class loader.
     *
     * @param args the arguments behind {@code habemus fuzz}
     */
    public static int runPlanted(String[] args, PrintStream out, PrintStream err) {
        var parsed = syntax(new FuzzCommand()).parse(List.of(args));
        return ConsoleLogging.silenced(() -> search(parsed, Terminal.of(out, err)));
    }

    static int run(ParseResult parsed, Terminal terminal) {
        return ConsoleLogging.silenced(() -> ParsedOptions.text(parsed, "--defect")
                .map(defect -> ServiceDefects.run(defect, parsed, terminal))
                .orElseGet(() -> search(parsed, terminal)));
    }

    private static int search(ParseResult parsed, Terminal terminal) {
        long first = ParsedOptions.<Long>get(parsed, "--seed");
        long count = ParsedOptions.<Long>get(parsed, "--seeds");
        var range = new ServiceFuzzTotals.SeedRange(first, first + count - 1);
        var totals = ParsedOptions.text(parsed, "--totals");
        var page = ParsedOptions.text(parsed, "--write");
        totals.ifPresent(file -> ServiceFuzzTotals.read(file).checkIsNew(range)); // reports errors before anything runs
        page.ifPresent(ServiceFuzz::page);
        var faults = ParsedOptions.text(parsed, "--faults").map(ServiceFuzz::parseFaults);
        var progress = new ProgressLine(terminal);
        double cpuBefore = cpuSeconds();
        var result = new ServiceFuzzer(seed -> plan(parsed, faults, seed))
                .fuzz(first, count, done -> progress.show(NAME, done, count));
        double cpuSeconds = cpuSeconds() - cpuBefore;
        var shrunk = result.violations().stream().findFirst().map(violation -> {
            progress.show("shrinking a run of " + NAME, count, count);
            return parsed.hasMatchedOption("--no-shrink")
                    ? SimulatedRun.withTrace(violation.plan())
                    : ServiceShrinker.shrink(violation);
        });
        progress.clear();
        var all = totals.map(ServiceFuzzTotals::read)
                .orElse(ServiceFuzzTotals.NONE)
                .with(range, result, cpuSeconds);
        totals.ifPresent(file -> AtomicOutputFile.write(file, all.toJson()));
        page.ifPresent(file -> AtomicOutputFile.write(file, page(file).replaceWith(all.markdown())));
        var output = new ServiceFuzzOutput(result, shrunk, ParsedOptions.text(parsed, "--defect"));
        if (parsed.hasMatchedOption("--json")) {
            terminal.out().println(output.json());
        } else {
            output.print(terminal.out());
        }
        return result.violations().isEmpty() ? ExitCode.OK : ExitCode.VIOLATED;
    }

    private static double cpuSeconds() {
        return ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .orElse(Duration.ZERO)
                        .toMillis()
                / 1e3;
    }

    private static MarkdownSection page(String file) {
        return MarkdownFile.readSection(file, COMMAND, "the figures of the simulation");
    }

    private static FaultPlan plan(ParseResult parsed, Optional<Set<Integer>> faults, long seed) {
        var plan = FaultPlan.draw(seed);
        if (parsed.hasMatchedOption("--nodes")) {
            plan = plan.withNodes(Integer.parseInt(ParsedOptions.<String>get(parsed, "--nodes")));
        }
        if (parsed.hasMatchedOption("--clients")) {
            plan = plan.withClients(ParsedOptions.getInt(parsed, "--clients"));
        }
        if (faults.isPresent()) {
            plan = plan.withFaults(plan.faults().stream()
                    .filter(fault -> faults.get().contains(fault.number()))
                    .toList());
        }
        return plan;
    }

    private static Set<Integer> parseFaults(String text) {
        if (text.equals(NO_FAULTS)) {
            return Set.of();
        }
        try {
            return Arrays.stream(text.split(",", -1))
                    .map(Integer::valueOf)
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (NumberFormatException wrong) {
            throw CommandException.usage(
                    "--faults must be numbers separated by commas, or none, was '" + text + "'",
                    "habemus fuzz service --seed 17 --seeds 1 --faults 3,9");
        }
    }
}
