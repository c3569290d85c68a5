package habemus.catalogue;

import habemus.protocol.Protocol;
import habemus.world.Problem;
import habemus.world.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The entry of an algorithm that a user loads from a file. It claims what its problem asks for in a world without
 * faults. It has no cost formulas, and no option except {@code best} if it is ranked.
 *
 * @param name the file as the user wrote it
 * @param onRing whether the algorithm needs a ring; otherwise it runs on any graph, by default on a complete one
 * @param ranked whether the algorithm elects the best node by rank
 */
public record UserEntry(String name, boolean onRing, boolean ranked) {

    /** @param sample the algorithm with default parameters */
    public Algorithm of(Protocol<?, ?> sample, Function<AlgorithmParameters, Protocol<?, ?>> factory) {
        var problem = Problem.of(sample);
        var builder = AlgorithmBuilder.of(problem, name, "The algorithm is in a file.")
                .guarantees(guarantee(sample));
        builder = onRing ? builder.onRing() : problem == Problem.THREADS ? builder : builder.onGraph();
        return (ranked ? builder.ranked() : builder).build(factory);
    }

    private Guarantee guarantee(Protocol<?, ?> sample) {
        var claimed = new ArrayList<>(
                switch (Problem.of(sample)) {
                    case MUTEX ->
                        List.of(
                                Property.MUTUAL_EXCLUSION,
                                Property.DEADLOCK_FREEDOM,
                                Property.NO_STARVATION,
                                Property.FENCES_GROW);
                    case ELECTION -> List.of(Property.TERMINATION, Property.UNIQUENESS, Property.AGREEMENT);
                    case DETECTOR -> List.of(Property.COMPLETENESS, Property.EVENTUAL_ACCURACY);
                    case LOG, THREADS -> Property.of(sample);
                });
        if (ranked) {
            claimed.add(Property.BEST_WINS);
        }
        return Guarantee.of(claimed.toArray(Property[]::new));
    }
}
