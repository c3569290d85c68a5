package habemus.client;

import habemus.fenced.Description;
import habemus.fenced.Name;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * One of the candidates leads, until it resigns or is lost; then the next one, by rank and by how long it stands. The
 * term is a fence: whatever the leader commands should carry it, and be refused when a larger one was seen.
 */
public final class Election {

    private final Driver driver;
    private final String name;
    private final ReentrantLock turn = new ReentrantLock();
    private final Set<Campaign> campaigns;
    private Optional<Campaign> campaign = Optional.empty();

    /** @param campaigns of the client, to be resigned when it is closed */
    Election(Driver driver, String name, Set<Campaign> campaigns) {
        this.driver = driver;
        this.name = name;
        this.campaigns = campaigns;
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
            if (campaign.isPresent()) {
                throw new IllegalStateException("this is a candidate already; resign first, or take another object");
            }
            var next = new Campaign(driver, name, rank, candidate);
            campaign = Optional.of(next);
            campaigns.add(next);
            next.stand();
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
        Optional<Campaign> last;
        turn.lock();
        try {
            last = campaign;
            campaign = Optional.empty();
        } finally {
            turn.unlock();
        }
        if (last.isPresent()) {
            campaigns.remove(last.get());
            var done = last.get().resign();
            if (!last.get().isHere()) {
                Waits.get(done);
            }
        }
    }

    /**
     * Hands leadership to another candidate, and stands again behind it. The other may lead before
     * {@link Candidate#onDeposed} is called here: it has the larger term.
     *
     * @param to the name of that candidate's client
     * @throws InterruptedException if the thread is interrupted; it may be done all the same
     * @throws Refused if nobody of that name is a candidate; then this leads on
     * @throws LockLost if this does not lead
     * @throws OutcomeUnknown if the session was lost before the answer
     */
    public void transferTo(String to) throws InterruptedException {
        var grant = current()
                .flatMap(Campaign::leadership)
                .orElseThrow(() -> new LockLost("leadership of " + name, new Loss.Resigned()));
        Waits.get(grant.handOver(to));
    }

    /** {@return whether this leads; looks at the clock} */
    public boolean isLeader() {
        return current().flatMap(Campaign::leadership).filter(Grant::isValid).isPresent();
    }

    private Optional<Campaign> current() {
        turn.lock();
        try {
            return campaign;
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
        var observation = new Observation(driver, name, told);
        driver.watch(observation);
        return observation::end;
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
     * @throws Unreachable if no node answers in time
     */
    public Description describe() throws InterruptedException {
        return Sights.describe(driver, Name.election(name));
    }

    /** {@code election scheduler} */
    @Override
    public String toString() {
        return Name.election(name).toString();
    }
}
