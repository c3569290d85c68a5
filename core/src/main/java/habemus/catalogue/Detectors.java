package habemus.catalogue;

import static habemus.catalogue.Cost.Measure.HEARTBEATS_PER_PERIOD;
import static habemus.world.Hazard.AMNESIA;
import static habemus.world.Hazard.CRASH;
import static habemus.world.Hazard.DUPLICATION;
import static habemus.world.Hazard.REORDER;
import static habemus.world.Hazard.RESTART;
import static habemus.world.Property.ACCURACY;
import static habemus.world.Property.COMPLETENESS;
import static habemus.world.Property.EVENTUAL_ACCURACY;

import habemus.detector.Perfect;
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

    private Detectors() {}

    /**
     * What an election keeps with a detector beneath it that is as good as the election needs: where both keep their
     * promises. With one that makes mistakes, what is true in the end.
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
        var kept = election.properties().stream()
                .filter(property -> accurate || property.when() == Property.When.IN_THE_END)
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
                .promises(setting -> List.of(Promise.of(COMPLETENESS, ACCURACY, EVENTUAL_ACCURACY)
                        .surviving(REORDER, DUPLICATION, CRASH, RESTART, AMNESIA)
                        .under(new Timing.Prompt(
                                setting.get(TIMEOUT).minus(setting.get(PERIOD)).minusMillis(1)))))
                .madeBy(setting -> new Perfect(setting.get(PERIOD), setting.get(TIMEOUT)));
    }
}
