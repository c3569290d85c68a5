package habemus.lab.mutation;

import habemus.lab.source.InMemoryCompiler;
import habemus.smallscope.SmallScope;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Kills mutants: replays their recorded runs, and searches new ones where that fails.
 *
 * @param recordedRuns the killing runs of the last search
 */
public record MutationReport(Map<Mutant, KillingRun> recordedRuns) {

    public static MutationReport load() {
        return new MutationReport(KillingRuns.recorded());
    }

    /** Without recorded runs, so that every mutant is searched. */
    public static MutationReport empty() {
        return new MutationReport(Map.of());
    }

    /**
     * Replays the recorded run of a mutant. If there is none, or the mutant survives it, searches a new one.
     *
     * @param onScope called with each scope before it is searched
     * @return empty if the mutant survives in all scopes
     * @throws InMemoryCompiler.NoCompilerException if the Java runtime has no compiler
     */
    public Optional<KilledMutant> replayOrSearch(Mutant mutant, Consumer<SmallScope> onScope) {
        var mutantSearch = new MutantSearch(mutant);
        return Optional.ofNullable(recordedRuns.get(mutant))
                .flatMap(killingRun -> KilledMutant.replay(mutantSearch, killingRun))
                .or(() -> mutantSearch
                        .search(onScope)
                        .flatMap(killingRun -> KilledMutant.replay(mutantSearch, killingRun)));
    }
}
