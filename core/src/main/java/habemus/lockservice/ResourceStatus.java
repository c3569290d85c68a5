package habemus.lockservice;

import java.util.List;

/**
 * How it is with something that can be held.
 *
 * @param size its units; zero if nobody uses it
 * @param waiters in the order in which they will be let in
 * @param history who was inside before, the latest first
 */
public record ResourceStatus(
        ResourceName resourceName, int size, List<Holder> holders, List<Waiter> waiters, List<PastHold> history) {}
