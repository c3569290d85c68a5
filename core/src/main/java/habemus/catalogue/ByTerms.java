package habemus.catalogue;

import static habemus.catalogue.Cost.Measure.MESSAGES_A_BEAT;
import static habemus.catalogue.Cost.Measure.MESSAGES_UNTIL_ALL_KNOW;
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
import static habemus.world.Property.ONE_LEADER_PER_TERM;
import static habemus.world.Property.TERMINATION;

import habemus.election.TermMajority;
import habemus.election.Weights;
import java.time.Duration;
import java.util.List;

/** The entries of the elections with terms, each of which has at most one leader. */
final class ByTerms {

    private static final Option<Weights> WEIGHTS = new Option<>(
            "weights",
            Weights.EQUAL,
            "how much the votes of n1, n2 … count; who is not listed weighs 1",
            "N,N…",
            Weights::read);
    private static final Option<Boolean> PRE_VOTE =
            Option.on("pre-vote", "whether a node asks before it begins a new term");
    private static final Option<Boolean> TRANSFER =
            Option.on("transfer", "whether who follows and wants to lead asks its leader to make room");
    private static final Option<Duration> PATIENCE = Option.wait(
            "patience", Duration.ofMillis(300), "how long a node waits at least for its leader, and up to twice that");
    private static final Option<Duration> BEAT =
            Option.wait("beat", Duration.ofMillis(100), "how often a leader says that it leads");

    private ByTerms() {}

    static Algorithm termMajority() {
        return Draft.election(
                        "term-majority", "a node votes once a term; who has more than half of the weight leads it")
                .option(WEIGHTS)
                .option(PRE_VOTE)
                .option(TRANSFER)
                .option(PATIENCE)
                .option(BEAT)
                .retrying()
                .cost(MESSAGES_UNTIL_ALL_KNOW, "5(n-1)", n -> 5.0 * (n - 1))
                .cost(MESSAGES_A_BEAT, "2(n-1)", n -> 2.0 * (n - 1))
                .promises(ByTerms::promises)
                .madeBy(ByTerms::make);
    }

    private static TermMajority make(Setting setting) {
        var patience = setting.get(PATIENCE);
        var beat = setting.get(BEAT);
        if (beat.compareTo(patience) >= 0) {
            throw new IllegalArgumentException("--beat is shorter than --patience, or every leader is given up");
        }
        return new TermMajority(setting.get(WEIGHTS), setting.get(PRE_VOTE), setting.get(TRANSFER), patience, beat);
    }

    /** A vote must be there and back, and a beat there, before anybody loses patience. */
    private static Duration inTime(Duration patience, Duration beat) {
        var half = patience.dividedBy(2);
        var rest = patience.minus(beat);
        return (rest.compareTo(half) < 0 ? rest : half).minusMillis(1);
    }

    private static List<Promise> promises(Setting setting) {
        var inTime = new Timing.Prompt(inTime(setting.get(PATIENCE), setting.get(BEAT)));
        return List.of(
                Promise.of(ONE_LEADER_PER_TERM)
                        .surviving(REORDER, DUPLICATION, LOSS, CRASH, RESTART, PAUSE, PARTITION, SLOWNESS, MISTAKE),
                Promise.of(TERMINATION, AGREEMENT)
                        .surviving(REORDER, DUPLICATION, LOSS, PAUSE, PARTITION, SLOWNESS, MISTAKE)
                        .under(inTime));
    }
}
