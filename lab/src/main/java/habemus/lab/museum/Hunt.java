package habemus.lab.museum;

import habemus.catalogue.Catalogue;
import habemus.check.Report;
import habemus.protocol.Protocol;
import habemus.small.PromisedWorld;
import habemus.world.Property;
import habemus.world.Verdict;
import java.util.Optional;
import java.util.function.Consumer;

/** Looks for what a mutant dies of, in one small world after the other. */
public final class Hunt {

    private final Mutant mutant;
    private final Workshop workshop;

    /** @throws Workshop.NoCompiler if this is no JDK */
    public Hunt(Mutant mutant) {
        this.mutant = mutant;
        workshop = Workshop.open(mutant);
    }

    public Mutant mutant() {
        return mutant;
    }

    /**
     * A shortest run in the first world in which it breaks what it must and the algorithm itself does not.
     *
     * @param watch is told which world comes next
     * @return nothing if it survives all of them
     */
    public Optional<Kill> search(Consumer<PromisedWorld> watch) {
        for (var world : PromisedWorld.all(Catalogue.find(mutant.algorithm()).orElseThrow())) {
            watch.accept(world);
            var kill = searchIn(world);
            if (kill.isPresent() && isSurvived(world)) {
                return kill;
            }
        }
        return Optional.empty();
    }

    /** A shortest run in this world; nothing if it survives there. */
    public Optional<Kill> searchIn(PromisedWorld world) {
        return find(world).map(finding -> new Kill(mutant, world, finding.schedule(), finding.loop()));
    }

    Optional<Report.Finding> find(PromisedWorld world) {
        return judged(world)
                .flatMap(property -> world.check(protocol(world), property).find(mutant.breaks()))
                .filter(finding -> finding.verdict() == Verdict.VIOLATED);
    }

    /** Whether the algorithm as it stands breaks nothing there that the mutant must break. */
    public boolean isSurvived(PromisedWorld world) {
        return judged(world)
                .filter(property -> !world.check(world.protocol(), property).failed())
                .isPresent();
    }

    /** What the mutant must break, if it is promised there; a bug shows whatever is judged. */
    private Optional<Property> judged(PromisedWorld world) {
        boolean bug = mutant.breaks().equals(Report.PROTOCOL_BUG);
        return world.promise().properties().stream()
                .filter(property -> bug || mutant.breaks().equals(property.toString()))
                .findFirst();
    }

    /** The mutant, for the nodes of this world. */
    Protocol<?, ?> protocol(PromisedWorld world) {
        return workshop.rebuild(world.protocol());
    }
}
