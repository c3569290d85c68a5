package habemus.client;

import habemus.lockservice.Deadlock;
import java.util.List;

/**
 * Clients that wait for each other, because they acquired several locks one after the other.
 *
 * @param waits each client waits for the next, and the last for the first
 */
public record DeadlockCycle(List<Wait> waits) {

    /**
     * One client waits for another.
     *
     * @param client the waiting client
     * @param resource what it waits for, such as {@code lock orders}
     * @param blockingClient the client that holds it, or is ahead in the queue
     */
    public record Wait(ClientIdentity client, String resource, ClientIdentity blockingClient) {

        static Wait of(Deadlock.Wait wait) {
            return new Wait(
                    ClientIdentity.of(wait.client()),
                    wait.resource().toString(),
                    ClientIdentity.of(wait.blockingClient()));
        }
    }

    static DeadlockCycle of(Deadlock deadlock) {
        return new DeadlockCycle(deadlock.cycle().stream().map(Wait::of).toList());
    }
}
