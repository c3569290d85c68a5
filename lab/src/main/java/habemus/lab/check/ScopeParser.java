package habemus.lab.check;

import habemus.check.model.CheckOptions;
import habemus.check.model.CrashTarget;
import habemus.check.model.Scope;
import habemus.lab.command.CommandException;
import habemus.lab.command.SpellingSuggestion;
import habemus.lab.experiment.Experiment;
import habemus.lab.experiment.ScheduledExperiment;
import habemus.protocol.NodeSet;
import habemus.world.FaultKind;
import habemus.world.Problem;
import habemus.world.Workload;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Parses the scope of a check: the faults, calls and timeouts of its runs, and the limits of the search. */
final class ScopeParser {

    private static final List<CheckOption> LOG_OPTIONS = List.of(
            CheckOption.PROPOSALS,
            CheckOption.READS,
            CheckOption.SNAPSHOTS,
            CheckOption.MEMBER_CHANGES,
            CheckOption.TRANSFERS,
            CheckOption.TAIL_LOSSES);

    private final CheckArguments arguments;
    private final Experiment experiment;

    private ScopeParser(CheckArguments arguments, Experiment experiment) {
        this.arguments = arguments;
        this.experiment = experiment;
    }

    /** @throws CommandException if an option has no effect in this world */
    static Scope parse(CheckArguments arguments, Experiment experiment) {
        return new ScopeParser(arguments, experiment).scope();
    }

    static void rejectLogOptionsUnless(boolean hasLog, CheckArguments arguments, Experiment experiment) {
        for (CheckOption option : LOG_OPTIONS) {
            if (!hasLog && arguments.has(option)) {
                throw CommandException.usage(
                        option.option() + " is for replicated logs, and " + experiment.name() + " has none",
                        "habemus check raft " + option.option() + " 1");
            }
        }
    }

    private Scope scope() {
        var world = experiment.world();
        if (world.network().loss() > 0 || world.network().duplication() > 0) {
            throw CommandException.usage(
                    "check does not use probabilities of loss and duplication",
                    "use --losses 1 or --duplicates 1, with --network fifo or bag");
        }
        var callers = NodeSet.of(
                world.workload().requests().stream().map(Workload.Request::node).toList());
        var scope = ScheduledExperiment.scope(experiment, timing())
                .withRequests(callers, world.workload().entries())
                .withLogCalls(logCalls())
                .withMaxTimeouts(maxTimeouts())
                .withMaxInFlight(arguments.count(CheckOption.MAX_IN_FLIGHT, Scope.UNBOUNDED))
                .withOptions(checkOptions());
        scope = withFaults(arguments.has(CheckOption.CUTS) ? scope.withMidStepCrashes() : scope);
        if (scope.timers().timing() == Scope.Timing.ASYNCHRONOUS && arguments.count(CheckOption.PAUSES) > 0) {
            throw CommandException.usage(
                    "--pauses has no effect with asynchronous timing (any node may be slow anyway)",
                    "add --timing synchronous");
        }
        if (scope.isSynchronous() && arguments.has(CheckOption.MAX_IN_FLIGHT)) {
            throw CommandException.usage(
                    "--max-in-flight has no effect with synchronous timing (timers wait for all messages)",
                    "leave it out, or use --timing asynchronous");
        }
        return withCrashTarget(scope);
    }

    private String timing() {
        return arguments.find(CheckOption.TIMING).orElse("");
    }

    private boolean hasLog() {
        return experiment.algorithm().problem() == Problem.LOG;
    }

    /** Unless the options say otherwise, nodes crash as often as they restart. */
    private Scope withFaults(Scope faultless) {
        int crashes = Math.max(
                arguments.count(CheckOption.RESTARTS) + arguments.count(CheckOption.AMNESIAS),
                Math.min(1, arguments.count(CheckOption.TAIL_LOSSES)));
        var scope = faultless;
        for (CheckOption option : CheckOption.values()) {
            if (option.faultKind().isPresent()) {
                int times = arguments.count(option, option == CheckOption.CRASHES ? crashes : 0);
                scope = times == 0 ? scope : scope.withFault(option.faultKind().get(), times);
            }
        }
        return scope;
    }

    /** A replicated log gets one proposal unless the options say otherwise. */
    private Scope.LogCalls logCalls() {
        return !hasLog()
                ? Scope.LogCalls.NONE
                : new Scope.LogCalls(
                        arguments.count(CheckOption.PROPOSALS, 1),
                        arguments.count(CheckOption.READS),
                        arguments.count(CheckOption.SNAPSHOTS),
                        arguments.count(CheckOption.MEMBER_CHANGES),
                        arguments.count(CheckOption.TRANSFERS));
    }

    /** A replicated log needs one timeout, which elects a leader. */
    private int maxTimeouts() {
        var algorithm = experiment.algorithm();
        int timeouts = timing().equals("synchronous") ? algorithm.synchronousTimeouts() : algorithm.checkedTimeouts();
        return arguments.count(CheckOption.TIMEOUTS, hasLog() ? 1 : timeouts);
    }

    private Scope withCrashTarget(Scope scope) {
        var text = arguments.find(CheckOption.VICTIM);
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

    private CheckOptions checkOptions() {
        var checkOptions = arguments.has(CheckOption.COMPACT) ? reductions().withHashCompaction() : reductions();
        return checkOptions
                .withMaxStates(arguments.number(CheckOption.STATES).orElseThrow())
                .withTimeLimit(
                        Duration.ofSeconds(arguments.number(CheckOption.SECONDS).orElseThrow()))
                .withMaxDepth(arguments.count(CheckOption.DEPTH, Scope.UNBOUNDED))
                .withStop(stop());
    }

    private CheckOptions.Stop stop() {
        return arguments.has(CheckOption.STOP_AT_FIRST)
                ? CheckOptions.Stop.AT_FIRST_VIOLATION
                : arguments.has(CheckOption.PROPERTY) ? CheckOptions.Stop.WHEN_DECIDED : CheckOptions.Stop.NEVER;
    }

    private CheckOptions reductions() {
        var checkOptions = CheckOptions.defaults();
        for (String reduction : arguments.find(CheckOption.REDUCE).stream()
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
}
