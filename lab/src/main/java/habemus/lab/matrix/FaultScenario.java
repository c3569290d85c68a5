package habemus.lab.matrix;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.check.model.CrashTarget;
import habemus.check.model.Scope;
import habemus.protocol.Durable;
import habemus.protocol.FailureAware;
import habemus.world.FaultKind;
import habemus.world.Problem;
import java.util.Locale;

/** What goes wrong in a cell of the matrix: one thing, once. */
public enum FaultScenario {
    NOTHING("none", "nothing goes wrong"),
    REORDER("none", "messages overtake each other"),
    DUPLICATE("twice", "one message arrives twice"),
    LOSS("lost", "one message is lost"),
    PARTITION("cut", "links are cut for a while, once"),
    PAUSE("pause", "one node stands still for a while"),
    BYSTANDER("idle", "a node crashes that neither waits nor is inside, nor leads"),
    WAITER("wait", "a node crashes that waits, or is a candidate"),
    HOLDER("hold", "a node crashes that is inside, or leads"),
    COORDINATOR("coord", "the coordinator crashes"),
    RESTART("back", "a node crashes and comes back with its memory"),
    AMNESIA("amnes", "a node crashes and comes back without its memory"),
    SUSPICION("doubt", "a live node is suspected, once");

    private final String heading;
    private final String description;

    FaultScenario(String heading, String words) {
        this.heading = heading;
        this.description = words;
    }

    /** Short enough for a column. */
    public String heading() {
        return heading;
    }

    public String description() {
        return description;
    }

    /** Whether it can happen in this world, and is not the same as something else there. */
    boolean appliesTo(Algorithm algorithm, AlgorithmParameters algorithmParameters, Scope.Timing timing) {
        boolean used = algorithm.problem() != Problem.DETECTOR; // nobody asks a detector, or is let in by it
        var protocol = algorithm.create(algorithmParameters);
        return switch (this) {
            case NOTHING, REORDER, DUPLICATE, LOSS, PARTITION, BYSTANDER, AMNESIA -> true;
            case PAUSE -> timing == Scope.Timing.SYNCHRONOUS; // elsewhere who stands still is only slow
            case WAITER, HOLDER -> used;
            case COORDINATOR ->
                !algorithm.coordinators().apply(algorithmParameters).isEmpty();
            case RESTART -> protocol instanceof Durable;
            case SUSPICION -> protocol instanceof FailureAware;
        };
    }

    /** The same world, with this in it. */
    Scope applyTo(Scope scope, Algorithm algorithm, AlgorithmParameters algorithmParameters) {
        return switch (this) {
            case NOTHING, REORDER -> scope;
            case DUPLICATE -> scope.withFault(FaultKind.DUPLICATION, 1);
            case LOSS -> scope.withFault(FaultKind.LOSS, 1);
            case PARTITION -> scope.withFault(FaultKind.PARTITION, 1);
            case PAUSE -> scope.withFault(FaultKind.PAUSE, 1);
            case BYSTANDER, WAITER, HOLDER, COORDINATOR ->
                scope.withFault(FaultKind.CRASH, 1)
                        .withCrashTarget(
                                crashTarget(algorithm), algorithm.coordinators().apply(algorithmParameters));
            case RESTART -> scope.withFault(FaultKind.CRASH, 1).withFault(FaultKind.RESTART, 1);
            case AMNESIA -> scope.withFault(FaultKind.CRASH, 1).withFault(FaultKind.AMNESIA, 1);
            case SUSPICION -> scope.withFault(FaultKind.MISTAKE, 1);
        };
    }

    private CrashTarget crashTarget(Algorithm algorithm) {
        return algorithm.problem() == Problem.DETECTOR ? CrashTarget.ANYONE : CrashTarget.valueOf(name());
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
