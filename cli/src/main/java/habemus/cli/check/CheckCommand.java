package habemus.cli.check;

import habemus.check.BypassGrowth;
import habemus.check.ModelChecker;
import habemus.check.model.CheckOptions;
import habemus.check.model.CheckReport;
import habemus.check.model.CrashTarget;
import habemus.check.model.Scope;
import habemus.cli.experiment.Experiment;
import habemus.cli.experiment.ExperimentParser;
import habemus.cli.experiment.MembershipParser;
import habemus.cli.experiment.RequiredProperties;
import habemus.cli.experiment.RunArguments;
import habemus.cli.experiment.RunOptions;
import habemus.cli.experiment.ScheduledExperiment;
import habemus.cli.experiment.WorldOption;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.NumberOptions;
import habemus.cli.options.OutputOptions;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.options.ValueType;
import habemus.cli.simulate.RunOutputFiles;
import habemus.cli.terminal.AnsiColors;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.SpellingSuggestion;
import habemus.cli.terminal.Terminal;
import habemus.lab.trace.TimeScale;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.world.FaultKind;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Workload;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/** {@code habemus check}: explores every run of a small world with the model checker. */
public final class CheckCommand implements Subcommand {

    private static final String FAULTS_SECTION = "Faults and timing:";
    private static final String SEARCH_SECTION = "Search:";
    private static final long DEFAULT_STATES = 50_000_000;
    private static final long DEFAULT_SECONDS = 600;

    private static final List<WorldOption> WORLD_OPTIONS = List.of(
            WorldOption.NODES,
            WorldOption.SEED,
            WorldOption.TOPOLOGY,
            WorldOption.DISCONNECTED,
            WorldOption.RANK,
            WorldOption.NAMES,
            WorldOption.NETWORK,
            WorldOption.ENTRIES,
            WorldOption.CALLERS,
            WorldOption.INITIATORS,
            WorldOption.DETECTOR,
            WorldOption.REQUIRE);

    private static final String LOG_SECTION = "Calls of a replicated log:";
    private static final String PROPOSALS = "--proposals";
    private static final String READS = "--reads";
    private static final String SNAPSHOTS = "--snapshots";
    private static final String MEMBER_CHANGES = "--member-changes";
    private static final String TRANSFERS = "--transfers";

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
        budgets.put("--tail-losses", FaultKind.TAIL_LOSS);
        budgets.put("--joins", FaultKind.JOIN);
        budgets.put("--leaves", FaultKind.LEAVE);
        return budgets;
    }

    @Override
    public String name() {
        return "check";
    }

    @Override
    public String summary() {
        return "Explores every run of a small world: a verdict for every property, and a shortest counterexample.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        var syntax = new CommandSyntax(this, "ALGORITHM [options]").positionals("ALGORITHM", false);
        RunOptions.add(syntax, RunOptions.mentionedAlgorithms(args), WORLD_OPTIONS);
        addLogOptions(syntax);
        addFaultOptions(syntax);
        addSearchOptions(syntax);
        return OutputOptions.add(syntax)
                .exitCodes(
                        "0  no property that counts is violated (see --require)",
                        "1  a property that counts is violated, or a step fails",
                        "2  wrong usage",
                        "5  the search ended before it decided every property that counts")
                .examples(
                        "habemus check ricart-agrawala -n 3 --entries 2",
                        "habemus check ricart-agrawala-by-priority --svg broken.svg",
                        "habemus check bully -n 3 --crashes 1 --timing synchronous --property uniqueness,agreement",
                        "habemus check bully-stable -n 2 --require best-wins --stop-at-first",
                        "habemus check central -n 3 --crashes 1 --victim holder",
                        "habemus check quorum -n 2 --numbers 3 --timeouts unbounded --max-in-flight 2",
                        "habemus check token-ring -n 3 --joins 1 --leaves 1",
                        "habemus check central -n 3 --lease 400 --pauses 1 --timing synchronous",
                        "habemus check raft -n 3 --proposals 1 --timeouts 2 --crashes 1 --tail-losses 1");
    }

    private static void addLogOptions(CommandSyntax syntax) {
        addLogOption(syntax, PROPOSALS, "proposals of one command (default: 1)");
        addLogOption(syntax, READS, "reads");
        addLogOption(syntax, SNAPSHOTS, "snapshots");
        addLogOption(syntax, MEMBER_CHANGES, "members added, promoted or removed");
        addLogOption(syntax, TRANSFERS, "transfers of the leadership");
    }

    private static void addLogOption(CommandSyntax syntax, String name, String what) {
        syntax.value(LOG_SECTION, name, "K", NumberOptions.countOrZero(), "maximum number of " + what);
    }

    private static void addFaultOptions(CommandSyntax syntax) {
        FAULT_BUDGETS.forEach((name, faultKind) -> syntax.value(
                FAULTS_SECTION,
                name,
                "K",
                NumberOptions.countOrZero(),
                "maximum number of times that " + faultKind.sentence()));
        syntax.value(
                        FAULTS_SECTION,
                        "--timeouts",
                        "K",
                        NumberOptions.countOrUnbounded(),
                        "maximum number of timeouts, or unbounded (default: unbounded; none if the algorithm retries"
                                + " forever; 1 for a replicated log)")
                .value(
                        FAULTS_SECTION,
                        "--max-in-flight",
                        "K",
                        NumberOptions.countOrZero(),
                        "no timer fires while more than K messages are in flight (default: unbounded)")
                .value(
                        FAULTS_SECTION,
                        "--timing",
                        "KIND",
                        ValueType.choice("asynchronous", "synchronous").withDefault("asynchronous"),
                        "asynchronous: a timer may fire at any time; synchronous: only after all messages")
                .value(FAULTS_SECTION, "--victim", "WHO", "which node crashes: " + describeTargets())
                .flag(FAULTS_SECTION, "--cuts", "a node may also crash within a step, after some of its effects");
    }

    private static void addSearchOptions(CommandSyntax syntax) {
        syntax.value(
                        SEARCH_SECTION,
                        "--property",
                        "NAME,…",
                        "checks only these properties, and stops when they are decided; they count in every world")
                .flag(SEARCH_SECTION, "--stop-at-first", "stops at the first property that is not true")
                .value(
                        SEARCH_SECTION,
                        "--reduce",
                        "WHAT,…",
                        "explores fewer states: order (commuting steps), symmetry (interchangeable nodes), or all");
        addLimitOptions(syntax);
    }

    private static void addLimitOptions(CommandSyntax syntax) {
        syntax.value(
                        SEARCH_SECTION,
                        "--states",
                        "N",
                        NumberOptions.count().withDefault(DEFAULT_STATES),
                        "maximum number of states")
                .value(
                        SEARCH_SECTION,
                        "--seconds",
                        "N",
                        NumberOptions.count().withDefault(DEFAULT_SECONDS),
                        "time limit")
                .flag(
                        SEARCH_SECTION,
                        "--compact",
                        "stores 64-bit hashes in place of states: less memory, a small probability of error")
                .value(
                        SEARCH_SECTION,
                        "--depth",
                        "N",
                        NumberOptions.count(),
                        "maximum depth in steps (default: unbounded)")
                .value(
                        SEARCH_SECTION,
                        "--megabytes",
                        "N",
                        NumberOptions.count(),
                        "memory limit (default: half of the heap)")
                .value(SEARCH_SECTION, "--workers", "N", NumberOptions.count().withDefault(1), "number of threads");
    }

    private static String describeTargets() {
        return Arrays.stream(CrashTarget.values())
                        .filter(crashTarget -> crashTarget != CrashTarget.ANYONE)
                        .map(crashTarget -> crashTarget + ", " + crashTarget.description())
                        .collect(Collectors.joining("; "))
                + " (default: " + CrashTarget.ANYONE + ")";
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var experiment = experiment(parsed);
        boolean hasLog = experiment.algorithm().problem() == Problem.LOG;
        rejectLogOptionsUnless(hasLog, parsed, experiment);
        var properties = properties(parsed, experiment);
        var output = OutputOptions.of(parsed);
        output.rejectLogSvgUnless(hasLog);
        var colors = AnsiColors.of(output.color(), terminal);
        try (var checkProgress = new CheckProgress(terminal);
                var files = new RunOutputFiles(output, experiment.names(), TimeScale.STEPS)) {
            var scope = scope(parsed, experiment, checkProgress);
            long started = System.nanoTime();
            var protocol = experiment.algorithm().create(experiment.algorithmParameters());
            var report = ModelChecker.check(protocol, scope, properties);
            var required = RequiredProperties.of(experiment, scope).with(List.of(properties));
            var bypassGrowth = bypassGrowth(protocol, scope, report, started);
            double seconds = (System.nanoTime() - started) / 1e9;
            var checkOutput = new CheckOutput(experiment, scope, required, report, bypassGrowth, seconds);
            checkProgress.clear();
            checkOutput.counterexample().events().forEach(files::write);
            files.finish(checkOutput::counterexample, scope.topology());
            if (output.json()) {
                terminal.out().println(experiment.names().in(checkOutput.json()));
            } else {
                checkOutput.print(colors, terminal.out());
            }
            return checkOutput.verdict().exitCode();
        }
    }

    /** If no bound of bypasses is stated, the worlds with fewer entries tell whether the largest bypass grows. */
    private static Optional<BypassGrowth> bypassGrowth(
            Protocol<?, ?> protocol, Scope scope, CheckReport report, long startedNanos) {
        boolean hasLargest =
                report.maxBypass().isPresent() && report.maxBypass().getAsInt() != Scope.UNBOUNDED;
        var remaining = scope.options().limits().time().minusNanos(System.nanoTime() - startedNanos);
        return hasLargest && scope.bypassBound().isEmpty()
                ? Optional.of(BypassGrowth.of(protocol, scope, report, remaining))
                : Optional.empty();
    }

    static Experiment experiment(ParseResult parsed) {
        var name = ParsedOptions.firstArgument(parsed)
                .orElseThrow(() -> CommandException.usage("ALGORITHM is missing", "habemus check lamport"));
        var experiment = ExperimentParser.parse(
                RunArguments.of(RunOptions.algorithm(name), RunOptions.experimentOptions(parsed, WORLD_OPTIONS)));
        for (String change : List.of("--joins", "--leaves")) {
            if (count(parsed, change, 0) > 0) {
                MembershipParser.requireAware(experiment.algorithm(), experiment.algorithmParameters(), change);
            }
        }
        return experiment.withJoiners(count(parsed, "--joins", 0));
    }

    static Scope scope(ParseResult parsed, Experiment experiment, CheckOptions.ProgressListener progressListener) {
        var world = experiment.world();
        if (world.network().loss() > 0 || world.network().duplication() > 0) {
            throw CommandException.usage(
                    "check does not use probabilities of loss and duplication",
                    "use --losses 1 or --duplicates 1, with --network fifo or bag");
        }
        var callers = NodeSet.of(
                world.workload().requests().stream().map(Workload.Request::node).toList());
        var scope = ScheduledExperiment.scope(experiment, ParsedOptions.get(parsed, "--timing"))
                .withRequests(callers, world.workload().entries())
                .withLogCalls(logCalls(parsed, experiment))
                .withMaxTimeouts(maxTimeouts(parsed, experiment))
                .withMaxInFlight(count(parsed, "--max-in-flight", Scope.UNBOUNDED))
                .withOptions(checkOptions(parsed).withProgressListener(progressListener));
        scope = parsed.hasMatchedOption("--cuts") ? scope.withMidStepCrashes() : scope;
        int crashes = Math.max(
                count(parsed, "--restarts", 0) + count(parsed, "--amnesias", 0),
                Math.min(1, count(parsed, "--tail-losses", 0)));
        for (var budget : FAULT_BUDGETS.entrySet()) {
            int times = count(parsed, budget.getKey(), budget.getValue() == FaultKind.CRASH ? crashes : 0);
            scope = times == 0 ? scope : scope.withFault(budget.getValue(), times);
        }
        if (scope.timers().timing() == Scope.Timing.ASYNCHRONOUS && count(parsed, "--pauses", 0) > 0) {
            throw CommandException.usage(
                    "--pauses has no effect with asynchronous timing (any node may be slow anyway)",
                    "add --timing synchronous");
        }
        if (scope.isSynchronous() && parsed.hasMatchedOption("--max-in-flight")) {
            throw CommandException.usage(
                    "--max-in-flight has no effect with synchronous timing (timers wait for all messages)",
                    "leave it out, or use --timing asynchronous");
        }
        return withCrashTarget(parsed, experiment, scope);
    }

    private static void rejectLogOptionsUnless(boolean hasLog, ParseResult parsed, Experiment experiment) {
        for (String name : List.of(PROPOSALS, READS, SNAPSHOTS, MEMBER_CHANGES, TRANSFERS, "--tail-losses")) {
            if (!hasLog && parsed.hasMatchedOption(name)) {
                throw CommandException.usage(
                        name + " is for replicated logs, and " + experiment.name() + " has none",
                        "habemus check raft " + name + " 1");
            }
        }
    }

    /** A replicated log gets one proposal unless the options say otherwise. */
    private static Scope.LogCalls logCalls(ParseResult parsed, Experiment experiment) {
        return experiment.algorithm().problem() != Problem.LOG
                ? Scope.LogCalls.NONE
                : new Scope.LogCalls(
                        count(parsed, PROPOSALS, 1),
                        count(parsed, READS, 0),
                        count(parsed, SNAPSHOTS, 0),
                        count(parsed, MEMBER_CHANGES, 0),
                        count(parsed, TRANSFERS, 0));
    }

    private static Scope withCrashTarget(ParseResult parsed, Experiment experiment, Scope scope) {
        var text = ParsedOptions.text(parsed, "--victim");
        if (text.isEmpty()) {
            return scope;
        }
        var crashTarget = crashTarget(text.get());
        var coordinators = experiment.algorithm().coordinators().apply(experiment.algorithmParameters());
        if (!scope.faults().limits().containsKey(FaultKind.CRASH)) {
            throw CommandException.usage("--victim needs a crash", "add --crashes 1");
        }
        if (crashTarget == CrashTarget.COORDINATOR && coordinators.isEmpty()) {
            throw CommandException.usage(
                    "--victim: " + experiment.name() + " has no coordinator",
                    "use anyone, bystander, waiter or holder");
        }
        if (crashTarget != CrashTarget.ANYONE && experiment.algorithm().problem() == Problem.DETECTOR) {
            throw CommandException.usage("--victim: a failure detector has no waiters and holders", "use anyone");
        }
        return scope.withCrashTarget(crashTarget, coordinators);
    }

    private static CrashTarget crashTarget(String name) {
        var names =
                Arrays.stream(CrashTarget.values()).map(CrashTarget::toString).toList();
        if (!names.contains(name)) {
            throw CommandException.usage(
                    "--victim: unknown role '" + name + "'",
                    SpellingSuggestion.hint(name, names) + "roles: " + String.join(", ", names));
        }
        return CrashTarget.values()[names.indexOf(name)];
    }

    private static int maxTimeouts(ParseResult parsed, Experiment experiment) {
        boolean hasLog = experiment.algorithm().problem() == Problem.LOG; // the first timeout elects a leader
        var algorithm = experiment.algorithm();
        boolean isSynchronous = ParsedOptions.get(parsed, "--timing").equals("synchronous");
        int timeouts = isSynchronous ? algorithm.synchronousTimeouts() : algorithm.checkedTimeouts();
        return count(parsed, "--timeouts", hasLog ? 1 : timeouts);
    }

    private static CheckOptions checkOptions(ParseResult parsed) {
        var checkOptions =
                parsed.hasMatchedOption("--compact") ? reductions(parsed).withHashCompaction() : reductions(parsed);
        return checkOptions
                .withMaxStates(ParsedOptions.<Long>get(parsed, "--states"))
                .withTimeLimit(Duration.ofSeconds(ParsedOptions.<Long>get(parsed, "--seconds")))
                .withMaxDepth(count(parsed, "--depth", Scope.UNBOUNDED))
                .withStop(stop(parsed))
                .withMaxBytes(ParsedOptions.<Long>find(parsed, "--megabytes")
                        .map(megabytes -> megabytes << 20)
                        .orElse(Runtime.getRuntime().maxMemory() / 2))
                .withThreads(count(parsed, "--workers", 1));
    }

    private static CheckOptions.Stop stop(ParseResult parsed) {
        return parsed.hasMatchedOption("--stop-at-first")
                ? CheckOptions.Stop.AT_FIRST_VIOLATION
                : parsed.hasMatchedOption("--property") ? CheckOptions.Stop.WHEN_DECIDED : CheckOptions.Stop.NEVER;
    }

    private static CheckOptions reductions(ParseResult parsed) {
        var checkOptions = CheckOptions.defaults();
        for (String reduction : ParsedOptions.text(parsed, "--reduce").stream()
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .toList()) {
            checkOptions = switch (reduction) {
                case "order" -> checkOptions.withOrderReduction();
                case "symmetry" -> checkOptions.withSymmetryReduction();
                case "all" -> checkOptions.withOrderReduction().withSymmetryReduction();
                default ->
                    throw CommandException.usage(
                            "--reduce: unknown reduction '" + reduction + "'", "use order, symmetry or all");
            };
        }
        return checkOptions;
    }

    private static int count(ParseResult parsed, String option, int defaultValue) {
        return (int) Math.min(
                Scope.UNBOUNDED, ParsedOptions.<Long>find(parsed, option).orElse((long) defaultValue));
    }

    private static Property[] properties(ParseResult parsed, Experiment experiment) {
        var named = ParsedOptions.text(parsed, "--property").stream()
                .flatMap(text -> RequiredProperties.parse("--property", text, experiment).stream())
                .toList();
        return named.isEmpty()
                ? new Property[0]
                : Stream.concat(named.stream(), RequiredProperties.named(experiment).stream())
                        .distinct()
                        .toArray(Property[]::new);
    }
}
