package habemus.lab.quorum;

import habemus.lab.command.CommandException;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * The safety of a quorum beside its availability.
 *
 * @param safety of the quorum that was asked for or found
 * @param downProbability the probability that a coordinator is down
 * @param target the largest probability of two holders that was asked for
 * @param estimate empty if nothing was simulated
 */
public record QuorumReport(
        AmnesiaProbability safety,
        double downProbability,
        Optional<Double> target,
        Optional<AmnesiaSimulation.Estimate> estimate) {

    /** @throws CommandException if there is no such quorum */
    public static QuorumReport of(QuorumParameters parameters) {
        return new QuorumReport(
                parameters.safety(), parameters.downProbability(), parameters.target(), Optional.empty());
    }

    /** Whether the number of coordinators is small enough for a simulation. */
    public boolean canBeSimulated() {
        return safety.coordinators() <= AmnesiaSimulation.MAX_COORDINATORS;
    }

    /** With an estimate of the probability of two holders by simulated runs. */
    public QuorumReport simulate(int runs, long seed, IntConsumer progress) {
        var simulated = new AmnesiaSimulation(safety).run(runs, seed, progress);
        return new QuorumReport(safety, downProbability, target, Optional.of(simulated));
    }

    /** Whether a single crash blocks every node. */
    public boolean blocksOnOneCrash() {
        return availability(safety.quorum()).toleratedCrashes() == 0 && safety.coordinators() > 1;
    }

    /** The safety of another quorum of the same coordinators. */
    public AmnesiaProbability safety(int quorum) {
        return new AmnesiaProbability(safety.coordinators(), quorum, safety.restartProbability());
    }

    public QuorumAvailability availability(int quorum) {
        return new QuorumAvailability(safety.coordinators(), quorum, downProbability);
    }

    /** All quorums, from a majority to all coordinators. */
    public List<Integer> quorums() {
        return IntStream.rangeClosed(safety.coordinators() / 2 + 1, safety.coordinators())
                .boxed()
                .toList();
    }
}
