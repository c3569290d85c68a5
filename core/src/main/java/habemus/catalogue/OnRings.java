package habemus.catalogue;

import static habemus.catalogue.Cost.Measure.MESSAGES_ALL_CANDIDATES_BEST;
import static habemus.catalogue.Cost.Measure.MESSAGES_ALL_CANDIDATES_MEAN;
import static habemus.catalogue.Cost.Measure.MESSAGES_ALL_CANDIDATES_WORST;
import static habemus.catalogue.Cost.Measure.MESSAGES_ONE_CANDIDATE_WORST;
import static habemus.world.Hazard.PAUSE;
import static habemus.world.Hazard.REORDER;
import static habemus.world.Hazard.SLOWNESS;
import static habemus.world.Property.AGREEMENT;
import static habemus.world.Property.BEST_WINS;
import static habemus.world.Property.ONE_LEADER_PER_TERM;
import static habemus.world.Property.STABILITY;
import static habemus.world.Property.TERMINATION;
import static habemus.world.Property.UNIQUENESS;

import habemus.election.ChangRoberts;
import java.util.stream.IntStream;

/** The entries of the elections whose nodes know only their neighbours on a ring. */
final class OnRings {

    private OnRings() {}

    static Algorithm changRoberts() {
        return Draft.election(
                        "chang-roberts",
                        "ids go round a ring, each node lets only higher ones pass; the one that comes home leads")
                .onRing()
                .cost(MESSAGES_ONE_CANDIDATE_WORST, "3n-1", n -> 3.0 * n - 1)
                .cost(MESSAGES_ALL_CANDIDATES_BEST, "3n-1", n -> 3.0 * n - 1)
                .cost(MESSAGES_ALL_CANDIDATES_MEAN, "n·H(n) + n", n -> n * harmonic(n) + n)
                .cost(MESSAGES_ALL_CANDIDATES_WORST, "n(n+1)/2 + n", n -> n * (n + 1.0) / 2 + n)
                .promises(Promise.of(TERMINATION, UNIQUENESS, ONE_LEADER_PER_TERM, AGREEMENT, BEST_WINS, STABILITY)
                        .surviving(REORDER, PAUSE, SLOWNESS))
                .madeBy(setting -> new ChangRoberts());
    }

    private static double harmonic(int n) {
        return IntStream.rangeClosed(1, n).mapToDouble(i -> 1.0 / i).sum();
    }
}
