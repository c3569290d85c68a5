package habemus.service.raft;

import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/** Whom the engine tells; must be quick, and must not call back. */
interface RaftListener {
    /** @param leader nobody if null */
    void onLeaderChanged(@Nullable Address leader, boolean self, long term);

    /** All that is known to be committed has been applied. */
    void onIdle();

    /** The disk failed: this node can go on no more. */
    void onFailure(Throwable why);
}
