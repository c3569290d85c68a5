package habemus.lockservice.table;

import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceShare;

/**
 * Something that somebody holds or waits for.
 *
 * @param unitsInUse how many of its units
 * @param holders with the units of each
 */
public record ResourceState(
        int size,
        int unitsInUse,
        PersistentSortedMap<RequestId, Integer> holders,
        PersistentSortedMap<QueueKey, RequestId> queue) {

    static ResourceState unused(int size) {
        return new ResourceState(size, 0, PersistentSortedMap.empty(), PersistentSortedMap.empty());
    }

    boolean hasCapacityFor(ResourceShare resourceShare) {
        return size - unitsInUse >= resourceShare.units();
    }

    /** Whether whoever comes now need not wait. */
    boolean isFreeFor(ResourceShare resourceShare) {
        return queue.isEmpty() && hasCapacityFor(resourceShare);
    }

    boolean isUnused() {
        return holders.isEmpty() && queue.isEmpty();
    }

    ResourceState withWaiter(QueueKey queueKey, RequestId requestId) {
        return new ResourceState(size, unitsInUse, holders, queue.with(queueKey, requestId));
    }

    ResourceState withoutWaiter(QueueKey queueKey) {
        return new ResourceState(size, unitsInUse, holders, queue.without(queueKey));
    }

    ResourceState withHolder(RequestId requestId, int units) {
        return new ResourceState(size, unitsInUse + units, holders.with(requestId, units), queue);
    }

    ResourceState withoutHolder(RequestId requestId, int units) {
        return new ResourceState(size, unitsInUse - units, holders.without(requestId), queue);
    }
}
