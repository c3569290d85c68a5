package habemus.cli;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.catalogue.Option;
import habemus.world.Problem;
import habemus.world.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What was asked for, word by word: the algorithm, and each option with the texts given for it, in the order of
 * {@link WorldOption}, those of the algorithm last. A run is made from nothing else, and so is its replay line; that
 * is why the one reproduces the other.
 */
record RunWords(Algorithm algorithm, Map<String, List<String>> given) {

    RunWords {
        given = Collections.unmodifiableMap(inOrder(algorithm, given));
    }

    /** @throws Refusal if an option does not go with the algorithm */
    static RunWords of(Algorithm named, Map<String, List<String>> given) {
        var algorithm = Beneath.of(named, given);
        for (WorldOption option : WorldOption.values()) {
            if (given.containsKey(option.option())) {
                requireFor(algorithm, option);
            }
        }
        given.keySet().stream()
                .filter(name -> WorldOption.find(name).isEmpty()
                        && option(algorithm, name).isEmpty())
                .findFirst()
                .ifPresent(name -> refuseForeign(algorithm, name));
        return new RunWords(algorithm, given);
    }

    private static void requireFor(Algorithm algorithm, WorldOption option) {
        var problem = option.problem();
        if (problem.isPresent() && problem.get() != algorithm.problem()) {
            var whose = option.option() + " is for " + plural(problem.get()) + ", and " + algorithm.name() + " is ";
            throw switch (algorithm.problem()) {
                case MUTEX ->
                    Refusal.wrong(whose + "for mutual exclusion", "use --callers or --acquire to say who asks");
                case ELECTION -> Refusal.wrong(whose + "an election", "use --initiators to say who calls for it");
                case DETECTOR -> Refusal.wrong(whose + "a detector", "leave it out: nobody asks a detector");
            };
        }
        if (option.section() == WorldOption.Section.WORKLOAD && algorithm.problem() == Problem.DETECTOR) {
            throw Refusal.wrong(option.option() + " is for those who ask, and nobody asks a detector", "leave it out");
        }
        if (option == WorldOption.DISCONNECTED && algorithm.shape() != Topology.Shape.GRAPH) {
            var onGraphs = Catalogue.ALL.stream().filter(one -> one.shape() == Topology.Shape.GRAPH);
            throw Refusal.wrong(
                    "--disconnected is for algorithms that run on any graph, and " + algorithm.name() + " does not",
                    "those that do: " + onGraphs.map(Algorithm::name).collect(Collectors.joining(", ")));
        }
        if (option == WorldOption.RANK && !algorithm.ranked()) {
            var ranked = Catalogue.ALL.stream().filter(Algorithm::ranked).map(Algorithm::name);
            throw Refusal.wrong(
                    "--rank is for algorithms that choose by rank, and " + algorithm.name() + " does not",
                    "those that do: " + ranked.collect(Collectors.joining(", ")));
        }
    }

    private static String plural(Problem problem) {
        return problem == Problem.MUTEX ? "mutual exclusion" : "elections";
    }

    private static void refuseForeign(Algorithm algorithm, String name) {
        var owners = Catalogue.ALL.stream()
                .filter(other -> option(other, name).isPresent())
                .map(Algorithm::name)
                .collect(Collectors.joining(", "));
        throw Refusal.wrong(algorithm.name() + " has no option " + name, "it is an option of " + owners);
    }

    private static Optional<Option<?>> option(Algorithm algorithm, String name) {
        return algorithm.options().stream()
                .filter(option -> name.equals("--" + option.name()))
                .findFirst();
    }

    private static Map<String, List<String>> inOrder(Algorithm algorithm, Map<String, List<String>> given) {
        var names = new ArrayList<String>();
        for (WorldOption option : WorldOption.values()) {
            names.add(option.option());
        }
        algorithm.options().forEach(option -> names.add("--" + option.name()));
        var ordered = new LinkedHashMap<String, List<String>>();
        for (String name : names) {
            var texts = given.get(name);
            if (texts != null) {
                ordered.put(name, List.copyOf(texts));
            }
        }
        return ordered;
    }

    boolean has(WorldOption option) {
        return given.containsKey(option.option());
    }

    /** What was given, or else the standard. */
    Given one(WorldOption option) {
        return ifGiven(option).orElseGet(() -> new Given(option, option.standard()));
    }

    Optional<Given> ifGiven(WorldOption option) {
        return all(option).stream().findFirst();
    }

    List<Given> all(WorldOption option) {
        return given.getOrDefault(option.option(), List.of()).stream()
                .map(text -> new Given(option, text))
                .toList();
    }

    /** What was given for an option of the algorithm. */
    Optional<String> ifGiven(Option<?> option) {
        return given.getOrDefault("--" + option.name(), List.of()).stream().findFirst();
    }

    RunWords with(WorldOption option, String text) {
        var more = new LinkedHashMap<>(given);
        more.put(option.option(), List.of(text));
        return new RunWords(algorithm, more);
    }

    /** Those options of the world, and all of the algorithm's. */
    RunWords only(Predicate<WorldOption> wanted) {
        var some = new LinkedHashMap<>(given);
        some.keySet()
                .removeIf(name -> WorldOption.find(name).filter(wanted.negate()).isPresent());
        return new RunWords(algorithm, some);
    }
}
