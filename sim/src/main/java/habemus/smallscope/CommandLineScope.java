package habemus.smallscope;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmSpec;
import habemus.catalogue.Catalogue;
import habemus.check.ModelChecker;
import habemus.check.model.CheckOptions;
import habemus.check.model.CheckReport;
import habemus.check.model.CrashTarget;
import habemus.check.model.Scope;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.world.FaultKind;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A small world of a replicated log or of a program of threads, written as the options of {@code habemus check}, with
 * the same defaults.
 *
 * @param text for example {@code raft --pre-vote false -n 3 --proposals 0 --timeouts 2}
 * @param nodes the number of nodes, {@code -n}
 */
public record CommandLineScope(String text, AlgorithmSpec spec, int nodes, Scope scope) implements SmallScope {

    private static final long MAX_STATES = 50_000_000;

    private static final Map<String, FaultKind> FAULTS = Map.of(
            "--crashes", FaultKind.CRASH,
            "--restarts", FaultKind.RESTART,
            "--losses", FaultKind.LOSS,
            "--duplicates", FaultKind.DUPLICATION,
            "--partitions", FaultKind.PARTITION,
            "--pauses", FaultKind.PAUSE,
            "--tail-losses", FaultKind.TAIL_LOSS);

    private static final List<String> OTHERS = List.of(
            "-n",
            "--network",
            "--timing",
            "--timeouts",
            "--proposals",
            "--reads",
            "--snapshots",
            "--member-changes",
            "--transfers",
            "--victim",
            "--reduce",
            "--depth");

    private static final String COMPACT = "--compact"; // the only option without a value

    /** @throws IllegalArgumentException if an option is unknown or has no value */
    public static CommandLineScope parse(String text) {
        var words = new ArrayList<>(List.of(text.strip().split("\\s+")));
        boolean isCompact = words.remove(COMPACT);
        var algorithm = new StringBuilder(words.getFirst());
        var options = new LinkedHashMap<String, String>();
        for (int i = 1; i < words.size(); i += 2) {
            if (i + 1 == words.size()) {
                throw new IllegalArgumentException("missing value of option " + words.get(i) + ": " + text);
            }
            if (FAULTS.containsKey(words.get(i)) || OTHERS.contains(words.get(i))) {
                options.put(words.get(i), words.get(i + 1));
            } else {
                algorithm.append(' ').append(words.get(i)).append(' ').append(words.get(i + 1));
            }
        }
        var problem = Catalogue.find(words.getFirst()).map(Algorithm::problem).orElse(Problem.LOG);
        var spec = AlgorithmSpec.parse(algorithm.toString(), problem);
        int nodes = spec.algorithm().nodeCount(spec.parameters()).orElse(number(options, "-n", 3));
        var scope = withFaults(scope(spec, nodes, options), options).withOptions(options(isCompact, options));
        return new CommandLineScope(text.strip(), spec, nodes, scope);
    }

    private static Scope scope(AlgorithmSpec spec, int nodes, Map<String, String> options) {
        var topology = spec.topology(nodes);
        int timeouts =
                spec.algorithm().problem() == Problem.LOG ? 1 : spec.algorithm().checkedTimeouts();
        var calls = new Scope.LogCalls(
                number(options, "--proposals", 1),
                number(options, "--reads", 0),
                number(options, "--snapshots", 0),
                number(options, "--member-changes", 0),
                number(options, "--transfers", 0));
        var scope = Scope.of(topology).withLogCalls(calls).withMaxTimeouts(number(options, "--timeouts", timeouts));
        scope = "bag".equals(options.get("--network")) ? scope.withUnorderedLinks() : scope;
        return "synchronous".equals(options.get("--timing")) ? scope.synchronous() : scope;
    }

    /** Without a number of crashes, one for each restart, and one if a crash may take entries. */
    private static Scope withFaults(Scope scope, Map<String, String> options) {
        int crashes = Math.max(number(options, "--restarts", 0), Math.min(1, number(options, "--tail-losses", 0)));
        var next = scope;
        for (var fault : FAULTS.entrySet()) {
            int times = number(options, fault.getKey(), fault.getValue() == FaultKind.CRASH ? crashes : 0);
            next = times == 0 ? next : next.withFault(fault.getValue(), times);
        }
        var target = options.get("--victim");
        return target == null
                ? next
                : next.withCrashTarget(CrashTarget.valueOf(target.toUpperCase(Locale.ROOT)), NodeSet.NONE);
    }

    private static CheckOptions options(boolean isCompact, Map<String, String> options) {
        var checkOptions = CheckOptions.defaults().withMaxDepth(number(options, "--depth", Scope.UNBOUNDED));
        checkOptions = "symmetry".equals(options.get("--reduce")) ? checkOptions.withSymmetryReduction() : checkOptions;
        return isCompact ? checkOptions.withHashCompaction() : checkOptions;
    }

    private static int number(Map<String, String> options, String name, int defaultValue) {
        var text = options.get(name);
        return text == null ? defaultValue : text.equals("unbounded") ? Scope.UNBOUNDED : Integer.parseInt(text);
    }

    @Override
    public Protocol<?, ?> protocol() {
        return spec.protocol(nodes);
    }

    @Override
    public List<Property> properties() {
        return Property.byName(protocol());
    }

    /**
     * Stops at the first violation. A protocol bug may come before the violation of a property.
     *
     * @throws IllegalStateException if the world is too large for a complete check
     */
    @Override
    public CheckReport check(Protocol<?, ?> protocol, Property... properties) {
        var options = scope.options().withMaxStates(MAX_STATES);
        var report = ModelChecker.check(
                protocol, scope.withOptions(options.withStop(CheckOptions.Stop.AT_FIRST_VIOLATION)), properties);
        boolean isBugFirst = report.hasViolation()
                && Arrays.stream(properties).noneMatch(property -> report.verdict(property) == Verdict.VIOLATED);
        return isBugFirst ? ModelChecker.check(protocol, scope.withOptions(options), properties) : complete(report);
    }

    private CheckReport complete(CheckReport report) {
        var ofThisWorld = "at most " + scope.options().limits().maxDepth() + " steps";
        boolean isComplete = report.limitsReached().stream().allMatch(ofThisWorld::equals);
        if (!isComplete && !report.hasViolation()) {
            throw new IllegalStateException("world is too large: " + text + ", " + report.limitsReached());
        }
        return report;
    }

    @Override
    public String toString() {
        return text;
    }
}
