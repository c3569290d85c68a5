package habemus.lab.experiment;

import habemus.lab.command.CommandException;

/**
 * Forks a run: the same run up to the cursor, and then something else.
 *
 * <p>A fork is another command line. The trace of its run begins with the same events as the original, up to the cursor
 * and including the event there. One thing may differ: a property that the original violates before the cursor is
 * {@link habemus.world.TraceEvent.NotGuaranteed} in the fork, if the algorithm does not guarantee it with the fault.
 *
 * <p>In a simulated run, the intervention happens one microsecond after the event at the cursor. A planned fault comes
 * before all other events of its time, and would change the run before the cursor. So events that share the time of the
 * cursor still happen first. If nothing but starts of nodes has happened, the intervention happens at time 0.
 *
 * <p>In a run by {@code --moves}, it comes after the move of the event at the cursor, in place of all later moves. Only
 * a delayed message keeps them, in another order.
 */
public final class Fork {

    private Fork() {}

    /**
     * The arguments of the fork.
     *
     * @param cursor the index of the last event of the trace that the runs have in common; -1: they have none
     * @throws CommandException if the intervention is not possible at the cursor
     */
    public static RunArguments of(RunArguments original, int cursor, Intervention intervention) {
        var experiment = ExperimentParser.parse(original);
        var fork = fork(experiment, cursor, intervention);
        ExperimentParser.parse(fork);
        return fork;
    }

    private static RunArguments fork(Experiment experiment, int cursor, Intervention intervention) {
        var prefix = RunPrefix.of(experiment, cursor);
        try {
            return experiment.arguments().has(WorldOption.MOVES)
                    ? new ScheduledFork(experiment, prefix).with(intervention)
                    : new SimulatedFork(experiment, prefix).with(intervention);
        } catch (CommandException impossible) {
            throw impossible.reworded(experiment.names()::in);
        }
    }
}
