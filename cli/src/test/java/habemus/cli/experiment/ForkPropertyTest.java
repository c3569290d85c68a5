package habemus.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.cli.CliRunner;
import habemus.lab.command.CommandException;
import habemus.lab.experiment.Experiment;
import habemus.lab.experiment.ExperimentParser;
import habemus.lab.experiment.Fork;
import habemus.lab.experiment.Intervention;
import habemus.lab.experiment.ReplayCommandLine;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Problem;
import habemus.world.TraceEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A fork has the same events as the original up to the cursor, in every kind of world. */
class ForkPropertyTest {

    private static final int SEEDS = 2;
    private static final int MAX_STEPS = 300;

    private static final List<String> WORLDS = List.of(
            "",
            " --latency fixed:1",
            " --latency fixed:0 --network bag",
            " --latency exp:3 --duplicates 0.2",
            " --network lossy --loss 0.3",
            " --crash 2@3 --restart 2@40 --pause 1@5..12",
            " --partition 1/2@4..20 --slow 1>2@2..30x5",
            " --lose-message 7 --delay-message 5=10 --duplicate-message 3");

    static Stream<String> algorithms() {
        return Catalogue.ALL.stream().map(Algorithm::name);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void a_fork_has_the_same_events_up_to_the_cursor(String name) {
        var algorithm = Catalogue.find(name).orElseThrow();
        var random = new Random(name.hashCode());
        var possible = new TreeSet<String>();
        for (int seed = 1; seed <= SEEDS; seed++) {
            var experiment = CliRunner.experiment(world(algorithm, seed, random));
            for (Class<?> kind : kinds(algorithm)) {
                if (forks(experiment, kind, random) || forks(prepared(experiment, kind, random), kind, random)) {
                    possible.add(kind.getSimpleName());
                }
            }
        }
        assertThat(possible).hasSameSizeAs(kinds(algorithm));
    }

    private static List<Class<?>> kinds(Algorithm algorithm) {
        return Stream.<Class<?>>of(Intervention.class.getPermittedSubclasses())
                .filter(kind -> kind != Intervention.NextMoves.class && kind != Intervention.DelayByMoves.class)
                .filter(kind -> kind != Intervention.Acquire.class || algorithm.problem() == Problem.MUTEX)
                .filter(kind -> kind != Intervention.Campaign.class || algorithm.problem() == Problem.ELECTION)
                .toList();
    }

    /** A fork in which a node is down or paused, or a partition separates one. */
    private static Experiment prepared(Experiment experiment, Class<?> kind, Random random) {
        var nodes = experiment.world().topology().nodes();
        var node = nodes.getLast();
        var before = switch (kind.getSimpleName()) {
            case "Restart" -> new Intervention.Crash(node);
            case "Resume" -> new Intervention.Pause(node);
            case "Heal" -> new Intervention.Partition(groups(nodes, node));
            default -> new Intervention.Delay(1_000, Duration.ofMillis(1));
        };
        try {
            return ExperimentParser.parse(Fork.of(experiment.arguments(), random.nextInt(nodes.size()), before));
        } catch (CommandException impossible) {
            return experiment;
        }
    }

    private static String world(Algorithm algorithm, int seed, Random random) {
        boolean threads = algorithm.problem() == Problem.THREADS;
        var workload = switch (algorithm.problem()) {
            case MUTEX ->
                List.of("", " --entries 3 --think 5", " --callers all --chatter shared", " --acquire 1@0,2@3");
            case ELECTION -> List.of("", " --initiators 1,2@4");
            default -> List.of("");
        };
        var options = seed == 1 ? " --swarm" : WORLDS.get(random.nextInt(WORLDS.size()));
        return algorithm.name() + (threads ? "" : " -n " + (3 + random.nextInt(2)))
                + " --seed " + random.nextInt(1000) + " --steps " + MAX_STEPS + options
                + workload.get(random.nextInt(workload.size()));
    }

    /** Whether an intervention of this kind was possible. */
    private static boolean forks(Experiment original, Class<?> kind, Random random) {
        var trace = trace(original);
        boolean isPossible = false;
        for (int attempt = 0; attempt < 6 && !isPossible; attempt++) {
            int cursor = trace.size() - 1 - random.nextInt(1 + trace.size() / (1 + attempt));
            var intervention = intervention(kind, original, trace, cursor, random);
            try {
                var arguments = Fork.of(original.arguments(), cursor, intervention);
                isPossible = true;
                var line = ReplayCommandLine.of(arguments);
                var fork = trace(ExperimentParser.parse(arguments));
                assertThat(fork.subList(0, Math.min(fork.size(), cursor + 1)))
                        .as("%s at %s, from %s", line, cursor, ReplayCommandLine.of(original.arguments()))
                        .isEqualTo(trace.subList(0, cursor + 1));
                assertThat(trace(CliRunner.experiment(line.replace("./habemus run ", ""))))
                        .as(line)
                        .isEqualTo(fork);
            } catch (CommandException impossible) {
                assertThat(impossible.hint()).isNotEmpty();
            }
        }
        return isPossible;
    }

    private static Intervention intervention(
            Class<?> kind, Experiment experiment, List<TraceEvent> trace, int cursor, Random random) {
        var nodes = experiment.world().topology().nodes();
        var node = random.nextBoolean() ? nodes.getLast() : nodes.get(random.nextInt(nodes.size()));
        long message = message(trace, cursor, random);
        return switch (kind.getSimpleName()) {
            case "Crash" -> new Intervention.Crash(node);
            case "Restart" -> new Intervention.Restart(node, random.nextBoolean());
            case "Pause" -> new Intervention.Pause(node);
            case "Resume" -> new Intervention.Resume(node);
            case "Partition" -> new Intervention.Partition(groups(nodes, node));
            case "Heal" -> new Intervention.Heal(List.of());
            case "Lose" -> new Intervention.Lose(message);
            case "Duplicate" -> new Intervention.Duplicate(message);
            case "Delay" -> new Intervention.Delay(message, Duration.ofNanos(1_000L * (1 + random.nextInt(50_000))));
            case "Acquire" -> new Intervention.Acquire(node);
            case "Campaign" -> new Intervention.Campaign(node);
            default -> new Intervention.NextMoves("1request");
        };
    }

    private static List<NodeSet> groups(List<NodeId> nodes, NodeId node) {
        return List.of(NodeSet.of(node), NodeSet.of(nodes).without(node));
    }

    /** Mostly a message that is in flight at the cursor. */
    private static long message(List<TraceEvent> trace, int cursor, Random random) {
        var sent = new TreeSet<Long>();
        for (TraceEvent event : trace.subList(0, cursor + 1)) {
            if (event instanceof TraceEvent.NodeStep step) {
                step.sent().forEach(message -> sent.add(message.number()));
            }
            if (event instanceof TraceEvent.Step step) {
                sent.remove(step.messageNumber());
            } else if (event instanceof TraceEvent.MessageOutcome outcome) {
                sent.remove(outcome.message().number());
            }
        }
        var inFlight = new ArrayList<>(sent);
        return inFlight.isEmpty() ? 1 + random.nextInt(30) : inFlight.get(random.nextInt(inFlight.size()));
    }

    /** What is not guaranteed differs, because the fork has one more fault. */
    private static List<TraceEvent> trace(Experiment experiment) {
        var trace = new ArrayList<TraceEvent>();
        experiment.run(event -> trace.add(
                event instanceof TraceEvent.NotGuaranteed(var at, var property)
                        ? new TraceEvent.Violated(at, property)
                        : event));
        return trace;
    }
}
