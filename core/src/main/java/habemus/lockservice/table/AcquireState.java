package habemus.lockservice.table;

import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.protocol.WireTags;
import java.util.List;

/** The state of an acquire that has not ended. */
@WireTags({AcquireState.Holding.class, AcquireState.Waiting.class})
public sealed interface AcquireState {

    List<ResourceShare> shares();

    default int unitsOf(ResourceName name) {
        return shares().stream()
                .filter(share -> share.name().equals(name))
                .mapToInt(ResourceShare::units)
                .sum();
    }

    /**
     * The request waits in the queues of all its resources.
     *
     * @param since milliseconds since 1970 on the clock of the proposing node
     */
    record Waiting(List<ResourceShare> shares, QueueKey queueKey, long since) implements AcquireState {}

    /**
     * The request holds all its shares.
     *
     * @param since milliseconds since 1970 on the clock of the proposing node
     */
    record Holding(List<ResourceShare> shares, long fence, long since) implements AcquireState {}
}
