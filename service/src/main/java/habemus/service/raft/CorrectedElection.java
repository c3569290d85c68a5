package habemus.service.raft;

import java.util.concurrent.locks.LockSupport;
import org.jgroups.Address;
import org.jgroups.protocols.raft.ELECTION;
import org.jspecify.annotations.Nullable;

/**
 * The election of jgroups-raft, corrected: the voter with the longest log becomes leader, or no node does.
 * Jgroups-raft chooses among the voters that are still in the view. If the voter with the longest log has left, it
 * elects a leader that lacks committed entries and overwrites them everywhere.
 */
class CorrectedElection extends ELECTION {

    static final short ID = 520; // that of the superclass
    private static final int ROUND_TIMEOUT_MILLIS = 300; // until a candidate without a majority asks again
    private static final long ROUND_PAUSE_NANOS = 20_000_000; // after a round without a result

    CorrectedElection() {
        setId(ID);
        voteTimeout(ROUND_TIMEOUT_MILLIS);
    }

    /**
     * Stops without a majority. Jgroups-raft would continue if the view shrinks during a round, and write a new term to
     * disk in each round.
     */
    @Override
    protected void runVotingProcess() {
        if (!isMajorityAvailable()) {
            stopVotingThread();
        }
        super.runVotingProcess();
        if (isVotingThreadRunning()) {
            LockSupport.parkNanos(ROUND_PAUSE_NANOS);
        }
    }

    /** Null, which starts another round, if a voter has left the view. */
    @Override
    protected @Nullable Address determineLeader() {
        var voters = getVotes().getValidResults();
        return view.getMembers().containsAll(voters) ? super.determineLeader() : null;
    }
}
