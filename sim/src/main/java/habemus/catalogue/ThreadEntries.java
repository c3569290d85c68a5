package habemus.catalogue;

import static habemus.world.FaultKind.PAUSE;
import static habemus.world.FaultKind.REORDER;
import static habemus.world.FaultKind.SLOWNESS;
import static habemus.world.Property.DEADLOCK_FREEDOM;
import static habemus.world.Property.MUTUAL_EXCLUSION;
import static habemus.world.Property.NO_LOST_UPDATE;
import static habemus.world.Property.NO_STARVATION;

import habemus.threads.SharedCounter;
import habemus.world.Property;
import java.util.ArrayList;
import java.util.List;

/** The catalogue entries of programs whose threads share memory. */
final class ThreadEntries {

    private static final AlgorithmOption<Integer> TWO_THREADS =
            AlgorithmOption.number("threads", 2, "number of threads");
    private static final AlgorithmOption<Integer> ONE_ROUND =
            AlgorithmOption.number("rounds", 1, "how often each thread repeats its work");
    private static final AlgorithmOption<SharedCounter.Variant> COUNTER =
            AlgorithmOption.choice("variant", SharedCounter.Variant.RACE, "how a thread increments");

    private ThreadEntries() {}

    static Algorithm sharedCounter() {
        return AlgorithmBuilder.threads("shared-counter", "threads increment one counter: read, add, write")
                .option(COUNTER)
                .option(TWO_THREADS)
                .option(ONE_ROUND)
                .guarantees(parameters -> guarantees(
                        parameters.get(COUNTER) != SharedCounter.Variant.RACE, NO_LOST_UPDATE))
                .build(parameters -> new SharedCounter(
                        parameters.get(COUNTER),
                        atLeast(1, TWO_THREADS, parameters),
                        atLeast(1, ONE_ROUND, parameters)));
    }

    /** What the variant ensures if it is correct, besides what all variants ensure. */
    private static List<Guarantee> guarantees(boolean isCorrect, Property... ofCorrect) {
        var properties = new ArrayList<>(List.of(MUTUAL_EXCLUSION, DEADLOCK_FREEDOM, NO_STARVATION));
        if (isCorrect) {
            properties.addAll(List.of(ofCorrect));
        }
        return List.of(Guarantee.of(properties.toArray(Property[]::new)).tolerating(REORDER, PAUSE, SLOWNESS));
    }

    /** @throws IllegalArgumentException if the number is too small */
    private static int atLeast(int least, AlgorithmOption<Integer> option, AlgorithmParameters parameters) {
        int value = parameters.get(option);
        if (value < least) {
            throw new IllegalArgumentException("--" + option.name() + " must be at least " + least + ", was " + value);
        }
        return value;
    }
}
