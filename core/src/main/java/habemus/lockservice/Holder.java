package habemus.lockservice;

/**
 * One who is inside.
 *
 * @param since milliseconds since 1970, on the clock of the node that proposed the grant's entry
 */
public record Holder(RequestId request, ClientInfo client, int units, long fence, long since) {}
