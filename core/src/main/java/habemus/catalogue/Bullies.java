package habemus.catalogue;

import static habemus.catalogue.Cost.Measure.MESSAGES_ALL_CANDIDATES_WORST;
import static habemus.catalogue.Cost.Measure.MESSAGES_LOWEST_STARTS;
import static habemus.catalogue.Cost.Measure.MESSAGES_ONE_CANDIDATE_WORST;
import static habemus.catalogue.Cost.Measure.MESSAGES_SECOND_BEST_KNOWS;
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
import static habemus.world.Property.AGREEMENT;
import static habemus.world.Property.BEST_WINS;
import static habemus.world.Property.STABILITY;
import static habemus.world.Property.TERMINATION;
import static habemus.world.Property.UNIQUENESS;

import habemus.election.Bully;
import habemus.election.BullyEfficient;
import habemus.election.BullyStable;
import habemus.election.MaxAlive;
import habemus.election.Ring;
import java.time.Duration;
import java.util.List;

/** The entries of the elections in which whoever is better than all others that live takes over. */
final class Bullies {

    private static final Option<Duration> ANSWER =
            Option.wait("answer", Duration.ofMillis(100), "how long a node waits for an Answer");
    private static final Option<Duration> COORDINATOR =
            Option.wait("coordinator", Duration.ofMillis(500), "how long it then waits for a Coordinator");
    private static final Option<Boolean> LOWEST = Option.flag("lowest", "the worst leads in place of the best");
    private static final Option<Boolean> SUPPRESS =
            Option.on("suppress", "of two lists that are under way at once one is removed");

    private Bullies() {}

    static Algorithm ring() {
        return Draft.election("ring", "a list goes round, to which all add themselves; the best on it leads")
                .ranked()
                .option(LOWEST)
                .option(SUPPRESS)
                .cost(MESSAGES_ONE_CANDIDATE_WORST, "2n", n -> 2.0 * n)
                .cost(MESSAGES_ALL_CANDIDATES_WORST, "3n-1", n -> 3.0 * n - 1)
                .promises(setting -> List.of(
                        Promise.of(UNIQUENESS, STABILITY)
                                .surviving(REORDER, DUPLICATION, CRASH, PAUSE, SLOWNESS)
                                .under(new Timing.Noticing()),
                        (setting.get(LOWEST)
                                        ? Promise.of(TERMINATION, AGREEMENT)
                                        : Promise.of(TERMINATION, AGREEMENT, BEST_WINS))
                                .surviving(REORDER, DUPLICATION, CRASH, RESTART, PAUSE, SLOWNESS)
                                .under(new Timing.Noticing())))
                .madeBy(setting -> new Ring(setting.ranking(), setting.get(LOWEST), setting.get(SUPPRESS)));
    }

    static Algorithm bully() {
        return likeBully("bully", "ask all better nodes whether they live; if none answers in time, lead")
                .cost(MESSAGES_SECOND_BEST_KNOWS, "n-2", n -> n - 2.0)
                .cost(MESSAGES_LOWEST_STARTS, "n²-n-1", n -> (double) n * n - n - 1)
                .madeBy(setting -> new Bully(setting.ranking(), setting.get(ANSWER), setting.get(COORDINATOR)));
    }

    static Algorithm bullyEfficient() {
        return likeBully("bully-efficient", "ask all better nodes whether they live, and appoint the best that answers")
                .cost(MESSAGES_SECOND_BEST_KNOWS, "n-1", n -> n - 1.0)
                .cost(MESSAGES_LOWEST_STARTS, "3n-4", n -> 3.0 * n - 4)
                .madeBy(setting ->
                        new BullyEfficient(setting.ranking(), setting.get(ANSWER), setting.get(COORDINATOR)));
    }

    private static Draft likeBully(String name, String summary) {
        return timed(name, summary)
                .promises(setting -> List.of(
                        Promise.of(UNIQUENESS, STABILITY)
                                .surviving(REORDER, CRASH)
                                .under(inTime(setting)),
                        Promise.of(TERMINATION, AGREEMENT, BEST_WINS)
                                .surviving(REORDER, CRASH, RESTART)
                                .under(inTime(setting))));
    }

    private static Draft timed(String name, String summary) {
        return Draft.election(name, summary).ranked().option(ANSWER).option(COORDINATOR);
    }

    /** An answer takes two messages. */
    private static Timing inTime(Setting setting) {
        return new Timing.Synchronous(setting.get(ANSWER).dividedBy(2).minusMillis(1));
    }

    static Algorithm bullyStable() {
        return timed("bully-stable", "the bully in which uptime is rank: who comes back is the last in line")
                .cost(MESSAGES_SECOND_BEST_KNOWS, "2(n-1)", n -> 2.0 * (n - 1))
                .cost(MESSAGES_LOWEST_STARTS, "(n-1)(3n-2)/2", n -> (n - 1) * (3.0 * n - 2) / 2)
                .promises(setting -> List.of(
                        Promise.of(UNIQUENESS, STABILITY)
                                .surviving(REORDER, DUPLICATION, CRASH, RESTART, MISTAKE)
                                .under(inTime(setting)),
                        Promise.of(TERMINATION, AGREEMENT)
                                .surviving(REORDER, DUPLICATION, CRASH, RESTART)
                                .under(inTime(setting)),
                        Promise.of(BEST_WINS)
                                .surviving(REORDER, DUPLICATION, CRASH)
                                .under(inTime(setting))))
                .madeBy(setting -> new BullyStable(setting.ranking(), setting.get(ANSWER), setting.get(COORDINATOR)));
    }

    static Algorithm maxAlive() {
        return Draft.election("max-alive", "the leader is the best node that the failure detector believes alive")
                .ranked()
                .cost(MESSAGES_LOWEST_STARTS, "0", n -> 0)
                .promises(
                        Promise.of(TERMINATION, AGREEMENT, BEST_WINS)
                                .surviving(
                                        REORDER,
                                        DUPLICATION,
                                        LOSS,
                                        CRASH,
                                        RESTART,
                                        AMNESIA,
                                        PAUSE,
                                        PARTITION,
                                        SLOWNESS,
                                        MISTAKE)
                                .under(new Timing.Noticing()),
                        Promise.of(UNIQUENESS, STABILITY)
                                .surviving(REORDER, DUPLICATION, LOSS, CRASH, PAUSE, PARTITION, SLOWNESS)
                                .under(new Timing.Noticing()))
                .madeBy(setting -> new MaxAlive(setting.ranking()));
    }
}
