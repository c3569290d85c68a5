package habemus.service.raft;

import java.util.concurrent.locks.LockSupport;
import org.jgroups.Address;
import org.jgroups.protocols.raft.ELECTION;
import org.jspecify.annotations.Nullable;

/**
 * The engine's election, in which whoever has the longest log of all who voted leads, or nobody. The engine takes the
 * longest of those who are still in the view when it has counted: if the one with the longest has left meanwhile, one
 * leads that lacks what was committed, and has it overwritten everywhere.
 */
class CorrectedElection extends ELECTION {

    static final short ID = 520; // the engine's
    private static final int ROUND = 300; // milliseconds, until who has too few votes asks again
    private static final long LATER = 20_000_000; // nanoseconds from a round that has elected nobody to the next

    CorrectedElection() {
        setId(ID);
        voteTimeout(ROUND);
    }

    /**
     * Not without a majority, which the engine does if the view is lost in the middle of a round: one round after the
     * other, each with a term that is written to the disk.
     */
    @Override
    protected void runVotingProcess() {
        if (!isMajorityAvailable()) {
            stopVotingThread();
        }
        super.runVotingProcess();
        if (isVotingThreadRunning()) {
            LockSupport.parkNanos(LATER);
        }
    }

    /** Nobody, if somebody has voted and left: then there is another round. */
    @Override
    protected @Nullable Address determineLeader() {
        var voters = getVotes().getValidResults();
        return view.getMembers().containsAll(voters) ? super.determineLeader() : null;
    }
}
