package habemus.lab.experiment;

import habemus.lab.command.ShellSyntax;
import habemus.world.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The options that define the world of a run: topology, network, faults, workload, end.
 *
 * <p>Their order is the order of the help and of replay commands.
 */
public enum WorldOption {
    NODES("-n", "N", "5", Section.NODES, "number of nodes"),
    SEED("--seed", "SEED", "7", Section.NODES, "seed of all random choices: the same seed gives the same run"),
    TOPOLOGY(
            "--topology",
            "SHAPE",
            "ring:random",
            Section.NODES,
            "complete, ring, ring:17,24,1,28 (in this order), ring:random (by the seed), ring:descending;"
                    + " for algorithms on graphs also grid, grid:3x4, tree (by the seed), tree:2 (2 children each),"
                    + " random (by the seed), random:0.3 (probability of an edge), scale-free:2 (by the seed, 2"
                    + " edges each), graph:1-2,2-3, or file:NAME with one edge a line"),
    DISCONNECTED("--disconnected", "", "", Section.NODES, "runs even if the graph is not connected"),
    RANK(
            "--rank",
            "NODE=RANK,…",
            "3=10,1=7",
            Section.NODES,
            "ranks of nodes, for elections by rank; other nodes have rank 0"),
    NAMES(
            "--names",
            "NAME,NAME…",
            "Coordinator,P1,P2",
            Section.NODES,
            "names of all nodes for every output, in the order of the diagram; options also accept them as nodes"),

    NETWORK(
            "--network",
            "MODEL",
            "bag",
            Section.NETWORK,
            "fifo: in order; bag: any order; lossy: messages get lost; duplicating: messages arrive twice"),
    LOSS("--loss", "P", "0.1", Section.NETWORK, "probability that a message is lost"),
    DUPLICATES("--duplicates", "P", "0.1", Section.NETWORK, "probability that a message is duplicated"),
    LATENCY(
            "--latency",
            "TIME",
            "uniform:1..5",
            Section.NETWORK,
            "message delay in milliseconds: fixed:1, uniform:1..5, exp:3 (mean), lognormal:3,0.5 (median, sigma)"),
    LINK("--link", "A>B=TIME", "1>2=fixed:20", Section.NETWORK, "latency of one link in one direction"),
    DETECT("--detect", "MS|off", "50", Section.NETWORK, "delay until the failure detector reports a crash"),

    CRASH("--crash", "NODE@MS,…", "5@10", Section.FAULTS, "crashes a node"),
    RESTART(
            "--restart",
            "NODE@MS[:amnesia],…",
            "5@20",
            Section.FAULTS,
            "restarts a crashed node, with its state or without (amnesia)"),
    LOSE_TAIL(
            "--lose-tail",
            "NODE@MS[:N],…",
            "5@15:2",
            Section.FAULTS,
            "the disk of a crashed node of a replicated log loses its last N entries that were not synced; without N:"
                    + " all of them"),
    PAUSE("--pause", "NODE@MS[..MS],…", "2@5..30", Section.FAULTS, "pauses a node"),
    PARTITION(
            "--partition",
            "A,A/B,B@MS[..MS]",
            "1,2/3,4,5@10..40",
            Section.FAULTS,
            "drops all messages between the groups"),
    CUT(
            "--cut",
            "A,A>B,B@MS[..MS]",
            "1,2>3@10..40",
            Section.FAULTS,
            "drops all messages from the first to the second group"),
    SLOW("--slow", "A>B@MS[..MS]xFACTOR", "1>2@10..40x5", Section.FAULTS, "multiplies the latency of a link"),
    CLOCK_RATE(
            "--clock-rate",
            "NODE@MS[..MS]xFACTOR,…",
            "2@10..40x1.2",
            Section.FAULTS,
            "multiplies the time of the timers that a node sets: above 1 its clock is slow, below 1 fast"),
    SUSPECT("--suspect", "A>B@MS[..MS]", "1>3@10..40", Section.FAULTS, "the failure detector of A wrongly suspects B"),
    LOSE_MESSAGE(
            "--lose-message",
            "NUMBER,…",
            "12",
            Section.FAULTS,
            "loses a message on its way; messages have numbers in the output of --trace"),
    DUPLICATE_MESSAGE("--duplicate-message", "NUMBER,…", "12", Section.FAULTS, "delivers a message a second time"),
    DELAY_MESSAGE(
            "--delay-message",
            "NUMBER=MS,…",
            "12=50",
            Section.FAULTS,
            "delivers a message this much later; on a fifo network, so are all messages after it on the link"),
    JOIN("--join", "NODE@MS,…", "6@200", Section.FAULTS, "a new node, which is none of the first -n, joins"),
    LEAVE("--leave", "NODE@MS,…", "2@300", Section.FAULTS, "a node leaves for good"),
    SWARM(
            "--swarm",
            "FAULT,…",
            "crash,loss",
            Section.FAULTS,
            "random faults of these kinds for 2 s; without a value: the kinds that the algorithm tolerates"),

    ENTRIES("--entries", "K", "3", Section.WORKLOAD, "number of requests of each requesting node"),
    THINK(
            "--think",
            "MS",
            "10",
            Section.WORKLOAD,
            "maximum time between two requests of a node (default: 0; 30 for a replicated log)"),
    ALSO_REQUEST(
            "--also-request",
            "NODE@MS,…",
            "2@30",
            Section.WORKLOAD,
            "nodes that make one more request, and when: for the lock, or an election"),

    CALLERS("--callers", "NODE,…", "1,2", Section.MUTEX, "nodes that request the lock at time 0; all: every node"),
    ACQUIRE(
            "--acquire",
            "NODE@MS,…",
            "1@0,2@5",
            Section.MUTEX,
            "nodes that request the lock, and when first; random:MS: every node, at a random time up to MS"),
    HOLD("--hold", "MS", "10", Section.MUTEX, "how long a node holds the lock"),
    CHATTER(
            "--chatter",
            "KIND",
            "apart",
            Section.MUTEX,
            "messages between the applications: none, apart (on own links), shared (on the links of the algorithm)"),

    WRITES(
            "--writes",
            "KIND",
            "fenced",
            Section.MUTEX,
            "writes to a resource before the release: none, plain, fenced (rejects old fences)"),

    INITIATORS(
            "--initiators",
            "NODE[@MS],…",
            "1@0,3@20",
            Section.ELECTION,
            "nodes that start an election; all: every node"),
    DETECTOR(
            "--detector",
            "NAME",
            "perfect",
            Section.ELECTION,
            "failure detector for the election, in place of the oracle of --detect"),

    PROPOSALS(
            "--proposals",
            "N",
            "20",
            Section.LOG,
            "number of calls that the client makes at the leader; each proposes up to 3 commands"),
    READS("--reads", "PERCENT", "20", Section.LOG, "share of these calls that read"),
    SNAPSHOTS("--snapshots", "PERCENT", "10", Section.LOG, "share of these calls that take a snapshot at some node"),
    MEMBER_CHANGES(
            "--member-changes",
            "PERCENT",
            "10",
            Section.LOG,
            "share of these calls that add, promote or remove a member"),
    TRANSFERS("--transfers", "PERCENT", "5", Section.LOG, "share of these calls that hand the leadership over"),

    HEAL("--heal", "MS", "100", Section.END, "ends all faults; from then on the algorithm must converge"),
    SETTLE("--settle", "MS", "60000", Section.END, "time to converge after --heal"),
    UNTIL("--until", "MS", "500", Section.END, "ends the run at this time"),
    STEPS("--steps", "N", "10000", Section.END, "ends the run after N steps (default: ample for every run that ends)"),

    REQUIRE(
            "--require",
            "PROPERTY,…",
            "best-wins",
            Section.VERDICT,
            "counts these properties even if the algorithm does not guarantee them in this world"),

    TIMING(
            "--timing",
            "KIND",
            "synchronous",
            Section.MOVES,
            "asynchronous: a timer may fire at any time; synchronous: only after all messages"),
    MOVES(
            "--moves",
            "MOVE.MOVE…",
            "1request.2from1.1from2",
            Section.MOVES,
            "1request, 1release, 2from1 (n2 receives from n1; 2from1-3: the third in flight), 2lost1, 2twice1,"
                    + " 2dropped1, 1timeout-TIMER, 3crash, 3restart, 3amnesia, 3pause, 3resume, 1suspect3, 1restore3,"
                    + " 1mistake3, 4join, 1joined4 (n1 learns of it), 2leave, 1left2; of a replicated log: 1propose,"
                    + " 1read, 1compact, 1add4, 1promote4, 1remove4, 1transfer2, 2sync, 2losetail");

    /** The sections of the help. */
    public enum Section {
        NODES("Nodes:"),
        NETWORK("Network:"),
        FAULTS("Faults (times in milliseconds; may be given several times):"),
        WORKLOAD("Workload:"),
        MUTEX("Mutual exclusion:"),
        ELECTION("Elections:"),
        LOG("Replicated log:"),
        END("End of the run:"),
        VERDICT("Verdict:"),
        MOVES("A run given move by move, in place of a seed:");

        private final String heading;

        Section(String heading) {
            this.heading = heading;
        }

        public String heading() {
            return heading;
        }
    }

    /** The value of {@code --swarm} without a value. */
    public static final String GUARANTEED = "guaranteed";

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

    /** The name on the command line: {@code --crash}. */
    public String option() {
        return option;
    }

    public String form() {
        return form;
    }

    public String example() {
        return option + " " + ShellSyntax.quote(example);
    }

    public Section section() {
        return section;
    }

    /** What it does, without its default value. */
    public String description() {
        return help;
    }

    public String help() {
        return defaultText().isEmpty() ? help : help + " (default: " + defaultText() + ")";
    }

    /** The default value; empty if there is none. */
    public String defaultText() {
        return switch (this) {
            case NODES -> "3";
            case SEED -> "1";
            case NETWORK -> "fifo";
            case LATENCY -> "uniform:1..5";
            case DETECT -> "50";
            case ENTRIES -> "1";
            case HOLD -> "5";
            case PROPOSALS -> "6";
            case READS, SNAPSHOTS, MEMBER_CHANGES, TRANSFERS -> "0";
            case INITIATORS -> "all";
            case ACQUIRE -> "random:10";
            case CHATTER, WRITES -> "none";
            case SETTLE -> "60000";
            case TIMING -> "asynchronous";
            default -> "";
        };
    }

    /** Finds an option by its name on the command line. */
    public static Optional<WorldOption> find(String name) {
        return Arrays.stream(values())
                .filter(candidate -> candidate.option().equals(name))
                .findFirst();
    }

    /** The options of a simulated run. */
    public static List<WorldOption> simulated() {
        return Arrays.stream(values())
                .filter(candidate -> candidate.section != Section.MOVES)
                .toList();
    }

    /** Whether the option may be combined with {@code --moves}. */
    boolean isAllowedWithMoves() {
        return switch (this) {
            case NODES, TOPOLOGY, DISCONNECTED, RANK, NAMES, NETWORK, DETECTOR, REQUIRE -> true;
            default -> section == Section.MOVES;
        };
    }

    /** Whether nodes are part of the value. */
    public boolean namesNodes() {
        return switch (this) {
            case RANK, LINK, ALSO_REQUEST, CALLERS, ACQUIRE, INITIATORS -> true;
            case SWARM, LOSE_MESSAGE, DUPLICATE_MESSAGE, DELAY_MESSAGE -> false;
            default -> section == Section.FAULTS;
        };
    }

    /** Whether the option has no value. */
    public boolean isFlag() {
        return form.isEmpty();
    }

    public boolean isRepeatable() {
        return this == LINK || this == REQUIRE || (section == Section.FAULTS && this != SWARM);
    }

    /** The problem that the option is for; empty: all. */
    public Optional<Problem> problem() {
        return switch (this == LOSE_TAIL ? Section.LOG : section) {
            case MUTEX -> Optional.of(Problem.MUTEX);
            case ELECTION -> Optional.of(Problem.ELECTION);
            case LOG -> Optional.of(Problem.LOG);
            default -> Optional.empty();
        };
    }
}
