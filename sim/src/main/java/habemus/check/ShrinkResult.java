package habemus.check;

import habemus.check.model.ReplayResult;
import habemus.check.model.Scope;

/**
 * The result of shrinking a run.
 *
 * @param timing of the scope that shows the violation: asynchronous if timeouts must come before messages
 * @param originalSize the number of moves of the original run
 * @param isShortest whether no run with as few faults, timeouts and requests is shorter; false if that was not decided
 */
public record ShrinkResult(ReplayResult run, Scope.Timing timing, int originalSize, boolean isShortest) {}
