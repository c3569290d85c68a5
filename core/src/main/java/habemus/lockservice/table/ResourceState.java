package habemus.lockservice.table;

import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceShare;

/**
 * Holders and queue of a resource in use.
 *
 * @param size number of units
 * @param unitsInUse how many of them are held
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

    boolean hasCapacityFor(ResourceShare share) {
        return size - unitsInUse >= share.units();
    }

    /** {@return whether a new request is granted at once: enough free units, and an empty queue} */
    boolean isFreeFor(ResourceShare share) {
        return queue.isEmpty() && hasCapacityFor(share);
    }

    boolean isUnused() {
        return holders.isEmpty() && queue.isEmpty();
    }

    ResourceState withWaiter(QueueKey key, RequestId request) {
        return new ResourceState(size, unitsInUse, holders, queue.with(key, request));
    }

    ResourceState withoutWaiter(QueueKey key) {
        return new ResourceState(size, unitsInUse, holders, queue.without(key));
    }

    ResourceState withHolder(RequestId request, int units) {
        return new ResourceState(size, unitsInUse + units, holders.with(request, units), queue);
    }

    ResourceState withoutHolder(RequestId request, int units) {
        return new ResourceState(size, unitsInUse - units, holders.without(request), queue);
    }
}
