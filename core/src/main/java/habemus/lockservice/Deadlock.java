package habemus.lockservice;

import java.util.List;

/**
 * A cycle of sessions that wait for each other.
 *
 * @param cycle each session waits for the next, and the last for the first
 */
public record Deadlock(List<Wait> cycle) {

    /** A request waits for another session's request, which holds the resource or is ahead in its queue. */
    public record Wait(
            ClientInfo client,
            RequestId request,
            ResourceName resource,
            ClientInfo blockingClient,
            RequestId blockingRequest) {}
}
