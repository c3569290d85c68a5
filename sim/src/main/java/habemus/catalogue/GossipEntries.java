package habemus.catalogue;

import static habemus.world.FaultKind.DUPLICATION;
import static habemus.world.FaultKind.MISTAKE;
import static habemus.world.FaultKind.PAUSE;
import static habemus.world.FaultKind.REORDER;
import static habemus.world.FaultKind.SLOWNESS;
import static habemus.world.Property.TERMINATION;

import habemus.election.GossipLargeGroup;
import java.time.Duration;

/** The entry of the election whose nodes are too many to be asked. */
final class GossipEntries {

    private static final AlgorithmOption<Integer> RELAYS =
            AlgorithmOption.number("relays", 12, "how many nodes a hash picks to find the leader, on average");
    private static final AlgorithmOption<Integer> FANOUT =
            AlgorithmOption.number("fanout", 2, "how many others a relay tells a round");
    private static final AlgorithmOption<Integer> ROUNDS =
            AlgorithmOption.number("rounds", 6, "for how many rounds it does so");
    private static final AlgorithmOption<Duration> ROUND =
            AlgorithmOption.positiveDuration("round", Duration.ofMillis(20), "how long a round takes");
    private static final AlgorithmOption<Integer> SALT =
            AlgorithmOption.number("salt", 0, "which of all choices of relays is made: another number, other relays");

    private GossipEntries() {}

    static Algorithm gossipLargeGroup() {
        return AlgorithmBuilder.election(
                        "gossip-large-group",
                        "a hash picks a few relays of many nodes; they gossip about the best of them, which leads")
                .option(RELAYS)
                .option(FANOUT)
                .option(ROUNDS)
                .option(ROUND)
                .option(SALT)
                .guarantees(Guarantee.of(TERMINATION).tolerating(REORDER, DUPLICATION, PAUSE, SLOWNESS, MISTAKE))
                .build(algorithmParameters -> new GossipLargeGroup(
                        algorithmParameters.get(RELAYS),
                        algorithmParameters.get(FANOUT),
                        algorithmParameters.get(ROUNDS),
                        algorithmParameters.get(ROUND),
                        algorithmParameters.get(SALT)));
    }
}
