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
import java.util.Optional;

/** The single fault that is injected in a cell of the matrix, once. */
public enum FaultScenario {
    NOTHING("none", "no fault"),
    REORDER("none", "messages are reordered"),
    DUPLICATE("dup", "one message is duplicated"),
    LOSS("loss", "one message is lost"),
    PARTITION("cut", "one partition, which heals"),
    PAUSE("pause", "one node pauses and resumes"),
    BYSTANDER("idle", "a node crashes that neither waits, holds nor leads"),
    WAITER("wait", "a waiter or candidate crashes"),
    HOLDER("hold", "the holder or leader crashes"),
    COORDINATOR("coord", "the coordinator crashes"),
    RESTART("restart", "a node crashes and restarts with its state"),
    AMNESIA("amnes", "a node crashes and restarts without its state"),
    SUSPICION("susp", "a live node is suspected once");

    private final String heading;
    private final String description;

    FaultScenario(String heading, String description) {
        this.heading = heading;
        this.description = description;
    }

    /** A short name for the heading of a column. */
    public String heading() {
        return heading;
    }

    public String description() {
        return description;
    }

    /** The kind of the fault; empty if there is none. */
    public Optional<FaultKind> kind() {
        return switch (this) {
            case NOTHING -> Optional.empty();
            case REORDER -> Optional.of(FaultKind.REORDER);
            case DUPLICATE -> Optional.of(FaultKind.DUPLICATION);
            case LOSS -> Optional.of(FaultKind.LOSS);
            case PARTITION -> Optional.of(FaultKind.PARTITION);
            case PAUSE -> Optional.of(FaultKind.PAUSE);
            case BYSTANDER, WAITER, HOLDER, COORDINATOR -> Optional.of(FaultKind.CRASH);
            case RESTART -> Optional.of(FaultKind.RESTART);
            case AMNESIA -> Optional.of(FaultKind.AMNESIA);
            case SUSPICION -> Optional.of(FaultKind.MISTAKE);
        };
    }

    /** Whether the fault can happen in this scope and differs from the other faults there. */
    boolean appliesTo(Algorithm algorithm, AlgorithmParameters parameters, Scope.Timing timing) {
        boolean hasRequests = algorithm.problem() != Problem.DETECTOR;
        var protocol = algorithm.create(parameters);
        return switch (this) {
            case NOTHING, REORDER, DUPLICATE, LOSS, PARTITION, BYSTANDER, AMNESIA -> true;
            case PAUSE -> timing == Scope.Timing.SYNCHRONOUS; // in asynchronous scopes a paused node is only slow
            case WAITER, HOLDER -> hasRequests;
            case COORDINATOR -> !algorithm.coordinators().apply(parameters).isEmpty();
            case RESTART -> protocol instanceof Durable;
            case SUSPICION -> protocol instanceof FailureAware;
        };
    }

    /** The scope with this fault. */
    Scope applyTo(Scope scope, Algorithm algorithm, AlgorithmParameters parameters) {
        return switch (this) {
            case NOTHING, REORDER -> scope;
            case DUPLICATE -> scope.withFault(FaultKind.DUPLICATION, 1);
            case LOSS -> scope.withFault(FaultKind.LOSS, 1);
            case PARTITION -> scope.withFault(FaultKind.PARTITION, 1);
            case PAUSE -> scope.withFault(FaultKind.PAUSE, 1);
            case BYSTANDER, WAITER, HOLDER, COORDINATOR ->
                scope.withFault(FaultKind.CRASH, 1)
                        .withCrashTarget(
                                crashTarget(algorithm), algorithm.coordinators().apply(parameters));
            case RESTART -> scope.withFault(FaultKind.CRASH, 1).withFault(FaultKind.RESTART, 1);
            case AMNESIA -> scope.withFault(FaultKind.CRASH, 1).withFault(FaultKind.AMNESIA, 1);
            case SUSPICION -> scope.withFault(FaultKind.MISTAKE, 1);
        };
    }

    private CrashTarget crashTarget(Algorithm algorithm) {
        if (algorithm.problem() == Problem.DETECTOR) {
            return CrashTarget.ANYONE;
        }
        return switch (this) {
            case BYSTANDER -> CrashTarget.BYSTANDER;
            case WAITER -> CrashTarget.WAITER;
            case HOLDER -> CrashTarget.HOLDER;
            case COORDINATOR -> CrashTarget.COORDINATOR;
            default -> CrashTarget.ANYONE;
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
