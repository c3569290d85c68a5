package habemus.catalogue;

import static habemus.world.FaultKind.DUPLICATION;
import static habemus.world.FaultKind.MISTAKE;
import static habemus.world.FaultKind.PAUSE;
import static habemus.world.FaultKind.REORDER;
import static habemus.world.FaultKind.SLOWNESS;
import static habemus.world.Property.TERMINATION;

import habemus.election.GossipLargeGroup;
import java.time.Duration;

/** The catalogue entry of the election for very large groups. */
final class GossipEntries {

    private static final AlgorithmOption<Integer> RELAYS =
            AlgorithmOption.number("relays", 12, "average number of relays that a hash selects");
    private static final AlgorithmOption<Integer> FANOUT =
            AlgorithmOption.number("fanout", 2, "number of relays that a relay sends to in each round");
    private static final AlgorithmOption<Integer> ROUNDS = AlgorithmOption.number("rounds", 6, "number of rounds");
    private static final AlgorithmOption<Duration> ROUND =
            AlgorithmOption.positiveDuration("round", Duration.ofMillis(20), "duration of a round");
    private static final AlgorithmOption<Integer> SALT =
            AlgorithmOption.number("salt", 0, "seed of the relay selection: another number selects other relays");

    private GossipEntries() {}

    static Algorithm gossipLargeGroup() {
        return AlgorithmBuilder.election(
                        "gossip-large-group",
                        "A hash selects a few relays of many nodes; they gossip to find the best relay, which leads.")
                .option(RELAYS)
                .option(FANOUT)
                .option(ROUNDS)
                .option(ROUND)
                .option(SALT)
                .guarantees(Guarantee.of(TERMINATION).tolerating(REORDER, DUPLICATION, PAUSE, SLOWNESS, MISTAKE))
                .build(parameters -> new GossipLargeGroup(
                        parameters.get(RELAYS),
                        parameters.get(FANOUT),
                        parameters.get(ROUNDS),
                        parameters.get(ROUND),
                        parameters.get(SALT)));
    }
}
