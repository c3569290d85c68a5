package habemus.check;

import habemus.check.model.ReplayResult;
import habemus.check.model.Scope;

/**
 * A run that was made short.
 *
 * @param timing of the world in which it is violated: asynchronous, if alarms must not wait for messages
 * @param originalSize how many moves it was made of before
 * @param isShortest whether no run is shorter in which nothing happens more often; else this was not looked at wholly
 */
public record ShrinkResult(ReplayResult run, Scope.Timing timing, int originalSize, boolean isShortest) {}
