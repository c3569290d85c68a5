package habemus.catalogue;

import static habemus.catalogue.CostFormula.Measure.HEARTBEATS_PER_PERIOD;
import static habemus.world.FaultKind.AMNESIA;
import static habemus.world.FaultKind.CRASH;
import static habemus.world.FaultKind.DUPLICATION;
import static habemus.world.FaultKind.LOSS;
import static habemus.world.FaultKind.MISTAKE;
import static habemus.world.FaultKind.PARTITION;
import static habemus.world.FaultKind.PAUSE;
import static habemus.world.FaultKind.REORDER;
import static habemus.world.FaultKind.RESTART;
import static habemus.world.FaultKind.SLOWNESS;
import static habemus.world.Property.ACCURACY;
import static habemus.world.Property.COMPLETENESS;
import static habemus.world.Property.EVENTUAL_ACCURACY;

import habemus.detector.EventuallyPerfect;
import habemus.detector.Perfect;
import habemus.detector.PhiAccrual;
import habemus.world.FaultKind;
import habemus.world.Property;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The catalogue entries of the failure detectors. */
final class DetectorEntries {

    private static final AlgorithmOption<Duration> PERIOD =
            AlgorithmOption.duration("period", Duration.ofMillis(200), "time between two heartbeats");
    private static final AlgorithmOption<Duration> TIMEOUT = AlgorithmOption.duration(
            "timeout",
            Duration.ofMillis(400),
            "silence after which a peer is suspected; longer than period and latency");

    private static final AlgorithmOption<Duration> FIRST_TIMEOUT = AlgorithmOption.duration(
            "timeout", Duration.ofMillis(200), "silence after which a peer is suspected, before the first mistake");
    private static final AlgorithmOption<Integer> MAX_PERIODS = AlgorithmOption.number(
            "max-periods", 0, "largest timeout in periods, however many mistakes were made; 0: unlimited");
    private static final AlgorithmOption<Integer> THRESHOLD = AlgorithmOption.number(
            "threshold", 8, "suspicion threshold phi: 8 means a silence with a probability of 10^-8");
    private static final AlgorithmOption<Integer> WINDOW =
            AlgorithmOption.number("window", 5, "number of heartbeat intervals remembered for each peer");

    private static final FaultKind[] ALL_FAULTS = {
        REORDER, DUPLICATION, LOSS, CRASH, RESTART, AMNESIA, PAUSE, PARTITION, SLOWNESS
    };

    private DetectorEntries() {}

    /**
     * The guarantees of an election composed with a detector. If the detector is accurate, the election keeps all its
     * guarantees. If it is eventually accurate and the election tolerates mistakes, the eventual properties are kept.
     */
    static List<Guarantee> guarantees(List<Guarantee> elections, List<Guarantee> detectors) {
        var combined = new ArrayList<Guarantee>();
        for (Guarantee election : elections) {
            for (Guarantee detector : detectors) {
                combine(election, detector).ifPresent(combined::add);
            }
        }
        return List.copyOf(combined);
    }

    private static Optional<Guarantee> combine(Guarantee election, Guarantee detector) {
        boolean accurate = detector.properties().contains(ACCURACY);
        boolean toleratesMistakes = detector.properties().contains(EVENTUAL_ACCURACY)
                && election.tolerates().contains(MISTAKE);
        var kept = election.properties().stream()
                .filter(property -> accurate || toleratesMistakes && property.when() == Property.When.EVENTUALLY)
                .toList();
        var tolerated = election.tolerates().stream()
                .filter(detector.tolerates()::contains)
                .toList();
        var timing = election.timing() instanceof TimingAssumption.Synchronous(var delay)
                ? detector.timing() instanceof TimingAssumption.DelayBound(var other) && other.compareTo(delay) < 0
                        ? detector.timing()
                        : new TimingAssumption.DelayBound(delay)
                : detector.timing();
        return kept.isEmpty()
                ? Optional.empty()
                : Optional.of(new Guarantee(Set.copyOf(kept), Set.copyOf(tolerated), timing, Optional.empty()));
    }

    static Algorithm perfect() {
        return AlgorithmBuilder.detector(
                        "perfect", "A node suspects a peer that is silent for longer than a heartbeat can take.")
                .option(PERIOD)
                .option(TIMEOUT)
                .cost(HEARTBEATS_PER_PERIOD, "n(n-1)", n -> (double) n * (n - 1))
                .guarantees(parameters -> List.of(
                        completeness(),
                        Guarantee.of(ACCURACY, EVENTUAL_ACCURACY)
                                .tolerating(REORDER, DUPLICATION, CRASH, RESTART, AMNESIA)
                                .assuming(new TimingAssumption.DelayBound(parameters
                                        .get(TIMEOUT)
                                        .minus(parameters.get(PERIOD))
                                        .minusMillis(1)))))
                .build(parameters -> new Perfect(parameters.get(PERIOD), parameters.get(TIMEOUT)));
    }

    static Algorithm eventuallyPerfect() {
        return AlgorithmBuilder.detector(
                        "eventually-perfect",
                        "A node suspects a silent peer, and increases its timeout after a mistake.")
                .option(PERIOD)
                .option(FIRST_TIMEOUT)
                .option(MAX_PERIODS)
                .cost(HEARTBEATS_PER_PERIOD, "n(n-1)", n -> (double) n * (n - 1))
                .guarantees(parameters -> parameters.get(MAX_PERIODS) == 0
                        ? List.of(completeness(), eventualAccuracy())
                        : List.of(completeness()))
                .build(parameters -> new EventuallyPerfect(
                        parameters.get(PERIOD), parameters.get(FIRST_TIMEOUT), parameters.get(MAX_PERIODS)));
    }

    static Algorithm phiAccrual() {
        return AlgorithmBuilder.detector(
                        "phi-accrual", "A node suspects a peer whose silence is improbable given its last heartbeats.")
                .option(PERIOD)
                .option(THRESHOLD)
                .option(WINDOW)
                .cost(HEARTBEATS_PER_PERIOD, "n(n-1)", n -> (double) n * (n - 1))
                .guarantees(parameters -> {
                    var half = new TimingAssumption.DelayBound(
                            parameters.get(PERIOD).dividedBy(2));
                    return parameters.get(THRESHOLD) < THRESHOLD.defaultValue()
                            ? List.of(completeness())
                            : List.of(
                                    completeness(),
                                    eventualAccuracy().assuming(half),
                                    Guarantee.of(ACCURACY)
                                            .tolerating(REORDER, CRASH, RESTART, AMNESIA)
                                            .assuming(half));
                })
                .build(parameters ->
                        new PhiAccrual(parameters.get(PERIOD), parameters.get(THRESHOLD), parameters.get(WINDOW)));
    }

    /** A crashed node sends no heartbeats, whatever other faults occur. */
    private static Guarantee completeness() {
        return Guarantee.of(COMPLETENESS).tolerating(ALL_FAULTS);
    }

    /** Holds once the faults have ended. */
    private static Guarantee eventualAccuracy() {
        return Guarantee.of(EVENTUAL_ACCURACY)
                .tolerating(ALL_FAULTS)
                .assuming(new TimingAssumption.UnknownDelayBound());
    }
}
