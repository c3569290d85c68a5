package habemus.lab.check;

import habemus.check.BypassGrowth;
import habemus.check.ModelChecker;
import habemus.check.model.CheckOptions;
import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.lab.command.CommandException;
import habemus.lab.experiment.Experiment;
import habemus.lab.experiment.ExperimentParser;
import habemus.lab.experiment.MembershipParser;
import habemus.lab.experiment.RequiredProperties;
import habemus.protocol.Protocol;
import habemus.world.Problem;
import habemus.world.Property;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What a check explores: an experiment, the scope of its runs, and the properties to check.
 *
 * @param properties empty: all properties of the algorithm
 */
public record CheckPlan(Experiment experiment, Scope scope, List<Property> properties) {

    /** @throws CommandException if the arguments do not fit each other */
    public static CheckPlan of(CheckArguments arguments) {
        var experiment = experiment(arguments);
        ScopeParser.rejectLogOptionsUnless(experiment.algorithm().problem() == Problem.LOG, arguments, experiment);
        var properties = properties(arguments, experiment);
        return new CheckPlan(experiment, ScopeParser.parse(arguments, experiment), properties);
    }

    private static Experiment experiment(CheckArguments arguments) {
        var experiment = ExperimentParser.parse(arguments.world());
        for (CheckOption change : List.of(CheckOption.JOINS, CheckOption.LEAVES)) {
            if (arguments.count(change) > 0) {
                MembershipParser.requireAware(
                        experiment.algorithm(), experiment.algorithmParameters(), change.option());
            }
        }
        return experiment.withJoiners(arguments.count(CheckOption.JOINS));
    }

    private static List<Property> properties(CheckArguments arguments, Experiment experiment) {
        var option = CheckOption.PROPERTY;
        var named = arguments.find(option).stream()
                .flatMap(text -> RequiredProperties.parse(option.option(), text, experiment).stream())
                .toList();
        return named.isEmpty()
                ? List.of()
                : Stream.concat(named.stream(), RequiredProperties.named(experiment).stream())
                        .distinct()
                        .toList();
    }

    /** The same check with other limits, threads, or a listener of its progress. */
    public CheckPlan withOptions(UnaryOperator<CheckOptions> change) {
        return new CheckPlan(experiment, scope.withOptions(change.apply(scope.options())), properties);
    }

    /** Explores every run of the scope on the calling thread, unless the options have more threads. */
    public CheckResult check() {
        long started = System.nanoTime();
        var protocol = experiment.algorithm().create(experiment.algorithmParameters());
        var report = ModelChecker.check(protocol, scope, properties.toArray(Property[]::new));
        var required = RequiredProperties.of(experiment, scope).with(properties);
        var bypassGrowth = bypassGrowth(protocol, report, started);
        double seconds = (System.nanoTime() - started) / 1e9;
        return new CheckResult(experiment, scope, required, report, bypassGrowth, seconds);
    }

    /** If no bound of bypasses is stated, the worlds with fewer entries tell whether the largest bypass grows. */
    private Optional<BypassGrowth> bypassGrowth(Protocol<?, ?> protocol, CheckReport report, long startedNanos) {
        boolean hasLargest =
                report.maxBypass().isPresent() && report.maxBypass().getAsInt() != Scope.UNBOUNDED;
        var remaining = scope.options().limits().time().minusNanos(System.nanoTime() - startedNanos);
        return hasLargest && scope.bypassBound().isEmpty()
                ? Optional.of(BypassGrowth.of(protocol, scope, report, remaining))
                : Optional.empty();
    }
}
