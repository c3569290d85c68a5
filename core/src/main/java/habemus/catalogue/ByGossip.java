package habemus.catalogue;

import static habemus.world.Hazard.DUPLICATION;
import static habemus.world.Hazard.MISTAKE;
import static habemus.world.Hazard.PAUSE;
import static habemus.world.Hazard.REORDER;
import static habemus.world.Hazard.SLOWNESS;
import static habemus.world.Property.TERMINATION;

import habemus.election.GossipLargeGroup;
import java.time.Duration;

/** The entry of the election whose nodes are too many to be asked. */
final class ByGossip {

    private static final Option<Integer> RELAYS =
            Option.number("relays", 12, "how many nodes a hash picks to find the leader, on average");
    private static final Option<Integer> FANOUT = Option.number("fanout", 2, "how many others a relay tells a round");
    private static final Option<Integer> ROUNDS = Option.number("rounds", 6, "for how many rounds it does so");
    private static final Option<Duration> ROUND = Option.wait("round", Duration.ofMillis(20), "how long a round takes");
    private static final Option<Integer> SALT =
            Option.number("salt", 0, "which of all choices of relays is made: another number, other relays");

    private ByGossip() {}

    static Algorithm gossipLargeGroup() {
        return Draft.election(
                        "gossip-large-group",
                        "a hash picks a few relays of many nodes; they gossip about the best of them, which leads")
                .option(RELAYS)
                .option(FANOUT)
                .option(ROUNDS)
                .option(ROUND)
                .option(SALT)
                .promises(Promise.of(TERMINATION).surviving(REORDER, DUPLICATION, PAUSE, SLOWNESS, MISTAKE))
                .madeBy(setting -> new GossipLargeGroup(
                        setting.get(RELAYS),
                        setting.get(FANOUT),
                        setting.get(ROUNDS),
                        setting.get(ROUND),
                        setting.get(SALT)));
    }
}
