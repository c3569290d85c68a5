package habemus.client;

import habemus.lockservice.ResourceName;
import habemus.lockservice.name.NameRule;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * An election. One candidate leads until it resigns or loses its lease; then the next leads, by rank and arrival. The
 * term is a fencing token: send it with every command of the leader, and reject commands with a smaller term.
 */
public final class Election {

    private final SessionDriver driver;
    private final String name;
    private final ReentrantLock mutex = new ReentrantLock();
    private final Set<CandidateRunner> runners;
    private Optional<CandidateRunner> runner = Optional.empty();

    /** @param runners all candidates of the client, which resign when it is closed */
    Election(SessionDriver driver, String name, Set<CandidateRunner> runners) {
        this.driver = driver;
        this.name = NameRule.require("election name", name);
        this.runners = runners;
    }

    /** {@return its name} */
    public String name() {
        return name;
    }

    /**
     * Campaigns with rank zero.
     *
     * @param candidate called when it is elected or deposed
     */
    public void campaign(Candidate candidate) {
        campaign(0, candidate);
    }

    /**
     * Campaigns until {@link #resign} or the end of the client. A candidate that is deposed for another reason
     * campaigns again, in a new session if necessary.
     *
     * @param rank candidates of higher rank are first in the queue; a leader is never replaced
     * @param candidate called when it is elected or deposed
     * @throws IllegalStateException if this object campaigns already
     */
    public void campaign(int rank, Candidate candidate) {
        mutex.lock();
        try {
            if (runner.isPresent()) {
                throw new IllegalStateException("already campaigning in election " + name
                        + "\nhint: resign first, or use another Election object");
            }
            var next = new CandidateRunner(driver, name, rank, candidate);
            runner = Optional.of(next);
            runners.add(next);
            next.campaign();
        } finally {
            mutex.unlock();
        }
    }

    /**
     * Ends the campaign. A leader gets {@link Candidate#onDeposed} first; leadership is released afterwards. Waits
     * until both are done, except in a call of the candidate, where it returns at once.
     *
     * @throws InterruptedException if the thread is interrupted; the resignation continues
     */
    public void resign() throws InterruptedException {
        Optional<CandidateRunner> last;
        mutex.lock();
        try {
            last = runner;
            runner = Optional.empty();
        } finally {
            mutex.unlock();
        }
        if (last.isPresent()) {
            runners.remove(last.get());
            var done = last.get().resign();
            if (driver.mayWait() && !last.get().isCallbackThread()) {
                Futures.await(done);
            }
        }
    }

    /**
     * Transfers leadership to another candidate, and campaigns again. The other may lead before
     * {@link Candidate#onDeposed} is called here: it has the larger term.
     *
     * @param to client name of the other candidate
     * @throws InterruptedException if the thread is interrupted; the transfer may happen nevertheless
     * @throws RequestRejectedException if no candidate has that name; then this candidate stays the leader
     * @throws LockLostException if this candidate is not the leader
     * @throws OutcomeUnknownException if the session was lost before the result
     */
    public void transferTo(String to) throws InterruptedException {
        var grant = current()
                .flatMap(CandidateRunner::leadership)
                .orElseThrow(() -> new LockLostException("leadership of " + name, new LossReason.Resigned()));
        var transferred = grant.transferTo(to);
        if (driver.mayWait()) {
            Futures.await(transferred);
        }
    }

    /** {@return whether this candidate is the leader, checked against the local clock} */
    public boolean isLeader() {
        return current()
                .flatMap(CandidateRunner::leadership)
                .filter(Grant::isValid)
                .isPresent();
    }

    private Optional<CandidateRunner> current() {
        mutex.lock();
        try {
            return runner;
        } finally {
            mutex.unlock();
        }
    }

    /**
     * Observes the leader. The listener is called now and after every change, one call after the other on a virtual
     * thread. Of several quick changes it may see only the last.
     *
     * @param listener called with the leader; empty if there is none
     * @return close it to stop the calls
     */
    public Observer observe(Consumer<Optional<Leader>> listener) {
        var observer = new CoalescingObserver(driver, name, listener);
        driver.watch(observer);
        return observer::close;
    }

    /** A registered listener of the election. */
    public interface Observer extends AutoCloseable {
        /** Stops the calls of the listener. */
        @Override
        void close();
    }

    /**
     * Reads leader, candidates and former leaders.
     *
     * @return the status as the answering node knows it
     * @throws InterruptedException if the thread is interrupted
     * @throws ServiceUnavailableException if no node answers in time
     */
    public LockStatus describe() throws InterruptedException {
        return PendingQueries.describe(driver, ResourceName.election(name));
    }

    /** {@code election scheduler} */
    @Override
    public String toString() {
        return ResourceName.election(name).toString();
    }
}
