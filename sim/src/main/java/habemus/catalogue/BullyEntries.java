package habemus.catalogue;

import static habemus.catalogue.CostFormula.Measure.MESSAGES_ALL_CANDIDATES_WORST;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_LOWEST_STARTS;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_ONE_CANDIDATE_WORST;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_SECOND_BEST_KNOWS;
import static habemus.world.FaultKind.AMNESIA;
import static habemus.world.FaultKind.CRASH;
import static habemus.world.FaultKind.DUPLICATION;
import static habemus.world.FaultKind.JOIN;
import static habemus.world.FaultKind.LEAVE;
import static habemus.world.FaultKind.LOSS;
import static habemus.world.FaultKind.MISTAKE;
import static habemus.world.FaultKind.PARTITION;
import static habemus.world.FaultKind.PAUSE;
import static habemus.world.FaultKind.REORDER;
import static habemus.world.FaultKind.RESTART;
import static habemus.world.FaultKind.SLOWNESS;
import static habemus.world.Property.AGREEMENT;
import static habemus.world.Property.BEST_WINS;
import static habemus.world.Property.STABILITY;
import static habemus.world.Property.TERMINATION;
import static habemus.world.Property.UNIQUENESS;

import habemus.election.Bully;
import habemus.election.BullyEfficient;
import habemus.election.BullyStable;
import habemus.election.CollectingRing;
import habemus.election.MaxAlive;
import java.time.Duration;
import java.util.List;

/** The catalogue entries of the elections that the best live node wins. */
final class BullyEntries {

    private static final AlgorithmOption<Duration> ANSWER = AlgorithmOption.positiveDuration(
            "answer", Duration.ofMillis(100), "time that a candidate waits for an Answer");
    private static final AlgorithmOption<Duration> COORDINATOR = AlgorithmOption.positiveDuration(
            "coordinator", Duration.ofMillis(500), "time that it then waits for a Coordinator message");
    private static final AlgorithmOption<Boolean> SUPPRESS =
            AlgorithmOption.enabledFlag("suppress", "drop one of two lists that circulate at the same time");

    private BullyEntries() {}

    static Algorithm ring() {
        return AlgorithmBuilder.election("ring", "A list circulates and collects all ids; the best one leads.")
                .ranked()
                .option(SUPPRESS)
                .cost(MESSAGES_ONE_CANDIDATE_WORST, "2n", n -> 2.0 * n)
                .cost(MESSAGES_ALL_CANDIDATES_WORST, "3n-1", n -> 3.0 * n - 1)
                .guarantees(
                        Guarantee.of(UNIQUENESS, STABILITY)
                                .tolerating(REORDER, DUPLICATION, CRASH, PAUSE, SLOWNESS, LEAVE)
                                .assuming(new TimingAssumption.CrashDetection()),
                        Guarantee.of(TERMINATION, AGREEMENT, BEST_WINS)
                                .tolerating(REORDER, DUPLICATION, CRASH, RESTART, PAUSE, SLOWNESS)
                                .assuming(new TimingAssumption.CrashDetection()),
                        Guarantee.of(TERMINATION, AGREEMENT, BEST_WINS)
                                .tolerating(REORDER, DUPLICATION, CRASH, PAUSE, SLOWNESS, JOIN, LEAVE)
                                .assuming(new TimingAssumption.CrashDetection()))
                .build(parameters -> new CollectingRing(parameters.ranking(), parameters.get(SUPPRESS)));
    }

    static Algorithm bully() {
        return likeBully("bully", "A node asks all better nodes, and leads if none answers in time.")
                .cost(MESSAGES_SECOND_BEST_KNOWS, "n-2", n -> n - 2.0)
                .cost(MESSAGES_LOWEST_STARTS, "n²-n-1", n -> (double) n * n - n - 1)
                .build(parameters ->
                        new Bully(parameters.ranking(), parameters.get(ANSWER), parameters.get(COORDINATOR)));
    }

    static Algorithm bullyEfficient() {
        return likeBully("bully-efficient", "A node asks all better nodes, and appoints the best one that answers.")
                .cost(MESSAGES_SECOND_BEST_KNOWS, "n-1", n -> n - 1.0)
                .cost(MESSAGES_LOWEST_STARTS, "3n-4", n -> 3.0 * n - 4)
                .build(parameters ->
                        new BullyEfficient(parameters.ranking(), parameters.get(ANSWER), parameters.get(COORDINATOR)));
    }

    private static AlgorithmBuilder likeBully(String name, String summary) {
        return timed(name, summary)
                .guarantees(parameters -> List.of(
                        Guarantee.of(UNIQUENESS, STABILITY)
                                .tolerating(REORDER, CRASH, LEAVE)
                                .assuming(timing(parameters)),
                        Guarantee.of(TERMINATION, AGREEMENT, BEST_WINS)
                                .tolerating(REORDER, CRASH, RESTART)
                                .assuming(timing(parameters)),
                        Guarantee.of(TERMINATION, AGREEMENT, BEST_WINS)
                                .tolerating(REORDER, CRASH, JOIN, LEAVE)
                                .assuming(timing(parameters))));
    }

    private static AlgorithmBuilder timed(String name, String summary) {
        return AlgorithmBuilder.election(name, summary).ranked().option(ANSWER).option(COORDINATOR);
    }

    /** An Answer must arrive within two message delays. */
    private static TimingAssumption timing(AlgorithmParameters parameters) {
        return new TimingAssumption.Synchronous(
                parameters.get(ANSWER).dividedBy(2).minusMillis(1));
    }

    static Algorithm bullyStable() {
        return timed("bully-stable", "The bully algorithm ranks nodes by uptime: a restarted node ranks last.")
                .cost(MESSAGES_SECOND_BEST_KNOWS, "2(n-1)", n -> 2.0 * (n - 1))
                .cost(MESSAGES_LOWEST_STARTS, "(n-1)(3n-2)/2", n -> (n - 1) * (3.0 * n - 2) / 2)
                .guarantees(parameters -> List.of(
                        Guarantee.of(UNIQUENESS, STABILITY)
                                .tolerating(REORDER, DUPLICATION, CRASH, RESTART, MISTAKE, JOIN, LEAVE)
                                .assuming(timing(parameters)),
                        Guarantee.of(TERMINATION, AGREEMENT)
                                .tolerating(REORDER, DUPLICATION, CRASH, RESTART, JOIN, LEAVE)
                                .assuming(timing(parameters)),
                        Guarantee.of(BEST_WINS)
                                .tolerating(REORDER, DUPLICATION, CRASH, LEAVE)
                                .assuming(timing(parameters))))
                .build(parameters ->
                        new BullyStable(parameters.ranking(), parameters.get(ANSWER), parameters.get(COORDINATOR)));
    }

    static Algorithm maxAlive() {
        return AlgorithmBuilder.election(
                        "max-alive", "The leader is the best node that the failure detector does not suspect.")
                .ranked()
                .cost(MESSAGES_LOWEST_STARTS, "0", n -> 0)
                .guarantees(
                        Guarantee.of(TERMINATION, AGREEMENT, BEST_WINS)
                                .tolerating(
                                        REORDER,
                                        DUPLICATION,
                                        LOSS,
                                        CRASH,
                                        RESTART,
                                        AMNESIA,
                                        PAUSE,
                                        PARTITION,
                                        SLOWNESS,
                                        MISTAKE,
                                        JOIN,
                                        LEAVE)
                                .assuming(new TimingAssumption.CrashDetection()),
                        Guarantee.of(UNIQUENESS, STABILITY)
                                .tolerating(REORDER, DUPLICATION, LOSS, CRASH, PAUSE, PARTITION, SLOWNESS, LEAVE)
                                .assuming(new TimingAssumption.CrashDetection()))
                .build(parameters -> new MaxAlive(parameters.ranking()));
    }
}
