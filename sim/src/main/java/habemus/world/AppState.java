package habemus.world;

/** What the application at a node does with its lock or election. */
public enum AppState {
    IDLE,
    /** It requested the lock and does not hold it yet. */
    WAITING,
    HOLDING,
    /** It requested an election. It stays a candidate and may campaign again. */
    CANDIDATE
}
