package habemus.lockservice.table;

import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.protocol.WireTags;
import java.util.List;

/** A claim that is not over. */
@WireTags({AcquireState.Holding.class, AcquireState.Waiting.class})
public sealed interface AcquireState {

    List<ResourceShare> shares();

    default int unitsOf(ResourceName resourceName) {
        return shares().stream()
                .filter(resourceShare -> resourceShare.resourceName().equals(resourceName))
                .mapToInt(ResourceShare::units)
                .sum();
    }

    /** In the line of everything it wants. */
    record Waiting(List<ResourceShare> shares, QueueKey queueKey, long since) implements AcquireState {}

    record Holding(List<ResourceShare> shares, long fence, long since) implements AcquireState {}
}
