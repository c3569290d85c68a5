package habemus.service.raft;

import java.time.Duration;
import java.util.Optional;
import org.jgroups.Address;
import org.jgroups.View;
import org.jgroups.protocols.raft.ELECTION;
import org.jgroups.raft.util.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Has an election held where the engine forgets to. With the engine only a change of the view leads to one, as the
 * coordinator of the view sees it. If a majority stands still for some seconds, the leader sees the others go, and
 * leads no more; they wake up in the belief that it does, and when the views are merged nothing has changed for them,
 * so none of them has an election held, for ever. So a node that misses a leader, in a view with a majority, says so to
 * the coordinator; and that one has an election held if it knows of no leader either, or of this one.
 */
final class LeaderlessWatchdog {

    private static final long PATIENCE =
            Duration.ofMillis(250).toNanos(); // an election that is held all the same does no harm

    private final CorrectedRaft correctedRaft;
    private final ELECTION election;
    private boolean missing;
    private long since;

    LeaderlessWatchdog(CorrectedRaft correctedRaft, ELECTION election) {
        this.correctedRaft = correctedRaft;
        this.election = election;
    }

    /** Called often, by one thread. Whom to tell that nobody leads here. */
    Optional<Address> look(@Nullable View view) {
        long now = System.nanoTime();
        boolean before = missing;
        missing = view != null && correctedRaft.leader() == null && isMajority(view);
        if (view == null || !missing) {
            return Optional.empty();
        }
        if (!before) {
            since = now;
        }
        if (now - since < PATIENCE) {
            return Optional.empty();
        }
        since = now;
        if (election.runVotingThread()) {
            return Optional.empty(); // this is the coordinator
        }
        return Optional.of(view.getCoord());
    }

    private boolean isMajority(View view) {
        var members = correctedRaft.members();
        long there = view.getMembers().stream()
                .filter(member -> members.contains(Utils.extractRaftId(member)))
                .count();
        return there >= correctedRaft.majority();
    }

    /**
     * Somebody misses a leader. Does nothing unless this is the coordinator, and while an election is held. If it is in
     * a later term nobody leads who is believed to here, this node least of all: it stood still when others went on,
     * and nobody in a later term answers it.
     */
    void reported(Address by, long term) {
        if (term > correctedRaft.currentTerm()) {
            correctedRaft.currentTerm(term);
        }
        var leader = correctedRaft.leader();
        if (leader == null || leader.equals(by)) {
            var unused = election.runVotingThread();
        }
    }
}
