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

/** The entries of the failure detectors. */
final class DetectorEntries {

    private static final AlgorithmOption<Duration> PERIOD =
            AlgorithmOption.duration("period", Duration.ofMillis(200), "from one heartbeat of a detector to the next");
    private static final AlgorithmOption<Duration> TIMEOUT = AlgorithmOption.duration(
            "timeout",
            Duration.ofMillis(400),
            "after what silence a detector suspects; longer than period and latency");

    private static final AlgorithmOption<Duration> FIRST_TIMEOUT = AlgorithmOption.duration(
            "timeout", Duration.ofMillis(200), "after what silence a detector suspects, before it has learnt");
    private static final AlgorithmOption<Integer> MAX_PERIODS = AlgorithmOption.number(
            "most", 0, "how many periods a detector waits at most, however often it was wrong; 0: any");
    private static final AlgorithmOption<Integer> THRESHOLD =
            AlgorithmOption.number("threshold", 8, "how unlikely a silence must be to be suspected: 8 is once in 10^8");
    private static final AlgorithmOption<Integer> WINDOW =
            AlgorithmOption.number("window", 5, "how many gaps between heartbeats a detector remembers of each peer");

    private static final FaultKind[] ALL_FAULTS = {
        REORDER, DUPLICATION, LOSS, CRASH, RESTART, AMNESIA, PAUSE, PARTITION, SLOWNESS
    };

    private DetectorEntries() {}

    /**
     * What an election keeps with a detector beneath it: where the detector is accurate, whatever it keeps otherwise;
     * where it is so only in the end, what is true in the end, if the election survives mistakes.
     */
    static List<Guarantee> guarantees(List<Guarantee> elections, List<Guarantee> detectors) {
        var both = new ArrayList<Guarantee>();
        for (Guarantee election : elections) {
            for (Guarantee detector : detectors) {
                combine(election, detector).ifPresent(both::add);
            }
        }
        return List.copyOf(both);
    }

    private static Optional<Guarantee> combine(Guarantee election, Guarantee detector) {
        boolean accurate = detector.properties().contains(ACCURACY);
        boolean forgiven = detector.properties().contains(EVENTUAL_ACCURACY)
                && election.tolerates().contains(MISTAKE);
        var kept = election.properties().stream()
                .filter(property -> accurate || forgiven && property.when() == Property.When.EVENTUALLY)
                .toList();
        var survived = election.tolerates().stream()
                .filter(detector.tolerates()::contains)
                .toList();
        var timingAssumption = election.timingAssumption() instanceof TimingAssumption.Synchronous(var delay)
                ? detector.timingAssumption() instanceof TimingAssumption.DelayBound(var other)
                                && other.compareTo(delay) < 0
                        ? detector.timingAssumption()
                        : new TimingAssumption.DelayBound(delay)
                : detector.timingAssumption();
        return kept.isEmpty()
                ? Optional.empty()
                : Optional.of(new Guarantee(Set.copyOf(kept), Set.copyOf(survived), timingAssumption));
    }

    static Algorithm perfect() {
        return AlgorithmBuilder.detector(
                        "perfect", "suspect whoever was not heard for longer than a heartbeat can take")
                .option(PERIOD)
                .option(TIMEOUT)
                .cost(HEARTBEATS_PER_PERIOD, "n(n-1)", n -> (double) n * (n - 1))
                .guarantees(algorithmParameters -> List.of(
                        complete(),
                        Guarantee.of(ACCURACY, EVENTUAL_ACCURACY)
                                .tolerating(REORDER, DUPLICATION, CRASH, RESTART, AMNESIA)
                                .assuming(new TimingAssumption.DelayBound(algorithmParameters
                                        .get(TIMEOUT)
                                        .minus(algorithmParameters.get(PERIOD))
                                        .minusMillis(1)))))
                .build(algorithmParameters ->
                        new Perfect(algorithmParameters.get(PERIOD), algorithmParameters.get(TIMEOUT)));
    }

    static Algorithm eventuallyPerfect() {
        return AlgorithmBuilder.detector(
                        "eventually-perfect", "suspect whoever is silent; after a mistake, be more patient")
                .option(PERIOD)
                .option(FIRST_TIMEOUT)
                .option(MAX_PERIODS)
                .cost(HEARTBEATS_PER_PERIOD, "n(n-1)", n -> (double) n * (n - 1))
                .guarantees(algorithmParameters ->
                        algorithmParameters.get(MAX_PERIODS) == 0 ? List.of(complete(), right()) : List.of(complete()))
                .build(algorithmParameters -> new EventuallyPerfect(
                        algorithmParameters.get(PERIOD),
                        algorithmParameters.get(FIRST_TIMEOUT),
                        algorithmParameters.get(MAX_PERIODS)));
    }

    static Algorithm phiAccrual() {
        return AlgorithmBuilder.detector(
                        "phi-accrual", "suspect whoever is silent for longer than its last heartbeats explain")
                .option(PERIOD)
                .option(THRESHOLD)
                .option(WINDOW)
                .cost(HEARTBEATS_PER_PERIOD, "n(n-1)", n -> (double) n * (n - 1))
                .guarantees(algorithmParameters -> {
                    var half = new TimingAssumption.DelayBound(
                            algorithmParameters.get(PERIOD).dividedBy(2));
                    return algorithmParameters.get(THRESHOLD) < THRESHOLD.defaultValue()
                            ? List.of(complete())
                            : List.of(
                                    complete(),
                                    right().assuming(half),
                                    Guarantee.of(ACCURACY)
                                            .tolerating(REORDER, CRASH, RESTART, AMNESIA)
                                            .assuming(half));
                })
                .build(algorithmParameters -> new PhiAccrual(
                        algorithmParameters.get(PERIOD),
                        algorithmParameters.get(THRESHOLD),
                        algorithmParameters.get(WINDOW)));
    }

    /** The dead say nothing, whatever else happens. */
    private static Guarantee complete() {
        return Guarantee.of(COMPLETENESS).tolerating(ALL_FAULTS);
    }

    /** Once there is no more trouble. */
    private static Guarantee right() {
        return Guarantee.of(EVENTUAL_ACCURACY)
                .tolerating(ALL_FAULTS)
                .assuming(new TimingAssumption.UnknownDelayBound());
    }
}
