package habemus.lockservice;

/**
 * A request that holds a resource.
 *
 * @param since when it was granted, in milliseconds since 1970 on the clock of the proposing node
 */
public record Holder(RequestId request, ClientInfo client, int units, long fence, long since) {}
