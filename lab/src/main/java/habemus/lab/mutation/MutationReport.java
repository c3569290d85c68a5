package habemus.lab.mutation;

import habemus.smallscope.GuaranteeScope;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Shows mutants as they die.
 *
 * @param recordedRuns what they died of when they were last searched
 */
public record MutationReport(Map<Mutant, KillingRun> recordedRuns) {

    public static MutationReport load() {
        return new MutationReport(KillingRuns.recorded());
    }

    /** In which nothing is recorded, so that everybody is searched anew. */
    public static MutationReport empty() {
        return new MutationReport(Map.of());
    }

    /**
     * As it was recorded; who has no record, or survives it, is searched.
     *
     * @param onScope is told of every world in which it is searched
     * @return nothing if it survives everywhere
     * @throws MutantCompiler.NoCompilerException if this is no JDK
     */
    public Optional<KilledMutant> replayOrSearch(Mutant mutant, Consumer<GuaranteeScope> onScope) {
        var mutantSearch = new MutantSearch(mutant);
        return Optional.ofNullable(recordedRuns.get(mutant))
                .flatMap(killingRun -> KilledMutant.replay(mutantSearch, killingRun))
                .or(() -> mutantSearch
                        .search(onScope)
                        .flatMap(killingRun -> KilledMutant.replay(mutantSearch, killingRun)));
    }
}
