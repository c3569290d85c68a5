package habemus.course.exercise;

import static habemus.world.Property.TERMINATION;
import static habemus.world.Property.UNIQUENESS;

import habemus.catalogue.Algorithm;
import habemus.check.model.Scope;
import habemus.lab.source.SourceFile;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.World;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** An election in a ring whose nodes have no ids. The nodes cannot see their ids, whatever the file does. */
final class AnonymousRingCheck implements ExerciseCheck {

    private static final Property[] REQUIRED = {UNIQUENESS, TERMINATION};
    private static final int SEEDS = 100;
    private static final int EQUAL_DRAWS = 2;

    @Override
    public List<CriterionResult> check(SourceFile file, ThreadLaboratory laboratory) {
        var algorithm = ElectionTrials.load(file);
        return List.of(
                CriterionResult.of("safe", safe(trials(algorithm, 0)), "every run and every draw of 2 and 3 nodes"),
                CriterionResult.of("larger", larger(trials(algorithm, 0)), "5 and 8 nodes, " + SEEDS + " seeds each"),
                CriterionResult.of(
                        "equal-draws",
                        larger(trials(algorithm, EQUAL_DRAWS)),
                        "the first " + EQUAL_DRAWS + " draws of all nodes are equal"));
    }

    private static ElectionTrials trials(Algorithm algorithm, int equalDraws) {
        return new ElectionTrials(algorithm, protocol -> AnonymousNodes.of(protocol, equalDraws));
    }

    private static Optional<FailingRun> safe(ElectionTrials trials) {
        return Stream.of(2, 3)
                .flatMap(nodes -> ElectionTrials.candidateSets(nodes).stream()
                        .map(candidates ->
                                trials.check(Scope.of(Topology.ring(nodes)).withRequests(candidates, 1), REQUIRED)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<FailingRun> larger(ElectionTrials trials) {
        return Stream.of(5, 8)
                .map(nodes -> trials.simulate(World.of(Topology.ring(nodes)), SEEDS, REQUIRED))
                .flatMap(Optional::stream)
                .findFirst();
    }
}
