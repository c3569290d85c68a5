package habemus.lab.mutation;

import habemus.catalogue.Catalogue;
import habemus.check.model.CheckReport;
import habemus.protocol.Protocol;
import habemus.smallscope.GuaranteeScope;
import habemus.world.Property;
import habemus.world.Verdict;
import java.util.Optional;
import java.util.function.Consumer;

/** Looks for what a mutant dies of, in one small world after the other. */
public final class MutantSearch {

    private final Mutant mutant;
    private final MutantCompiler mutantCompiler;

    /** @throws MutantCompiler.NoCompilerException if this is no JDK */
    public MutantSearch(Mutant mutant) {
        this.mutant = mutant;
        mutantCompiler = MutantCompiler.forMutant(mutant);
    }

    public Mutant mutant() {
        return mutant;
    }

    /**
     * A shortest run in the first world in which it breaks what it must and the algorithm itself does not.
     *
     * @param onScope is told which world comes next
     * @return nothing if it survives all of them
     */
    public Optional<KillingRun> search(Consumer<GuaranteeScope> onScope) {
        for (var world : GuaranteeScope.all(Catalogue.find(mutant.algorithm()).orElseThrow())) {
            onScope.accept(world);
            var killingRun = searchIn(world);
            if (killingRun.isPresent() && originalSurvives(world)) {
                return killingRun;
            }
        }
        return Optional.empty();
    }

    /** A shortest run in this world; nothing if it survives there. */
    public Optional<KillingRun> searchIn(GuaranteeScope world) {
        return find(world).map(finding -> new KillingRun(mutant, world, finding.schedule(), finding.loopStart()));
    }

    Optional<CheckReport.Finding> find(GuaranteeScope world) {
        return propertyToBreak(world)
                .flatMap(property ->
                        world.check(mutatedProtocol(world), property).find(mutant.breaks()))
                .filter(finding -> finding.verdict() == Verdict.VIOLATED);
    }

    /** Whether the algorithm as it stands breaks nothing there that the mutant must break. */
    public boolean originalSurvives(GuaranteeScope world) {
        return propertyToBreak(world)
                .filter(property -> !world.check(world.protocol(), property).hasViolation())
                .isPresent();
    }

    /** What the mutant must break, if it is promised there; a bug shows whatever is judged. */
    private Optional<Property> propertyToBreak(GuaranteeScope world) {
        boolean bug = mutant.breaks().equals(CheckReport.PROTOCOL_BUG);
        return world.guarantee().properties().stream()
                .filter(property -> bug || mutant.breaks().equals(property.toString()))
                .findFirst();
    }

    /** The mutant, for the nodes of this world. */
    Protocol<?, ?> mutatedProtocol(GuaranteeScope world) {
        return mutantCompiler.instantiateLike(world.protocol());
    }
}
