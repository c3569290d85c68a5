package habemus.world;

import habemus.protocol.ClientServer;
import habemus.protocol.Protocol;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What is asked of every algorithm, named once. {@link MonitorSet} has the judge of each. */
public enum Property {
    MUTUAL_EXCLUSION(Problem.MUTEX, When.ALWAYS, "never two nodes are inside"),
    DEADLOCK_FREEDOM(Problem.MUTEX, When.EVENTUALLY, "if somebody waits and nobody stays inside, somebody gets in"),
    NO_STARVATION(Problem.MUTEX, When.EVENTUALLY, "everybody who asks gets in"),
    HAPPENED_BEFORE_ORDER(Problem.MUTEX, When.ALWAYS, "a request that happened before another is granted before it"),
    BOUNDED_WAITING(Problem.MUTEX, When.ALWAYS, "nobody who waits is passed more often than the bound"),
    FENCES_GROW(Problem.MUTEX, When.ALWAYS, "every fence is larger than all before it"),
    NOTIFIED_BEFORE_REGRANTED(
            Problem.MUTEX, When.ALWAYS, "nobody gets in before who was inside knows it, unless that one stands still"),
    TERMINATION(Problem.ELECTION, When.EVENTUALLY, "in the end somebody leads"),
    UNIQUENESS(Problem.ELECTION, When.ALWAYS, "never two live nodes believe that they lead"),
    ONE_LEADER_PER_TERM(Problem.ELECTION, When.ALWAYS, "a term never has two leaders"),
    AGREEMENT(Problem.ELECTION, When.EVENTUALLY, "in the end all live nodes name the same live leader"),
    BEST_WINS(Problem.ELECTION, When.EVENTUALLY, "who leads in the end is the best live node"),
    STABILITY(Problem.ELECTION, When.ALWAYS, "a live leader that can be reached is not replaced"),
    COMPLETENESS(Problem.DETECTOR, When.EVENTUALLY, "in the end whoever is down is suspected by every live neighbour"),
    ACCURACY(Problem.DETECTOR, When.ALWAYS, "nobody is suspected who is up"),
    EVENTUAL_ACCURACY(Problem.DETECTOR, When.EVENTUALLY, "in the end nobody is suspected who is up");

    /**
     * When a judge looks: after every step, or once nothing more will happen. What should be true in the end is
     * violated by a run without end if from some time on it is never true.
     */
    public enum When {
        ALWAYS,
        EVENTUALLY
    }

    private final Problem problem;
    private final When when;
    private final String sentence;

    Property(Problem problem, When when, String sentence) {
        this.problem = problem;
        this.when = when;
        this.sentence = sentence;
    }

    /** What is asked of all who solve it. */
    public static List<Property> of(Problem problem) {
        return Arrays.stream(values())
                .filter(p -> p.problem == problem && p != NOTIFIED_BEFORE_REGRANTED)
                .toList();
    }

    /** The same, and what is asked of a service from which clients hold something for as long as they are heard of. */
    public static List<Property> of(Protocol<?, ?> protocol) {
        var problem = Problem.of(protocol);
        return Arrays.stream(values())
                .filter(p -> p.problem == problem)
                .filter(p -> p != NOTIFIED_BEFORE_REGRANTED || protocol instanceof ClientServer)
                .toList();
    }

    /** The one that is written so; nothing if there is none. */
    public static Optional<Property> find(String name) {
        return Arrays.stream(values()).filter(p -> p.toString().equals(name)).findFirst();
    }

    public Problem problem() {
        return problem;
    }

    public When when() {
        return when;
    }

    public String sentence() {
        return sentence;
    }

    /** Whether a run without end also violates it in which it comes and goes for ever: then it has no end. */
    public boolean isPersistence() {
        return this == COMPLETENESS || this == EVENTUAL_ACCURACY;
    }

    /** Whether who violates it is stuck: it does nothing wrong, but does not get on. */
    public boolean isProgress() {
        return this == DEADLOCK_FREEDOM || this == NO_STARVATION || this == TERMINATION;
    }

    /** As it is written everywhere: {@code mutual-exclusion}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
