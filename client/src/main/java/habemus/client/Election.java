package habemus.client;

import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceStatus;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * One of the candidates leads, until it resigns or is lost; then the next one, by rank and by how long it stands. The
 * term is a fence: whatever the leader commands should carry it, and be refused when a larger one was seen.
 */
public final class Election {

    private final SessionDriver sessionDriver;
    private final String name;
    private final ReentrantLock turn = new ReentrantLock();
    private final Set<CandidateRunner> candidateRunners;
    private Optional<CandidateRunner> candidateRunner = Optional.empty();

    /** @param candidateRunners of the client, to be resigned when it is closed */
    Election(SessionDriver sessionDriver, String name, Set<CandidateRunner> candidateRunners) {
        this.sessionDriver = sessionDriver;
        this.name = name;
        this.candidateRunners = candidateRunners;
    }

    /** {@return its name} */
    public String name() {
        return name;
    }

    /**
     * Stands as a candidate of rank zero.
     *
     * @param candidate is told
     */
    public void campaign(Candidate candidate) {
        campaign(0, candidate);
    }

    /**
     * Stands as a candidate, until {@link #resign} or the end of the client. Whoever is deposed for another reason
     * stands again by itself, also in a new session.
     *
     * @param rank who has a higher one comes first in the line; nobody who leads is replaced
     * @param candidate is told
     * @throws IllegalStateException if this object campaigns already
     */
    public void campaign(int rank, Candidate candidate) {
        turn.lock();
        try {
            if (candidateRunner.isPresent()) {
                throw new IllegalStateException("this is a candidate already; resign first, or take another object");
            }
            var next = new CandidateRunner(sessionDriver, name, rank, candidate);
            candidateRunner = Optional.of(next);
            candidateRunners.add(next);
            next.campaign();
        } finally {
            turn.unlock();
        }
    }

    /**
     * Stands no longer. Who leads is deposed first, and only after {@link Candidate#onDeposed} the service is told.
     * Waits until all that is done, except within a call of the candidate, where it returns at once.
     *
     * @throws InterruptedException if the thread is interrupted; it goes on all the same
     */
    public void resign() throws InterruptedException {
        Optional<CandidateRunner> last;
        turn.lock();
        try {
            last = candidateRunner;
            candidateRunner = Optional.empty();
        } finally {
            turn.unlock();
        }
        if (last.isPresent()) {
            candidateRunners.remove(last.get());
            var done = last.get().resign();
            if (!last.get().isCallbackThread()) {
                Futures.await(done);
            }
        }
    }

    /**
     * Hands leadership to another candidate, and stands again behind it. The other may lead before
     * {@link Candidate#onDeposed} is called here: it has the larger term.
     *
     * @param to the name of that candidate's client
     * @throws InterruptedException if the thread is interrupted; it may be done all the same
     * @throws RequestRejectedException if nobody of that name is a candidate; then this leads on
     * @throws LockLostException if this does not lead
     * @throws OutcomeUnknownException if the session was lost before the answer
     */
    public void transferTo(String to) throws InterruptedException {
        var grant = current()
                .flatMap(CandidateRunner::leadership)
                .orElseThrow(() -> new LockLostException("leadership of " + name, new LossReason.Resigned()));
        Futures.await(grant.transferTo(to));
    }

    /** {@return whether this leads; looks at the clock} */
    public boolean isLeader() {
        return current()
                .flatMap(CandidateRunner::leadership)
                .filter(Grant::isValid)
                .isPresent();
    }

    private Optional<CandidateRunner> current() {
        turn.lock();
        try {
            return candidateRunner;
        } finally {
            turn.unlock();
        }
    }

    /**
     * Tells who leads, now and whenever it changes; one call after the other, on a virtual thread. Of several quick
     * changes only the last may be told.
     *
     * @param told who leads, or that nobody does
     * @return to be closed, when it is not to be told any more
     */
    public Observer observe(Consumer<Optional<Leader>> told) {
        var coalescingObserver = new CoalescingObserver(sessionDriver, name, told);
        sessionDriver.watch(coalescingObserver);
        return coalescingObserver::end;
    }

    /** Somebody who is told who leads, until it is closed. */
    public interface Observer extends AutoCloseable {
        /** It is told nothing more. */
        @Override
        void close();
    }

    /**
     * Who leads, who stands, who led before.
     *
     * @return as the answering node knows it
     * @throws InterruptedException if the thread is interrupted
     * @throws ServiceUnavailableException if no node answers in time
     */
    public ResourceStatus describe() throws InterruptedException {
        return PendingQueries.describe(sessionDriver, ResourceName.election(name));
    }

    /** {@code election scheduler} */
    @Override
    public String toString() {
        return ResourceName.election(name).toString();
    }
}
