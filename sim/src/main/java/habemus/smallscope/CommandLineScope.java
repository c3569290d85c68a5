package habemus.smallscope;

import habemus.catalogue.AlgorithmSpec;
import habemus.check.ModelChecker;
import habemus.check.model.CheckOptions;
import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.protocol.Protocol;
import habemus.world.FaultKind;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Verdict;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A small world of a replicated log, written as the options of {@code habemus check}.
 *
 * @param text for example {@code raft --pre-vote false -n 3 --proposals 1 --timeouts 2}
 * @param nodes the number of nodes, {@code -n}
 */
public record CommandLineScope(String text, AlgorithmSpec spec, int nodes, Scope scope) implements SmallScope {

    private static final long MAX_STATES = 5_000_000;

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
            "--depth");

    /** @throws IllegalArgumentException if an option is unknown or has no value */
    public static CommandLineScope parse(String text) {
        var words = List.of(text.strip().split("\\s+"));
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
        var spec = AlgorithmSpec.parse(algorithm.toString(), Problem.LOG);
        int nodes = number(options, "-n");
        return new CommandLineScope(text.strip(), spec, nodes, scope(spec, nodes, options));
    }

    private static Scope scope(AlgorithmSpec spec, int nodes, Map<String, String> options) {
        var calls = new Scope.LogCalls(
                number(options, "--proposals"),
                number(options, "--reads"),
                number(options, "--snapshots"),
                number(options, "--member-changes"),
                number(options, "--transfers"));
        var scope = Scope.of(spec.topology(nodes)).withLogCalls(calls);
        scope = options.containsKey("--timeouts") ? scope.withMaxTimeouts(number(options, "--timeouts")) : scope;
        scope = "bag".equals(options.get("--network")) ? scope.withUnorderedLinks() : scope;
        scope = "synchronous".equals(options.get("--timing")) ? scope.synchronous() : scope;
        if (options.containsKey("--depth")) {
            scope = scope.withOptions(CheckOptions.defaults().withMaxDepth(number(options, "--depth")));
        }
        for (var option : options.keySet()) {
            scope = FAULTS.containsKey(option) ? scope.withFault(FAULTS.get(option), number(options, option)) : scope;
        }
        return scope;
    }

    private static int number(Map<String, String> options, String name) {
        return Integer.parseInt(options.getOrDefault(name, "0"));
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
        var report = ModelChecker.check(protocol, scope.withOptions(options.withStopAtViolation()), properties);
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
