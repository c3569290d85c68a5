package habemus.cli;

import static habemus.cli.WorldOption.ACQUIRE;
import static habemus.cli.WorldOption.CALLERS;
import static habemus.cli.WorldOption.DETECT;
import static habemus.cli.WorldOption.DETECTOR;
import static habemus.cli.WorldOption.ENTRIES;
import static habemus.cli.WorldOption.HOLD;
import static habemus.cli.WorldOption.INITIATORS;
import static habemus.cli.WorldOption.LATENCY;
import static habemus.cli.WorldOption.LINK;
import static habemus.cli.WorldOption.NODES;
import static habemus.cli.WorldOption.RANK;
import static habemus.cli.WorldOption.SEED;
import static habemus.cli.WorldOption.SWARM;
import static habemus.cli.WorldOption.THINK;
import static habemus.cli.WorldOption.TOPOLOGY;

import habemus.world.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Draws, by seed, whatever was left open: how many nodes there are, who asks, when, how often and for how long. What is
 * drawn is written down as options, so that the replay line needs no knowledge of this.
 */
final class FuzzDraw {

    /** Whether applications are busy or lazy matters: trouble is spread over two seconds. */
    private static final List<Integer> PACES = List.of(1, 10, 100, 700);

    /** The latency at most, in milliseconds; within the bounds of algorithms that have some. */
    private static final List<Integer> SLOWEST = List.of(1, 5, 20, 48);

    private final SplittableRandom chance;
    private RunWords words;

    private FuzzDraw(RunWords given, long seed) {
        chance = new SplittableRandom(seed ^ 0x5DEECE66DL); // not the numbers that the run itself draws
        words = given.with(SEED, Long.toString(seed));
    }

    static RunWords draw(RunWords given, long seed) {
        return new FuzzDraw(given, seed).draw();
    }

    private RunWords draw() {
        boolean free = Arrays.stream(WorldOption.values()).noneMatch(option -> namesNodes(option) && words.has(option));
        int nodes = 2 + chance.nextInt(5);
        int pace = PACES.get(chance.nextInt(PACES.size()));
        boolean listed = TopologyReader.isListed(words);
        if (!listed) {
            if (free) {
                put(NODES, Integer.toString(nodes));
            }
            switch (words.algorithm().shape()) {
                case COMPLETE -> {}
                case RING -> put(TOPOLOGY, "ring:random");
                case GRAPH -> put(TOPOLOGY, graph());
            }
        }
        int slowest = SLOWEST.get(chance.nextInt(SLOWEST.size()));
        put(LATENCY, "uniform:1.." + slowest);
        int noticed = 100 + chance.nextInt(100);
        if (!words.has(DETECTOR) && words.algorithm().problem() != Problem.DETECTOR) {
            put(DETECT, Integer.toString(noticed));
        }
        boolean ranked = words.algorithm().ranked() && chance.nextBoolean();
        if (ranked && free && !listed) {
            put(RANK, ranks());
        }
        boolean mutex = words.algorithm().problem() == Problem.MUTEX;
        if (words.algorithm().problem() == Problem.DETECTOR) {
            return words; // whom nobody asks
        }
        put(ENTRIES, Integer.toString(1 + chance.nextInt(mutex ? 4 : 2)));
        put(THINK, Integer.toString(chance.nextInt(2 * pace)));
        var calls = calls(pace);
        if (mutex) {
            put(HOLD, Integer.toString(chance.nextInt(20)));
        }
        if (!words.has(CALLERS) && !listed) {
            put(mutex ? ACQUIRE : INITIATORS, calls);
        }
        return words;
    }

    /** A shape with a name, or else a tree with some edges more; always connected. */
    private String graph() {
        int nodes = (int) words.one(NODES).number(1, Integer.MAX_VALUE);
        return switch (chance.nextInt(6)) {
            case 0 -> "complete";
            case 1 -> "ring:random";
            case 2 -> "tree";
            default -> nodes == 1 ? "grid" : GraphReader.GRAPH + edges(nodes);
        };
    }

    private String edges(int nodes) {
        var joined = new ArrayList<Integer>();
        var edges = new ArrayList<String>();
        for (int node = 1; node <= nodes; node++) {
            joined.add(chance.nextInt(node), node);
        }
        for (int i = 1; i < nodes; i++) {
            int parent = chance.nextInt(i);
            for (int j = 0; j < i; j++) {
                if (j == parent || chance.nextInt(4) == 0) {
                    edges.add(joined.get(j) + "-" + joined.get(i));
                }
            }
        }
        return String.join(",", edges);
    }

    private static boolean namesNodes(WorldOption option) {
        return switch (option) {
            case RANK, LINK, CALLERS, ACQUIRE, INITIATORS -> true;
            default -> option.section() == WorldOption.Section.FAULTS && option != SWARM;
        };
    }

    /** Only what is not given. */
    private void put(WorldOption option, String text) {
        words = words.has(option) ? words : words.with(option, text);
    }

    private String ranks() {
        int nodes = (int) words.one(NODES).number(1, Integer.MAX_VALUE);
        return IntStream.rangeClosed(1, nodes)
                .mapToObj(node -> node + "=" + chance.nextInt(3))
                .collect(Collectors.joining(","));
    }

    /** Some nodes, at least one; in half of the runs all at once. */
    private String calls(int pace) {
        int nodes = (int) words.one(NODES).number(1, Integer.MAX_VALUE);
        boolean together = chance.nextBoolean();
        int always = 1 + chance.nextInt(nodes);
        return IntStream.rangeClosed(1, nodes)
                .filter(node -> node == always || chance.nextInt(4) > 0)
                .mapToObj(node -> node + "@" + (together ? 0 : chance.nextInt(2 * pace)))
                .collect(Collectors.joining(","));
    }
}
