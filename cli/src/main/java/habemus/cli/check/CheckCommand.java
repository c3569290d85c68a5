package habemus.cli.check;

import habemus.check.ModelChecker;
import habemus.check.model.CheckOptions;
import habemus.check.model.CrashTarget;
import habemus.check.model.Scope;
import habemus.cli.experiment.Experiment;
import habemus.cli.experiment.ExperimentParser;
import habemus.cli.experiment.RunArguments;
import habemus.cli.experiment.RunOptions;
import habemus.cli.experiment.ScheduledExperiment;
import habemus.cli.experiment.WorldOption;
import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.OutputOptions;
import habemus.cli.simulate.RunOutputFiles;
import habemus.cli.terminal.AnsiColors;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ExitCode;
import habemus.cli.terminal.SpellingSuggestion;
import habemus.cli.terminal.Terminal;
import habemus.protocol.NodeSet;
import habemus.world.FaultKind;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Workload;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.ParseResult;

/** {@code habemus check}: every run of a small world. */
public final class CheckCommand implements Command {

    private static final String FAULTS_SECTION = "What may happen, and how often:";
    private static final String SEARCH_SECTION = "The search:";
    private static final long DEFAULT_STATES = 50_000_000;
    private static final long DEFAULT_SECONDS = 600;

    private static final List<WorldOption> WORLD_OPTIONS = List.of(
            WorldOption.NODES,
            WorldOption.SEED,
            WorldOption.TOPOLOGY,
            WorldOption.DISCONNECTED,
            WorldOption.RANK,
            WorldOption.NETWORK,
            WorldOption.ENTRIES,
            WorldOption.CALLERS,
            WorldOption.INITIATORS,
            WorldOption.DETECTOR);

    private static final Map<String, FaultKind> FAULT_BUDGETS = faultBudgets();

    private static Map<String, FaultKind> faultBudgets() {
        var budgets = new LinkedHashMap<String, FaultKind>();
        budgets.put("--crashes", FaultKind.CRASH);
        budgets.put("--restarts", FaultKind.RESTART);
        budgets.put("--amnesias", FaultKind.AMNESIA);
        budgets.put("--losses", FaultKind.LOSS);
        budgets.put("--duplicates", FaultKind.DUPLICATION);
        budgets.put("--partitions", FaultKind.PARTITION);
        budgets.put("--pauses", FaultKind.PAUSE);
        budgets.put("--mistakes", FaultKind.MISTAKE);
        return budgets;
    }

    @Override
    public String name() {
        return "check";
    }

    @Override
    public String summary() {
        return "Looks at every run of a small world: the verdict of every property, and a shortest counterexample.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        var commandSyntax = new CommandSyntax(this, "ALGORITHM [options]").positionals("ALGORITHM", false);
        RunOptions.add(commandSyntax, RunOptions.mentionedAlgorithms(args), WORLD_OPTIONS);
        FAULT_BUDGETS.forEach((name, faultKind) ->
                commandSyntax.value(FAULTS_SECTION, name, "K", "so often " + faultKind.sentence()));
        commandSyntax
                .value(
                        FAULTS_SECTION,
                        "--alarms",
                        "K",
                        "so many alarms ring at most (standard: any number; none where an algorithm retries)")
                .value(
                        FAULTS_SECTION,
                        "--timing",
                        "KIND",
                        "asynchronous: alarms at any time; synchronous: after all messages")
                .value(FAULTS_SECTION, "--victim", "WHO", "who crashes: " + describeTargets())
                .flag(FAULTS_SECTION, "--cuts", "a crash may also happen amid a step, after some of its effects")
                .value(SEARCH_SECTION, "--property", "NAME,…", "judges only these, which makes fewer states")
                .value(
                        SEARCH_SECTION,
                        "--reduce",
                        "WHAT,…",
                        "meets fewer states: order, if steps commute; symmetry, if names do not matter")
                .value(SEARCH_SECTION, "--states", "N", "gives up after so many (standard: " + DEFAULT_STATES + ")")
                .value(SEARCH_SECTION, "--seconds", "N", "gives up after so long (standard: " + DEFAULT_SECONDS + ")")
                .flag(
                        SEARCH_SECTION,
                        "--compact",
                        "keeps hashes of 64 bits in place of states: less memory, not quite exact")
                .value(SEARCH_SECTION, "--depth", "N", "looks at most so many steps ahead (standard: any number)")
                .value(
                        SEARCH_SECTION,
                        "--megabytes",
                        "N",
                        "gives up when it takes so much (standard: half of the heap)")
                .value(SEARCH_SECTION, "--threads", "N", "how many search (standard: 1)");
        return OutputOptions.add(commandSyntax)
                .examples(
                        "habemus check ricart-agrawala -n 3 --entries 2",
                        "habemus check ricart-agrawala-by-priority --svg broken.svg",
                        "habemus check bully -n 3 --crashes 1 --timing synchronous --property uniqueness,agreement",
                        "habemus check central -n 3 --crashes 1 --victim holder",
                        "habemus check central -n 3 --lease 400 --pauses 1 --timing synchronous");
    }

    private static String describeTargets() {
        return Arrays.stream(CrashTarget.values())
                        .filter(crashTarget -> crashTarget != CrashTarget.ANYONE)
                        .map(crashTarget -> crashTarget + ", " + crashTarget.description())
                        .collect(Collectors.joining("; "))
                + " (standard: " + CrashTarget.ANYONE + ")";
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        if (parsed.matchedPositionals().isEmpty()) {
            throw CommandException.usage("there is nothing to check", "name an algorithm, as in habemus check lamport");
        }
        var name = parsed.matchedPositionals().getFirst().stringValues().getFirst();
        var experiment = ExperimentParser.parse(
                RunArguments.of(RunOptions.algorithm(name), RunOptions.experimentOptions(parsed, WORLD_OPTIONS)));
        var properties = properties(parsed, experiment);
        var outputOptions = OutputOptions.of(parsed);
        var ansiColors = AnsiColors.of(outputOptions.color(), terminal);
        try (var checkProgress = new CheckProgress(terminal);
                var files = new RunOutputFiles(outputOptions)) {
            var scope = scope(parsed, experiment, checkProgress);
            long started = System.nanoTime();
            var checkReport = ModelChecker.check(
                    experiment.algorithm().create(experiment.algorithmParameters()), scope, properties);
            var checkOutput = new CheckOutput(experiment, scope, checkReport, (System.nanoTime() - started) / 1e9);
            checkProgress.clear();
            checkOutput.counterexample().events().forEach(files::write);
            files.finish(checkOutput::counterexample, scope.topology());
            if (outputOptions.json()) {
                terminal.out().println(checkOutput.json());
            } else {
                checkOutput.print(ansiColors, terminal.out());
            }
            return checkOutput.verdict().equals(CheckOutput.HOLDS) ? ExitCode.OK : ExitCode.VIOLATED;
        }
    }

    private static Scope scope(
            ParseResult parsed, Experiment experiment, CheckOptions.ProgressListener progressListener) {
        var world = experiment.world();
        if (world.networkModel().loss() > 0 || world.networkModel().duplication() > 0) {
            throw CommandException.usage(
                    "a check does not draw what is lost or doubled, it counts",
                    "use --losses 1 or --duplicates 1, with --network fifo or bag");
        }
        var callers = NodeSet.of(
                world.workload().requests().stream().map(Workload.Request::node).toList());
        var scope = ScheduledExperiment.scope(
                        experiment, OutputOptions.text(parsed, "--timing").orElse("asynchronous"))
                .withRequests(callers, world.workload().entries())
                .withMaxTimeouts(maxTimeouts(parsed, experiment))
                .withOptions(checkOptions(parsed).withProgressListener(progressListener));
        scope = parsed.hasMatchedOption("--cuts") ? scope.withMidStepCrashes() : scope;
        int back = count(parsed, "--restarts", 0) + count(parsed, "--amnesias", 0);
        for (var budget : FAULT_BUDGETS.entrySet()) {
            int times = count(parsed, budget.getKey(), budget.getValue() == FaultKind.CRASH ? back : 0);
            scope = times == 0 ? scope : scope.withFault(budget.getValue(), times);
        }
        if (scope.timing() == Scope.Timing.ASYNCHRONOUS && count(parsed, "--pauses", 0) > 0) {
            throw CommandException.usage(
                    "--pauses: where alarms ring at any time, who stands still is only slow, which any node may be",
                    "use --timing synchronous, or leave it out");
        }
        return withCrashTarget(parsed, experiment, scope);
    }

    private static Scope withCrashTarget(ParseResult parsed, Experiment experiment, Scope scope) {
        var text = OutputOptions.text(parsed, "--victim");
        if (text.isEmpty()) {
            return scope;
        }
        var crashTarget = crashTarget(text.get());
        var coordinators = experiment.algorithm().coordinators().apply(experiment.algorithmParameters());
        if (!scope.faultLimits().containsKey(FaultKind.CRASH)) {
            throw CommandException.usage("--victim: nobody crashes here", "use it with --crashes 1");
        }
        if (crashTarget == CrashTarget.COORDINATOR && coordinators.isEmpty()) {
            throw CommandException.usage(
                    "--victim: " + experiment.name() + " has no coordinator here, all nodes are alike",
                    "it is anyone, bystander, waiter or holder");
        }
        if (crashTarget != CrashTarget.ANYONE && experiment.algorithm().problem() == Problem.DETECTOR) {
            throw CommandException.usage("--victim: nobody waits for a detector, or is let in by it", "it is anyone");
        }
        return scope.withCrashTarget(crashTarget, coordinators);
    }

    private static CrashTarget crashTarget(String name) {
        var names =
                Arrays.stream(CrashTarget.values()).map(CrashTarget::toString).toList();
        if (!names.contains(name)) {
            throw CommandException.usage(
                    "--victim: nobody is a " + name,
                    SpellingSuggestion.hint(name, names) + "it is " + String.join(", ", names));
        }
        return CrashTarget.values()[names.indexOf(name)];
    }

    private static int maxTimeouts(ParseResult parsed, Experiment experiment) {
        int standard = experiment.algorithm().checkedTimeouts();
        return parsed.hasMatchedOption("--alarms") ? count(parsed, "--alarms", Scope.UNBOUNDED) : standard;
    }

    private static CheckOptions checkOptions(ParseResult parsed) {
        var checkOptions =
                parsed.hasMatchedOption("--compact") ? reductions(parsed).withHashCompaction() : reductions(parsed);
        return checkOptions
                .withMaxStates(OutputOptions.number(parsed, "--states", DEFAULT_STATES))
                .withTimeLimit(Duration.ofSeconds(OutputOptions.number(parsed, "--seconds", DEFAULT_SECONDS)))
                .withMaxDepth(count(parsed, "--depth", Scope.UNBOUNDED))
                .withMaxBytes(OutputOptions.number(parsed, "--megabytes", checkOptions.maxBytes() >> 20) << 20)
                .withThreads(count(parsed, "--threads", 1));
    }

    private static CheckOptions reductions(ParseResult parsed) {
        var checkOptions = CheckOptions.defaults();
        for (String what : OutputOptions.text(parsed, "--reduce").stream()
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .toList()) {
            checkOptions = switch (what) {
                case "order" -> checkOptions.withOrderReduction();
                case "symmetry" -> checkOptions.withSymmetryReduction();
                case "all" -> checkOptions.withOrderReduction().withSymmetryReduction();
                default ->
                    throw CommandException.usage(
                            "--reduce: there is no reduction by " + what, "there are order, symmetry and all");
            };
        }
        return checkOptions;
    }

    private static int count(ParseResult parsed, String option, int defaultValue) {
        return (int) Math.min(Scope.UNBOUNDED, OutputOptions.number(parsed, option, defaultValue));
    }

    private static Property[] properties(ParseResult parsed, Experiment experiment) {
        var all = Property.of(experiment.algorithm().create(experiment.algorithmParameters()));
        return OutputOptions.text(parsed, "--property")
                .map(text -> Arrays.stream(text.split(",", -1))
                        .map(name -> property(name, all))
                        .toArray(Property[]::new))
                .orElse(new Property[0]);
    }

    private static Property property(String name, List<Property> all) {
        var names = all.stream().map(Property::toString).toList();
        if (!names.contains(name)) {
            throw CommandException.usage(
                    "--property: there is no " + name + " here",
                    SpellingSuggestion.hint(name, names) + "there are " + String.join(", ", names));
        }
        return all.get(names.indexOf(name));
    }
}
