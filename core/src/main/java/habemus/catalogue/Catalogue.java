package habemus.catalogue;

import static habemus.catalogue.Cost.Measure.CLIENT_DELAY;
import static habemus.catalogue.Cost.Measure.HANDOVER_DELAY;
import static habemus.catalogue.Cost.Measure.MESSAGES_AFTER_CRASH_BEST;
import static habemus.catalogue.Cost.Measure.MESSAGES_AFTER_CRASH_WORST;
import static habemus.catalogue.Cost.Measure.MESSAGES_ALL_CANDIDATES_BEST;
import static habemus.catalogue.Cost.Measure.MESSAGES_ALL_CANDIDATES_MEAN;
import static habemus.catalogue.Cost.Measure.MESSAGES_ALL_CANDIDATES_WORST;
import static habemus.catalogue.Cost.Measure.MESSAGES_ONE_CANDIDATE_WORST;
import static habemus.catalogue.Cost.Measure.MESSAGES_PER_ENTRY;

import habemus.election.Bully;
import habemus.election.ChangRoberts;
import habemus.mutex.RicartAgrawala;
import habemus.mutex.RicartAgrawalaByPriority;
import habemus.world.Hazard;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Topology.Shape;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Every algorithm there is. A new one is a line in {@link #ALL} and an entry below. */
public final class Catalogue {

    private static final Timing ANY_TIME = new Timing.Asynchronous();

    private static final Option<Boolean> CLOCKED_REPLIES =
            Option.flag("clocked-replies", "a Reply tells the time too, which the published form does not");
    private static final Option<List<Long>> CLOCKS =
            Option.numbers("clocks", "where the Lamport clocks of n1, n2 … stand at the start");
    private static final Option<Duration> ANSWER =
            Option.duration("answer", Duration.ofMillis(100), "how long a node waits for an Answer");
    private static final Option<Duration> COORDINATOR =
            Option.duration("coordinator", Duration.ofMillis(500), "how long it then waits for a Coordinator");

    public static final List<Algorithm> ALL = List.of(
            ricartAgrawala(
                    "ricart-agrawala",
                    "ask everybody with a stamp; enter when everybody has answered",
                    List.of(CLOCKED_REPLIES, CLOCKS),
                    setting -> new RicartAgrawala(setting.get(CLOCKED_REPLIES), setting.get(CLOCKS))),
            ricartAgrawala(
                    "ricart-agrawala-by-priority",
                    "the broken twin: compares fixed priorities in place of stamps, and lets two in",
                    List.of(),
                    setting -> new RicartAgrawalaByPriority()),
            changRoberts(),
            bully());

    private Catalogue() {}

    public static Optional<Algorithm> find(String name) {
        return ALL.stream().filter(algorithm -> algorithm.name().equals(name)).findFirst();
    }

    private static Algorithm ricartAgrawala(
            String name,
            String summary,
            List<Option<?>> options,
            Function<Setting, habemus.protocol.Protocol<?, ?>> maker) {
        return new Algorithm(
                name,
                Problem.MUTEX,
                summary,
                Shape.COMPLETE,
                false,
                options,
                List.of(
                        new Cost(MESSAGES_PER_ENTRY, "2(n-1)", n -> 2 * (n - 1)),
                        new Cost(CLIENT_DELAY, "2", n -> 2),
                        new Cost(HANDOVER_DELAY, "1", n -> 1)),
                n -> 2 * (n - 1),
                setting -> List.of(
                        Promise.of(
                                List.of(
                                        Property.MUTUAL_EXCLUSION,
                                        Property.DEADLOCK_FREEDOM,
                                        Property.NO_STARVATION,
                                        Property.FENCES_GROW),
                                ANY_TIME,
                                Hazard.REORDER,
                                Hazard.PAUSE,
                                Hazard.SLOWNESS),
                        Promise.of(List.of(Property.BOUNDED_WAITING), ANY_TIME, Hazard.PAUSE, Hazard.SLOWNESS)),
                maker);
    }

    private static Algorithm changRoberts() {
        return new Algorithm(
                "chang-roberts",
                Problem.ELECTION,
                "ids go round a ring, each node lets only higher ones pass; the one that comes home leads",
                Shape.RING,
                false,
                List.of(),
                List.of(
                        new Cost(MESSAGES_ONE_CANDIDATE_WORST, "3n-1", n -> 3.0 * n - 1),
                        new Cost(MESSAGES_ALL_CANDIDATES_BEST, "3n-1", n -> 3.0 * n - 1),
                        new Cost(MESSAGES_ALL_CANDIDATES_MEAN, "n·H(n) + n", n -> n * harmonic(n) + n),
                        new Cost(MESSAGES_ALL_CANDIDATES_WORST, "n(n+1)/2 + n", n -> n * (n + 1.0) / 2 + n)),
                n -> -1,
                setting -> List.of(Promise.of(
                        List.of(
                                Property.TERMINATION,
                                Property.UNIQUENESS,
                                Property.AGREEMENT,
                                Property.BEST_WINS,
                                Property.STABILITY,
                                Property.ONE_LEADER_PER_TERM),
                        ANY_TIME,
                        Hazard.REORDER,
                        Hazard.PAUSE,
                        Hazard.SLOWNESS)),
                setting -> new ChangRoberts());
    }

    private static Algorithm bully() {
        return new Algorithm(
                "bully",
                Problem.ELECTION,
                "ask all better nodes whether they live; if none answers in time, lead",
                Shape.COMPLETE,
                true,
                List.of(ANSWER, COORDINATOR),
                List.of(
                        new Cost(MESSAGES_AFTER_CRASH_BEST, "n-2", n -> n - 2.0),
                        new Cost(MESSAGES_AFTER_CRASH_WORST, "n²-n-1", n -> (double) n * n - n - 1)),
                n -> -1,
                setting -> {
                    var inTime = new Timing.Synchronous(
                            setting.get(ANSWER).dividedBy(2).minusMillis(1));
                    return List.of(
                            Promise.of(
                                    List.of(Property.UNIQUENESS, Property.STABILITY),
                                    inTime,
                                    Hazard.REORDER,
                                    Hazard.CRASH),
                            Promise.of(
                                    List.of(Property.TERMINATION, Property.AGREEMENT, Property.BEST_WINS),
                                    inTime,
                                    Hazard.REORDER,
                                    Hazard.CRASH,
                                    Hazard.RESTART));
                },
                setting -> new Bully(setting.ranking(), setting.get(ANSWER), setting.get(COORDINATOR)));
    }

    private static double harmonic(int n) {
        return IntStream.rangeClosed(1, n).mapToDouble(i -> 1.0 / i).sum();
    }
}
