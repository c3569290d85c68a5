package habemus.cli.simulate;

import static habemus.lab.experiment.WorldOption.ACQUIRE;
import static habemus.lab.experiment.WorldOption.CALLERS;
import static habemus.lab.experiment.WorldOption.DETECT;
import static habemus.lab.experiment.WorldOption.DETECTOR;
import static habemus.lab.experiment.WorldOption.ENTRIES;
import static habemus.lab.experiment.WorldOption.HOLD;
import static habemus.lab.experiment.WorldOption.INITIATORS;
import static habemus.lab.experiment.WorldOption.LATENCY;
import static habemus.lab.experiment.WorldOption.MEMBER_CHANGES;
import static habemus.lab.experiment.WorldOption.NAMES;
import static habemus.lab.experiment.WorldOption.NODES;
import static habemus.lab.experiment.WorldOption.PROPOSALS;
import static habemus.lab.experiment.WorldOption.RANK;
import static habemus.lab.experiment.WorldOption.READS;
import static habemus.lab.experiment.WorldOption.SEED;
import static habemus.lab.experiment.WorldOption.SNAPSHOTS;
import static habemus.lab.experiment.WorldOption.THINK;
import static habemus.lab.experiment.WorldOption.TOPOLOGY;
import static habemus.lab.experiment.WorldOption.TRANSFERS;

import habemus.lab.experiment.GraphParser;
import habemus.lab.experiment.RunArguments;
import habemus.lab.experiment.TopologyParser;
import habemus.lab.experiment.WorldOption;
import habemus.world.Problem;
import habemus.world.SeededRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Draws the options that the user left open from the seed: the number of nodes, the requesting nodes, and their
 * times. The drawn values are ordinary arguments, so that the replay command needs no fuzzer.
 */
public final class FuzzInputs {

    /** The pace of the requests. Faults are spread over two seconds, so both fast and slow requests matter. */
    private static final List<Integer> PACES_MILLIS = List.of(1, 10, 100, 700);

    /** Upper bounds of the latency, within the bounds that some algorithms assume. */
    private static final List<Integer> MAX_LATENCIES_MILLIS = List.of(1, 5, 20, 48);

    private final SeededRandom random;
    private RunArguments arguments;

    private FuzzInputs(RunArguments given, long seed) {
        random = new SeededRandom(seed ^ 0x5DEECE66DL); // independent of the random numbers of the run
        arguments = given.with(SEED, Long.toString(seed));
    }

    public static RunArguments draw(RunArguments given, long seed) {
        return new FuzzInputs(given, seed).draw();
    }

    /** The order of the draws is fixed: it decides what a seed means. */
    private RunArguments draw() {
        boolean free = Arrays.stream(WorldOption.values())
                .noneMatch(option -> dependsOnNodes(option) && arguments.has(option));
        int nodes = arguments.algorithm().problem() == Problem.LOG ? 3 + random.nextInt(5) : 2 + random.nextInt(5);
        int pace = PACES_MILLIS.get(random.nextInt(PACES_MILLIS.size()));
        boolean listed = TopologyParser.hasOwnSize(arguments);
        if (arguments.algorithm().problem() == Problem.THREADS) {
            drawProgramSize();
        } else if (!listed) {
            drawTopology(nodes, free);
        }
        drawNetwork();
        boolean ranked = arguments.algorithm().ranked() && random.nextBoolean();
        if (ranked && free && !listed) {
            putIfAbsent(RANK, ranks());
        }
        if (arguments.algorithm().problem() == Problem.LOG) {
            drawLogCalls();
        } else if (arguments.algorithm().problem().hasCallers()) {
            drawWorkload(pace, listed);
        }
        return arguments;
    }

    private void drawTopology(int nodes, boolean free) {
        if (free) {
            putIfAbsent(NODES, Integer.toString(nodes));
        }
        switch (arguments.algorithm().shape()) {
            case COMPLETE -> {}
            case RING -> putIfAbsent(TOPOLOGY, "ring:random");
            case GRAPH -> putIfAbsent(TOPOLOGY, graph());
        }
    }

    /** The number of threads and rounds, if they are options of the program. */
    private void drawProgramSize() {
        for (var option : arguments.algorithm().options()) {
            switch (option.name()) {
                case "threads" ->
                    arguments = arguments.withDefault(option.name(), Integer.toString(2 + random.nextInt(3)));
                case "rounds" ->
                    arguments = arguments.withDefault(option.name(), Integer.toString(1 + random.nextInt(3)));
                default -> {}
            }
        }
    }

    private void drawNetwork() {
        int maxLatency = MAX_LATENCIES_MILLIS.get(random.nextInt(MAX_LATENCIES_MILLIS.size()));
        putIfAbsent(LATENCY, "uniform:1.." + maxLatency);
        int detectionDelay = 100 + random.nextInt(100);
        if (!arguments.has(DETECTOR) && arguments.algorithm().problem() != Problem.DETECTOR) {
            putIfAbsent(DETECT, Integer.toString(detectionDelay));
        }
    }

    private void drawWorkload(int pace, boolean listed) {
        boolean mutex = arguments.algorithm().problem() == Problem.MUTEX;
        putIfAbsent(ENTRIES, Integer.toString(1 + random.nextInt(mutex ? 4 : 2)));
        putIfAbsent(THINK, Integer.toString(random.nextInt(2 * pace)));
        var calls = calls(pace);
        if (mutex) {
            putIfAbsent(HOLD, Integer.toString(random.nextInt(20)));
        }
        if (!arguments.has(CALLERS) && !listed) {
            putIfAbsent(mutex ? ACQUIRE : INITIATORS, calls);
        }
    }

    /** Small limits, so that a short run meets them; each kind of call in half of the runs. */
    private void drawLogCalls() {
        int nodes = (int) arguments.value(NODES).number(1, Integer.MAX_VALUE);
        arguments = arguments
                .withDefault("voters", Integer.toString(Math.max(Math.min(nodes, 3), nodes - random.nextInt(3))))
                .withDefault("pre-vote", Boolean.toString(random.nextInt(8) > 0))
                .withDefault("check-quorum", Boolean.toString(random.nextInt(8) > 0))
                .withDefault("batch", draw(List.of("1", "2", "64")))
                .withDefault("in-flight", draw(List.of("1", "2", "8")))
                .withDefault("chunk", draw(List.of("8", "64", "65536")));
        putIfAbsent(PROPOSALS, Integer.toString(10 + random.nextInt(50)));
        putIfAbsent(THINK, draw(List.of("10", "50", "150")));
        putIfAbsent(READS, draw(List.of("0", "20")));
        putIfAbsent(SNAPSHOTS, draw(List.of("0", "10")));
        putIfAbsent(MEMBER_CHANGES, draw(List.of("0", "20")));
        putIfAbsent(TRANSFERS, draw(List.of("0", "10")));
    }

    private String draw(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /** A named shape, or a tree with additional edges; always connected. */
    private String graph() {
        int nodes = (int) arguments.value(NODES).number(1, Integer.MAX_VALUE);
        return switch (random.nextInt(6)) {
            case 0 -> "complete";
            case 1 -> "ring:random";
            case 2 -> "tree";
            default -> nodes == 1 ? "grid" : GraphParser.GRAPH_PREFIX + edges(nodes);
        };
    }

    private String edges(int nodes) {
        var joined = new ArrayList<Integer>();
        var edges = new ArrayList<String>();
        for (int node = 1; node <= nodes; node++) {
            joined.add(random.nextInt(node), node);
        }
        for (int i = 1; i < nodes; i++) {
            int parent = random.nextInt(i);
            for (int j = 0; j < i; j++) {
                if (j == parent || random.nextInt(4) == 0) {
                    edges.add(joined.get(j) + "-" + joined.get(i));
                }
            }
        }
        return String.join(",", edges);
    }

    private static boolean dependsOnNodes(WorldOption option) {
        return option.namesNodes() || option == NAMES;
    }

    private void putIfAbsent(WorldOption option, String text) {
        arguments = arguments.has(option) ? arguments : arguments.with(option, text);
    }

    private String ranks() {
        int nodes = (int) arguments.value(NODES).number(1, Integer.MAX_VALUE);
        return IntStream.rangeClosed(1, nodes)
                .mapToObj(node -> node + "=" + random.nextInt(3))
                .collect(Collectors.joining(","));
    }

    /** At least one requesting node; in half of the runs all request at time 0. */
    private String calls(int pace) {
        int nodes = (int) arguments.value(NODES).number(1, Integer.MAX_VALUE);
        boolean together = random.nextBoolean();
        int always = 1 + random.nextInt(nodes);
        return IntStream.rangeClosed(1, nodes)
                .filter(node -> node == always || random.nextInt(4) > 0)
                .mapToObj(node -> node + "@" + (together ? 0 : random.nextInt(2 * pace)))
                .collect(Collectors.joining(","));
    }
}
