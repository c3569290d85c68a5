package habemus.catalogue;

import static habemus.catalogue.Cost.Measure.MESSAGES_LOWEST_STARTS;
import static habemus.catalogue.Cost.Measure.MESSAGES_SECOND_BEST_KNOWS;
import static habemus.world.Hazard.CRASH;
import static habemus.world.Hazard.REORDER;
import static habemus.world.Hazard.RESTART;
import static habemus.world.Property.AGREEMENT;
import static habemus.world.Property.BEST_WINS;
import static habemus.world.Property.STABILITY;
import static habemus.world.Property.TERMINATION;
import static habemus.world.Property.UNIQUENESS;

import habemus.election.Bully;
import java.time.Duration;
import java.util.List;

/** The entries of the elections in which whoever is better than all others that live takes over. */
final class Bullies {

    private static final Option<Duration> ANSWER =
            Option.duration("answer", Duration.ofMillis(100), "how long a node waits for an Answer");
    private static final Option<Duration> COORDINATOR =
            Option.duration("coordinator", Duration.ofMillis(500), "how long it then waits for a Coordinator");

    private Bullies() {}

    static Algorithm bully() {
        return Draft.election("bully", "ask all better nodes whether they live; if none answers in time, lead")
                .ranked()
                .option(ANSWER)
                .option(COORDINATOR)
                .cost(MESSAGES_SECOND_BEST_KNOWS, "n-2", n -> n - 2.0)
                .cost(MESSAGES_LOWEST_STARTS, "n²-n-1", n -> (double) n * n - n - 1)
                .promises(setting -> {
                    var inTime = new Timing.Synchronous(
                            setting.get(ANSWER).dividedBy(2).minusMillis(1));
                    return List.of(
                            Promise.of(UNIQUENESS, STABILITY)
                                    .surviving(REORDER, CRASH)
                                    .under(inTime),
                            Promise.of(TERMINATION, AGREEMENT, BEST_WINS)
                                    .surviving(REORDER, CRASH, RESTART)
                                    .under(inTime));
                })
                .madeBy(setting -> new Bully(setting.ranking(), setting.get(ANSWER), setting.get(COORDINATOR)));
    }
}
