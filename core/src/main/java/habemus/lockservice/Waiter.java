package habemus.lockservice;

/**
 * One in line.
 *
 * @param since milliseconds since 1970, on the clock of the node that proposed its entry
 */
public record Waiter(RequestId request, ClientInfo client, int units, int rank, long since) {}
