package habemus.cli.experiment;

import habemus.cli.terminal.ShellSyntax;
import habemus.world.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The options that say in what world an algorithm runs. One table for everybody: help, reading, the replay line.
 *
 * <p>Their order here is the order of help and of replay lines.
 */
public enum WorldOption {
    NODES("-n", "N", "5", Section.NODES, "how many nodes there are"),
    SEED("--seed", "SEED", "7", Section.NODES, "chooses the run: the same seed, the same run"),
    TOPOLOGY(
            "--topology",
            "SHAPE",
            "ring:random",
            Section.NODES,
            "complete, ring, ring:17,24,1,28 (in this order), ring:random (by the seed), ring:descending;"
                    + " where any graph will do also grid, grid:3x4, tree (by the seed), tree:2 (so many children),"
                    + " random (by the seed), random:0.3 (so likely is an edge), scale-free:2 (by the seed, so many"
                    + " edges each), graph:1-2,2-3, or file:NAME with an edge a line"),
    DISCONNECTED("--disconnected", "", "", Section.NODES, "runs it even if the graph falls into parts"),
    RANK(
            "--rank",
            "NODE=RANK,…",
            "3=10,1=7",
            Section.NODES,
            "how good nodes are, where an algorithm chooses by rank; the others have rank 0"),

    NETWORK(
            "--network",
            "MODEL",
            "bag",
            Section.NETWORK,
            "fifo: in order; bag: in any order; lossy: some never arrive; duplicating: some arrive twice"),
    LOSS("--loss", "P", "0.1", Section.NETWORK, "how likely a message is lost"),
    DUPLICATES("--duplicates", "P", "0.1", Section.NETWORK, "how likely a message arrives twice"),
    LATENCY(
            "--latency",
            "TIME",
            "uniform:1..5",
            Section.NETWORK,
            "how long messages take: fixed:1, uniform:1..5, exp:3 (mean), lognormal:3,0.5 (median, spread)"),
    LINK("--link", "A>B=TIME", "1>2=fixed:20", Section.NETWORK, "the latency of one link, one way"),
    DETECT("--detect", "MS|off", "50", Section.NETWORK, "after what time a crash is noticed"),

    CRASH("--crash", "NODE@MS,…", "5@10", Section.FAULTS, "a node stops"),
    RESTART("--restart", "NODE@MS[:amnesia],…", "5@20", Section.FAULTS, "it comes back, with its memory or without"),
    PAUSE("--pause", "NODE@MS[..MS],…", "2@5..30", Section.FAULTS, "a node stands still for a while"),
    PARTITION(
            "--partition",
            "A,A/B,B@MS[..MS]",
            "1,2/3,4,5@10..40",
            Section.FAULTS,
            "no message gets from one group to another"),
    CUT("--cut", "A,A>B,B@MS[..MS]", "1,2>3@10..40", Section.FAULTS, "no message gets from the first to the second"),
    SLOW("--slow", "A>B@MS[..MS]xFACTOR", "1>2@10..40x5", Section.FAULTS, "messages on a link take longer"),
    SUSPECT("--suspect", "A>B@MS[..MS]", "1>3@10..40", Section.FAULTS, "A's detector wrongly suspects B"),
    SWARM(
            "--swarm",
            "HAZARD,…",
            "crash,loss",
            Section.FAULTS,
            "faults drawn by the seed, healed after 2 s; --swarm alone: as many as the algorithm says it survives"),

    ENTRIES("--entries", "K", "3", Section.WORKLOAD, "how often each of those who ask does so"),
    THINK("--think", "MS", "10", Section.WORKLOAD, "how long they wait at most before they ask again"),

    CALLERS("--callers", "NODE,…", "1,2", Section.MUTEX, "who asks to get in, all at the start; all: everybody"),
    ACQUIRE(
            "--acquire",
            "NODE@MS,…",
            "1@0,2@5",
            Section.MUTEX,
            "who asks to get in, and when first; random:MS: everybody, at a random time within MS"),
    HOLD("--hold", "MS", "10", Section.MUTEX, "how long a node stays inside"),
    CHATTER(
            "--chatter",
            "KIND",
            "apart",
            Section.MUTEX,
            "whether applications talk too: none, apart (on links of their own), shared (on the algorithm's)"),

    WRITES(
            "--writes",
            "KIND",
            "fenced",
            Section.MUTEX,
            "whether a node writes to a resource before it leaves: none, plain, fenced (which refuses old fences)"),

    INITIATORS(
            "--initiators", "NODE[@MS],…", "1@0,3@20", Section.ELECTION, "who calls for an election; all: everybody"),
    DETECTOR(
            "--detector",
            "NAME",
            "perfect",
            Section.ELECTION,
            "lays a detector of the catalogue beneath an election that listens to one, in place of --detect"),

    HEAL("--heal", "MS", "100", Section.END, "from then on nothing goes wrong any more, and it must converge"),
    SETTLE("--settle", "MS", "60000", Section.END, "how long it may take to do so"),
    UNTIL("--until", "MS", "500", Section.END, "ends the run"),
    STEPS(
            "--steps",
            "N",
            "10000",
            Section.END,
            "ends the run after so many steps (standard: enough for anything that ends)"),

    TIMING(
            "--timing",
            "KIND",
            "synchronous",
            Section.MOVES,
            "asynchronous: alarms at any time; synchronous: after all messages"),
    MOVES(
            "--moves",
            "MOVE.MOVE…",
            "1ask.2from1.1from2",
            Section.MOVES,
            "1ask, 1leave, 2from1 (n2 receives what n1 sent; 2from1-3: the third under way), 2lost1, 2twice1, 2gone1,"
                    + " 1ring-ALARM, 3crash, 3restart, 3amnesia, 3pause, 3resume, 1suspect3, 1restore3, 1mistake3");

    /** What belongs together in help. */
    public enum Section {
        NODES("Nodes:"),
        NETWORK("Network:"),
        FAULTS("Faults (times are milliseconds; each may be given several times):"),
        WORKLOAD("What the applications do:"),
        MUTEX("For mutual exclusion:"),
        ELECTION("For elections:"),
        END("The end:"),
        MOVES("A run that is given move by move, and not chosen by a seed:");

        private final String heading;

        Section(String heading) {
            this.heading = heading;
        }

        String heading() {
            return heading;
        }
    }

    /** What {@code --swarm} alone means. */
    public static final String GUARANTEED = "promised";

    private final String option;
    private final String form;
    private final String example;
    private final Section section;
    private final String help;

    WorldOption(String option, String form, String example, Section section, String help) {
        this.option = option;
        this.form = form;
        this.example = example;
        this.section = section;
        this.help = help;
    }

    /** As it is written: {@code --crash}. */
    public String option() {
        return option;
    }

    String form() {
        return form;
    }

    public String example() {
        return option + " " + ShellSyntax.quote(example);
    }

    public Section section() {
        return section;
    }

    String help() {
        return defaultText().isEmpty() ? help : help + " (standard: " + defaultText() + ")";
    }

    /** What it is if nothing is said; empty if that cannot be written. */
    public String defaultText() {
        return switch (this) {
            case NODES -> "3";
            case SEED -> "1";
            case NETWORK -> "fifo";
            case LATENCY -> "uniform:1..5";
            case DETECT -> "50";
            case ENTRIES -> "1";
            case HOLD -> "5";
            case THINK -> "0";
            case INITIATORS -> "all";
            case ACQUIRE -> "random:10";
            case CHATTER, WRITES -> "none";
            case SETTLE -> "60000";
            case TIMING -> "asynchronous";
            default -> "";
        };
    }

    /** The one that is written so. */
    public static Optional<WorldOption> find(String name) {
        return Arrays.stream(values()).filter(one -> one.option().equals(name)).findFirst();
    }

    /** Those of a run that is simulated. */
    public static List<WorldOption> simulated() {
        return Arrays.stream(values())
                .filter(one -> one.section != Section.MOVES)
                .toList();
    }

    /** Whether it says something of a run that is given move by move. */
    boolean isAllowedWithMoves() {
        return switch (this) {
            case NODES, TOPOLOGY, DISCONNECTED, RANK, NETWORK, DETECTOR -> true;
            default -> section == Section.MOVES;
        };
    }

    /** Whether it is given without a value. */
    boolean isFlag() {
        return form.isEmpty();
    }

    boolean isRepeatable() {
        return this == LINK || (section == Section.FAULTS && this != SWARM);
    }

    /** The problem that this is about; empty if all. */
    Optional<Problem> problem() {
        return switch (section) {
            case MUTEX -> Optional.of(Problem.MUTEX);
            case ELECTION -> Optional.of(Problem.ELECTION);
            default -> Optional.empty();
        };
    }
}
