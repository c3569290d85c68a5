package habemus.lab.experiment;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmOption;
import habemus.catalogue.Catalogue;
import habemus.lab.command.CommandException;
import habemus.lab.command.SpellingSuggestion;
import habemus.world.Problem;
import habemus.world.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The arguments of a run: the algorithm, and the text of each option, in the order of {@link WorldOption} with the
 * options of the algorithm last. The run and its replay command are both built from these arguments alone. Therefore
 * the replay command reproduces the run.
 */
public record RunArguments(Algorithm algorithm, Map<String, List<String>> options) {

    public RunArguments {
        options = Collections.unmodifiableMap(inOrder(algorithm, options));
    }

    /** @throws CommandException if the algorithm does not support an option */
    public static RunArguments of(Algorithm named, Map<String, List<String>> given) {
        var algorithm = DetectorSelection.apply(named, given);
        for (WorldOption option : WorldOption.values()) {
            if (given.containsKey(option.option())) {
                requireSupported(algorithm, option);
            }
        }
        given.keySet().stream()
                .filter(name -> WorldOption.find(name).isEmpty()
                        && option(algorithm, name).isEmpty())
                .findFirst()
                .ifPresent(name -> rejectForeignOption(algorithm, name));
        return new RunArguments(algorithm, given);
    }

    /** @throws CommandException if the catalogue has no algorithm of this name */
    public static Algorithm catalogueAlgorithm(String name) {
        return Catalogue.find(name).orElseThrow(() -> {
            var names = Catalogue.ALL.stream().map(Algorithm::name).toList();
            return CommandException.usage(
                    "unknown algorithm: '" + name + "'",
                    SpellingSuggestion.hint(name, names) + "habemus list shows all algorithms");
        });
    }

    private static void requireSupported(Algorithm algorithm, WorldOption option) {
        var problem = option.problem();
        if (problem.isPresent() && problem.get() != algorithm.problem()) {
            throw wrongProblem(algorithm, option, problem.get());
        }
        if (option == WorldOption.ENTRIES && algorithm.problem() == Problem.LOG) {
            throw CommandException.usage(
                    "--entries counts the requests of each node, and " + algorithm.name() + " has one client",
                    "use --proposals 10 for 10 calls");
        }
        if (option == WorldOption.ALSO_REQUEST && algorithm.problem() == Problem.LOG) {
            throw CommandException.usage(
                    "--also-request is for nodes that request, and " + algorithm.name() + " has one client",
                    "use --proposals 10 for 10 calls");
        }
        if (option.section() == WorldOption.Section.WORKLOAD
                && !algorithm.problem().hasCallers()) {
            var who = algorithm.problem() == Problem.THREADS ? "a program of threads" : "a failure detector";
            throw CommandException.usage(
                    option.option() + " sets a workload, and " + who + " has none", "leave it out");
        }
        if (algorithm.problem() == Problem.THREADS && (option == WorldOption.NODES || option == WorldOption.TOPOLOGY)) {
            throw CommandException.usage(
                    option.option() + " is for nodes on a network, and " + algorithm.name() + " has threads",
                    "use --threads 3 for three threads");
        }
        if (option == WorldOption.DISCONNECTED && algorithm.shape() != Topology.Shape.GRAPH) {
            var onGraphs = Catalogue.ALL.stream().filter(candidate -> candidate.shape() == Topology.Shape.GRAPH);
            throw CommandException.usage(
                    "--disconnected needs an algorithm that runs on any graph: " + algorithm.name() + " does not",
                    "use one of " + onGraphs.map(Algorithm::name).collect(Collectors.joining(", ")));
        }
        if (option == WorldOption.RANK && !algorithm.ranked()) {
            var ranked = Catalogue.ALL.stream().filter(Algorithm::ranked).map(Algorithm::name);
            throw CommandException.usage(
                    "--rank needs an algorithm that elects by rank: " + algorithm.name() + " does not",
                    "use one of " + ranked.collect(Collectors.joining(", ")));
        }
    }

    private static CommandException wrongProblem(Algorithm algorithm, WorldOption option, Problem problem) {
        var whose = option.option() + " is for " + plural(problem) + ", and " + algorithm.name() + " is ";
        if (problem == Problem.LOG) {
            return CommandException.usage(
                    whose + "none", "leave it out, or use it with raft: habemus run raft " + option.example());
        }
        return switch (algorithm.problem()) {
            case MUTEX ->
                CommandException.usage(
                        whose + "for mutual exclusion", "use --callers or --acquire to choose the requesters");
            case ELECTION -> CommandException.usage(whose + "an election", "use --initiators to choose the candidates");
            case DETECTOR ->
                CommandException.usage(whose + "a detector", "leave it out: a failure detector has no callers");
            case THREADS ->
                CommandException.usage(whose + "a program of threads", "leave it out: threads run by themselves");
            case LOG ->
                CommandException.usage(whose + "a replicated log", "use --proposals to set the number of calls");
        };
    }

    private static String plural(Problem problem) {
        return switch (problem) {
            case MUTEX -> "mutual exclusion";
            case ELECTION -> "elections";
            case DETECTOR -> "failure detectors";
            case LOG -> "replicated logs";
            case THREADS -> "threads";
        };
    }

    private static void rejectForeignOption(Algorithm algorithm, String name) {
        var owners = Catalogue.ALL.stream()
                .filter(other -> option(other, name).isPresent())
                .map(Algorithm::name)
                .collect(Collectors.joining(", "));
        throw CommandException.usage(algorithm.name() + " has no option " + name, "it is an option of " + owners);
    }

    private static Optional<AlgorithmOption<?>> option(Algorithm algorithm, String name) {
        return algorithm.options().stream()
                .filter(algorithmOption -> name.equals("--" + algorithmOption.name()))
                .findFirst();
    }

    private static Map<String, List<String>> inOrder(Algorithm algorithm, Map<String, List<String>> given) {
        var names = new ArrayList<String>();
        for (WorldOption option : WorldOption.values()) {
            names.add(option.option());
        }
        algorithm.options().forEach(algorithmOption -> names.add("--" + algorithmOption.name()));
        var ordered = new LinkedHashMap<String, List<String>>();
        for (String name : names) {
            var texts = given.get(name);
            if (texts != null) {
                ordered.put(name, List.copyOf(texts));
            }
        }
        return ordered;
    }

    public boolean has(WorldOption option) {
        return options.containsKey(option.option());
    }

    /** The given value, or the default. */
    public OptionValue value(WorldOption option) {
        return find(option).orElseGet(() -> new OptionValue(option, option.defaultText()));
    }

    public Optional<OptionValue> find(WorldOption option) {
        return values(option).stream().findFirst();
    }

    List<OptionValue> values(WorldOption option) {
        return options.getOrDefault(option.option(), List.of()).stream()
                .map(text -> new OptionValue(option, text))
                .toList();
    }

    /** The parts of all values, which are separated by commas. */
    List<OptionValue> parts(WorldOption option) {
        return values(option).stream()
                .flatMap(value -> Arrays.stream(value.text().split(",", -1)).map(value::withText))
                .toList();
    }

    /** The value given for an option of the algorithm. */
    Optional<String> find(AlgorithmOption<?> algorithmOption) {
        return options.getOrDefault("--" + algorithmOption.name(), List.of()).stream()
                .findFirst();
    }

    public RunArguments with(WorldOption option, String text) {
        return with(option, List.of(text));
    }

    /** @param texts one for each time that the option is given; none: without the option */
    RunArguments with(WorldOption option, List<String> texts) {
        var more = new LinkedHashMap<>(options);
        more.put(option.option(), List.copyOf(texts));
        if (texts.isEmpty()) {
            more.remove(option.option());
        }
        return new RunArguments(algorithm, more);
    }

    /** With an option of the algorithm, unless it is given already. */
    public RunArguments withDefault(String algorithmOption, String text) {
        var more = new LinkedHashMap<>(options);
        more.putIfAbsent("--" + algorithmOption, List.of(text));
        return new RunArguments(algorithm, more);
    }

    /** The accepted options of the world, and all options of the algorithm. */
    RunArguments filter(Predicate<WorldOption> wanted) {
        var some = new LinkedHashMap<>(options);
        some.keySet()
                .removeIf(name -> WorldOption.find(name).filter(wanted.negate()).isPresent());
        return new RunArguments(algorithm, some);
    }
}
