package habemus.lab.check;

import habemus.check.model.CrashTarget;
import habemus.lab.command.NumberOptions;
import habemus.lab.command.OptionSyntax;
import habemus.lab.command.ValueType;
import habemus.lab.experiment.WorldOption;
import habemus.world.FaultKind;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The options of a check besides those of its world: budgets of calls, faults and timeouts, and limits of the search.
 *
 * <p>Their order is the order of the help.
 */
public enum CheckOption {
    PROPOSALS("--proposals", "K", Section.LOG, most("proposals of one command (default: 1)")),
    READS("--reads", "K", Section.LOG, most("reads")),
    SNAPSHOTS("--snapshots", "K", Section.LOG, most("snapshots")),
    MEMBER_CHANGES("--member-changes", "K", Section.LOG, most("members added, promoted or removed")),
    TRANSFERS("--transfers", "K", Section.LOG, most("transfers of the leadership")),

    CRASHES("--crashes", FaultKind.CRASH),
    RESTARTS("--restarts", FaultKind.RESTART),
    AMNESIAS("--amnesias", FaultKind.AMNESIA),
    LOSSES("--losses", FaultKind.LOSS),
    DUPLICATES("--duplicates", FaultKind.DUPLICATION),
    PARTITIONS("--partitions", FaultKind.PARTITION),
    PAUSES("--pauses", FaultKind.PAUSE),
    MISTAKES("--mistakes", FaultKind.MISTAKE),
    TAIL_LOSSES("--tail-losses", FaultKind.TAIL_LOSS),
    JOINS("--joins", FaultKind.JOIN),
    LEAVES("--leaves", FaultKind.LEAVE),
    TIMEOUTS(
            "--timeouts",
            "K",
            Section.FAULTS,
            "maximum number of timeouts, or unbounded (default: unbounded; none if the algorithm retries forever;"
                    + " 1 for a replicated log)"),
    MAX_IN_FLIGHT(
            "--max-in-flight",
            "K",
            Section.FAULTS,
            "no timer fires while more than K messages are in flight (default: unbounded)"),
    TIMING(
            "--timing",
            "KIND",
            Section.FAULTS,
            "asynchronous: a timer may fire at any time; synchronous: only after all messages"),
    VICTIM("--victim", "WHO", Section.FAULTS, "which node crashes: " + describeTargets()),
    CUTS("--cuts", Section.FAULTS, "a node may also crash within a step, after some of its effects"),

    PROPERTY(
            "--property",
            "NAME,…",
            Section.SEARCH,
            "checks only these properties, and stops when they are decided; they count in every world"),
    STOP_AT_FIRST("--stop-at-first", Section.SEARCH, "stops at the first property that is not true"),
    REDUCE(
            "--reduce",
            "WHAT,…",
            Section.SEARCH,
            "explores fewer states: order (commuting steps), symmetry (interchangeable nodes), or all"),
    STATES("--states", "N", Section.SEARCH, "maximum number of states"),
    SECONDS("--seconds", "N", Section.SEARCH, "time limit"),
    COMPACT(
            "--compact",
            Section.SEARCH,
            "stores 64-bit hashes in place of states: less memory, a small probability of error"),
    DEPTH("--depth", "N", Section.SEARCH, "maximum depth in steps (default: unbounded)");

    /** The sections of the help. */
    public enum Section {
        LOG("Calls of a replicated log:"),
        FAULTS("Faults and timing:"),
        SEARCH("Search:");

        private final String heading;

        Section(String heading) {
            this.heading = heading;
        }

        public String heading() {
            return heading;
        }
    }

    /** The options of the world that a check has. */
    public static final List<WorldOption> WORLD = List.of(
            WorldOption.NODES,
            WorldOption.SEED,
            WorldOption.TOPOLOGY,
            WorldOption.DISCONNECTED,
            WorldOption.RANK,
            WorldOption.NAMES,
            WorldOption.NETWORK,
            WorldOption.ENTRIES,
            WorldOption.CALLERS,
            WorldOption.INITIATORS,
            WorldOption.DETECTOR,
            WorldOption.REQUIRE);

    private final String option;
    private final String form;
    private final Section section;
    private final String help;
    private final Optional<FaultKind> faultKind;

    CheckOption(String option, String form, Section section, String help) {
        this.option = option;
        this.form = form;
        this.section = section;
        this.help = help;
        faultKind = Optional.empty();
    }

    CheckOption(String option, Section section, String help) {
        this(option, "", section, help);
    }

    /** The budget of a fault kind. */
    CheckOption(String option, FaultKind faultKind) {
        this.option = option;
        form = "K";
        section = Section.FAULTS;
        help = "maximum number of times that " + faultKind.sentence();
        this.faultKind = Optional.of(faultKind);
    }

    private static String most(String what) {
        return "maximum number of " + what;
    }

    private static String describeTargets() {
        return Arrays.stream(CrashTarget.values())
                        .filter(crashTarget -> crashTarget != CrashTarget.ANYONE)
                        .map(crashTarget -> crashTarget + ", " + crashTarget.description())
                        .collect(Collectors.joining("; "))
                + " (default: " + CrashTarget.ANYONE + ")";
    }

    /** The name on the command line: {@code --crashes}. */
    public String option() {
        return option;
    }

    /** Names the value; empty for a flag. */
    public String form() {
        return form;
    }

    public Section section() {
        return section;
    }

    /** The type of the value; a flag has the text {@link OptionSyntax#GIVEN}. */
    public ValueType<?> type() {
        return switch (this) {
            case TIMEOUTS -> NumberOptions.countOrUnbounded();
            case TIMING -> ValueType.choice("asynchronous", "synchronous").withDefault("asynchronous");
            case STATES -> NumberOptions.count().withDefault(50_000_000);
            case SECONDS -> NumberOptions.count().withDefault(600);
            case DEPTH -> NumberOptions.count();
            case CUTS, STOP_AT_FIRST, COMPACT, VICTIM, PROPERTY, REDUCE -> ValueType.TEXT;
            default -> NumberOptions.countOrZero();
        };
    }

    /** Without the default value of the type. */
    public String help() {
        return help;
    }

    /** The default value; empty if there is none. */
    public String defaultText() {
        return type().defaultText().orElse("");
    }

    public boolean isFlag() {
        return form.isEmpty();
    }

    /** The fault kind whose number the option limits. */
    Optional<FaultKind> faultKind() {
        return faultKind;
    }

    OptionSyntax syntax() {
        return isFlag()
                ? OptionSyntax.flag(option)
                : OptionSyntax.value(option, form).withType(type());
    }

    /** Finds an option by its name on the command line. */
    public static Optional<CheckOption> find(String name) {
        return Arrays.stream(values())
                .filter(candidate -> candidate.option.equals(name))
                .findFirst();
    }
}
