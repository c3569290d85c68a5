package habemus.lab.experiment;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmOption;
import habemus.catalogue.AlgorithmParameters;
import habemus.lab.command.CommandException;
import habemus.lab.command.SpellingSuggestion;
import habemus.lab.trace.NodeNames;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Ranking;
import habemus.simulate.RunLimits;
import habemus.simulate.SwarmFaults;
import habemus.world.DetectorModel;
import habemus.world.FaultKind;
import habemus.world.NetworkModel;
import habemus.world.Problem;
import habemus.world.Topology;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/** Builds an {@link Experiment} from the arguments, or rejects them with an error. */
public final class ExperimentParser {

    private static final Pattern RANK = Pattern.compile("(" + NodeParser.PATTERN + ")=(-?\\d{1,18})");
    private static final List<String> NETWORKS = List.of("fifo", "bag", "lossy", "duplicating");
    private static final List<String> FAULT_KINDS =
            Arrays.stream(FaultKind.values()).map(FaultKind::toString).toList();

    private final RunArguments arguments;

    private ExperimentParser(RunArguments arguments) {
        this.arguments = arguments;
    }

    public static Experiment parse(RunArguments arguments) {
        return new ExperimentParser(arguments).parse();
    }

    private Experiment parse() {
        ScheduledExperiment.rejectConflictingOptions(arguments);
        long seed = arguments.value(WorldOption.SEED).number(Long.MIN_VALUE, Long.MAX_VALUE);
        var topology = programSize().stream()
                .mapToObj(Topology::complete)
                .findFirst()
                .orElseGet(() -> TopologyParser.parse(arguments, seed));
        var names = NamesParser.parse(arguments, topology);
        var withIds = NamesParser.withIds(arguments, names);
        try {
            return parse(withIds, topology, names, seed);
        } catch (CommandException wrong) {
            throw wrong.reworded(names::in);
        }
    }

    /** @param withIds the arguments with the ids of nodes in place of their names */
    private Experiment parse(RunArguments withIds, Topology topology, NodeNames names, long seed) {
        var joiners = MembershipParser.joiners(withIds);
        var nodeParser = new NodeParser(topology.completedWith(joiners), joiners);
        var parameters = setting(ranking(withIds, nodeParser), topology.size());
        checkSize(parameters, topology);
        var world = world(withIds, topology, joiners, parameters);
        var faultyWorld =
                arguments.has(WorldOption.SWARM) ? SwarmFaults.inject(world, faultKinds(parameters), seed) : world;
        var experiment = new Experiment(arguments, parameters, faultyWorld, names, seed, limits(faultyWorld));
        RequiredProperties.named(experiment); // reports unknown names
        return experiment;
    }

    private World world(RunArguments withIds, Topology topology, NodeSet joiners, AlgorithmParameters parameters) {
        long seed = arguments.value(WorldOption.SEED).number(Long.MIN_VALUE, Long.MAX_VALUE);
        var nodeParser = new NodeParser(topology.completedWith(joiners), joiners);
        var changes = MembershipParser.parse(withIds, parameters, topology);
        var world = new World(
                topology.completedWith(joiners),
                parameters.ranking(),
                network(),
                LatencyParser.parse(withIds, nodeParser),
                detector(),
                MembershipParser.withJoiners(WorkloadParser.parse(withIds, nodeParser, seed), withIds, changes),
                FaultParser.parse(withIds, nodeParser, changes),
                MessageFaultParser.parse(withIds));
        return arguments.has(WorldOption.MOVES) ? world.withJoiners(joiners, Duration.ZERO) : world;
    }

    /** The number of nodes of a program of threads, which follows from its options. */
    private OptionalInt programSize() {
        try {
            return arguments.algorithm().problem() == Problem.THREADS
                    ? arguments.algorithm().nodeCount(setting(Ranking.BY_NUMBER, 0))
                    : OptionalInt.empty();
        } catch (IllegalArgumentException unfit) {
            throw unfit(unfit);
        }
    }

    /** Options that are valid by themselves may still not fit the number of nodes. */
    private void checkSize(AlgorithmParameters parameters, Topology topology) {
        try {
            arguments
                    .algorithm()
                    .create(parameters)
                    .start(topology.neighbourhood(topology.nodes().getFirst()));
        } catch (IllegalArgumentException unfit) {
            throw unfit(unfit);
        }
    }

    private CommandException unfit(IllegalArgumentException unfit) {
        return CommandException.usage(
                String.valueOf(unfit.getMessage()),
                "habemus run " + arguments.algorithm().name() + " --help lists its options");
    }

    private static Ranking ranking(RunArguments withIds, NodeParser nodeParser) {
        var ranks = new ArrayList<Ranking.Rank>();
        var seen = new HashSet<NodeId>();
        withIds.find(WorldOption.RANK).ifPresent(value -> {
            for (String part : value.text().split(",", -1)) {
                var parts = value.withText(part).matchOrThrow(RANK);
                var node = nodeParser.parse(value, parts.group(1));
                if (!seen.add(node)) {
                    throw value.invalid("ranks " + node + " twice", "give each node one rank");
                }
                ranks.add(new Ranking.Rank(node, Long.parseLong(parts.group(2))));
            }
        });
        return new Ranking(ranks);
    }

    private AlgorithmParameters setting(Ranking ranking, int nodes) {
        var parameters = new AlgorithmParameters(ranking, nodes);
        for (AlgorithmOption<?> option : arguments.algorithm().options()) {
            parameters = withOption(parameters, option);
        }
        return parameters;
    }

    private <T> AlgorithmParameters withOption(AlgorithmParameters parameters, AlgorithmOption<T> option) {
        try {
            var text = arguments.find(option);
            return text.isEmpty() ? parameters : parameters.with(option, option.parse(text.get()));
        } catch (IllegalArgumentException unreadable) {
            throw CommandException.usage(
                    String.valueOf(unreadable.getMessage()),
                    "--" + option.name() + " " + option.valueSyntax() + ": " + option.help());
        }
    }

    private NetworkModel network() {
        var value = arguments.value(WorldOption.NETWORK);
        var networkModel = switch (value.text()) {
            case "fifo" -> NetworkModel.FIFO;
            case "bag" -> NetworkModel.BAG;
            case "lossy" -> NetworkModel.LOSSY;
            case "duplicating" -> NetworkModel.DUPLICATING;
            default ->
                throw value.invalid(
                        "is not a network model",
                        SpellingSuggestion.hint(value.text(), NETWORKS) + "use fifo, bag, lossy or duplicating");
        };
        var loss = arguments.find(WorldOption.LOSS);
        networkModel = loss.isPresent() ? networkModel.withLoss(loss.get().probability()) : networkModel;
        var twice = arguments.find(WorldOption.DUPLICATES);
        return twice.isPresent() ? networkModel.withDuplication(twice.get().probability()) : networkModel;
    }

    private DetectorModel detector() {
        var value = arguments.value(WorldOption.DETECT);
        return value.text().equals("off") ? new DetectorModel.None() : new DetectorModel.Oracle(value.time());
    }

    private Set<FaultKind> faultKinds(AlgorithmParameters parameters) {
        var value = arguments.value(WorldOption.SWARM);
        if (value.text().equals(WorldOption.GUARANTEED)) {
            return guaranteedFaults(arguments.algorithm(), parameters);
        }
        var faultKinds = EnumSet.noneOf(FaultKind.class);
        for (String name : value.text().split(",", -1)) {
            int index = FAULT_KINDS.indexOf(name);
            if (index < 0) {
                throw CommandException.usage(
                        "--swarm: unknown fault kind '" + name + "'",
                        SpellingSuggestion.hint(name, FAULT_KINDS) + "fault kinds: " + String.join(", ", FAULT_KINDS));
            }
            faultKinds.add(FaultKind.values()[index]);
        }
        if (faultKinds.contains(FaultKind.JOIN) || faultKinds.contains(FaultKind.LEAVE)) {
            MembershipParser.requireAware(arguments.algorithm(), parameters, "--swarm");
        }
        return faultKinds;
    }

    /** The fault kinds that some guarantee tolerates. */
    private static Set<FaultKind> guaranteedFaults(Algorithm algorithm, AlgorithmParameters parameters) {
        var survived = EnumSet.noneOf(FaultKind.class);
        algorithm.guarantees().apply(parameters).forEach(guarantee -> survived.addAll(guarantee.tolerates()));
        return survived;
    }

    private RunLimits limits(World world) {
        var runLimits = arguments.has(WorldOption.SWARM)
                ? SwarmFaults.limits()
                : RunLimits.AMPLE.withMaxSteps(defaultSteps(world));
        var heal = arguments.find(WorldOption.HEAL);
        var until = arguments.find(WorldOption.UNTIL);
        rejectConflictingEnds();
        if (heal.isPresent()) {
            runLimits = runLimits.withConvergenceBy(
                    heal.get().time().plus(arguments.value(WorldOption.SETTLE).time()));
        }
        runLimits = until.isPresent() ? withTimeLimit(runLimits, until.get().time()) : runLimits;
        var steps = arguments.find(WorldOption.STEPS);
        return steps.isPresent() ? runLimits.withMaxSteps(steps.get().number(1, Long.MAX_VALUE)) : runLimits;
    }

    /** Ample for every run that ends: a few messages between all pairs of nodes, and heartbeats. */
    private long defaultSteps(World world) {
        long nodes = world.topology().size();
        boolean beating =
                arguments.has(WorldOption.DETECTOR) || arguments.algorithm().problem() == Problem.DETECTOR;
        long algorithmOption = beating ? 2_000 : 20;
        long once = Math.min(100_000 + algorithmOption * nodes * nodes, RunLimits.AMPLE.maxSteps());
        return Math.min(once * world.workload().entries(), RunLimits.AMPLE.maxSteps());
    }

    private static RunLimits withTimeLimit(RunLimits runLimits, Duration until) {
        return new RunLimits(runLimits.maxSteps(), until, false, runLimits.stopsAtViolation());
    }

    private void rejectConflictingEnds() {
        if (arguments.has(WorldOption.HEAL) && arguments.has(WorldOption.SWARM)) {
            var hint = "leave --heal out: --swarm heals after 2 s";
            throw CommandException.usage("--heal and --swarm exclude each other", hint);
        }
        if (arguments.has(WorldOption.HEAL) && arguments.has(WorldOption.UNTIL)) {
            var hint = "use --settle to set the time between --heal and the end";
            throw CommandException.usage("--heal and --until exclude each other", hint);
        }
        if (arguments.has(WorldOption.SETTLE) && !arguments.has(WorldOption.HEAL)) {
            throw CommandException.usage("--settle needs --heal", "add --heal 100");
        }
    }
}
