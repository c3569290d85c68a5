package habemus.fenced;

/**
 * One in line.
 *
 * @param since milliseconds since 1970, on the clock of the node that proposed its entry
 */
public record Waiter(Claim claim, Person person, int units, int rank, long since) {}
