package habemus.service.raft;

import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/** Callbacks of {@link CorrectedRaft}. They run with its lock held: they must be short and must not call it back. */
interface RaftListener {
    /** @param leader null if there is no leader */
    void onLeaderChanged(@Nullable Address leader, boolean self, long term);

    /** All committed entries are applied. */
    void onIdle();

    /** The disk failed or the logs diverged: this node cannot continue. */
    void onFailure(Throwable cause);
}
