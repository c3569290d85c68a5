package habemus.service.log;

import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/** Whom the engine tells; must be quick, and must not call back. */
interface Watcher {
    /** @param leader nobody if null */
    void leader(@Nullable Address leader, boolean self, long term);

    /** All that is known to be committed has been applied. */
    void rest();

    /** The disk failed: this node can go on no more. */
    void broken(Throwable why);
}
