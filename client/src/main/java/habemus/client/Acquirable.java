package habemus.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A lock, permits of a semaphore, or several of them. All clients wait in one queue, and no request overtakes another.
 *
 * <p>A waiting request survives the loss of its session: it joins the queue again in the next session. If the caller is
 * interrupted, cancels or times out, the client cancels the request at the service.
 */
public interface Acquirable {

    /**
     * Acquires, and waits without limit.
     *
     * @return the grant, to be closed
     * @throws InterruptedException if the thread is interrupted; the request is cancelled
     * @throws RequestRejectedException if the service rejects the request
     */
    Grant acquire() throws InterruptedException;

    /**
     * Acquires, and waits at most the given time.
     *
     * @param timeout more than zero
     * @return the grant, to be closed
     * @throws InterruptedException if the thread is interrupted; the request is cancelled
     * @throws LockTimeoutException if other clients held it, or were ahead in the queue, all the time
     * @throws ServiceUnavailableException if the service did not answer in time
     * @throws RequestRejectedException if the service rejects the request
     */
    Grant acquire(Duration timeout) throws InterruptedException;

    /**
     * Acquires without waiting in the queue. Waits only for the answer of the service, at most
     * {@link ClientOptions#connectTimeout}.
     *
     * @return the result
     * @throws InterruptedException if the thread is interrupted; the request is cancelled
     * @throws RequestRejectedException if the service rejects the request
     */
    AcquireResult tryAcquire() throws InterruptedException;

    /**
     * Acquires without blocking a thread. If the caller cancels or completes the future, the request is cancelled.
     *
     * @return completed with the grant on a virtual thread
     */
    CompletableFuture<Grant> acquireAsync();

    /**
     * Acquires without waiting in the queue and without blocking a thread. If the caller cancels or completes the
     * future, the request is cancelled.
     *
     * @return completed on a virtual thread with {@link AcquireResult.Granted} or {@link AcquireResult.Busy}, when the
     *     service answers
     */
    CompletableFuture<AcquireResult> tryAcquireAsync();
}
