package habemus.lockservice;

/**
 * A request that waits in the queue of a resource.
 *
 * @param since when it joined, in milliseconds since 1970 on the clock of the proposing node
 */
public record Waiter(RequestId request, ClientInfo client, int units, int rank, long since) {}
