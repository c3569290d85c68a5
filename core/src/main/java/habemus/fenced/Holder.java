package habemus.fenced;

/**
 * One who is inside.
 *
 * @param since milliseconds since 1970, on the clock of the node that proposed the grant's entry
 */
public record Holder(Claim claim, Person person, int units, long fence, long since) {}
