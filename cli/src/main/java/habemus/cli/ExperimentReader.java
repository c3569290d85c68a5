package habemus.cli;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Option;
import habemus.catalogue.Setting;
import habemus.protocol.NodeId;
import habemus.protocol.Ranking;
import habemus.simulate.Limits;
import habemus.simulate.Swarm;
import habemus.world.Detector;
import habemus.world.Hazard;
import habemus.world.Network;
import habemus.world.Problem;
import habemus.world.Topology;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Makes a run of what was asked for, or says what is wrong with it. */
final class ExperimentReader {

    private static final Pattern RANK = Pattern.compile("(" + Nodes.PATTERN + ")=(-?\\d{1,18})");
    private static final List<String> NETWORKS = List.of("fifo", "bag", "lossy", "duplicating");
    private static final List<String> HAZARDS =
            Arrays.stream(Hazard.values()).map(Hazard::toString).toList();

    private final RunWords words;

    private ExperimentReader(RunWords words) {
        this.words = words;
    }

    static Experiment read(RunWords words) {
        return new ExperimentReader(words).read();
    }

    private Experiment read() {
        Moves.check(words);
        long seed = words.one(WorldOption.SEED).number(Long.MIN_VALUE, Long.MAX_VALUE);
        var topology = TopologyReader.read(words, seed);
        var nodes = new Nodes(topology);
        var setting = setting(ranking(nodes), topology.size());
        tryOut(setting, topology);
        var world = new World(
                topology,
                setting.ranking(),
                network(),
                LatencyReader.read(words, nodes),
                detector(),
                WorkloadReader.read(words, nodes, seed),
                FaultReader.read(words, nodes));
        var struck = words.has(WorldOption.SWARM) ? Swarm.strike(world, hazards(setting), seed) : world;
        return new Experiment(words, setting, struck, seed, limits(struck));
    }

    /** Options may fit each other, and still not so many nodes. */
    private void tryOut(Setting setting, Topology topology) {
        try {
            words.algorithm()
                    .make(setting)
                    .start(topology.place(topology.nodes().getFirst()));
        } catch (IllegalArgumentException unfit) {
            throw Refusal.wrong(
                    String.valueOf(unfit.getMessage()),
                    "habemus run " + words.algorithm().name() + " --help says what it takes");
        }
    }

    private Ranking ranking(Nodes nodes) {
        var ranks = new ArrayList<Ranking.Rank>();
        var seen = new HashSet<NodeId>();
        words.ifGiven(WorldOption.RANK).ifPresent(given -> {
            for (String part : given.text().split(",", -1)) {
                var parts = given.part(part).match(RANK);
                var node = nodes.read(given, parts.group(1));
                if (!seen.add(node)) {
                    throw given.wrong("ranks " + node + " twice", "a node has one rank");
                }
                ranks.add(new Ranking.Rank(node, Long.parseLong(parts.group(2))));
            }
        });
        return new Ranking(ranks);
    }

    private Setting setting(Ranking ranking, int nodes) {
        var setting = new Setting(ranking, nodes);
        for (Option<?> option : words.algorithm().options()) {
            setting = chosen(setting, option);
        }
        return setting;
    }

    private <T> Setting chosen(Setting setting, Option<T> option) {
        try {
            var text = words.ifGiven(option);
            return text.isEmpty() ? setting : setting.with(option, option.read(text.get()));
        } catch (IllegalArgumentException unreadable) {
            throw Refusal.wrong(String.valueOf(unreadable.getMessage()), "it says " + option.help());
        }
    }

    private Network network() {
        var given = words.one(WorldOption.NETWORK);
        var network = switch (given.text()) {
            case "fifo" -> Network.FIFO;
            case "bag" -> Network.BAG;
            case "lossy" -> Network.LOSSY;
            case "duplicating" -> Network.DUPLICATING;
            default ->
                throw given.wrong(
                        "is no network model",
                        Nearest.hint(given.text(), NETWORKS) + "it is fifo, bag, lossy or duplicating");
        };
        var loss = words.ifGiven(WorldOption.LOSS);
        network = loss.isPresent() ? network.losing(loss.get().probability()) : network;
        var twice = words.ifGiven(WorldOption.DUPLICATES);
        return twice.isPresent() ? network.duplicating(twice.get().probability()) : network;
    }

    private Detector detector() {
        var given = words.one(WorldOption.DETECT);
        return given.text().equals("off") ? new Detector.None() : new Detector.Oracle(given.time());
    }

    private Set<Hazard> hazards(Setting setting) {
        var given = words.one(WorldOption.SWARM);
        if (given.text().equals(WorldOption.PROMISED)) {
            return survived(words.algorithm(), setting);
        }
        var hazards = EnumSet.noneOf(Hazard.class);
        for (String name : given.text().split(",", -1)) {
            int index = HAZARDS.indexOf(name);
            if (index < 0) {
                throw Refusal.wrong(
                        "--swarm=" + given.text() + ": '" + name + "' is no hazard",
                        Nearest.hint(name, HAZARDS) + "hazards are " + String.join(", ", HAZARDS));
            }
            hazards.add(Hazard.values()[index]);
        }
        return hazards;
    }

    /** Everything that some promise is about. */
    private static Set<Hazard> survived(Algorithm algorithm, Setting setting) {
        var survived = EnumSet.noneOf(Hazard.class);
        algorithm.promises().apply(setting).forEach(promise -> survived.addAll(promise.survives()));
        return survived;
    }

    private Limits limits(World world) {
        var limits = words.has(WorldOption.SWARM) ? Swarm.limits() : Limits.AMPLE.steps(enough(world));
        var heal = words.ifGiven(WorldOption.HEAL);
        var until = words.ifGiven(WorldOption.UNTIL);
        refuseTwoEnds();
        if (heal.isPresent()) {
            limits = limits.settledAt(
                    heal.get().time().plus(words.one(WorldOption.SETTLE).time()));
        }
        limits = until.isPresent() ? unsettled(limits, until.get().time()) : limits;
        var steps = words.ifGiven(WorldOption.STEPS);
        return steps.isPresent() ? limits.steps(steps.get().number(1, Long.MAX_VALUE)) : limits;
    }

    /**
     * For anything that ends: no algorithm needs more than a few messages from everybody to everybody, but for
     * heartbeats.
     */
    private long enough(World world) {
        long nodes = world.topology().size();
        boolean beating = words.has(WorldOption.DETECTOR) || words.algorithm().problem() == Problem.DETECTOR;
        long each = beating ? 2_000 : 20;
        long once = Math.min(100_000 + each * nodes * nodes, Limits.AMPLE.steps());
        return Math.min(once * world.workload().entries(), Limits.AMPLE.steps());
    }

    private static Limits unsettled(Limits limits, Duration until) {
        return new Limits(limits.steps(), until, false, limits.atViolation());
    }

    private void refuseTwoEnds() {
        if (words.has(WorldOption.HEAL) && words.has(WorldOption.SWARM)) {
            var hint = "leave --heal out: what the swarm does is healed after 2 s";
            throw Refusal.wrong("--heal and --swarm both heal", hint);
        }
        if (words.has(WorldOption.HEAL) && words.has(WorldOption.UNTIL)) {
            var hint = "use --settle to say how long after --heal it ends";
            throw Refusal.wrong("--heal and --until both end the run", hint);
        }
        if (words.has(WorldOption.SETTLE) && !words.has(WorldOption.HEAL)) {
            throw Refusal.wrong("--settle goes with --heal", "say when it heals, as in --heal 100");
        }
    }
}
