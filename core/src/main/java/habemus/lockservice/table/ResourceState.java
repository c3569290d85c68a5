package habemus.lockservice.table;

import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceShare;

/**
 * Holders and queue of a resource in use.
 *
 * @param size number of units
 * @param unitsInUse how many of them are held
 * @param holders with the units of each
 * @param principals of holders and waiters, with the number of their requests
 */
public record ResourceState(
        int size,
        int unitsInUse,
        PersistentSortedMap<RequestId, Integer> holders,
        PersistentSortedMap<QueueKey, RequestId> queue,
        PersistentSortedMap<String, Integer> principals) {

    static ResourceState unused(int size) {
        return new ResourceState(
                size, 0, PersistentSortedMap.empty(), PersistentSortedMap.empty(), PersistentSortedMap.empty());
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

    ResourceState withWaiter(QueueKey key, RequestId request, String principal) {
        return new ResourceState(size, unitsInUse, holders, queue.with(key, request), counted(principal, 1));
    }

    ResourceState withoutWaiter(QueueKey key, String principal) {
        return new ResourceState(size, unitsInUse, holders, queue.without(key), counted(principal, -1));
    }

    ResourceState withHolder(RequestId request, int units, String principal) {
        return new ResourceState(size, unitsInUse + units, holders.with(request, units), queue, counted(principal, 1));
    }

    ResourceState withoutHolder(RequestId request, int units, String principal) {
        return new ResourceState(size, unitsInUse - units, holders.without(request), queue, counted(principal, -1));
    }

    private PersistentSortedMap<String, Integer> counted(String principal, int change) {
        int requests = principals.get(principal).orElse(0) + change;
        return requests == 0 ? principals.without(principal) : principals.with(principal, requests);
    }
}
