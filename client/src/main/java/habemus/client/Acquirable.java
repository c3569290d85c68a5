package habemus.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Something to be let in. Whoever waits stands in one line with everybody else, and nobody is overtaken.
 *
 * <p>A request outlives its session: if the session is lost while it waits, it joins the line anew. It never outlives
 * its caller: a wait that is interrupted, cancelled or too long is taken back at the service.
 */
public interface Acquirable {

    /**
     * Waits as long as it takes.
     *
     * @return what is held; to be closed
     * @throws InterruptedException if the thread is interrupted; the request is taken back
     * @throws RequestRejectedException if the service does not allow it
     */
    Grant acquire() throws InterruptedException;

    /**
     * Waits so long at most.
     *
     * @param most more than zero
     * @return what is held; to be closed
     * @throws InterruptedException if the thread is interrupted; the request is taken back
     * @throws LockTimeoutException if it was not our turn in time
     * @throws ServiceUnavailableException if the service did not answer in time
     * @throws RequestRejectedException if the service does not allow it
     */
    Grant acquire(Duration most) throws InterruptedException;

    /**
     * Does not wait in line, but for the answer of the service, as long as {@link ClientOptions#connectTimeout} says.
     *
     * @return what came of it
     * @throws InterruptedException if the thread is interrupted; the request is taken back
     * @throws RequestRejectedException if the service does not allow it
     */
    AcquireResult tryAcquire() throws InterruptedException;

    /**
     * Waits without a thread. If the future is cancelled, or completed by anybody else, the request is taken back.
     *
     * @return what is held, in time; what depends on it runs on a virtual thread
     */
    CompletableFuture<Grant> acquireAsync();
}
