package habemus.lockservice;

import java.util.List;

/** Sessions that wait for each other in a circle: each for the next, the last for the first. */
public record Deadlock(List<Wait> cycle) {

    /** A session waits for another, which holds what it wants or is before it in the line. */
    public record Wait(
            ClientInfo client,
            RequestId request,
            ResourceName resource,
            ClientInfo blockingClient,
            RequestId blockingRequest) {}
}
