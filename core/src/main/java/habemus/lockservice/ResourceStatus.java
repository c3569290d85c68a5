package habemus.lockservice;

import java.util.List;

/**
 * Holders, waiters and history of one resource.
 *
 * @param size number of units; zero if the resource is not in use
 * @param waiters in queue order
 * @param history past holds, the latest first
 */
public record ResourceStatus(
        ResourceName name, int size, List<Holder> holders, List<Waiter> waiters, List<PastHold> history) {}
