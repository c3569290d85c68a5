package habemus.world;

import habemus.protocol.ClientServer;
import habemus.protocol.Milestone;
import habemus.protocol.Protocol;
import habemus.protocol.ThreadProgram;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A correctness property. {@link MonitorSet#monitor} creates its monitor. */
public enum Property {
    MUTUAL_EXCLUSION(Problem.MUTEX, When.ALWAYS, "at most one node holds the lock"),
    DEADLOCK_FREEDOM(
            Problem.MUTEX,
            When.EVENTUALLY,
            "if nodes wait and no holder stays for ever, one of them is granted the lock"),
    NO_STARVATION(Problem.MUTEX, When.EVENTUALLY, "every request is eventually granted"),
    HAPPENED_BEFORE_ORDER(Problem.MUTEX, When.ALWAYS, "a request that happened before another is granted before it"),
    BOUNDED_WAITING(Problem.MUTEX, When.ALWAYS, "no waiter is bypassed more often than the bound"),
    FENCES_GROW(Problem.MUTEX, When.ALWAYS, "every fence is larger than all earlier fences"),
    NOTIFIED_BEFORE_REGRANTED(
            Problem.MUTEX, When.ALWAYS, "the previous holder is notified before the next grant, unless it is paused"),
    TERMINATION(Problem.ELECTION, When.EVENTUALLY, "a leader is eventually elected"),
    UNIQUENESS(Problem.ELECTION, When.ALWAYS, "at most one live node considers itself the leader"),
    ONE_LEADER_PER_TERM(Problem.ELECTION, When.ALWAYS, "a term has at most one leader"),
    AGREEMENT(Problem.ELECTION, When.EVENTUALLY, "eventually all live nodes name the same live leader"),
    BEST_WINS(Problem.ELECTION, When.EVENTUALLY, "the eventual leader is the best live node"),
    STABILITY(Problem.ELECTION, When.ALWAYS, "a live, reachable leader is not replaced"),
    COMPLETENESS(Problem.DETECTOR, When.EVENTUALLY, "a crashed node is eventually suspected by every live neighbour"),
    ACCURACY(Problem.DETECTOR, When.ALWAYS, "no live node is suspected"),
    EVENTUAL_ACCURACY(Problem.DETECTOR, When.EVENTUALLY, "eventually no live node is suspected"),
    ELECTION_SAFETY(Problem.LOG, When.ALWAYS, "a term has at most one leader"),
    LEADER_APPEND_ONLY(Problem.LOG, When.ALWAYS, "a leader never replaces or removes entries of its log"),
    LOG_MATCHING(Problem.LOG, When.ALWAYS, "two logs with an entry of the same index and term are equal up to it"),
    LEADER_COMPLETENESS(
            Problem.LOG, When.ALWAYS, "an entry committed in a term is in the logs of the leaders of all later terms"),
    STATE_MACHINE_SAFETY(Problem.LOG, When.ALWAYS, "no two nodes apply different entries at the same index"),
    COMMITTED_STAYS(Problem.LOG, When.ALWAYS, "a committed entry is never replaced, and no commit index goes back"),
    ACKNOWLEDGED_STAYS(
            Problem.LOG,
            When.ALWAYS,
            "a proposal reported as committed is the entry at its index, and a rejected one is never applied"),
    READS_ARE_LINEARIZABLE(Problem.LOG, When.ALWAYS, "a read sees all that was acknowledged before it was requested"),
    CONFIGURATION_SAFETY(Problem.LOG, When.ALWAYS, "the majorities of two nodes that can be elected share a node"),
    ONE_APPLICATION(Problem.LOG, When.ALWAYS, "a node applies every entry once, in order, without a gap"),
    LEADER_STABILITY(
            Problem.LOG,
            When.ALWAYS,
            "a node starts a term only if a majority of its voters can reach it and hears no leader"),
    PROGRESS(
            Problem.LOG,
            When.EVENTUALLY,
            "if a majority is up and connected, every call is answered and all live members apply the same entries"),
    NO_LOST_UPDATE(Problem.THREADS, When.AT_REST, "at the end, a shared object holds every update of every thread"),
    NO_LOST_WAKEUP(Problem.THREADS, When.AT_REST, "at the end, no thread waits for a notification"),
    LINEARIZABLE(Problem.THREADS, When.ALWAYS, "every operation seems to take effect at once, between call and return");

    /**
     * When a property must hold: after every event, or at the end of the run. An infinite run violates an
     * {@code EVENTUALLY} property if from some point on the property never holds. It never violates an {@code AT_REST}
     * property.
     */
    public enum When {
        ALWAYS,
        EVENTUALLY,
        AT_REST
    }

    private final Problem problem;
    private final When when;
    private final String sentence;

    Property(Problem problem, When when, String sentence) {
        this.problem = problem;
        this.when = when;
        this.sentence = sentence;
    }

    /** The properties of every algorithm that solves this problem. */
    public static List<Property> of(Problem problem) {
        return Arrays.stream(values())
                .filter(p -> p.isOf(problem) && p != NOTIFIED_BEFORE_REGRANTED && p != LEADER_STABILITY)
                .toList();
    }

    /** The properties of this protocol. A service that grants leases to clients has one more than other algorithms. */
    public static List<Property> of(Protocol<?, ?> protocol) {
        var problem = Problem.of(protocol);
        return Arrays.stream(values())
                .filter(p -> p.isOf(problem))
                .filter(p -> p != NOTIFIED_BEFORE_REGRANTED || protocol instanceof ClientServer)
                .filter(p -> p != LEADER_STABILITY) // holds only if messages are faster than timers: by name
                .filter(p -> !(protocol instanceof ThreadProgram<?, ?> program) || p.saysSomethingAbout(program))
                .toList();
    }

    private boolean saysSomethingAbout(ThreadProgram<?, ?> program) {
        return switch (this) {
            case MUTUAL_EXCLUSION -> program.reports(Milestone.Entered.class);
            case DEADLOCK_FREEDOM, NO_STARVATION -> program.reports(Milestone.Requested.class);
            case NO_LOST_UPDATE -> program.reports(Milestone.Updated.class);
            case NO_LOST_WAKEUP -> program.reports(Milestone.Parked.class);
            default -> program.reports(Milestone.Invoked.class);
        };
    }

    /** The properties that can be checked by name. One of them is not checked otherwise. */
    public static List<Property> byName(Protocol<?, ?> protocol) {
        return Problem.of(protocol) == Problem.LOG
                ? Stream.concat(of(protocol).stream(), Stream.of(LEADER_STABILITY))
                        .toList()
                : of(protocol);
    }

    /** The property with this name, as {@link #toString} writes it. */
    public static Optional<Property> find(String name) {
        return Arrays.stream(values()).filter(p -> p.toString().equals(name)).findFirst();
    }

    /** Whether it is a property of the algorithms that solve this problem. Threads use locks, too. */
    public boolean isOf(Problem problem) {
        boolean isShared = this == MUTUAL_EXCLUSION || this == DEADLOCK_FREEDOM || this == NO_STARVATION;
        return this.problem == problem || isShared && problem == Problem.THREADS;
    }

    public When when() {
        return when;
    }

    public String sentence() {
        return sentence;
    }

    /** Whether it must eventually hold for ever: an infinite run in which it keeps failing violates it too. */
    public boolean isPersistence() {
        return this == COMPLETENESS || this == EVENTUAL_ACCURACY;
    }

    /** Whether a violation means that a node is stuck, rather than that it does something wrong. */
    public boolean isProgress() {
        return this == DEADLOCK_FREEDOM
                || this == NO_STARVATION
                || this == TERMINATION
                || this == PROGRESS
                || this == NO_LOST_WAKEUP;
    }

    /** The name in commands, output and files, such as {@code mutual-exclusion}. */
    @Override
    public String toString() {
        return KebabCase.of(this);
    }
}
