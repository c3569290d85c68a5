package habemus.service.log;

import org.jgroups.Address;
import org.jgroups.protocols.raft.ELECTION;
import org.jspecify.annotations.Nullable;

/**
 * The engine's election, in which whoever has the longest log of all who voted leads, or nobody. The engine takes the
 * longest of those who are still in the view when it has counted: if the one with the longest has left meanwhile, one
 * leads that lacks what was committed, and has it overwritten everywhere.
 */
class Election extends ELECTION {

    static final short ID = 520; // the engine's
    private static final int ROUND = 300; // milliseconds, until who has too few votes asks again

    Election() {
        setId(ID);
        voteTimeout(ROUND);
    }

    /** Nobody, if somebody has voted and left: then there is another round. */
    @Override
    protected @Nullable Address determineLeader() {
        var voters = getVotes().getValidResults();
        return view.getMembers().containsAll(voters) ? super.determineLeader() : null;
    }
}
