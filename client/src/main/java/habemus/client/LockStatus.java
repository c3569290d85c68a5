package habemus.client;

import habemus.lockservice.ResourceStatus;
import java.time.Instant;
import java.util.List;

/**
 * Holders, waiters and history of a lock, a semaphore or an election, as the answering node knows them. All times are
 * those of the service's clocks.
 *
 * @param size total number of units; zero if nothing is held and no client waits
 * @param holders current holds; in an election, the leader's
 * @param waiters in queue order; in an election, the other candidates
 * @param history holds that have ended, the latest first
 */
public record LockStatus(int size, List<Holder> holders, List<Waiter> waiters, List<PastHold> history) {

    /**
     * A current hold.
     *
     * @param client the holder
     * @param units held units; all of them if the hold is exclusive
     * @param fence its fence; in an election, the term
     * @param since when it was granted
     */
    public record Holder(ClientIdentity client, int units, long fence, Instant since) {

        static Holder of(habemus.lockservice.Holder holder) {
            return new Holder(
                    ClientIdentity.of(holder.client()),
                    holder.units(),
                    holder.fence(),
                    Instant.ofEpochMilli(holder.since()));
        }
    }

    /**
     * A request in the queue.
     *
     * @param client the waiting client
     * @param units requested units
     * @param rank of a candidate in an election; zero for other resources
     * @param since when it joined the queue
     */
    public record Waiter(ClientIdentity client, int units, int rank, Instant since) {

        static Waiter of(habemus.lockservice.Waiter waiter) {
            return new Waiter(
                    ClientIdentity.of(waiter.client()),
                    waiter.units(),
                    waiter.rank(),
                    Instant.ofEpochMilli(waiter.since()));
        }
    }

    /**
     * A hold that has ended.
     *
     * @param client the former holder
     * @param fence its fence
     * @param since when it was granted
     * @param until when it ended
     * @param endReason released, closed, expired, revoked or transferred
     */
    public record PastHold(ClientIdentity client, long fence, Instant since, Instant until, String endReason) {

        static PastHold of(habemus.lockservice.PastHold hold) {
            return new PastHold(
                    ClientIdentity.of(hold.client()),
                    hold.fence(),
                    Instant.ofEpochMilli(hold.since()),
                    Instant.ofEpochMilli(hold.until()),
                    hold.endReason().toString());
        }
    }

    static LockStatus of(ResourceStatus status) {
        return new LockStatus(
                status.size(),
                status.holders().stream().map(Holder::of).toList(),
                status.waiters().stream().map(Waiter::of).toList(),
                status.history().stream().map(PastHold::of).toList());
    }
}
