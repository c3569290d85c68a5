package habemus.lab.mutation;

import habemus.check.model.CheckReport;
import habemus.lab.source.InMemoryCompiler;
import habemus.protocol.Protocol;
import habemus.smallscope.SmallScope;
import habemus.world.Property;
import habemus.world.Verdict;
import java.util.Optional;
import java.util.function.Consumer;

/** Searches a killing run of a mutant in one small scope after the other, with the model checker. */
public final class MutantSearch {

    private final Mutant mutant;
    private final MutantCompiler mutantCompiler;

    /** @throws InMemoryCompiler.NoCompilerException if the Java runtime has no compiler */
    public MutantSearch(Mutant mutant) {
        this.mutant = mutant;
        mutantCompiler = MutantCompiler.forMutant(mutant);
    }

    public Mutant mutant() {
        return mutant;
    }

    /**
     * Returns a shortest killing run in the first scope in which the mutant violates its property and the original
     * algorithm does not.
     *
     * @param onScope called with each scope before it is searched
     * @return empty if the mutant survives in all scopes
     */
    public Optional<KillingRun> search(Consumer<SmallScope> onScope) {
        for (var scope : mutant.scopes()) {
            onScope.accept(scope);
            var killingRun = searchIn(scope);
            if (killingRun.isPresent() && originalSurvives(scope)) {
                return killingRun;
            }
        }
        return Optional.empty();
    }

    /** A shortest killing run in this scope; empty if the mutant survives there. */
    public Optional<KillingRun> searchIn(SmallScope scope) {
        return find(scope).map(finding -> new KillingRun(mutant, scope, finding.schedule(), finding.loopStart()));
    }

    Optional<CheckReport.Finding> find(SmallScope scope) {
        return propertyToBreak(scope)
                .flatMap(property ->
                        scope.check(mutatedProtocol(scope), property).find(mutant.breaks()))
                .filter(finding -> finding.verdict() == Verdict.VIOLATED);
    }

    /** Whether the original algorithm does not violate the property that the mutant must violate. */
    public boolean originalSurvives(SmallScope scope) {
        return propertyToBreak(scope)
                .filter(property -> !scope.check(scope.protocol(), property).hasViolation())
                .isPresent();
    }

    /** The property that the mutant must violate, if the scope guarantees it. A bug shows up with any property. */
    private Optional<Property> propertyToBreak(SmallScope scope) {
        boolean bug = mutant.breaks().equals(CheckReport.PROTOCOL_BUG);
        return scope.properties().stream()
                .filter(property -> bug || mutant.breaks().equals(property.toString()))
                .findFirst();
    }

    /** The mutant, configured for this scope. */
    Protocol<?, ?> mutatedProtocol(SmallScope scope) {
        return mutantCompiler.instantiateLike(scope.protocol());
    }
}
