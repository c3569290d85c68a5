package habemus.client;

import java.util.List;
import java.util.Optional;

/** The result of {@link Acquirable#tryAcquire}. */
public sealed interface AcquireResult {

    /**
     * The lock was granted.
     *
     * @param grant to be closed by the caller
     */
    record Granted(Grant grant) implements AcquireResult {}

    /**
     * Another client holds the lock, or is ahead in its queue.
     *
     * @param holders the current holders; empty if there is only a queue
     */
    record Busy(List<LockStatus.Holder> holders) implements AcquireResult {

        /** {@return the first of the holders} */
        public Optional<LockStatus.Holder> holder() {
            return holders.stream().findFirst();
        }
    }

    /**
     * The service did not answer in time: no node is reachable, or none is connected to a majority. Nothing is held,
     * and nothing will be: the client cancels the request, or ends its session, as soon as the service is back. If the
     * client is closed before that, the lease of its session ends what is left.
     *
     * @param reason what the client tried
     */
    record NoQuorum(String reason) implements AcquireResult {}
}
