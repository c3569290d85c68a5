package habemus.catalogue;

import static habemus.catalogue.CostFormula.Measure.MESSAGES_ON_COMPLETE_GRAPH;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_ON_ORDERED_LINE;
import static habemus.catalogue.CostFormula.Measure.MESSAGES_ON_ORDERED_RING;
import static habemus.world.FaultKind.CRASH;
import static habemus.world.FaultKind.LOSS;
import static habemus.world.FaultKind.PARTITION;
import static habemus.world.FaultKind.PAUSE;
import static habemus.world.FaultKind.REORDER;
import static habemus.world.FaultKind.SLOWNESS;
import static habemus.world.Property.AGREEMENT;
import static habemus.world.Property.BEST_WINS;
import static habemus.world.Property.ONE_LEADER_PER_TERM;
import static habemus.world.Property.STABILITY;
import static habemus.world.Property.TERMINATION;
import static habemus.world.Property.UNIQUENESS;

import habemus.election.YoYo;

/** The catalogue entries of the elections on arbitrary graphs. */
final class GraphElectionEntries {

    private static final AlgorithmOption<Boolean> ANY_YES =
            AlgorithmOption.flag("any-yes", "a node says Yes if one node below does; else all of them must");

    private GraphElectionEntries() {}

    static Algorithm yoYo() {
        return AlgorithmBuilder.election(
                        "yo-yo",
                        "Ids flow down a directed graph and verdicts up again, until one source is left; it leads.")
                .onGraph()
                .ranked()
                .cost(MESSAGES_ON_COMPLETE_GRAPH, "(n-1)(3n-1)", n -> (n - 1.0) * (3 * n - 1))
                .cost(MESSAGES_ON_ORDERED_RING, "5n+1", n -> 5.0 * n + 1)
                .cost(MESSAGES_ON_ORDERED_LINE, "5(n-1)", n -> 5.0 * (n - 1))
                .guarantees(
                        Guarantee.of(TERMINATION, AGREEMENT).tolerating(REORDER, PAUSE, SLOWNESS),
                        Guarantee.of(UNIQUENESS, ONE_LEADER_PER_TERM, BEST_WINS, STABILITY)
                                .tolerating(REORDER, LOSS, CRASH, PAUSE, PARTITION, SLOWNESS))
                .option(ANY_YES)
                .build(parameters -> new YoYo(parameters.ranking(), parameters.get(ANY_YES)));
    }
}
