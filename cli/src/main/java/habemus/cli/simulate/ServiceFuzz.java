package habemus.cli.simulate;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.NumberOptions;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.options.ValueType;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ConsoleLogging;
import habemus.cli.terminal.ExitCode;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.Terminal;
import habemus.harness.simulation.FaultPlan;
import habemus.harness.simulation.FaultPlan.PlannedFault;
import habemus.harness.simulation.ServiceFault;
import habemus.harness.simulation.ServiceFuzzer;
import habemus.harness.simulation.ServiceShrinker;
import habemus.harness.simulation.ServiceSituation;
import habemus.harness.simulation.SimulatedRun;
import java.io.PrintStream;
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
    private static final String NO_FAULTS = "none";
    private static final long SEEDS = 1_000;
    private static final int TRACE_LINES = 40;

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
                .value(
                        SECTION,
                        "--defect",
                        "NAME",
                        "plants a defect and searches for a seed that finds it; all for all of them")
                .value(RUN, "--nodes", "N", ValueType.choice("3", "5"), "nodes of the cluster (default: by seed)")
                .value(RUN, "--clients", "N", NumberOptions.count(FaultPlan.CLIENTS), "clients (default: 8)")
                .value(RUN, "--faults", "I,J,…", "only these faults of the seed's plan, or none (default: all)")
                .examples(
                        "habemus fuzz service --seeds 20000",
                        "habemus fuzz service --seed 17 --seeds 1 --clients 2 --faults 3,9",
                        "habemus fuzz service --defect send-before-sync");
    }

    static int run(ParseResult parsed, Terminal terminal) {
        return ConsoleLogging.silenced(() -> search(parsed, terminal));
    }

    private static int search(ParseResult parsed, Terminal terminal) {
        var defect = ParsedOptions.text(parsed, "--defect");
        if (defect.isPresent()) {
            return ServiceDefects.run(defect.get(), ParsedOptions.<Long>get(parsed, "--seeds"), terminal);
        }
        long first = ParsedOptions.<Long>get(parsed, "--seed");
        long count = ParsedOptions.<Long>get(parsed, "--seeds");
        var faults = ParsedOptions.text(parsed, "--faults").map(ServiceFuzz::parseFaults);
        var progress = new ProgressLine(terminal);
        var result = new ServiceFuzzer(seed -> plan(parsed, faults, seed))
                .fuzz(first, count, done -> progress.show(NAME, done, count));
        var shrunk = result.violations().stream().findFirst().map(violation -> {
            progress.show("shrinking a run of " + NAME, count, count);
            return parsed.hasMatchedOption("--no-shrink")
                    ? SimulatedRun.withTrace(violation.plan())
                    : ServiceShrinker.shrink(violation);
        });
        progress.clear();
        if (parsed.hasMatchedOption("--json")) {
            terminal.out().println(json(result, shrunk));
        } else {
            print(result, shrunk, terminal.out());
        }
        return result.violations().isEmpty() ? ExitCode.OK : ExitCode.VIOLATED;
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

    /** The command that runs the same again. */
    static String replay(FaultPlan plan) {
        var drawn = FaultPlan.draw(plan.seed());
        var line = new StringBuilder("habemus fuzz service --seed " + plan.seed() + " --seeds 1 --no-shrink");
        if (plan.nodes() != drawn.nodes()) {
            line.append(" --nodes ").append(plan.nodes());
        }
        if (plan.clients() != drawn.clients()) {
            line.append(" --clients ").append(plan.clients());
        }
        if (plan.faults().size() != drawn.faults().size()) {
            var numbers = plan.faults().stream()
                    .map(PlannedFault::number)
                    .map(String::valueOf)
                    .collect(Collectors.joining(","));
            line.append(" --faults ").append(numbers.isEmpty() ? NO_FAULTS : numbers);
        }
        return line.toString();
    }

    /** Equal if the runs have sent the same bytes at the same times. */
    private static String hash(ServiceFuzzer.Result result) {
        return "%016x".formatted(result.hash());
    }

    private static String violated(List<SimulatedRun> violations) {
        return violations.isEmpty()
                ? "nothing"
                : violations.stream().map(run -> run.violated().orElseThrow()).collect(Collectors.joining(", "));
    }

    private static void print(ServiceFuzzer.Result result, Optional<SimulatedRun> shrunk, PrintStream out) {
        var row = "%-10s %12s %16s %18s   %s%n";
        out.printf(row, "", "seeds", "events", "hash", "violated");
        out.printf(row, NAME, result.seeds(), result.events(), hash(result), violated(result.violations()));
        out.println();
        out.println("service: the faults, " + result.coverage().faults() / Math.max(1, result.seeds()) + " a run");
        for (var fault : ServiceFault.values()) {
            out.printf("%,15d  %s%n", result.coverage().of(fault), fault.sentence());
        }
        out.println();
        out.println("service: what the runs went through");
        for (var situation : ServiceSituation.values()) {
            out.printf("%,15d  %s%n", result.coverage().of(situation), situation.sentence());
        }
        for (var run : result.violations()) {
            out.println();
            out.println("service: " + run.violated().orElseThrow() + ", replay with");
            out.println("  " + replay(run.plan()));
        }
        shrunk.ifPresent(run -> print(run, out));
    }

    private static void print(SimulatedRun run, PrintStream out) {
        out.println();
        out.println(run.violated().orElse("nothing") + ", with "
                + run.plan().faults().size() + " faults and " + run.plan().clients() + " clients: " + run.detail());
        out.println();
        var lines = run.lastLines();
        lines.subList(Math.max(0, lines.size() - TRACE_LINES), lines.size()).forEach(line -> out.println("  " + line));
        out.println();
        out.println("  " + replay(run.plan()));
    }

    private static JsonObject json(ServiceFuzzer.Result result, Optional<SimulatedRun> shrunk) {
        var json = new JsonObject();
        json.addProperty("seeds", result.seeds());
        json.addProperty("events", result.events());
        json.addProperty("hash", hash(result));
        var violations = new JsonArray();
        result.violations().forEach(run -> violations.add(json(run)));
        json.add("violations", violations);
        var faults = new JsonObject();
        for (var fault : ServiceFault.values()) {
            faults.addProperty(fault.toString(), result.coverage().of(fault));
        }
        json.add("faults", faults);
        var coverage = new JsonObject();
        for (var situation : ServiceSituation.values()) {
            coverage.addProperty(situation.toString(), result.coverage().of(situation));
        }
        json.add("coverage", coverage);
        shrunk.ifPresent(run -> json.add("shrunk", json(run)));
        return json;
    }

    private static JsonObject json(SimulatedRun run) {
        var json = new JsonObject();
        json.addProperty("property", run.violated().orElse(""));
        json.addProperty("seed", run.plan().seed());
        json.addProperty("detail", run.detail());
        json.addProperty("replay", replay(run.plan()));
        return json;
    }
}
