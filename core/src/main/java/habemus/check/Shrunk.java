package habemus.check;

/**
 * A run that was made short.
 *
 * @param timing of the world in which it is violated: asynchronous, if alarms must not wait for messages
 * @param from how many moves it was made of before
 * @param shortest whether no run is shorter in which nothing happens more often; else this was not looked at wholly
 */
public record Shrunk(Played run, Scope.Timing timing, int from, boolean shortest) {}
