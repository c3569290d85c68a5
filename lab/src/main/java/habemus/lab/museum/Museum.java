package habemus.lab.museum;

import habemus.small.PromisedWorld;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Shows mutants as they die.
 *
 * @param recorded what they died of when they were last searched
 */
public record Museum(Map<Mutant, Kill> recorded) {

    public static Museum open() {
        return new Museum(Kills.recorded());
    }

    /** In which nothing is recorded, so that everybody is searched anew. */
    public static Museum empty() {
        return new Museum(Map.of());
    }

    /**
     * As it was recorded; who has no record, or survives it, is searched.
     *
     * @param watch is told of every world in which it is searched
     * @return nothing if it survives everywhere
     * @throws Workshop.NoCompiler if this is no JDK
     */
    public Optional<Exhibit> show(Mutant mutant, Consumer<PromisedWorld> watch) {
        var hunt = new Hunt(mutant);
        return Optional.ofNullable(recorded.get(mutant))
                .flatMap(kill -> Exhibit.of(hunt, kill))
                .or(() -> hunt.search(watch).flatMap(kill -> Exhibit.of(hunt, kill)));
    }
}
