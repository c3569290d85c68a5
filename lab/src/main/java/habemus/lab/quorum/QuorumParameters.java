package habemus.lab.quorum;

import habemus.lab.command.CommandException;
import java.util.Optional;

/**
 * A quorum whose safety and availability are computed.
 *
 * @param coordinators number of coordinators, at least 1
 * @param quorum number of grants that a node needs; empty: a majority, or the smallest number for the target
 * @param restartProbability the probability that a coordinator restarts while the lock is held
 * @param downProbability the probability that a coordinator is down
 * @param target the largest probability of two holders; excludes a given quorum
 */
public record QuorumParameters(
        int coordinators,
        Optional<Integer> quorum,
        double restartProbability,
        double downProbability,
        Optional<Double> target) {

    /** @throws CommandException if there is no such quorum */
    AmnesiaProbability safety() {
        if (target.isPresent() && quorum.isPresent()) {
            throw CommandException.usage(
                    "-m and --target exclude each other", "leave one of them out: --target computes m");
        }
        int majority = coordinators / 2 + 1;
        int size = target.isEmpty() ? quorum.orElse(majority) : smallestQuorum(target.get());
        try {
            return new AmnesiaProbability(coordinators, size, restartProbability);
        } catch (IllegalArgumentException wrong) {
            throw CommandException.usage(
                    String.valueOf(wrong.getMessage()), "use -m from " + majority + " to " + coordinators);
        }
    }

    private int smallestQuorum(double most) {
        return AmnesiaProbability.smallestQuorum(coordinators, restartProbability, most)
                .orElseThrow(() -> CommandException.usage(
                        "--target is out of reach with " + coordinators + " coordinators",
                        "use more coordinators, or durable grants"));
    }
}
