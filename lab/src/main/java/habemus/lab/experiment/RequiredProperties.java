package habemus.lab.experiment;

import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.lab.command.CommandException;
import habemus.lab.command.SpellingSuggestion;
import habemus.lab.graph.NamedGraphs;
import habemus.smallscope.SmallScopes;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.TraceEvent;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The properties that count in a run or a check: those that the algorithm guarantees in this world, and those that
 * {@code --require} names. Only these can be violated. What is said about any other property is a remark.
 */
public record RequiredProperties(Set<Property> properties) {

    /** Of a simulated run. */
    static RequiredProperties of(Experiment experiment) {
        return of(
                experiment,
                () -> experiment.algorithm().guaranteed(experiment.algorithmParameters(), experiment.world()));
    }

    /** Only what the algorithm guarantees in the world of this run, or is required by name. */
    public static RequiredProperties guaranteed(Experiment experiment) {
        var guaranteed = experiment.algorithm().guaranteed(experiment.algorithmParameters(), experiment.world());
        return new RequiredProperties(guaranteed).with(named(experiment));
    }

    /** Of all runs of a scope. */
    public static RequiredProperties of(Experiment experiment, Scope scope) {
        return of(
                experiment,
                () -> SmallScopes.guaranteed(experiment.algorithm(), experiment.algorithmParameters(), scope));
    }

    /** A program of threads has no assumptions that could fail: all of its properties count. */
    private static RequiredProperties of(Experiment experiment, Supplier<Set<Property>> guaranteed) {
        var algorithm = experiment.algorithm();
        var counted = algorithm.problem() == Problem.THREADS
                ? Set.copyOf(Property.of(algorithm.create(experiment.algorithmParameters())))
                : isConnected(experiment) ? guaranteed.get() : Set.<Property>of();
        return new RequiredProperties(counted).with(named(experiment));
    }

    /** Every algorithm assumes a connected network. */
    private static boolean isConnected(Experiment experiment) {
        return !experiment.arguments().has(WorldOption.DISCONNECTED)
                || NamedGraphs.connectedComponents(experiment.world().topology())
                                .size()
                        == 1;
    }

    /** @throws CommandException if {@code --require} names a property that the algorithm does not have */
    public static Set<Property> named(Experiment experiment) {
        var named = EnumSet.noneOf(Property.class);
        for (var value : experiment.arguments().values(WorldOption.REQUIRE)) {
            named.addAll(parse(value.option().option(), value.text(), experiment));
        }
        if (named.contains(Property.BOUNDED_WAITING)
                && experiment.algorithm().bypassBound(experiment.nodes()).isEmpty()) {
            throw CommandException.usage(
                    "--require: " + experiment.name() + " states no bound, so nothing can exceed it: bounded-waiting",
                    "habemus check " + experiment.algorithm().name() + " --entries 3 shows how the bypasses grow");
        }
        return named;
    }

    /**
     * The properties of a list of names.
     *
     * @throws CommandException if the algorithm does not have a property of such a name
     */
    public static List<Property> parse(String option, String text, Experiment experiment) {
        var all = Property.byName(experiment.algorithm().create(experiment.algorithmParameters()));
        var names = all.stream().map(Property::toString).toList();
        return List.of(text.split(",", -1)).stream()
                .map(name -> {
                    if (!names.contains(name)) {
                        throw CommandException.usage(
                                option + ": " + experiment.name() + " has no property '" + name + "'",
                                SpellingSuggestion.hint(name, names) + "properties: " + String.join(", ", names));
                    }
                    return all.get(names.indexOf(name));
                })
                .toList();
    }

    public RequiredProperties with(Collection<Property> more) {
        var all = EnumSet.noneOf(Property.class);
        all.addAll(properties);
        all.addAll(more);
        return new RequiredProperties(all);
    }

    public boolean contains(Property property) {
        return properties.contains(property);
    }

    /** @param finding as in {@link CheckReport.Finding}: a failed step counts in every world */
    public boolean contains(String finding) {
        return Property.find(finding).map(this::contains).orElse(true);
    }

    /** Required properties first, others apart from them. */
    public List<Property> ordered(Collection<Property> some) {
        return some.stream()
                .sorted(Comparator.comparing(property -> !contains(property)))
                .toList();
    }

    /** The event as it appears in the output: a property that does not count is not violated. */
    public TraceEvent label(TraceEvent event) {
        return event instanceof TraceEvent.Violated(var at, var property) && !contains(property)
                ? new TraceEvent.NotGuaranteed(at, property)
                : event;
    }
}
