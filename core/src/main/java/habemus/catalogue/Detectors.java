package habemus.catalogue;

import static habemus.catalogue.Cost.Measure.HEARTBEATS_PER_PERIOD;
import static habemus.world.Hazard.AMNESIA;
import static habemus.world.Hazard.CRASH;
import static habemus.world.Hazard.DUPLICATION;
import static habemus.world.Hazard.LOSS;
import static habemus.world.Hazard.MISTAKE;
import static habemus.world.Hazard.PARTITION;
import static habemus.world.Hazard.PAUSE;
import static habemus.world.Hazard.REORDER;
import static habemus.world.Hazard.RESTART;
import static habemus.world.Hazard.SLOWNESS;
import static habemus.world.Property.ACCURACY;
import static habemus.world.Property.COMPLETENESS;
import static habemus.world.Property.EVENTUAL_ACCURACY;

import habemus.detector.EventuallyPerfect;
import habemus.detector.Perfect;
import habemus.detector.PhiAccrual;
import habemus.world.Hazard;
import habemus.world.Property;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The entries of the failure detectors. */
final class Detectors {

    private static final Option<Duration> PERIOD =
            Option.duration("period", Duration.ofMillis(200), "from one heartbeat of a detector to the next");
    private static final Option<Duration> TIMEOUT = Option.duration(
            "timeout",
            Duration.ofMillis(400),
            "after what silence a detector suspects; longer than period and latency");

    private static final Option<Duration> FIRST_TIMEOUT = Option.duration(
            "timeout", Duration.ofMillis(200), "after what silence a detector suspects, before it has learnt");
    private static final Option<Integer> MOST =
            Option.number("most", 0, "how many periods a detector waits at most, however often it was wrong; 0: any");
    private static final Option<Integer> THRESHOLD =
            Option.number("threshold", 8, "how unlikely a silence must be to be suspected: 8 is once in 10^8");
    private static final Option<Integer> WINDOW =
            Option.number("window", 5, "how many gaps between heartbeats a detector remembers of each peer");

    private static final Hazard[] ANY = {REORDER, DUPLICATION, LOSS, CRASH, RESTART, AMNESIA, PAUSE, PARTITION, SLOWNESS
    };

    private Detectors() {}

    /**
     * What an election keeps with a detector beneath it: where the detector is accurate, whatever it keeps otherwise;
     * where it is so only in the end, what is true in the end, if the election survives mistakes.
     */
    static List<Promise> promises(List<Promise> elections, List<Promise> detectors) {
        var both = new ArrayList<Promise>();
        for (Promise election : elections) {
            for (Promise detector : detectors) {
                together(election, detector).ifPresent(both::add);
            }
        }
        return List.copyOf(both);
    }

    private static Optional<Promise> together(Promise election, Promise detector) {
        boolean accurate = detector.properties().contains(ACCURACY);
        boolean forgiven = detector.properties().contains(EVENTUAL_ACCURACY)
                && election.survives().contains(MISTAKE);
        var kept = election.properties().stream()
                .filter(property -> accurate || forgiven && property.when() == Property.When.IN_THE_END)
                .toList();
        var survived = election.survives().stream()
                .filter(detector.survives()::contains)
                .toList();
        var timing = election.timing() instanceof Timing.Synchronous(var delay)
                ? detector.timing() instanceof Timing.Prompt(var other) && other.compareTo(delay) < 0
                        ? detector.timing()
                        : new Timing.Prompt(delay)
                : detector.timing();
        return kept.isEmpty()
                ? Optional.empty()
                : Optional.of(new Promise(Set.copyOf(kept), Set.copyOf(survived), timing));
    }

    static Algorithm perfect() {
        return Draft.detector("perfect", "suspect whoever was not heard for longer than a heartbeat can take")
                .option(PERIOD)
                .option(TIMEOUT)
                .cost(HEARTBEATS_PER_PERIOD, "n(n-1)", n -> (double) n * (n - 1))
                .promises(setting -> List.of(
                        complete(),
                        Promise.of(ACCURACY, EVENTUAL_ACCURACY)
                                .surviving(REORDER, DUPLICATION, CRASH, RESTART, AMNESIA)
                                .under(new Timing.Prompt(setting.get(TIMEOUT)
                                        .minus(setting.get(PERIOD))
                                        .minusMillis(1)))))
                .madeBy(setting -> new Perfect(setting.get(PERIOD), setting.get(TIMEOUT)));
    }

    static Algorithm eventuallyPerfect() {
        return Draft.detector("eventually-perfect", "suspect whoever is silent; after a mistake, be more patient")
                .option(PERIOD)
                .option(FIRST_TIMEOUT)
                .option(MOST)
                .cost(HEARTBEATS_PER_PERIOD, "n(n-1)", n -> (double) n * (n - 1))
                .promises(setting -> setting.get(MOST) == 0 ? List.of(complete(), right()) : List.of(complete()))
                .madeBy(setting ->
                        new EventuallyPerfect(setting.get(PERIOD), setting.get(FIRST_TIMEOUT), setting.get(MOST)));
    }

    static Algorithm phiAccrual() {
        return Draft.detector("phi-accrual", "suspect whoever is silent for longer than its last heartbeats explain")
                .option(PERIOD)
                .option(THRESHOLD)
                .option(WINDOW)
                .cost(HEARTBEATS_PER_PERIOD, "n(n-1)", n -> (double) n * (n - 1))
                .promises(setting -> {
                    var half = new Timing.Prompt(setting.get(PERIOD).dividedBy(2));
                    return setting.get(THRESHOLD) < THRESHOLD.standard()
                            ? List.of(complete())
                            : List.of(
                                    complete(),
                                    right().under(half),
                                    Promise.of(ACCURACY)
                                            .surviving(REORDER, CRASH, RESTART, AMNESIA)
                                            .under(half));
                })
                .madeBy(setting -> new PhiAccrual(setting.get(PERIOD), setting.get(THRESHOLD), setting.get(WINDOW)));
    }

    /** The dead say nothing, whatever else happens. */
    private static Promise complete() {
        return Promise.of(COMPLETENESS).surviving(ANY);
    }

    /** Once there is no more trouble. */
    private static Promise right() {
        return Promise.of(EVENTUAL_ACCURACY).surviving(ANY).under(new Timing.Bounded());
    }
}
